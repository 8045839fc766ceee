import { add, frobeniusNorm, permuteRows, subtract } from './matrix.js'

/**
 * Is MultiHead(PX) the same as P·MultiHead(X)? Computed in three settings.
 *
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @import { ClustersExample } from './clusters-example.js'
 * @typedef {'plain' | 'positions' | 'causal'} Setting
 * @typedef {{ left: Tensor, right: Tensor, difference: Tensor, norm: number, referenceNorm: number }} Comparison
 *   left = MultiHead(PX) and right = P·MultiHead(X) by the float32 kernels; the norm of their difference, and
 *   the same norm by the float64 reference
 */

/**
 * The sinusoids of 'Attention is all you need': sine and cosine take turns along the features.
 * @param {number} count positions
 * @param {number} features even
 * @returns {Tensor} (count, features), float64
 */
export function sinusoids(count, features) {
  const data = new Float64Array(count * features)
  for (let position = 0; position < count; position++) {
    for (let feature = 0; feature < features; feature += 2) {
      const angle = position / 10000 ** (feature / features)
      data[position * features + feature] = Math.sin(angle)
      data[position * features + feature + 1] = Math.cos(angle)
    }
  }
  return { data, shape: [count, features] }
}

/**
 * @param {Engine} engine
 * @param {ClustersExample} example
 * @param {readonly number[]} order the token that comes to stand at each place
 * @param {number} numHeads
 * @param {Setting} setting
 * @returns {Comparison}
 */
export function compareOrders(engine, { x, ...parameters }, order, numHeads, setting) {
  const options = { numHeads, isCausal: setting === 'causal' }
  const [count, features] = x.shape
  // Positions belong to places: the same ones are added whatever tokens stand there.
  const placed = (/** @type {Tensor} */ input) =>
    setting === 'positions' ? add(input, sinusoids(count, features)) : input
  const bothSides = (/** @type {(input: Tensor) => Tensor} */ multiHead) => {
    const left = multiHead(placed(permuteRows(x, order)))
    const right = permuteRows(multiHead(placed(x)), order)
    return { left, right, difference: subtract(left, right) }
  }
  const sides = bothSides((input) => engine.multiHeadAttention(input, parameters, options).output)
  const reference = bothSides(
    (input) => engine.reference.multiHeadAttention(input, parameters, options).output,
  )
  return {
    ...sides,
    norm: frobeniusNorm(sides.difference),
    referenceNorm: frobeniusNorm(reference.difference),
  }
}

/**
 * Whether a norm of float32 differences is no more than rounding: each of the two outputs is within 1e-5 of
 * the exact one, relative to its norm.
 * @param {Comparison} comparison
 */
export function isRounding({ norm, right }) {
  return norm <= 2e-5 * frobeniusNorm(right)
}
