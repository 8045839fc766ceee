/**
 * How values are written.
 */

/**
 * A value in full: the shortest decimal that is this float32, or nine digits of a float64.
 *
 * @param {number} value
 * @returns {string}
 */
export function formatExact(value) {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞'
  if (Math.fround(value) === value) {
    for (let digits = 1; digits <= 9; digits++) {
      const text = value.toPrecision(digits)
      if (Math.fround(Number(text)) === value) return tidy(Number(text))
    }
  }
  return tidy(Number(value.toPrecision(9)))
}

/** @param {number} value */
function tidy(value) {
  return String(value).replace(/-/g, '−')
}

/**
 * A value in a cell: as many digits as a cell holds.
 *
 * @param {number} value
 * @param {number} [decimals] of values below 10; larger ones have fewer
 * @returns {string}
 */
export function formatInCell(value, decimals = 2) {
  if (!Number.isFinite(value)) return formatExact(value)
  const magnitude = Math.abs(value)
  if (magnitude >= 1000) return value.toExponential(0).replace('e+', 'e').replace(/-/g, '−')
  const left = decimals - (magnitude < 10 ? 0 : magnitude < 100 ? 1 : 2)
  return value.toFixed(Math.max(0, left)).replace('-', '−')
}

/**
 * A value at a colour bar's end: three significant digits.
 *
 * @param {number} value
 * @returns {string}
 */
export function formatShort(value) {
  return tidy(Number(value.toPrecision(3)))
}

/**
 * @param {number} count
 * @param {string} one
 * @param {string} many
 */
export function counted(count, one, many) {
  return `${count} ${count === 1 ? one : many}`
}
