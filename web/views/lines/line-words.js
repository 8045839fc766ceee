/**
 * What lines say, in words: for the keyboard's cursor and screen readers, and in the notes under the figure.
 */
import { formatShort } from '../numbers.js'
import { describeCell, nameOfPlane, touches, valueText } from '../readout.js'
import { maskedRowsNote } from '../summary.js'
import { nameOf } from '../tokens.js'
import { strongestPlane } from './key-weights.js'

/**
 * @import { AttentionData } from '../attention-data.js'
 * @import { TokenLabels } from '../tokens.js'
 * @import { LineSet } from './line-set.js'
 * @import { Seen } from './line-target.js'
 */

/** What the figure's summary says of what is no value. */
export const LINE_MARKS = {
  masked: 'Masked keys have no line.',
  nan: 'Some values are not numbers (NaN); their lines are dashed.',
}

/**
 * A query and where most of its attention goes.
 *
 * @param {AttentionData} attention
 * @param {readonly number[]} planes shown heads
 * @param {TokenLabels} tokens
 * @param {string} valueLabel
 * @param {number} query
 */
export function describeQuery(attention, planes, tokens, valueLabel, query) {
  const name = `query ${nameOf(tokens.query, query, tokens.named)}`
  let [plane, key, most] = [-1, -1, -Infinity]
  let nans = 0
  for (let each = 0; each < attention.keys; each++) {
    const strongest = strongestPlane(attention, planes, query, each)
    const value = attention.value(strongest, query, each)
    if (attention.isMasked(strongest, query, each)) continue
    if (Number.isNaN(value)) nans++
    else if (value > most) [plane, key, most] = [strongest, each, value]
  }
  if (key < 0) {
    return nans > 0
      ? `${name}: none of its values is a number`
      : `${name}: may attend to nothing, all its keys are masked`
  }
  const head = attention.heads > 1 ? `, ${nameOfPlane(attention, plane)}` : ''
  return `${name}: the largest ${valueLabel} is ${formatShort(most)}, at key ${nameOf(tokens.key, key, tokens.named)}${head}`
}

/**
 * A query's weights on a key, of every shown head.
 *
 * @param {AttentionData} attention
 * @param {readonly number[]} planes
 * @param {TokenLabels} tokens
 * @param {number} query
 * @param {number} key
 */
export function describePair(attention, planes, tokens, query, key) {
  if (planes.length === 1) {
    return describeCell(attention, tokens, planes[0], query, key, attention.heads > 1)
  }
  const ends = `query ${nameOf(tokens.query, query, tokens.named)}, key ${nameOf(tokens.key, key, tokens.named)}`
  const values = planes.map(
    (plane) => `${nameOfPlane(attention, plane)} ${valueText(attention, plane, query, key)}`,
  )
  return `${ends}: ${values.join(', ')}`
}

/**
 * What is said under the figure while no single weight is looked at.
 *
 * @param {AttentionData} attention
 * @param {readonly number[]} planes
 * @param {TokenLabels} tokens
 * @param {string} valueLabel
 * @param {Seen} seen
 */
export function hintOf(attention, planes, tokens, valueLabel, { query, key }) {
  if (query !== null) {
    const words = describeQuery(attention, planes, tokens, valueLabel, query)
    return `${words[0].toUpperCase()}${words.slice(1)}.`
  }
  if (key !== null)
    return `The lines of all queries to key ${nameOf(tokens.key, key, tokens.named)}.`
  return touches()
    ? 'Tap a query for its lines alone, a line for its weight.'
    : 'Point at a query for its lines alone, at a line for its weight; click a query to keep it.'
}

/**
 * What a reader may miss in the picture: lines left out, and queries without any.
 *
 * @param {AttentionData} attention
 * @param {readonly number[]} planes
 * @param {TokenLabels} tokens
 * @param {LineSet} set
 * @param {{ threshold: number, sum: number }} rule `sum`: of all weights that are looked at
 * @returns {string}
 */
export function notesOf(attention, planes, tokens, set, { threshold, sum }) {
  return [
    attention.extent().hasMasked ? LINE_MARKS.masked : '',
    ...idleNotes(attention, planes, tokens),
    threshold > 0 ? `Weights below ${formatShort(threshold)} have no line.` : '',
    ...thinningNotes(set, sum),
  ]
    .filter((note) => note !== '')
    .join(' ')
}

/** Queries that may attend to nothing, in all heads or in some. @param {AttentionData} attention @param {readonly number[]} planes @param {TokenLabels} tokens */
function idleNotes(attention, planes, tokens) {
  const notes = planes.map((plane) => maskedRowsNote(attention, tokens, plane))
  if (notes.every((note) => note === notes[0])) return [notes[0]]
  return notes.map((note, slot) => note && `In ${nameOfPlane(attention, planes[slot])}: ${note}`)
}

/** @param {LineSet} set @param {number} sum */
function thinningNotes({ cells, nan, nanPairs, pairs, thinned, drawnSum, least, sampled }, sum) {
  const notes = []
  if (thinned) {
    const share = drawnSum / sum
    const mass = share > 0 && share <= 1 ? `, together ${percent(share)} of their sum` : ''
    const sample = sampled ? ' Of equally strong ones this is a sample.' : ''
    notes.push(
      `Only the ${count(cells.length)} strongest of ${count(pairs)} weights have a line: from ${formatShort(least)}${mass}.${sample}`,
    )
  } else if (cells.length === 0 && pairs > 0) {
    notes.push('No weight is large enough to be seen as a line.')
  }
  if (nan.length < nanPairs) {
    notes.push(`Of ${count(nanPairs)} values that are NaN ${count(nan.length)} have a line.`)
  }
  return notes
}

/** @param {number} share */
function percent(share) {
  return `${share < 0.1 ? (100 * share).toPrecision(2) : (100 * share).toFixed(0)} %`
}

/** @param {number} number */
function count(number) {
  return number.toLocaleString('en')
}
