import { expect, test } from 'vitest'
import { sinusoids } from '../../../web/exhibits/equivariance.js'
import {
  add,
  columnBlock,
  frobeniusNorm,
  largestMagnitude,
  permuteRows,
  rowOf,
  sideBySide,
  subtract,
  total,
  transpose,
} from '../../../web/exhibits/matrix.js'

/** @param {number[][]} rows */
const matrix = (rows) => ({
  data: Float64Array.from(rows.flat()),
  shape: [rows.length, rows[0].length],
})
const a = matrix([
  [1, 2, 3, 4],
  [5, 6, 7, 8],
  [9, 10, 11, 12],
])

test('A column block keeps all rows', () => {
  expect(columnBlock(a, 2, 2)).toEqual(
    matrix([
      [3, 4],
      [7, 8],
      [11, 12],
    ]),
  )
})

test('A permutation says which row comes to stand at each place', () => {
  expect(Array.from(permuteRows(a, [2, 0, 1]).data.slice(0, 4))).toEqual([9, 10, 11, 12])
})

test('A transpose has the columns as its rows', () => {
  expect(transpose(a)).toEqual(
    matrix([
      [1, 5, 9],
      [2, 6, 10],
      [3, 7, 11],
      [4, 8, 12],
    ]),
  )
})

test('Blocks side by side are the columns that they were taken from', () => {
  const blocks = [columnBlock(a, 0, 2), columnBlock(a, 2, 2)]
  const stack = {
    data: Float64Array.from(blocks.flatMap(({ data }) => [...data])),
    shape: [2, 3, 2],
  }
  expect(sideBySide(stack)).toEqual(a)
})

test('A row is found through all leading axes, and sums in double precision', () => {
  const stack = { data: Float32Array.from({ length: 12 }, (_, index) => index), shape: [2, 2, 3] }
  expect([...rowOf(stack, 2)]).toEqual([6, 7, 8])
  expect(total(rowOf(stack, 3))).toBe(30)
  expect(total(Float32Array.of(1, 2 ** -30))).toBe(1 + 2 ** -30)
})

test('Sums, differences and norms', () => {
  expect(frobeniusNorm(subtract(a, a))).toBe(0)
  expect(frobeniusNorm(matrix([[3, -4]]))).toBe(5)
  expect(add(a, a).data[11]).toBe(24)
  expect(largestMagnitude(a, matrix([[-20]]))).toBe(20)
})

test('Results are as precise as what they come from', () => {
  const float32 = { data: Float32Array.of(1, 2), shape: [1, 2] }
  expect(subtract(float32, float32).data).toBeInstanceOf(Float32Array)
  expect(subtract(a, a).data).toBeInstanceOf(Float64Array)
})

test('Sinusoids take turns: sine, cosine, and slower from pair to pair', () => {
  const { data, shape } = sinusoids(3, 4)
  expect(shape).toEqual([3, 4])
  expect(Array.from(data.slice(0, 4))).toEqual([0, 1, 0, 1])
  expect(data[4]).toBe(Math.sin(1))
  expect(data[5]).toBe(Math.cos(1))
  expect(data[10]).toBeCloseTo(Math.sin(2 / 100), 15)
})
