/**
 * The input of a multi-head layer, checked, and how a call reaches the kernel.
 */
import { fillStages, scaleOf } from './attention-problem.js'
import { MOST_SLICES } from './broadcast.js'
import { flag, formatShape, shapeError } from './errors.js'
import { describeMask, fillMask } from './mask.js'
import { numericTensor } from './tensor.js'

/** @import { Places } from './attention-problem.js' */
/** @import { AddressOf } from './buffers.js' */
/** @import { LayerSizes } from './layer-parameters.js' */
/** @import { Mask, PlacedMask } from './mask.js' */
/** @import { MultiHeadCall } from './module.js' */
/** @import { ContextOptions, MaskOptions } from './options.js' */
/** @import { Tensor } from './tensor.js' */

/**
 * @typedef {object} LayerProblem
 * @property {LayerSizes} sizes
 * @property {Tensor} x (…, n, dModel)
 * @property {Tensor | undefined} context (…, m, dContext)
 * @property {number[]} leading [B] or nothing
 * @property {number} batch
 * @property {number} n
 * @property {number} m
 * @property {number} scale
 * @property {boolean} isCausal
 * @property {Mask | undefined} mask
 */

/**
 * @param {LayerSizes} sizes
 * @param {unknown} xArgument (B, N, dModel) or (N, dModel)
 * @param {MaskOptions & ContextOptions} options
 * @returns {LayerProblem}
 */
export function describeLayerCall(sizes, xArgument, options) {
  const x = numericTensor(xArgument, 'x')
  const [rank, dModel] = [x.shape.length, x.shape.at(-1)]
  if ((rank !== 2 && rank !== 3) || dModel !== sizes.dModel) {
    throw shapeError(
      'x',
      x.shape,
      `it had to be (B, N, ${sizes.dModel}) or (N, ${sizes.dModel}), as wq has ${sizes.dModel} rows`,
    )
  }
  const leading = x.shape.slice(0, -2)
  if ((leading[0] ?? 1) * sizes.numHeads > MOST_SLICES) {
    const wanted = `times numHeads = ${sizes.numHeads}, its batch had to be at most 2²⁸`
    throw shapeError('x', x.shape, `${wanted}, what 4 GB of memory hold`)
  }
  const n = x.shape[rank - 2]
  const context = describeContext(sizes, x, options.context)
  const m = context ? context.shape[rank - 2] : n
  return {
    sizes,
    x,
    context,
    leading,
    batch: leading[0] ?? 1,
    n,
    m,
    scale: scaleOf(options.scale, sizes.dK),
    isCausal: flag(options.isCausal, 'isCausal', false),
    mask: describeMask(options.attnMask, [...leading, sizes.numHeads, n, m]),
  }
}

/**
 * @param {LayerSizes} sizes
 * @param {Tensor} x
 * @param {unknown} given
 */
function describeContext({ dModel, dContext }, x, given) {
  if (given === undefined || given === null) {
    if (dContext === dModel) return undefined
    throw new RangeError(
      `context was left out; parameters.wk has ${dContext} rows and parameters.wq ${dModel}, ` +
        `so it had to be given, of shape ${formatShape([...x.shape.slice(0, -2), 'M', dContext])}`,
    )
  }
  const context = numericTensor(given, 'context')
  const fits =
    context.shape.length === x.shape.length &&
    context.shape.at(-1) === dContext &&
    (x.shape.length === 2 || context.shape[0] === x.shape[0])
  if (fits) return context
  const wanted = formatShape([...x.shape.slice(0, -2), 'M', dContext])
  throw shapeError(
    'context',
    context.shape,
    `it had to be ${wanted}: x's batch, and wk's ${dContext} rows`,
  )
}

/**
 * The sizes of a layer without any input, for packing it.
 * @param {MultiHeadCall} call
 * @param {LayerSizes} sizes
 * @param {Places} parameters
 * @param {AddressOf} at
 */
export function fillLayer(call, sizes, parameters, at) {
  call.dModel = sizes.dModel
  call.dContext = sizes.dContext
  call.numHeads = sizes.numHeads
  call.numKvHeads = sizes.numKvHeads
  call.dK = sizes.dK
  call.dV = sizes.dV
  call.dOut = sizes.dOut
  call.wq = at(parameters.wq)
  call.wk = at(parameters.wk)
  call.wv = at(parameters.wv)
  call.wo = at(parameters.wo)
  call.bq = at(parameters.bq)
  call.bk = at(parameters.bk)
  call.bv = at(parameters.bv)
  call.bo = at(parameters.bo)
}

/**
 * Sets every field, so that nothing is left of the call before.
 * @param {MultiHeadCall} call
 * @param {LayerProblem} problem
 * @param {{ parameters: Places, mask: PlacedMask }} inputs
 * @param {Places} places of x, context, results and gradients; what is not there is not computed
 * @param {AddressOf} at
 */
export function fillMultiHeadCall(call, problem, inputs, places, at) {
  fillLayer(call, problem.sizes, inputs.parameters, at)
  call.batch = problem.batch
  call.n = problem.n
  call.m = problem.m
  call.scale = problem.scale
  call.isCausal = problem.isCausal
  fillMask(call, inputs.mask, at)
  fillStages(call, places, at)
  call.x = at(places.x)
  call.context = at(places.context)
  call.query = at(places.query)
  call.key = at(places.key)
  call.value = at(places.value)
  call.heads = at(places.heads)
  call.gradX = at(places.gradX)
  call.gradContext = at(places.gradContext)
  call.gradWq = at(places.gradWq)
  call.gradWk = at(places.gradWk)
  call.gradWv = at(places.gradWv)
  call.gradWo = at(places.gradWo)
  call.gradBq = at(places.gradBq)
  call.gradBk = at(places.gradBk)
  call.gradBv = at(places.gradBv)
  call.gradBo = at(places.gradBo)
}
