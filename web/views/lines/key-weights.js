/**
 * What stands beside the keys: the weights of one query, or, while no query is looked at, their mean over
 * all queries.
 *
 * @import { AttentionData } from '../attention-data.js'
 * @typedef {object} KeyWeights
 * @property {Float64Array} values  (shown heads, keys)
 * @property {Uint8Array} masked  1 where there is nothing to attend to
 */

/**
 * @param {AttentionData} attention
 * @param {readonly number[]} planes
 * @param {number} query
 * @returns {KeyWeights}
 */
export function weightsOfQuery(attention, planes, query) {
  const { keys } = attention
  const values = new Float64Array(planes.length * keys)
  const masked = new Uint8Array(planes.length * keys)
  planes.forEach((plane, slot) => {
    for (let key = 0; key < keys; key++) {
      values[slot * keys + key] = attention.value(plane, query, key)
      masked[slot * keys + key] = Number(attention.isMasked(plane, query, key))
    }
  })
  return { values, masked }
}

/**
 * A masked weight counts as the 0 that it is; a NaN makes its key's mean NaN. A key that is masked for
 * every query is masked.
 *
 * @param {AttentionData} attention
 * @param {readonly number[]} planes
 * @returns {KeyWeights}
 */
export function meanWeights({ data, masked: flags, queries, keys }, planes) {
  const values = new Float64Array(planes.length * keys)
  const masked = new Uint8Array(planes.length * keys).fill(1)
  planes.forEach((plane, slot) => {
    const first = slot * keys
    let index = plane * queries * keys
    for (let query = 0; query < queries; query++) {
      for (let at = first; at < first + keys; at++, index++) {
        if (flags !== null && flags[index] === 1) continue
        masked[at] = 0
        values[at] += data[index]
      }
    }
    for (let key = 0; key < keys; key++) values[first + key] /= queries
  })
  return { values, masked }
}

/**
 * The sum over the shown heads, of all keys or of one.
 *
 * @param {KeyWeights} weights
 * @param {number} keys
 * @param {number | null} key
 * @returns {number} NaN where one of them is
 */
export function sumOf({ values, masked }, keys, key) {
  let sum = 0
  for (let index = key ?? 0; index < values.length; index += key === null ? 1 : keys) {
    if (masked[index] === 0) sum += values[index]
  }
  return sum
}

/**
 * The shown head that attends most to a key.
 *
 * @param {AttentionData} attention
 * @param {readonly number[]} planes
 * @param {number} query
 * @param {number} key
 * @returns {number} a plane
 */
export function strongestPlane(attention, planes, query, key) {
  let strongest = planes[0]
  let most = -Infinity
  for (const plane of planes) {
    const value = attention.value(plane, query, key)
    if (attention.isMasked(plane, query, key) || !(value > most)) continue
    strongest = plane
    most = value
  }
  return strongest
}
