/**
 * What was done to the weights that are shown, and what is strange about them, in words.
 *
 * @import { View } from './shown-heads.js'
 * @import { RowSums } from './survey.js'
 */
import { fixed } from '../format.js'
import { MOST_TOKENS } from './shown-heads.js'

/** A sum of rounded weights is off by less: 16-bit numbers are rounded by 0.4 % at most. */
const MOST_OFF = 0.01

/**
 * @param {object} shown
 * @param {readonly { text: string, count: number }[]} shown.leftOut tokens
 * @param {number} shown.mass
 * @param {boolean} shown.renormalize
 * @returns {string[]} sentences; none where the weights are the file's
 */
export function changeWords({ leftOut, mass, renormalize }) {
  const sentences = []
  if (leftOut.length > 0) {
    const names = leftOut.map(({ text, count }) => (count > 1 ? `${text} (${count} times)` : text))
    sentences.push(`Left out of rows and columns: ${names.join(', ')}.`)
  }
  if (mass < 1) {
    sentences.push(
      `Of each row the largest weights are kept that together reach ${percent(mass)} of its sum; the others are set to 0.`,
    )
  }
  if (sentences.length > 0) {
    sentences.push(
      renormalize
        ? 'Each row is divided by the sum of what is left of it, so that it sums to 1 again.'
        : 'Rows are not divided by anything: each sums to what is left of it.',
    )
  }
  return sentences
}

/**
 * @param {RowSums} sums of the rows as they are in the file
 * @returns {string} what makes them no attention, or ''
 */
export function sumWords({ low, high, least, odd }) {
  if (odd > 0) {
    return `${odd.toLocaleString('en')} ${odd === 1 ? 'number is' : 'numbers are'} infinite or no number (NaN): attention weights are from 0 to 1.`
  }
  if (!(low <= high)) return least === 0 ? 'All weights are 0.' : ''
  const isOff = low < 1 - MOST_OFF || high > 1 + MOST_OFF
  if (least < 0) {
    return `The smallest number is ${fixed(least, 2)}, and rows sum to ${range(low, high)}: these are not attention weights. They may be logits, as they are before the softmax.`
  }
  if (!isOff) return ''
  return `Rows sum to ${range(low, high)} and not to 1: these are not attention weights, or dropout was on while they were computed (model.eval() turns it off).`
}

/** @param {number} low @param {number} high */
function range(low, high) {
  const [from, to] = [low, high].map((value) => fixed(value, 2))
  return from === to ? from : `${from} … ${to}`
}

/** @param {number} share */
export function percent(share) {
  return `${Math.round(share * 100)} %`
}

/** @param {number} bytes */
export function sizeWords(bytes) {
  return bytes < 1e6
    ? `${Math.ceil(bytes / 1000)} kB`
    : `${Math.round(bytes / 1e6).toLocaleString('en')} MB`
}

/**
 * What a view shows of the tokens that are left, and what it cannot show.
 *
 * @param {{ view: View, firstToken: number }} shown
 * @param {number} queries
 * @param {number} keys
 * @returns {string[]} sentences
 */
export function limitWords({ view, firstToken }, queries, keys) {
  const most = MOST_TOKENS[view]
  if (queries * keys === 0) return ['No token is left to be shown.']
  if (view === 'rollout') {
    if (queries !== keys) return ['Rollout needs as many queries as keys.']
    if (queries > most) return [`Rollout is computed of up to ${most} tokens.`]
    return [
      'Rollout: half of each layer’s mean over heads, half the token itself, multiplied from layer to layer.',
    ]
  }
  const longest = Math.max(queries, keys)
  if (longest <= most) return []
  const first = Math.min(firstToken, longest - most)
  return [`Of ${longest.toLocaleString('en')} tokens ${first + 1} to ${first + most} are shown.`]
}
