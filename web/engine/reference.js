/**
 * Attention in float64, written to be read rather than fast: what the kernels are checked against.
 */
import { describeAttention, fillAttentionCall, placeInputs } from './attention-problem.js'
import { CallBuffers } from './buffers.js'
import { optionsObject, wholeNumber } from './errors.js'
import { multiHeadAttention, multiHeadAttentionBackward } from './multi-head.js'
import {
  scaledDotProductAttention,
  scaledDotProductAttentionBackward,
} from './scaled-dot-product.js'

/** @import { Core } from './core.js' */
/** @import { AttentionBackwardOptions, AttentionGradients, AttentionOptions } from './options.js' */
/** @import { AttentionResult, LayerParameters, MaskOptions, MultiHeadBackwardOptions } from './options.js' */
/** @import { MultiHeadGradients, MultiHeadOptions, MultiHeadResult } from './options.js' */
/** @import { TensorLike } from './tensor.js' */

/**
 * Which query to explain, and which of its products to take apart.
 * @typedef {MaskOptions & { row?: number, column?: number, slice?: number }} ExplainOptions `slice`
 *   counts through the leading dimensions; all three are 0 by default
 */
/**
 * How one query comes to its output.
 * @typedef {object} Explanation
 * @property {Float64Array} terms (d_k) q_k·k_k for the key at `column`; they add up to raw[column]
 * @property {Float64Array} raw (M) q·kⱼ
 * @property {Float64Array} scaled (M) scale·q·kⱼ
 * @property {Float64Array} masked (M) mask added, −∞ where the query may not attend
 * @property {number} rowMax the largest of `masked`
 * @property {Float64Array} exp (M) exp(masked − rowMax)
 * @property {number} rowSum the sum of `exp`
 * @property {Float64Array} weights (M) exp / rowSum
 * @property {Float64Array} rankInRow (M) 1 = the largest weight; equal ones in the order of their keys
 * @property {Float64Array} contributionNorms (M) ‖weightⱼ·vⱼ‖
 * @property {Float64Array} shareAlongOutput (M) weightⱼ·(vⱼ·y)/‖y‖²; they add up to 1
 * @property {Float64Array} output (d_v) y
 */

export class Reference {
  #core

  /** @param {Core} core */
  constructor(core) {
    this.#core = core
  }

  /**
   * Like `engine.scaledDotProductAttention`, in float64.
   * @template {AttentionOptions} [O=AttentionOptions]
   * @param {TensorLike} query (…, N, d_k)
   * @param {TensorLike} key (…, M, d_k)
   * @param {TensorLike} value (…, M, d_v)
   * @param {O} [options]
   * @returns {AttentionResult<Float64Array, O>}
   */
  scaledDotProductAttention(query, key, value, options) {
    return scaledDotProductAttention(this.#core, this.#core.reference, query, key, value, options)
  }

  /**
   * Like `engine.scaledDotProductAttentionBackward`, in float64.
   * @param {TensorLike} query
   * @param {TensorLike} key
   * @param {TensorLike} value
   * @param {TensorLike} gradOutput
   * @param {AttentionBackwardOptions} [options]
   * @returns {AttentionGradients<Float64Array>}
   */
  scaledDotProductAttentionBackward(query, key, value, gradOutput, options) {
    const { reference } = this.#core
    return scaledDotProductAttentionBackward(
      this.#core,
      reference,
      query,
      key,
      value,
      gradOutput,
      options,
    )
  }

  /**
   * Like `engine.multiHeadAttention`, in float64.
   * @template {MultiHeadOptions} O
   * @param {TensorLike} x
   * @param {LayerParameters} parameters
   * @param {O} options
   * @returns {MultiHeadResult<Float64Array, O>}
   */
  multiHeadAttention(x, parameters, options) {
    return multiHeadAttention(this.#core, this.#core.reference, x, parameters, options)
  }

  /**
   * Like `engine.multiHeadAttentionBackward`, in float64.
   * @param {TensorLike} x
   * @param {LayerParameters} parameters
   * @param {TensorLike} gradOutput
   * @param {MultiHeadBackwardOptions} options
   * @returns {MultiHeadGradients<Float64Array>}
   */
  multiHeadAttentionBackward(x, parameters, gradOutput, options) {
    const { reference } = this.#core
    return multiHeadAttentionBackward(this.#core, reference, x, parameters, gradOutput, options)
  }

  /**
   * Takes one row of attention apart, from the terms of a dot product to each key's share in the output.
   * @param {TensorLike} query (…, N, d_k)
   * @param {TensorLike} key (…, M, d_k)
   * @param {TensorLike} value (…, M, d_v)
   * @param {ExplainOptions} [given]
   * @returns {Explanation}
   */
  explain(query, key, value, given) {
    const options = optionsObject(given)
    const problem = describeAttention(query, key, value, options)
    const { batch, n, m, dK, dV } = problem
    const slice = position(options.slice, 'slice', batch)
    const row = position(options.row, 'row', n)
    const column = position(options.column, 'column', m)

    const { memory, module, attentionCall: call, reference } = this.#core
    const buffers = new CallBuffers(memory, 'explain')
    const inputs = placeInputs(buffers, problem, reference.Type)
    const result = buffers.result('all', [2 + dK + 8 * m + dV], reference.Type)
    const { all } = buffers.run({
      fill: (at) => fillAttentionCall(call, problem, inputs, {}, at),
      compute: (at) => module.referenceExplain(call, slice, row, column, at(result)),
    })
    return named(all.data, dK, m, dV)
  }
}

/**
 * @param {unknown} value
 * @param {string} name
 * @param {number} length
 */
function position(value, name, length) {
  if (length === 0) throw new RangeError(`${name} had nothing to choose from: that dimension is 0`)
  return wholeNumber(value ?? 0, name, 0, length - 1)
}

/**
 * Names for the numbers as `referenceExplain` lays them out.
 * @param {Float64Array} all
 * @param {number} dK
 * @param {number} m
 * @param {number} dV
 * @returns {Explanation}
 */
function named(all, dK, m, dV) {
  let from = 2
  /** @param {number} length */
  const take = (length) => all.subarray(from, (from += length))
  return {
    rowMax: all[0],
    rowSum: all[1],
    terms: take(dK),
    raw: take(m),
    scaled: take(m),
    masked: take(m),
    exp: take(m),
    weights: take(m),
    rankInRow: take(m),
    contributionNorms: take(m),
    shareAlongOutput: take(m),
    output: take(dV),
  }
}
