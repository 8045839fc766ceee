import { counted, formatExact } from './numbers.js'
import { nameOfPlane } from './readout.js'
import { nameOf, NO_LABELS, pluralOf } from './tokens.js'

/**
 * @import { AttentionData } from './attention-data.js'
 * @import { TokenLabels } from './tokens.js'
 */

/** How a figure of cells shows what is no value. */
const CELL_MARKS = {
  masked: 'Masked cells are hatched.',
  nan: 'Some values are not numbers (NaN); they are crossed.',
}

/**
 * What a figure shows, in a few sentences: its text alternative.
 *
 * @param {AttentionData} attention
 * @param {TokenLabels} tokens
 * @param {string} valueLabel
 * @param {{ masked: string, nan: string }} [marks] sentences on what is masked and on NaN
 * @returns {string}
 */
export function summarize(attention, tokens, valueLabel, marks = CELL_MARKS) {
  const { heads, layers, queries, keys } = attention
  const { axes } = tokens
  const size = `${counted(queries, axes.query, pluralOf(axes.query))} by ${counted(keys, axes.key, pluralOf(axes.key))}`
  const stack = [
    ...(layers !== 1 ? [counted(layers, 'layer', 'layers')] : []),
    ...(heads !== 1 ? [counted(heads, 'head', 'heads')] : []),
  ].join(' of ')
  const sentences = [`${stack ? `${stack}, each ` : ''}${size}.`]
  if (attention.isEmpty) return sentences.join(' ')
  const { peak, hasNaN, hasMasked } = attention.extent()
  if (peak) {
    const where = attention.planes > 1 ? `${nameOfPlane(attention, peak.plane)}, ` : ''
    const value = formatExact(attention.value(peak.plane, peak.query, peak.key))
    sentences.push(
      `The largest ${valueLabel} is ${value}: ${where}${axes.query} ${nameOf(tokens.query, peak.query, tokens.named)}, ${axes.key} ${nameOf(tokens.key, peak.key, tokens.named)}.`,
    )
  }
  if (hasMasked) sentences.push(marks.masked)
  if (hasNaN) sentences.push(marks.nan)
  return sentences.join(' ')
}

/**
 * What stands in a figure's place where there are no cells.
 *
 * @param {AttentionData | null} attention
 * @returns {string} empty while there are no data yet
 */
export function nothingToShow(attention) {
  if (!attention) return ''
  return `Nothing to show: ${summarize(attention, NO_LABELS, '')}`
}

/** Rows named in a note; more than these are counted. */
const MOST_NAMED = 6

/**
 * Names the queries that may attend to nothing.
 *
 * @param {AttentionData} attention
 * @param {TokenLabels} tokens
 * @param {number} plane
 * @returns {string} empty when there is none
 */
export function maskedRowsNote(attention, tokens, plane) {
  const rows = attention.maskedRows(plane)
  if (rows.length === 0) return ''
  const names = rows.slice(0, MOST_NAMED).map((row) => nameOf(tokens.query, row, tokens.named))
  const more = rows.length > MOST_NAMED ? ` and ${rows.length - MOST_NAMED} more` : ''
  return rows.length === 1
    ? `Query ${names[0]} may attend to nothing: all its keys are masked.`
    : `Queries ${names.join(', ')}${more} may attend to nothing: all their keys are masked.`
}
