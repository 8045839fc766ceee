/**
 * The parameters of a multi-head layer, checked against each other.
 */
import { formatShape, optionsObject, shapeError, typeError, wholeNumber } from './errors.js'
import { numericTensor, requireShape } from './tensor.js'

/** @import { CallBuffers, Slot } from './buffers.js' */
/** @import { Kernels } from './core.js' */
/** @import { Tensor } from './tensor.js' */

/**
 * @typedef {object} LayerSizes
 * @property {number} dModel
 * @property {number} dContext rows of wk and wv
 * @property {number} numHeads
 * @property {number} numKvHeads
 * @property {number} dK of one head
 * @property {number} dV of one head
 * @property {number} dOut columns of wo, or numHeads·dV without it
 */
/** @typedef {'wq' | 'wk' | 'wv' | 'wo' | 'bq' | 'bk' | 'bv' | 'bo'} ParameterName */
/** @typedef {Partial<Record<ParameterName, Tensor>>} Parameters those that were given */

/** @type {readonly ParameterName[]} */
export const PARAMETER_NAMES = ['wq', 'wk', 'wv', 'wo', 'bq', 'bk', 'bv', 'bo']

/**
 * @param {unknown} given LayerParameters
 * @param {{ numHeads?: unknown, numKvHeads?: unknown }} options
 * @returns {{ parameters: Parameters, sizes: LayerSizes }}
 */
export function describeLayer(given, options) {
  const wanted = 'an object { wq, wk, wv, wo, … }'
  if (given === undefined || given === null) throw typeError('parameters', given, wanted)
  const parameters = tensorsOf(
    optionsObject(/** @type {Record<string, unknown>} */ (given), 'parameters', wanted),
  )
  const { wq, wk, wv, wo } = parameters
  const numHeads = wholeNumber(options.numHeads, 'numHeads', 1)
  const numKvHeads = wholeNumber(options.numKvHeads ?? numHeads, 'numKvHeads', 1)
  if (numHeads % numKvHeads !== 0) {
    throw new RangeError(
      `numKvHeads was ${numKvHeads}; it had to divide numHeads, ${numHeads}, without remainder`,
    )
  }

  const dModel = wq.shape[0]
  const dK = columnsPerHead('parameters.wq', wq, numHeads, 'numHeads')
  const dContext = wk.shape[0]
  requireShape(wk, 'parameters.wk', [dContext, numKvHeads * dK])
  const dV = columnsPerHead('parameters.wv', wv, numKvHeads, 'numKvHeads')
  requireShape(wv, 'parameters.wv', [dContext, numKvHeads * dV])
  if (wo && wo.shape[0] !== numHeads * dV) {
    throw shapeError(
      'parameters.wo',
      wo.shape,
      `it had to have numHeads · d_v = ${numHeads * dV} rows`,
    )
  }
  if (parameters.bo && !wo) {
    throw new RangeError('parameters.bo was given without parameters.wo; it had to come with it')
  }
  const dOut = wo ? wo.shape[1] : numHeads * dV
  /** @type {[ParameterName, number][]} */
  const biases = [
    ['bq', numHeads * dK],
    ['bk', numKvHeads * dK],
    ['bv', numKvHeads * dV],
    ['bo', dOut],
  ]
  for (const [name, length] of biases) {
    const bias = parameters[name]
    if (bias) requireShape(bias, `parameters.${name}`, [length])
  }
  return { parameters, sizes: { dModel, dContext, numHeads, numKvHeads, dK, dV, dOut } }
}

/**
 * @param {Record<string, unknown>} given
 * @returns {Parameters & Record<'wq' | 'wk' | 'wv', Tensor>}
 */
function tensorsOf(given) {
  /** @type {Parameters} */
  const parameters = {}
  for (const name of PARAMETER_NAMES) {
    const isOptional = name === 'wo' || name.startsWith('b')
    if (isOptional && (given[name] === undefined || given[name] === null)) continue
    const parameter = numericTensor(given[name], `parameters.${name}`)
    const rank = name.startsWith('b') ? 1 : 2
    if (parameter.shape.length !== rank) {
      throw shapeError(`parameters.${name}`, parameter.shape, `it had to have ${rank} dimensions`)
    }
    parameters[name] = parameter
  }
  return /** @type {Parameters & Record<'wq' | 'wk' | 'wv', Tensor>} */ (parameters)
}

/**
 * @param {string} name
 * @param {Tensor} weight
 * @param {number} heads
 * @param {string} headsName
 */
function columnsPerHead(name, weight, heads, headsName) {
  const columns = weight.shape[1]
  if (columns % heads === 0) return columns / heads
  throw new RangeError(
    `${name} had shape ${formatShape(weight.shape)}; ` +
      `${headsName} = ${heads} had to divide its ${columns} columns without remainder`,
  )
}

/**
 * @param {CallBuffers} buffers
 * @param {Parameters} parameters
 * @param {Kernels['Type']} Type
 * @returns {Record<string, Slot | undefined>}
 */
export function placeParameters(buffers, parameters, Type) {
  return Object.fromEntries(
    PARAMETER_NAMES.map((name) => [name, buffers.input(parameters[name]?.data, Type)]),
  )
}
