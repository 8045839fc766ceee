import { describe, expect, test } from 'vitest'
import { expectClose, expectSame, float32Tolerance } from '../compare.js'
import { randomTensor, transpose } from '../inputs.js'
import { engine } from './loaded.js'

const SIZES = Array.from({ length: 17 }, (_, i) => i + 1)

/**
 * Products in double precision.
 * @param {{ data: ArrayLike<number>, shape: number[] }} a
 * @param {{ data: ArrayLike<number>, shape: number[] }} b
 */
function product(a, b) {
  const [[n, inner], [, m]] = [a.shape, b.shape]
  const data = new Float64Array(n * m)
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < inner; k++) {
      for (let j = 0; j < m; j++) data[i * m + j] += a.data[i * inner + k] * b.data[k * m + j]
    }
  }
  return { data, shape: [n, m] }
}

describe('matmul', () => {
  test.each(SIZES)('multiplies matrices of %i rows with all others up to 17', (n) => {
    for (const inner of SIZES) {
      for (const m of SIZES) {
        const a = randomTensor([n, inner], 1)
        const b = randomTensor([inner, m], 2)
        const wanted = product(a, b)
        const name = `(${n}, ${inner})·(${inner}, ${m})`
        const tolerance = float32Tolerance(inner)
        expectClose(engine.matmul(a, b), wanted, { tolerance, name })
        const transposed = engine.matmul(a, transpose(b), { transposeB: true })
        expectClose(transposed, wanted, { tolerance, name: `${name}, b transposed` })
      }
    }
  })

  test('transposes a, and both', () => {
    const a = randomTensor([3, 5], 1)
    const b = randomTensor([5, 4], 2)
    const wanted = engine.matmul(a, b)
    expectSame(engine.matmul(transpose(a), b, { transposeA: true }), wanted)
    const both = { transposeA: true, transposeB: true }
    expectSame(engine.matmul(transpose(a), transpose(b), both), wanted)
  })

  test('broadcasts leading dimensions', () => {
    const a = randomTensor([2, 1, 3, 4], 1)
    const b = randomTensor([5, 4, 6], 2)
    const c = engine.matmul(a, b)
    expect(c.shape).toEqual([2, 5, 3, 6])
    for (let i = 0; i < 2; i++) {
      for (let j = 0; j < 5; j++) {
        const left = { data: a.data.slice(i * 12, i * 12 + 12), shape: [3, 4] }
        const right = { data: b.data.slice(j * 24, j * 24 + 24), shape: [4, 6] }
        const at = (i * 5 + j) * 18
        expectSame({ data: c.data.slice(at, at + 18), shape: [3, 6] }, engine.matmul(left, right))
      }
    }
  })

  test('of no terms is zero, and of no rows is empty', () => {
    const none = (/** @type {number[]} */ shape) => ({ data: new Float32Array(0), shape })
    expect([...engine.matmul(none([2, 0]), none([0, 3])).data]).toEqual(new Array(6).fill(0))
    expect(engine.matmul(none([0, 2]), [[1], [2]]).shape).toEqual([0, 1])
  })

  test.each([
    [
      'rows that do not fit',
      [[1, 2]],
      [[1], [2], [3]],
      /^b had shape \(3, 1\); it had to have 2 rows/,
    ],
    ['a vector', [1, 2], [[1], [2]], /^a had shape \(2\); it had to have at least 2 dimensions/],
  ])('refuses %s', (_, a, b, message) => {
    expect(() => engine.matmul(a, b)).toThrow(RangeError)
    expect(() => engine.matmul(a, b)).toThrow(message)
  })
})

describe.each(SIZES)('rows of %i', (columns) => {
  const scores = randomTensor([3, columns], 7, 3)
  const exact = Float64Array.from(scores.data)
  const probabilities = exact.map((s, i) => {
    const row = exact.subarray(i - (i % columns), i - (i % columns) + columns)
    const top = Math.max(...row)
    return Math.exp(s - top) / row.reduce((sum, x) => sum + Math.exp(x - top), 0)
  })

  test('have their softmax', () => {
    const wanted = { data: probabilities, shape: [3, columns] }
    expectClose(engine.softmax(scores), wanted, { tolerance: float32Tolerance(columns) })
  })

  test("have their softmax's Jacobian and backward pass", () => {
    const p = { data: probabilities, shape: [3, columns] }
    const jacobian = engine.softmaxJacobian(p)
    expect(jacobian.shape).toEqual([3, columns, columns])
    const gradient = randomTensor([3, columns], 8)
    const back = engine.softmaxBackward(p, gradient)
    for (let row = 0; row < 3; row++) {
      for (let i = 0; i < columns; i++) {
        const pi = probabilities[row * columns + i]
        let sum = 0
        for (let j = 0; j < columns; j++) {
          const entry = jacobian.data[(row * columns + i) * columns + j]
          const wanted = pi * ((i === j ? 1 : 0) - probabilities[row * columns + j])
          expect(entry).toBeCloseTo(wanted, 6)
          sum += entry * gradient.data[row * columns + j]
        }
        expect(back.data[row * columns + i]).toBeCloseTo(sum, 5)
      }
    }
  })

  test('have mean 0 and variance 1 after layer norm', () => {
    const { data } = engine.layerNorm(scores, { eps: 0 })
    for (let row = 0; row < 3 && columns > 1; row++) {
      const normed = data.subarray(row * columns, (row + 1) * columns)
      const mean = normed.reduce((sum, x) => sum + x, 0) / columns
      const variance = normed.reduce((sum, x) => sum + (x - mean) ** 2, 0) / columns
      expect(mean).toBeCloseTo(0, 5)
      expect(variance).toBeCloseTo(1, 4)
    }
  })
})

test('softmax of a row of −∞ is zero, of any one infinity is not a number', () => {
  const rows = engine.softmax([
    [-Infinity, -Infinity],
    [-Infinity, 3],
    [NaN, 1],
  ])
  expect([...rows.data.slice(0, 4)]).toEqual([0, 0, 0, 1])
  expect([...rows.data.slice(4)]).toEqual([NaN, NaN])
})

test('layer norm multiplies by its weight and adds its bias', () => {
  const { data } = engine.layerNorm([[1, 3]], { weight: [2, 4], bias: [10, 20], eps: 0 })
  expect(data[0]).toBeCloseTo(8, 5)
  expect(data[1]).toBeCloseTo(24, 5)
})
