/**
 * Stands in for web/engine/addresses.js in a module that carries everything within itself, as a notebook's and that of
 * a page in one file: it has no address, and no files beside it.
 *
 * One variant of the engine only, the one that runs everywhere: both would make the module a fifth larger,
 * for figures whose products take less than a millisecond either way.
 */
import simd from '../../build/wasm/attention-simd.wasm?url&inline'

/** @import { Variant } from '../engine/wasm-file.js' */

/**
 * @param {Variant} variant
 * @returns {URL} with the file in it
 */
export function wasmAddress(variant) {
  if (variant !== 'simd') throw new Error('this module carries the simd engine only')
  return new URL(simd)
}

/** @returns {URL} never: the worker starts from its script's text */
export function workerAddress() {
  throw new Error('this module carries the worker as text')
}
