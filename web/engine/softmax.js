/**
 * The softmax of rows, its Jacobian and its backward pass.
 */
import { CallBuffers } from './buffers.js'
import { optionsObject } from './errors.js'
import { numericTensor, requireShape, rowsOf } from './tensor.js'

/** @import { Core } from './core.js' */
/** @import { FloatTensor, OutOption } from './options.js' */

/**
 * Rows of exp(s_j − max)/Σ; a row of −∞ alone becomes zeros.
 * @param {Core} core
 * @param {unknown} scoresArgument
 * @param {OutOption} [given]
 * @returns {FloatTensor}
 */
export function softmax(core, scoresArgument, given) {
  const { out } = optionsObject(given)
  const scores = numericTensor(scoresArgument, 'scores', 1)
  const [rows, columns] = rowsOf(scores.shape)
  const buffers = new CallBuffers(core.memory, 'softmax')
  const input = buffers.input(scores.data)
  const result = buffers.result('p', [...scores.shape], Float32Array, out, 'out')
  return buffers.run({
    compute: (at) => core.module.softmax(at(input), at(result), rows, columns),
  }).p
}

/**
 * ∂p_i/∂s_j = p_i (δ_ij − p_j) for each row p.
 * @param {Core} core
 * @param {unknown} probabilitiesArgument
 * @param {OutOption} [given]
 * @returns {FloatTensor}
 */
export function softmaxJacobian(core, probabilitiesArgument, given) {
  const { out } = optionsObject(given)
  const probabilities = numericTensor(probabilitiesArgument, 'probabilities', 1)
  const [rows, columns] = rowsOf(probabilities.shape)
  const buffers = new CallBuffers(core.memory, 'softmaxJacobian')
  const input = buffers.input(probabilities.data)
  const shape = [...probabilities.shape, columns]
  const result = buffers.result('jacobian', shape, Float32Array, out, 'out')
  return buffers.run({
    compute: (at) => core.module.softmaxJacobian(at(input), at(result), rows, columns),
  }).jacobian
}

/**
 * ∂L/∂s_i = p_i (∂L/∂p_i − Σ_j p_j ∂L/∂p_j) for each row p.
 * @param {Core} core
 * @param {unknown} probabilitiesArgument
 * @param {unknown} gradientArgument by the probabilities
 * @param {OutOption} [given]
 * @returns {FloatTensor}
 */
export function softmaxBackward(core, probabilitiesArgument, gradientArgument, given) {
  const { out } = optionsObject(given)
  const probabilities = numericTensor(probabilitiesArgument, 'probabilities', 1)
  const gradient = numericTensor(gradientArgument, 'gradProbabilities')
  requireShape(gradient, 'gradProbabilities', probabilities.shape)
  const [rows, columns] = rowsOf(probabilities.shape)
  const buffers = new CallBuffers(core.memory, 'softmaxBackward')
  const input = buffers.input(probabilities.data)
  const incoming = buffers.input(gradient.data)
  const result = buffers.result('scores', [...probabilities.shape], Float32Array, out, 'out')
  return buffers.run({
    compute: (at) =>
      core.module.softmaxBackward(at(input), at(incoming), at(result), rows, columns),
  }).scores
}
