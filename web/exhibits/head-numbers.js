/**
 * What can be measured of each head.
 *
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @typedef {object} HeadNumbers
 * @property {number} largest weight
 * @property {number} query the row it stands in
 * @property {number} key its column
 * @property {number} entropy of its rows, their mean, in nats
 * @property {number} rankOfLogits
 * @property {number} rankOfWeights
 */

/**
 * @param {Engine} engine
 * @param {{ logits: Tensor, weights: Tensor }} stages (h, n, m) both
 * @returns {HeadNumbers[]} one for each head
 */
export function headNumbers(engine, { logits, weights }) {
  const [heads, rows, columns] = weights.shape
  return Array.from({ length: heads }, (_, head) => {
    const own = headOf(weights, head)
    const largest = Math.max(...own.data)
    const place = own.data.indexOf(largest)
    const entropies = engine.analysis.entropy(own).data
    return {
      largest,
      query: Math.floor(place / columns),
      key: place % columns,
      entropy:
        entropies.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0) / rows,
      rankOfLogits: engine.analysis.numericalRank(headOf(logits, head)),
      rankOfWeights: engine.analysis.numericalRank(own),
    }
  })
}

/**
 * @param {Tensor} stack (h, n, m)
 * @param {number} head
 * @returns {Tensor} (n, m)
 */
export function headOf({ data, shape: [, rows, columns] }, head) {
  const size = rows * columns
  return { data: data.slice(head * size, (head + 1) * size), shape: [rows, columns] }
}
