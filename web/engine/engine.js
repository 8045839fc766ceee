/**
 * The engine: every call, with what it takes and what it returns.
 */
import { Analysis } from './analysis.js'
import { createCore } from './core.js'
import { Experiments } from './experiments.js'
import { KvCache } from './kv-cache.js'
import { layerNorm, layerNormBackward } from './layer-norm.js'
import { matmul } from './matmul.js'
import { Masks } from './masks.js'
import { multiHeadAttention, multiHeadAttentionBackward } from './multi-head.js'
import { PreparedLayer } from './prepared-layer.js'
import { RandomStreams } from './random-streams.js'
import { Reference } from './reference.js'
import {
  scaledDotProductAttention,
  scaledDotProductAttentionBackward,
} from './scaled-dot-product.js'
import { softmax, softmaxBackward, softmaxJacobian } from './softmax.js'

/** @import { LayerNormBackwardOptions, LayerNormGradients, LayerNormOptions } from './layer-norm.js' */
/** @import { MatmulOptions } from './matmul.js' */
/** @import { WasmModule } from './module.js' */
/** @import { AttentionBackwardOptions, AttentionGradients, AttentionOptions } from './options.js' */
/** @import { AttentionResult, FloatTensor, KvCacheOptions, LayerParameters } from './options.js' */
/** @import { MultiHeadBackwardOptions, MultiHeadGradients, MultiHeadOptions } from './options.js' */
/** @import { MultiHeadResult, OutOption, PrepareOptions } from './options.js' */
/** @import { TensorLike } from './tensor.js' */
/** @import { Variant } from './wasm-file.js' */

/**
 * One engine: a WebAssembly module and its calls. Each call checks its arguments and throws a
 * TypeError (not a tensor, a scalar that is not finite) or a RangeError (shapes, memory), whose
 * message names the argument, what it was and what it had to be. It works on after any error.
 *
 * Numbers are float32; `reference` has the same attention in float64. Nothing that is returned points
 * into WebAssembly memory.
 */
export class Engine {
  #core

  /** Which of the two binaries was loaded. @type {Variant} */
  variant

  /** Builders of attention masks. */
  masks
  /** Random streams with NumPy's and PyTorch's numbers. */
  random
  /** Measures of attention. */
  analysis
  /** The same attention in float64. */
  reference
  /** Experiments, run in a worker. */
  experiments

  /**
   * `loadEngine` makes these.
   * @param {WasmModule} module
   * @param {WebAssembly.Module} compiled
   * @param {Variant} variant
   */
  constructor(module, compiled, variant) {
    const core = createCore(module)
    this.#core = core
    this.variant = variant
    this.masks = new Masks(core)
    this.random = new RandomStreams(core)
    this.analysis = new Analysis(core)
    this.reference = new Reference(core)
    this.experiments = new Experiments(core, compiled)
  }

  /** Size of the engine's WebAssembly memory in bytes. It never shrinks. */
  get memoryBytes() {
    return this.#core.memory.bytes
  }

