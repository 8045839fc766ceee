import { html } from 'lit/html.js'
import { formatExact } from '../views/numbers.js'

/**
 * How exhibits write numbers beside their figures.
 */

/**
 * @param {number} value
 * @param {number} digits after the point
 * @returns {string} with a true minus, and none before a zero
 */
export function fixed(value, digits) {
  const text = value.toFixed(digits)
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−')
}

/**
 * @param {number} value
 * @param {number} digits after the point
 * @returns {string} 0 alone where the value is exactly that; ±∞ and NaN as such
 */
export function exactZero(value, digits) {
  if (value === 0) return '0'
  return Number.isFinite(value) ? fixed(value, digits) : formatExact(value)
}

/**
 * @param {ArrayLike<number>} values
 * @param {number} digits
 * @returns {string} in brackets
 */
export function listed(values, digits) {
  return `(${Array.from(values, (value) => fixed(value, digits)).join(', ')})`
}

/** @param {number} value @returns {unknown} two digits and a power of ten, such as 3.2 · 10⁻⁷ */
export function powerOfTen(value) {
  if (value === 0) return '0'
  const [digits, exponent] = value.toExponential(1).split('e')
  // The spaces do not break.
  return html`${digits.replace('-', '−')}&nbsp;·&nbsp;10<sup
      >${exponent.replace('-', '−').replace('+', '')}</sup
    >`
}

/** @param {number} value @returns {string} the same for the ear */
export function spokenPower(value) {
  return value === 0 ? '0' : value.toExponential(1)
}
