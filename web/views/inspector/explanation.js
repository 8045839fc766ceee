/**
 * How the number in a cell came about, as plain data: what an inspector draws. Whoever has more than the map
 * (queries, keys, values, a reference) makes such an object and hands it to a view as the option `explain`;
 * what a map alone can tell is found here.
 *
 * @import { AttentionData } from '../attention-data.js'
 * @import { CellDetail } from '../options.js'
 *
 * @typedef {object} ExplainedFigure  one number on the way
 * @property {string} id  unique in its explanation
 * @property {string} name  'scaled score'
 * @property {string} [formula]  'scale · (q · k)'; single letters are set in italics
 * @property {number | null} computed  as it was computed for the map; null where it has none
 * @property {number | null} [reference]  the same, as it had to be
 * @property {number} [tolerance]  the most by which rounding lets the two differ; without one they are not
 *   compared
 *
 * @typedef {object} ExplainedProduct  a product of two vectors, or of a number and a vector, by components
 * @property {string} caption
 * @property {readonly { name: string, values: ArrayLike<number> }[]} factors
 * @property {string} name  of the product
 * @property {ArrayLike<number>} computed
 * @property {ArrayLike<number>} reference
 * @property {ArrayLike<number>} tolerance  one for each component
 *
 * @typedef {object} ExplainedPart  a group of figures
 * @property {string} title
 * @property {ExplainedProduct} [product]
 * @property {readonly ExplainedFigure[]} figures
 * @property {string} [note]  a definition, or a caveat
 *
 * @typedef {object} Explanation
 * @property {string} finding  a sentence or two
 * @property {readonly ExplainedPart[]} parts  in the order of computation
 * @property {string} [shows]  id of the figure that the map draws
 * @property {readonly string[]} [notes]  what is special about this cell, in words
 * @property {string} [basis]  what the reference started from; with it the columns are compared
 *
 * @typedef {(cell: CellDetail) => Explanation | null | undefined} Explain  null: the map alone has to do
 */

import { finding, missingNote, rowNote } from './wording.js'

/** What maps show unless they say otherwise: only these are known to add up to 1. */
export const WEIGHT = 'attention weight'

/** Half the distance from 1 to the next float32. */
const UNIT_ROUNDOFF = 2 ** -24

/**
 * Where a value stands in its row.
 *
 * @param {ArrayLike<number>} values of the row
 * @param {(key: number) => boolean} isOpen masked ones have no rank
 * @param {number} key
 * @returns {{ rank: number | null, of: number }} 1 = the largest; equal ones in the order of their keys; null
 *   where the value is masked or NaN
 */
export function rankInRow(values, isOpen, key) {
  let rank = 1
  let of = 0
  for (let other = 0; other < values.length; other++) {
    if (!isOpen(other)) continue
    of++
    if (values[other] > values[key] || (values[other] === values[key] && other < key)) rank++
  }
  const hasRank = isOpen(key) && !Number.isNaN(values[key])
  return { rank: hasRank ? rank : null, of }
}

/**
 * By how much the weights of a row may miss 1 when they were computed in float32: a sum of m exponentials in
 * any order errs by (m − 1)·u, the division of each by it by 2u, and each weight is rounded once more.
 *
 * @param {number} keys
 */
export function rowSumTolerance(keys) {
  return (keys + 2) * UNIT_ROUNDOFF
}

/**
 * What a map alone tells about one of its cells: the value, its rank and the row's sum.
 *
 * @param {AttentionData} attention
 * @param {number} plane
 * @param {CellDetail} cell
 * @param {string} valueLabel what the numbers are
 * @returns {Explanation}
 */
export function explainByMap(attention, plane, cell, valueLabel) {
  const { query, key, value, masked } = cell
  const { keys } = attention
  const isOpen = (/** @type {number} */ other) => !attention.isMasked(plane, query, other)
  const row = Array.from({ length: keys }, (_, other) => attention.value(plane, query, other))
  const { rank, of } = rankInRow(row, isOpen, key)
  const rowSum = row.reduce((sum, entry, other) => (isOpen(other) ? sum + entry : sum), 0)
  const isWeight = valueLabel === WEIGHT
  const isWhole = Math.abs(rowSum - 1) <= rowSumTolerance(keys)
  /** @type {ExplainedFigure[]} */
  const figures = [
    {
      id: 'value',
      name: isWeight ? 'weight' : valueLabel,
      computed: value,
      // A masked cell is hatched, whatever the data hold there; as a weight that has to be 0.
      ...(masked && isWeight ? { reference: 0, tolerance: 0 } : {}),
    },
    { id: 'rank', name: 'rank in the row', formula: `of ${of}`, computed: rank },
    { id: 'rowSum', name: 'the row’s sum', computed: rowSum },
  ]
  const state = { masked, value, open: of, hasNaN: Number.isNaN(rowSum) }
  return {
    finding: finding(cell, { ...state, rank, valueLabel }),
    parts: [{ title: 'What the map tells', figures }],
    shows: 'value',
    notes: [
      ...rowNote(cell, state),
      ...(isWeight && of > 0 && !isWhole && !Number.isNaN(rowSum)
        ? ['The row does not add up to 1: it is not a whole row of softmax weights.']
        : []),
      missingNote(isWeight),
    ],
  }
}
