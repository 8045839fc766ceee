import { strongestPlane } from './key-weights.js'

/**
 * @import { AttentionData } from '../attention-data.js'
 * @import { LineCell } from './line-picture.js'
 * @typedef {{ kind: 'query', query: number }
 *   | { kind: 'key', key: number, plane?: number }
 *   | { kind: 'pair', query: number, key: number }
 *   | ({ kind: 'line' } & LineCell)} Target
 *   what pointer or keyboard is at: a token, or a key as one of a query's, or a line; a key has a `plane` where
 *   the pointer is at that head's weight
 *
 * @typedef {object} Seen  what the reader looks at, and so what is shown
 * @property {number | null} query  whose lines alone are shown
 * @property {number | null} key  whose lines alone are shown
 * @property {number} selected  query, −1 for none
 * @property {LineCell | null} cell
 */

/**
 * A query that is pointed at shows its lines alone, and so does a key while no query is selected. Otherwise
 * a key stands for its weight from that query: the largest of the shown heads.
 *
 * @param {Target | null} target
 * @param {AttentionData | null} attention
 * @param {readonly number[]} planes shown heads
 * @param {number} selected query, −1 for none
 * @returns {Seen}
 */
export function seenAt(target, attention, planes, selected) {
  const kept = selected < 0 ? null : selected
  const seen = { query: kept, key: null, selected, cell: null }
  // There may be fewer tokens or heads than when it was aimed at.
  if (!attention || !target || !isIn(target, attention, planes)) return seen
  const cellOf = (/** @type {number} */ query, /** @type {number} */ key) => {
    return { plane: strongestPlane(attention, planes, query, key), query, key }
  }
  switch (target.kind) {
    case 'query':
      return { ...seen, query: target.query }
    case 'pair':
      return { ...seen, query: target.query, cell: cellOf(target.query, target.key) }
    case 'key':
      return kept === null
        ? { ...seen, key: target.key }
        : { ...seen, cell: { ...cellOf(kept, target.key), ...planeOf(target) } }
    case 'line': {
      const { plane, query, key } = target
      return { ...seen, cell: { plane, query, key } }
    }
  }
}

/** @param {{ plane?: number }} target */
function planeOf({ plane }) {
  return plane === undefined ? {} : { plane }
}

/** @param {Target} target @param {AttentionData} attention @param {readonly number[]} planes */
function isIn(target, { queries, keys }, planes) {
  return (
    (!('query' in target) || target.query < queries) &&
    (!('key' in target) || target.key < keys) &&
    (!('plane' in target) || target.plane === undefined || planes.includes(target.plane))
  )
}

/** @param {Target | null} a @param {Target | null} b */
export function sameTarget(a, b) {
  return JSON.stringify(a) === JSON.stringify(b)
}
