import { expect, test } from 'vitest'
import { exactZero, fixed, listed, spokenPower } from '../../../web/exhibits/format.js'

test.each([
  [-1.23456, '−1.235'],
  [-0.0001, '0.000'],
  [0, '0.000'],
])('%d with three digits is %s', (value, text) => {
  expect(fixed(value, 3)).toBe(text)
})

test.each([
  [0, '0'],
  [-0, '0'],
  [1e-9, '0.000'],
  [-Infinity, '−∞'],
  [Number.NaN, 'NaN'],
])('Only what is exactly zero is written as 0: %d is %s', (value, text) => {
  expect(exactZero(value, 3)).toBe(text)
})

test('A vector stands in brackets', () => {
  expect(listed(Float32Array.of(0.5, -0.25), 2)).toBe('(0.50, −0.25)')
})

test('A small number is said with its power of ten, and zero as such', () => {
  expect(spokenPower(3.21e-7)).toBe('3.2e-7')
  expect(spokenPower(0)).toBe('0')
})
