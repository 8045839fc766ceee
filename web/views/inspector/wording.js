/**
 * The inspector's sentences.
 *
 * @import { CellDetail } from '../options.js'
 * @import { Disagreement } from './agreement.js'
 * @typedef {object} RowState
 * @property {boolean} masked  the cell may not be attended to
 * @property {number} value  what was computed for it
 * @property {number} open  how many keys of the row may be attended to
 * @property {boolean} hasNaN  the row's sum is not a number
 */
import { counted, formatExact, formatShort } from '../numbers.js'

/** More disagreements than these are counted. */
const MOST_NAMED = 3

/**
 * What there is to know of a cell, in a sentence.
 *
 * @param {Pick<CellDetail, 'queryToken' | 'keyToken'>} cell
 * @param {RowState & { rank: number | null, valueLabel: string, share?: number }} found
 * @returns {string}
 */
export function finding(
  { queryToken, keyToken },
  { masked, value, open, rank, valueLabel, share },
) {
  if (open === 0) return `${queryToken} may attend to nothing.`
  if (masked) return `${queryToken} may not attend to ${keyToken}.`
  const what = `${queryToken} → ${keyToken}: ${valueLabel} ${formatExact(value)}`
  if (rank === null) return `${what}.`
  const parts = [`rank ${rank} of ${open} in its row`]
  if (share !== undefined && Number.isFinite(share)) {
    parts.push(`${formatShort(100 * share).replace(/^−0$/, '0')} % of the output`)
  }
  return `${what}; ${parts.join(', ')}.`
}

/**
 * What is special about a cell's row.
 *
 * @param {Pick<CellDetail, 'queryToken' | 'keyToken'>} cell
 * @param {RowState & { why?: string }} state `why` it is masked
 * @returns {string[]}
 */
export function rowNote({ queryToken }, { masked, value, open, hasNaN, why }) {
  if (open === 0) {
    return [
      `Every key is masked for ${queryToken}: all weights of the row are exactly 0, and so is what they average.`,
    ]
  }
  if (masked) {
    const reason = why ? `Masked: ${why}.` : 'Masked.'
    return [`${reason} It contributes exactly 0, whatever its key and value hold.`]
  }
  if (Number.isNaN(value)) return ['The value is not a number (NaN), and has no rank.']
  if (hasNaN) return ['Another value of this row is not a number (NaN), so the row has no sum.']
  return []
}

/** @param {boolean} isWeight */
export function missingNote(isWeight) {
  return isWeight
    ? 'q, k and v did not come with this map. Without them there are no products, scores and exponentials to show, no share of the output, and nothing to check the weight against.'
    : 'What these numbers were computed from did not come with the map, so there is nothing to check them against.'
}

/**
 * @param {number} compared
 * @returns {string} empty when there was nothing to compare
 */
export function agreement(compared) {
  return compared === 0
    ? ''
    : `${counted(compared, 'number agrees', 'numbers agree')} with the float64 reference, up to rounding.`
}

/**
 * @param {readonly Disagreement[]} wrong
 * @returns {string[]} a line for each of the first few, and how many there are besides
 */
export function alarm(wrong) {
  const named = wrong
    .slice(0, MOST_NAMED)
    .map(
      ({ name, computed, reference, tolerance }) =>
        `${name}: ${formatExact(computed)} instead of ${formatExact(reference)}; ${allowed(tolerance)}`,
    )
  const more = wrong.length - MOST_NAMED
  return more > 0 ? [...named, `and ${counted(more, 'number', 'numbers')} more`] : named
}

/** @param {number} tolerance */
export function allowed(tolerance) {
  return tolerance === 0
    ? 'it has to be exactly that'
    : `rounding explains no more than ${formatDifference(tolerance)}`
}

/**
 * A small number beside a large one: two digits and a power of ten.
 *
 * @param {number} value
 * @returns {string}
 */
export function formatDifference(value) {
  if (value === 0) return '0'
  if (!Number.isFinite(value)) return formatExact(value)
  const magnitude = Math.abs(value)
  const text = magnitude >= 0.001 && magnitude < 1000 ? formatShort(value) : value.toExponential(1)
  return text.replace('e+', 'e').replace(/-/g, '−')
}
