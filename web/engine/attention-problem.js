/**
 * The arguments of scaled dot-product attention, checked, and how they reach the kernel.
 */
import { broadcastShapes, sliceOffsets } from './broadcast.js'
import { finiteNumber, flag, shapeError } from './errors.js'
import { describeMask, fillMask, placeMask } from './mask.js'
import { numericTensor, sizeOf } from './tensor.js'

/** @import { AddressOf, CallBuffers, Slot } from './buffers.js' */
/** @import { Kernels } from './core.js' */
/** @import { Mask, PlacedMask } from './mask.js' */
/** @import { AttentionCall } from './module.js' */
/** @import { MaskOptions } from './options.js' */
/** @import { Tensor } from './tensor.js' */

/**
 * @typedef {object} AttentionProblem
 * @property {Tensor} query (…, n, dK)
 * @property {Tensor} key (…, m, dK)
 * @property {Tensor} value (…, m, dV)
 * @property {number[]} leading what the leading dimensions broadcast to
 * @property {{ query: Int32Array, key: Int32Array, value: Int32Array }} offsets of slices
 * @property {number} batch slices
 * @property {number} n
 * @property {number} m
 * @property {number} dK
 * @property {number} dV
 * @property {number} scale
 * @property {boolean} isCausal
 * @property {Mask | undefined} mask
 */

/** @typedef {Record<string, Slot | undefined>} Places slots by the name of the call's field */

/**
 * @param {unknown} queryArgument
 * @param {unknown} keyArgument
 * @param {unknown} valueArgument
 * @param {MaskOptions} options
 * @returns {AttentionProblem}
 */
export function describeAttention(queryArgument, keyArgument, valueArgument, options) {
  const query = numericTensor(queryArgument, 'query', 2)
  const key = numericTensor(keyArgument, 'key', 2)
  const value = numericTensor(valueArgument, 'value', 2)
  const [n, dK] = query.shape.slice(-2)
  const [m, keyLength] = key.shape.slice(-2)
  const [valueRows, dV] = value.shape.slice(-2)
  if (keyLength !== dK) {
    throw shapeError('key', key.shape, `its last dimension had to be ${dK}, as query's`)
  }
  if (valueRows !== m) {
    throw shapeError('value', value.shape, `it had to have ${m} rows, as key has`)
  }
  const queryLeading = query.shape.slice(0, -2)
  const keyLeading = key.shape.slice(0, -2)
  const valueLeading = value.shape.slice(0, -2)
  const leading = broadcastShapes([
    { name: 'query', shape: queryLeading },
    { name: 'key', shape: keyLeading },
    { name: 'value', shape: valueLeading },
  ])
  return {
    query,
    key,
    value,
    leading,
    offsets: {
      query: sliceOffsets(queryLeading, leading, n * dK),
      key: sliceOffsets(keyLeading, leading, m * dK),
      value: sliceOffsets(valueLeading, leading, m * dV),
    },
    batch: sizeOf(leading),
    n,
    m,
    dK,
    dV,
    scale: scaleOf(options.scale, dK),
    isCausal: flag(options.isCausal, 'isCausal', false),
    mask: describeMask(options.attnMask, [...leading, n, m]),
  }
}

/**
 * 1/√d_k unless given. With d_k = 0 every logit is an empty sum, whatever the scale.
 * @param {unknown} given
 * @param {number} dK
 */
export function scaleOf(given, dK) {
  if (given === undefined || given === null) return dK === 0 ? 1 : 1 / Math.sqrt(dK)
  const scale = finiteNumber(given, 'scale')
  // Kernels scale in float32, where a larger number would be infinite after all.
  if (Number.isFinite(Math.fround(scale))) return scale
  throw new RangeError(`scale was ${scale}; it had to be within float32's range, ±3.4e38`)
}

/**
 * @param {CallBuffers} buffers
 * @param {AttentionProblem} problem
 * @param {Kernels['Type']} Type
 */
export function placeInputs(buffers, problem, Type) {
  return {
    query: buffers.input(problem.query.data, Type),
    key: buffers.input(problem.key.data, Type),
    value: buffers.input(problem.value.data, Type),
    queryOffsets: buffers.input(problem.offsets.query, Int32Array),
    keyOffsets: buffers.input(problem.offsets.key, Int32Array),
    valueOffsets: buffers.input(problem.offsets.value, Int32Array),
    mask: placeMask(buffers, problem.mask, Type),
  }
}

/**
 * Sets every field, so that nothing is left of the call before.
 * @param {AttentionCall} call
 * @param {AttentionProblem} problem
 * @param {ReturnType<typeof placeInputs>} inputs
 * @param {Places} places of results and gradients; what is not there is not computed
 * @param {AddressOf} at
 */
export function fillAttentionCall(call, problem, inputs, places, at) {
  call.batch = problem.batch
  call.n = problem.n
  call.m = problem.m
  call.dK = problem.dK
  call.dV = problem.dV
  call.scale = problem.scale
  call.isCausal = problem.isCausal
  call.query = at(inputs.query)
  call.key = at(inputs.key)
  call.value = at(inputs.value)
  call.queryOffsets = at(inputs.queryOffsets)
  call.keyOffsets = at(inputs.keyOffsets)
  call.valueOffsets = at(inputs.valueOffsets)
  fillMask(call, inputs.mask, at)
  fillStages(call, places, at)
  call.gradQuery = at(places.gradQuery)
  call.gradKey = at(places.gradKey)
  call.gradValue = at(places.gradValue)
}

/**
 * The fields that both kinds of call share.
 * @param {Pick<AttentionCall, 'output' | 'weights' | 'logits' | 'scores' | 'exp' | 'rowMax' | 'rowSum'
 *   | 'gradOutput' | 'gradScores' | 'gradWeights'>} call
 * @param {Places} places
 * @param {AddressOf} at
 */
export function fillStages(call, places, at) {
  call.output = at(places.output)
  call.weights = at(places.weights)
  call.logits = at(places.logits)
  call.scores = at(places.scores)
  call.exp = at(places.exp)
  call.rowMax = at(places.rowMax)
  call.rowSum = at(places.rowSum)
  call.gradOutput = at(places.gradOutput)
  call.gradScores = at(places.gradScores)
  call.gradWeights = at(places.gradWeights)
}
