/**
 * The options and results of the engine's calls.
 */

/** @import { MaskLike, Tensor, TensorLike } from './tensor.js' */
/** @typedef {Tensor<Float32Array>} FloatTensor */

/**
 * A buffer that the caller keeps and a call fills: a tensor of the result's shape, or its data.
 * @typedef {FloatTensor | Tensor<Float64Array> | Float32Array | Float64Array} OutBuffer
 */

/** @typedef {{ out?: OutBuffer }} OutOption a kept buffer to fill instead of making a new one */

/**
 * What attends to what.
 * @typedef {object} MaskOptions
 * @property {MaskLike | null} [attnMask] booleans (true = may attend) or numbers added to the scores
 *   (−∞ = masked), broadcast to the scores' shape
 * @property {boolean} [isCausal] query i sees keys j ≤ i only (aligned top left when N ≠ M); combines
 *   with `attnMask`
 * @property {number} [scale] factor on the logits; 1/√d_k by default
 */

/**
 * What a forward call returns.
 * @typedef {object} ResultOptions
 * @property {boolean} [needWeights] true by default; false never builds an N×M buffer, and leaves
 *   out `weights` and every stage of that size
 * @property {boolean} [needStages] adds the stages between input and output
 * @property {Record<string, OutBuffer>} [out] kept buffers by result name, filled instead of new ones
 */

/** @typedef {MaskOptions & ResultOptions} AttentionOptions */

/**
 * @typedef {object} BackwardOptions
 * @property {object} [forward] the result of the forward call with the same arguments; what it holds
 *   is not computed again
 * @property {boolean} [needWeights] true by default; false leaves out `gradScores` and `gradWeights`
 * @property {Record<string, OutBuffer>} [out] kept buffers by result name, filled instead of new ones
 */
/** @typedef {MaskOptions & BackwardOptions} AttentionBackwardOptions */

/**
 * The stages between queries, keys and weights.
 * @template {Float32Array | Float64Array} D
 * @typedef {object} Stages
 * @property {Tensor<D>} logits Q·Kᵀ
 * @property {Tensor<D>} scores scaled, mask added; −∞ where masked
 * @property {Tensor<D>} exp exp(scores − rowMax)
 * @property {Tensor<D>} rowMax (…, N) the largest score of a row
 * @property {Tensor<D>} rowSum (…, N) the sum of a row of `exp`
 */
/**
 * What a layer has besides; `heads` are the heads' outputs before they are concatenated.
 * @template {Float32Array | Float64Array} D
 * @typedef {object} ProjectedStages
 * @property {Tensor<D>} query (B, numHeads, N, d_k)
 * @property {Tensor<D>} key (B, numKvHeads, M, d_k)
 * @property {Tensor<D>} value (B, numKvHeads, M, d_v)
 * @property {Tensor<D>} heads (B, numHeads, N, d_v)
 */
/**
 * Stages that are there if the options have `needStages`, unless it is known to be false; those of
 * size N×M only with the weights.
 * @template S
 * @template O
 * @typedef {O extends { needStages: false } ? Partial<S>
 *   : O extends { needStages: boolean, needWeights: false } ? Omit<S, 'logits' | 'scores' | 'exp'>
 *   : O extends { needStages: boolean } ? S : Partial<S>} StagesIf
 */
/**
 * Weights are there unless the options are known to refuse them.
 * @template {Float32Array | Float64Array} D
 * @template O
 * @typedef {O extends { needWeights: false } ? { weights?: undefined } : { weights: Tensor<D> }} WeightsIf
 */

/**
 * `output` (…, N, d_v) and `weights` (…, N, M); no weights when `needWeights` is false.
 * @template {Float32Array | Float64Array} [D=Float32Array]
 * @template [O=unknown]
 * @typedef {{ output: Tensor<D> } & WeightsIf<D, O> & StagesIf<Stages<D>, O>} AttentionResult
 */

/**
 * @template {Float32Array | Float64Array} [D=Float32Array]
 * @typedef {object} AttentionGradients
 * @property {Tensor<D>} gradQuery of query's shape; summed over dimensions that were broadcast
 * @property {Tensor<D>} gradKey of key's shape
 * @property {Tensor<D>} gradValue of value's shape
 * @property {Tensor<D>} gradScores (…, N, M) by the scaled, masked scores
 * @property {Tensor<D>} gradWeights (…, N, M) by the weights
 */

/**
 * The projections of a layer, for row vectors: Q = x·wq + bq. Head i owns column block i. PyTorch's
 * `nn.Linear` keeps its weight as (out, in): transpose it.
 * @typedef {object} LayerParameters
 * @property {TensorLike} wq (d_model, numHeads·d_k)
 * @property {TensorLike} wk (d_model, numKvHeads·d_k)
 * @property {TensorLike} wv (d_model, numKvHeads·d_v)
 * @property {TensorLike | null} [wo] (numHeads·d_v, d_out); without it the concatenated heads are the output
 * @property {TensorLike | null} [bq] (numHeads·d_k)
 * @property {TensorLike | null} [bk] (numKvHeads·d_k)
 * @property {TensorLike | null} [bv] (numKvHeads·d_v)
 * @property {TensorLike | null} [bo] (d_out)
 */

/**
 * @typedef {object} HeadOptions
 * @property {number} numHeads
 * @property {number} [numKvHeads] heads of keys and values, a divisor of numHeads: fewer is
 *   grouped-query attention, 1 multi-query; numHeads by default
 */

/**
 * @typedef {object} ContextOptions
 * @property {TensorLike | null} [context] (B, M, d_context) like x: keys and values come from it
 */

/** @typedef {MaskOptions & ContextOptions & ResultOptions} LayerForwardOptions */
/** @typedef {MaskOptions & ContextOptions & BackwardOptions} LayerBackwardOptions */
/** @typedef {HeadOptions & LayerForwardOptions} MultiHeadOptions */
/** @typedef {HeadOptions & LayerBackwardOptions} MultiHeadBackwardOptions */
/** @typedef {HeadOptions & MaskOptions} PrepareOptions */
/** @typedef {HeadOptions & { maxLength: number, scale?: number }} KvCacheOptions */

/**
 * `output` (B, N, d_out) and `weights` (B, numHeads, N, M); no weights when `needWeights` is false.
 * Nothing has a dimension B if x has none.
 * @template {Float32Array | Float64Array} [D=Float32Array]
 * @template [O=unknown]
 * @typedef {{ output: Tensor<D> } & WeightsIf<D, O>
 *   & StagesIf<Stages<D> & ProjectedStages<D>, O>} MultiHeadResult
 */

/**
 * Each gradient has the shape of what it belongs to; there is one for everything that was given.
 * @template {Float32Array | Float64Array} [D=Float32Array]
 * @typedef {object} MultiHeadGradients
 * @property {Tensor<D>} gradX
 * @property {Tensor<D>} [gradContext]
 * @property {Tensor<D>} gradWq
 * @property {Tensor<D>} gradWk
 * @property {Tensor<D>} gradWv
 * @property {Tensor<D>} [gradWo]
 * @property {Tensor<D>} [gradBq]
 * @property {Tensor<D>} [gradBk]
 * @property {Tensor<D>} [gradBv]
 * @property {Tensor<D>} [gradBo]
 * @property {Tensor<D>} gradScores (B, h, N, M)
 * @property {Tensor<D>} gradWeights (B, h, N, M)
 */

export {}
