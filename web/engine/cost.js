/**
 * Exact operation and byte counts, under names.
 */
import { describe, flag, optionsObject, typeError, wholeNumber } from './errors.js'
import { measure } from './measure.js'

/** @import { Core } from './core.js' */

/**
 * @typedef {object} AttentionSizes
 * @property {number} n queries
 * @property {number} [m] keys; n by default
 * @property {number} [batch] 1 by default
 * @property {number} [dModel] columns of x; left out, there are no projections
 * @property {number} [dContext] columns of the context; left out, keys and values come from x
 * @property {number} [numHeads] 1 by default
 * @property {number} [numKvHeads] numHeads by default
 * @property {number} [dK] of one head; dModel / numHeads by default
 * @property {number} [dV] of one head; dK by default
 * @property {number} [dOut] columns of wo; dModel by default, 0 = no output projection
 * @property {boolean} [isCausal] counts only the pairs with key ≤ query
 * @property {'none' | 'boolean' | 'additive'} [mask]
 * @property {boolean} [hasBias] bq, bk, bv, and bo if there is an output projection
 */
/**
 * @typedef {object} AttentionCost
 * @property {object} operations a multiply-add is 2
 * @property {number} operations.query projection
 * @property {number} operations.key projection
 * @property {number} operations.value projection
 * @property {number} operations.output projection
 * @property {number} operations.bias additions
 * @property {number} operations.scores Q·Kᵀ
 * @property {number} operations.scale
 * @property {number} operations.mask one addition or selection a score
 * @property {{ max: number, subtract: number, exp: number, add: number, divide: number }} operations.softmax
 * @property {number} operations.values weights·V
 * @property {number} operations.total all of these
 * @property {object} bytes float32
 * @property {number} bytes.input x and context
 * @property {number} bytes.parameters
 * @property {number} bytes.projected Q, K and V
 * @property {number} bytes.weights (batch, heads, n, m)
 * @property {number} bytes.output
 * @property {number} bytes.cache a cache of K and V
 */
/**
 * @typedef {object} KvStepSizes
 * @property {number} length of the sequence after the step
 * @property {number} dModel
 * @property {number} [numHeads] 1 by default
 * @property {number} [numKvHeads] numHeads by default
 * @property {number} [dK] of one head; dModel / numHeads by default
 * @property {number} [dV] of one head; dK by default
 * @property {number} [dOut] columns of wo; dModel by default, 0 = no output projection
 */
/**
 * Operations of projections, scores and values, the softmax apart.
 * @typedef {object} KvStepCost
 * @property {number} cached with a cache
 * @property {number} lastRowRecomputed without one, only the last row's output
 * @property {number} fullPass without one, the full square pass over all tokens
 * @property {number} cacheBytes float32
 * @property {number} softmax of the step
 */

const MASK_KINDS = ['none', 'boolean', 'additive']

/**
 * @param {Core} core
 * @param {AttentionSizes} given
 * @returns {AttentionCost}
 */
export function attentionCost(core, given) {
  const sizes = optionsObject(given, 'sizes')
  const n = wholeNumber(sizes.n, 'n')
  const m = wholeNumber(sizes.m ?? n, 'm')
  const batch = wholeNumber(sizes.batch ?? 1, 'batch')
  const heads = headSizes(sizes)
  const { dModel, numHeads, numKvHeads, dK, dV, dOut } = heads
  const dContext = wholeNumber(sizes.dContext ?? 0, 'dContext')
  const isCausal = flag(sizes.isCausal, 'isCausal', false)
  const hasBias = flag(sizes.hasBias, 'hasBias', false)
  const maskKind = MASK_KINDS.indexOf(sizes.mask ?? 'none')
  if (maskKind < 0) {
    const wanted = `one of ${MASK_KINDS.join(', ')}`
    if (typeof sizes.mask !== 'string') throw typeError('mask', sizes.mask, wanted)
    throw new RangeError(`mask was ${describe(sizes.mask)}; it had to be ${wanted}`)
  }
  const c = measure(core, 'flops', [], 21, (_, out) =>
    core.module.attentionCost(
      ...[batch, n, m, dModel, dContext, numHeads, numKvHeads, dK, dV, dOut],
      isCausal,
      maskKind,
      hasBias,
      out,
    ),
  )
  return {
    operations: {
      query: c[0],
      key: c[1],
      value: c[2],
      output: c[3],
      bias: c[4],
      scores: c[5],
      scale: c[6],
      mask: c[7],
      softmax: { max: c[8], subtract: c[9], exp: c[10], add: c[11], divide: c[12] },
      values: c[13],
      total: c[14],
    },
    bytes: {
      input: c[15],
      parameters: c[16],
      projected: c[17],
      weights: c[18],
      output: c[19],
      cache: c[20],
    },
  }
}

/**
 * @param {Core} core
 * @param {KvStepSizes} given
 * @returns {KvStepCost}
 */
export function kvStepCost(core, given) {
  const sizes = optionsObject(given, 'sizes')
  const length = wholeNumber(sizes.length, 'length', 1)
  wholeNumber(sizes.dModel, 'dModel')
  const { dModel, numHeads, numKvHeads, dK, dV, dOut } = headSizes(sizes)
  const [cached, lastRowRecomputed, fullPass, cacheBytes, softmax] = measure(
    core,
    'kvStepFlops',
    [],
    5,
    (_, out) => core.module.kvStepCost(length, dModel, numHeads, numKvHeads, dK, dV, dOut, out),
  )
  return { cached, lastRowRecomputed, fullPass, cacheBytes, softmax }
}

/** @param {Partial<AttentionSizes>} sizes */
function headSizes(sizes) {
  const dModel = wholeNumber(sizes.dModel ?? 0, 'dModel')
  const numHeads = wholeNumber(sizes.numHeads ?? 1, 'numHeads', 1)
  const numKvHeads = wholeNumber(sizes.numKvHeads ?? numHeads, 'numKvHeads', 1)
  if (numHeads % numKvHeads !== 0) {
    throw new RangeError(`numKvHeads was ${numKvHeads}; it had to divide numHeads, ${numHeads}`)
  }
  if (sizes.dK === undefined && dModel % numHeads !== 0) {
    throw new RangeError(`numHeads was ${numHeads}; it had to divide dModel, ${dModel}`)
  }
  const dK = wholeNumber(sizes.dK ?? dModel / numHeads, 'dK')
  const dV = wholeNumber(sizes.dV ?? dK, 'dV')
  const dOut = wholeNumber(sizes.dOut ?? dModel, 'dOut')
  return { dModel, numHeads, numKvHeads, dK, dV, dOut }
}
