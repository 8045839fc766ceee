import { expect, test } from 'vitest'
import { formatInCell } from '../../../web/views/numbers.js'

test.each([
  [0.16568, undefined, '0.17'],
  [0.16568, 3, '0.166'],
  [-0.16568, 3, '−0.166'],
  [12.3456, undefined, '12.3'],
  [12.3456, 3, '12.35'],
  [123.456, undefined, '123'],
  [123.456, 1, '123'],
  [12345, 3, '1e4'],
  [-Infinity, 3, '−∞'],
])('%d with %s decimals stands in a cell as %s', (value, decimals, text) => {
  expect(formatInCell(value, decimals)).toBe(text)
})
