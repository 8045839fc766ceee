import { expect, test } from 'vitest'
import { differentBits, largestDifference } from '../../../web/exhibits/same-bits.js'

test('Bits tell apart what arithmetic does not, and see that a NaN is itself', () => {
  const values = Float32Array.of(1, 0, Number.NaN)
  expect(differentBits(values, Float32Array.of(1, 0, Number.NaN))).toBe(0)
  expect(differentBits(values, Float32Array.of(1, -0, Number.NaN))).toBe(1)
  expect(differentBits(values, Float32Array.of(1 + 2 ** -23, 0, 2))).toBe(2)
  expect(differentBits(values, Float32Array.of(1))).toBe(2)
})

test('Views into larger buffers are compared where they are', () => {
  const whole = Float32Array.of(9, 1, 2, 1, 2)
  expect(differentBits(whole.subarray(1, 3), whole.subarray(3))).toBe(0)
  expect(differentBits(whole.subarray(0, 2), whole.subarray(3))).toBe(2)
})

test('The largest difference is a magnitude', () => {
  expect(largestDifference([1, -2], [1, 3])).toBe(5)
  expect(largestDifference([], [])).toBe(0)
})
