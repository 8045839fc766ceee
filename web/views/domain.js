/**
 * The range of values that a colour scale covers.
 *
 * @import { Extent } from './attention-data.js'
 * @typedef {readonly [low: number, high: number]} Domain  low < high
 */

/** Of a scale to each side of 0: twice as much is still a number. */
const MOST_REACH = Number.MAX_VALUE / 2

/**
 * A fixed domain as a caller gives it.
 *
 * @param {unknown} value `[low, high]`, or nothing for a scale that follows the numbers
 * @returns {Domain | null}
 * @throws {TypeError | RangeError} in words that may be shown
 */
export function readDomain(value) {
  if (value === undefined || value === null) return null
  if (!Array.isArray(value) || value.length !== 2 || !value.every(Number.isFinite)) {
    throw new TypeError('domain: expected two finite numbers [low, high]')
  }
  const [low, high] = value
  if (!(low < high)) throw new RangeError(`domain: low must be below high, got [${low}, ${high}]`)
  if (high - low === Infinity) throw new RangeError('domain: its length is past the largest number')
  return [low, high]
}

/**
 * The domain that fits the numbers: weights run from 0 to their maximum, signed values from their
 * minimum, and a diverging scale is symmetric about 0. Where all values are equal it is widened, so
 * that nothing is divided by zero; and it ends where its length would be past the largest number.
 *
 * @param {Extent} extent
 * @param {boolean} [diverging]
 * @returns {Domain}
 */
export function fitDomain(extent, diverging = false) {
  const min = Math.max(extent.min, -MOST_REACH)
  const max = Math.min(extent.max, MOST_REACH)
  if (Number.isNaN(max)) return [0, 1]
  if (diverging) {
    const reach = Math.max(Math.abs(min), Math.abs(max)) || 1
    return [-reach, reach]
  }
  if (min >= 0) return [0, max > 0 ? max : 1]
  return min < max ? [min, max] : [min, 0]
}