  /**
   * softmax(scale · Q·Kᵀ + mask)·V (Vaswani et al. 2017, equation 1). Leading dimensions are equal or
   * broadcast.
   *
   * A masked position contributes exactly 0, whatever its key and value hold; a row in which nothing
   * may be attended gives zeros.
   * @template {AttentionOptions} [O=AttentionOptions]
   * @param {TensorLike} query (…, N, d_k)
   * @param {TensorLike} key (…, M, d_k)
   * @param {TensorLike} value (…, M, d_v)
   * @param {O} [options]
   * @returns {AttentionResult<Float32Array, O>} output (…, N, d_v), weights (…, N, M)
   */
  scaledDotProductAttention(query, key, value, options) {
    return scaledDotProductAttention(this.#core, this.#core.kernels, query, key, value, options)
  }

  /**
   * The gradients of a loss by query, key, value, scores and weights, given that by the output:
   * ∂V = Aᵀ·∂Y, ∂A = ∂Y·Vᵀ, ∂S = A∘(∂A − rowsum(∂A∘A)), ∂Q = scale·∂S·K, ∂K = scale·∂Sᵀ·Q.
   * @param {TensorLike} query (…, N, d_k)
   * @param {TensorLike} key (…, M, d_k)
   * @param {TensorLike} value (…, M, d_v)
   * @param {TensorLike} gradOutput (…, N, d_v)
   * @param {AttentionBackwardOptions} [options] the forward call's, and `forward`, its result
   * @returns {AttentionGradients} gradQuery, gradKey and gradValue of the inputs' shapes, gradScores
   *   and gradWeights (…, N, M)
   */
  scaledDotProductAttentionBackward(query, key, value, gradOutput, options) {
    const { kernels } = this.#core
    return scaledDotProductAttentionBackward(
      this.#core,
      kernels,
      query,
      key,
      value,
      gradOutput,
      options,
    )
  }

  /**
   * Multi-head attention (Vaswani et al. 2017, section 3.2.2): head i attends with column block i of
   * the projections, and wo mixes the concatenated heads. With `context`, keys and values come from
   * there (cross-attention). `numKvHeads` below `numHeads` is grouped-query attention (Ainslie et al.
   * 2023), 1 multi-query attention (Shazeer 2019).
   * @template {MultiHeadOptions} O
   * @param {TensorLike} x (B, N, d_model) or (N, d_model)
   * @param {LayerParameters} parameters
   * @param {O} options
   * @returns {MultiHeadResult<Float32Array, O>} output (B, N, d_out), weights (B, h, N, M); without B if x has none
   */
  multiHeadAttention(x, parameters, options) {
    return multiHeadAttention(this.#core, this.#core.kernels, x, parameters, options)
  }

  /**
   * The gradients of a loss by x, context and every parameter, given that by the output.
   * @param {TensorLike} x (B, N, d_model) or (N, d_model)
   * @param {LayerParameters} parameters
   * @param {TensorLike} gradOutput of the output's shape
   * @param {MultiHeadBackwardOptions} options the forward call's, and `forward`, its result with
   *   `needStages`
   * @returns {MultiHeadGradients} each of the shape of what it belongs to
   */
  multiHeadAttentionBackward(x, parameters, gradOutput, options) {
    const { kernels } = this.#core
    return multiHeadAttentionBackward(this.#core, kernels, x, parameters, gradOutput, options)
  }

  /**
   * A layer whose parameters stay packed in the engine, for many calls. Dispose of it after use.
   * @param {LayerParameters} parameters copied: later changes of them change nothing
   * @param {PrepareOptions} options those for masks become defaults of its calls
   * @returns {PreparedLayer}
   * @throws {RangeError} if there is no memory to pack the parameters in
   */
  prepare(parameters, options) {
    return new PreparedLayer(this.#core, parameters, options)
  }

  /**
   * A cache for decoding step by step. Dispose of it after use.
   * @param {LayerParameters} parameters copied: later changes of them change nothing
   * @param {KvCacheOptions} options
   * @returns {KvCache}
   * @throws {RangeError} if there is no memory for `maxLength` keys and values
   */
  createKvCache(parameters, options) {
    return new KvCache(this.#core, parameters, options)
  }

  /**
   * Matrix product c_ij = Σ_k a_ik b_kj over the last two dimensions; leading ones are equal or
   * broadcast.
   * @param {TensorLike} a (…, n, k); (…, k, n) with `transposeA`
   * @param {TensorLike} b (…, k, m); (…, m, k) with `transposeB`
   * @param {MatmulOptions} [options]
   * @returns {FloatTensor} (…, n, m)
   */
  matmul(a, b, options) {
    return matmul(this.#core, a, b, options)
  }

  /**
   * Softmax p_j = exp(s_j − max s)/Σ_k exp(s_k − max s) over the last dimension. A row of −∞ alone
   * becomes zeros.
   * @param {TensorLike} scores (…, M)
   * @param {OutOption} [options]
   * @returns {FloatTensor} (…, M)
   */
  softmax(scores, options) {
    return softmax(this.#core, scores, options)
  }

  /**
   * The softmax's Jacobian at each row p of probabilities: ∂p_i/∂s_j = p_i(δ_ij − p_j), which is
   * diag(p) − p·pᵀ.
   * @param {TensorLike} probabilities (…, M)
   * @param {OutOption} [options]
   * @returns {FloatTensor} (…, M, M)
   */
  softmaxJacobian(probabilities, options) {
    return softmaxJacobian(this.#core, probabilities, options)
  }

  /**
   * The gradient of a loss by the scores of a softmax, given that by its probabilities: the Jacobian
   * times it, p∘(∂p − Σ p∘∂p) for each row.
   * @param {TensorLike} probabilities (…, M)
   * @param {TensorLike} gradProbabilities (…, M)
   * @param {OutOption} [options]
   * @returns {FloatTensor} (…, M)
   */
  softmaxBackward(probabilities, gradProbabilities, options) {
    return softmaxBackward(this.#core, probabilities, gradProbabilities, options)
  }

  /**
   * Layer normalisation (Ba et al. 2016) over the last dimension: (x − mean)/√(variance + eps), times
   * weight, plus bias. The variance is that of all d numbers, not d − 1.
   * @param {TensorLike} x (…, d)
   * @param {LayerNormOptions} [options]
   * @returns {FloatTensor} (…, d)
   */
  layerNorm(x, options) {
    return layerNorm(this.#core, x, options)
  }

  /**
   * The gradients of a loss by a layer norm's input, weight and bias, given that by its output.
   * @param {TensorLike} x (…, d)
   * @param {TensorLike} gradOutput (…, d)
   * @param {LayerNormBackwardOptions} [options] the forward call's
   * @returns {LayerNormGradients} gradX (…, d), gradWeight and gradBias (d)
   */
  layerNormBackward(x, gradOutput, options) {
    return layerNormBackward(this.#core, x, gradOutput, options)
  }
}
