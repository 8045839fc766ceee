import { expect, test } from 'vitest'
import { barycentricCoordinates } from '../../../web/exhibits/barycentric.js'
import { golden } from '../golden.js'

const triangle = { data: Float64Array.of(0, 0, 4, 0, 0, 2), shape: [3, 2] }

test('A point of a triangle has coordinates that sum to 1 and lead back to it', () => {
  const coordinates = barycentricCoordinates(triangle, [1, 1])
  expect(Array.from(coordinates ?? [])).toEqual([0.25, 0.25, 0.5])
})

test('A point outside has a negative coordinate', () => {
  const coordinates = barycentricCoordinates(triangle, [3, 1.5])
  expect(Math.min(...(coordinates ?? [0]))).toBeCloseTo(-0.5, 12)
})

test('Points that are not affinely independent have no unique coordinates', () => {
  const square = { data: Float64Array.of(0, 0, 1, 0, 0, 1, 1, 1), shape: [4, 2] }
  const line = { data: Float64Array.of(0, 0, 0, 1, 1, 1, 2, 2, 2), shape: [3, 3] }
  expect(barycentricCoordinates(square, [0.5, 0.5])).toBeNull()
  expect(barycentricCoordinates(line, [1, 1, 1])).toBeNull()
})

test('Of a single point the coordinate is 1', () => {
  expect(barycentricCoordinates({ data: Float64Array.of(3, 4), shape: [1, 2] }, [3, 4])).toEqual(
    Float64Array.of(1),
  )
})

test('Outputs of attention have the coordinates that least squares gave for the golden case', () => {
  const { V, Y } = golden('scaled_dot_product').properties
  const { barycentric } = golden('extra').scaled_dot_product.hull
  for (let row = 0; row < 5; row++) {
    const coordinates = barycentricCoordinates(V, Y.data.slice(8 * row, 8 * row + 8))
    for (let j = 0; j < 6; j++) {
      expect(coordinates?.[j]).toBeCloseTo(barycentric.data[6 * row + j], 13)
    }
  }
})
