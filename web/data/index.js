/**
 * Tensor files, read and written. Importing this has no side effect; zip code is loaded when it is needed.
 */
export { attentionArrays } from './attention-arrays.js'
export { openTensorFile } from './open.js'
export { csvText, htmlTable, tsvText } from './table-text.js'
export { npyBytes } from './write-npy.js'
export { safetensorsBytes } from './write-safetensors.js'

/** @import { MaskLike } from '../engine/tensor.js' */

/** @typedef {import('./attention-arrays.js').AttentionArray} AttentionArray */
/** @typedef {import('./entry.js').FileTensor} FileTensor */
/** @typedef {import('./entry.js').ListedArray} ListedArray */
/** @typedef {import('./layout.js').Part} Part */
/** @typedef {import('./table-text.js').Axis} Axis */
/** @typedef {import('./table-text.js').Table} Table */
/** @typedef {import('./table-text.js').TextTable} TextTable */
/** @typedef {import('./tensor-file.js').TensorFile} TensorFile */

/**
 * Several tensors as a .npz file, stored as by `numpy.savez`: float32, float64, booleans from a Uint8Array, and
 * lists of texts.
 *
 * @param {Record<string, MaskLike | readonly string[]>} arrays by name
 * @returns {Promise<Blob>}
 * @throws {TypeError | RangeError} if something is neither a tensor nor a list of texts
 */
export async function npzBlob(arrays) {
  return (await import('./write-npz.js')).writeNpz(arrays)
}
