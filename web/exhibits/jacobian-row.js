/**
 * The softmax's Jacobian at one row of attention of the sentence, for scores that are multiplied by a factor.
 *
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @typedef {object} JacobianRow
 * @property {Tensor} jacobian (11, 11) A_i (δ_ij − A_j)
 * @property {number} norm its Frobenius norm
 * @property {number} meanDiagonal the mean of A_i (1 − A_i)
 * @property {number} largestWeight of the row
 * @property {number} largestEntry of the Jacobian, by magnitude
 */
import { frobeniusNorm, largestMagnitude, rowOf, total } from './matrix.js'

/**
 * @param {Engine} engine
 * @param {Tensor} x (n, d_k): queries and keys
 * @param {{ query: number, factor: number }} options
 * @returns {JacobianRow}
 */
export function jacobianOfRow(engine, x, { query, factor }) {
  const [count, width] = x.shape
  const { weights } = engine.scaledDotProductAttention(x, x, x, {
    scale: factor / Math.sqrt(width),
  })
  const row = { data: rowOf(weights, query), shape: [count] }
  const jacobian = engine.softmaxJacobian(row)
  return {
    jacobian,
    norm: frobeniusNorm(jacobian),
    meanDiagonal: total(jacobian.data.filter((_, index) => index % (count + 1) === 0)) / count,
    largestWeight: largestMagnitude(row),
    largestEntry: largestMagnitude(jacobian),
  }
}
