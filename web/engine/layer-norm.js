/**
 * Layer normalisation of rows, forward and backward.
 */
import { CallBuffers } from './buffers.js'
import { nonNegativeNumber, optionsObject } from './errors.js'
import { outBuffers } from './stages.js'
import { numericTensor, requireShape, rowsOf } from './tensor.js'

/** @import { Slot } from './buffers.js' */
/** @import { Core } from './core.js' */
/** @import { FloatTensor, OutBuffer } from './options.js' */
/** @import { TensorLike } from './tensor.js' */

/**
 * @typedef {object} LayerNormParameters
 * @property {TensorLike | null} [weight] (d), multiplies; 1 when left out
 * @property {TensorLike | null} [bias] (d), is added; 0 when left out
 * @property {number} [eps] added to the variance; 1e-5 by default
 */
/** @typedef {LayerNormParameters & { out?: OutBuffer }} LayerNormOptions */
/**
 * @typedef {LayerNormParameters & { out?: Record<string, OutBuffer> }} LayerNormBackwardOptions
 */
/**
 * @typedef {object} LayerNormGradients
 * @property {FloatTensor} gradX
 * @property {FloatTensor} gradWeight (d), also when the weight was left out
 * @property {FloatTensor} gradBias (d), also when the bias was left out
 */

/**
 * (x − mean)/√(variance + eps) of each row, times weight, plus bias.
 * @param {Core} core
 * @param {unknown} xArgument
 * @param {LayerNormOptions} [given]
 * @returns {FloatTensor}
 */
export function layerNorm(core, xArgument, given) {
  const options = optionsObject(given)
  const { x, rows, columns, eps, buffers, input, weight, bias } = describe(
    core,
    'layerNorm',
    xArgument,
    options,
  )
  const result = buffers.result('y', [...x.shape], Float32Array, options.out, 'out')
  return buffers.run({
    compute: (at) =>
      core.module.layerNorm(at(input), at(weight), at(bias), eps, at(result), rows, columns),
  }).y
}

/**
 * @param {Core} core
 * @param {unknown} xArgument
 * @param {unknown} gradOutputArgument
 * @param {LayerNormBackwardOptions} [given]
 * @returns {any} gradX, gradWeight, gradBias
 */
export function layerNormBackward(core, xArgument, gradOutputArgument, given) {
  const options = optionsObject(given)
  const { x, rows, columns, eps, buffers, input, weight } = describe(
    core,
    'layerNormBackward',
    xArgument,
    options,
  )
  const gradOutput = numericTensor(gradOutputArgument, 'gradOutput')
  requireShape(gradOutput, 'gradOutput', x.shape)
  const incoming = buffers.input(gradOutput.data)
  const out = outBuffers(options.out)
  const gradX = buffers.result('gradX', [...x.shape], Float32Array, out.gradX)
  const gradWeight = buffers.result('gradWeight', [columns], Float32Array, out.gradWeight)
  const gradBias = buffers.result('gradBias', [columns], Float32Array, out.gradBias)
  return buffers.run({
    compute: (at) =>
      core.module.layerNormBackward(
        at(input),
        at(weight),
        eps,
        at(incoming),
        at(gradX),
        at(gradWeight),
        at(gradBias),
        rows,
        columns,
      ),
  })
}

/**
 * Checks the arguments that both passes share and declares their buffers.
 * @param {Core} core
 * @param {string} operation
 * @param {unknown} xArgument
 * @param {LayerNormParameters} options
 */
function describe(core, operation, xArgument, options) {
  const x = numericTensor(xArgument, 'x', 1)
  const [rows, columns] = rowsOf(x.shape)
  const eps = nonNegativeNumber(options.eps ?? 1e-5, 'eps')
  const buffers = new CallBuffers(core.memory, operation)
  /** @param {'weight' | 'bias'} name @returns {Slot | undefined} */
  const parameter = (name) => {
    if (options[name] === undefined || options[name] === null) return undefined
    const given = numericTensor(options[name], name)
    requireShape(given, name, [columns])
    return buffers.input(given.data)
  }
  const input = buffers.input(x.data)
  return {
    x,
    rows,
    columns,
    eps,
    buffers,
    input,
    weight: parameter('weight'),
    bias: parameter('bias'),
  }
}
