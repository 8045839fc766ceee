/**
 * The engine's public names. Importing them has no side effect.
 */
export { Engine } from './engine/engine.js'
export { loadEngine } from './engine/load.js'
export { tensor } from './engine/tensor.js'
export { version } from './version.js'

/** @import { TensorData } from './engine/tensor.js' */

/**
 * Numbers in row-major order with their shape. A `Uint8Array` holds a boolean mask.
 * @template {TensorData} [D=Float32Array | Float64Array]
 * @typedef {import('./engine/tensor.js').Tensor<D>} Tensor
 */
/** @typedef {import('./engine/tensor.js').TensorLike} TensorLike */
/** @typedef {import('./engine/tensor.js').MaskLike} MaskLike */
/** @typedef {import('./engine/load.js').LoadOptions} LoadOptions */
/** @typedef {import('./engine/wasm-file.js').Variant} Variant */
/** @typedef {import('./engine/options.js').AttentionOptions} AttentionOptions */
/** @typedef {import('./engine/options.js').AttentionBackwardOptions} AttentionBackwardOptions */
/** @typedef {import('./engine/options.js').AttentionResult} AttentionResult */
/** @typedef {import('./engine/options.js').AttentionGradients} AttentionGradients */
/** @typedef {import('./engine/options.js').LayerParameters} LayerParameters */
/** @typedef {import('./engine/options.js').MultiHeadOptions} MultiHeadOptions */
/** @typedef {import('./engine/options.js').MultiHeadBackwardOptions} MultiHeadBackwardOptions */
/** @typedef {import('./engine/options.js').MultiHeadResult} MultiHeadResult */
/** @typedef {import('./engine/options.js').MultiHeadGradients} MultiHeadGradients */
/** @typedef {import('./engine/kv-cache.js').KvCache} KvCache */
/** @typedef {import('./engine/prepared-layer.js').PreparedLayer} PreparedLayer */
