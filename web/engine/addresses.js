/**
 * Where the engine's files are: beside the module, wherever that is served from, bundled to, or installed.
 * What carries them within itself, as a notebook's module does, puts another file in this one's place.
 */

/** @import { Variant } from './wasm-file.js' */

// Literal URLs, since bundlers look for this very form. In functions, since building one throws in
// a module that came from a blob, and importing the package must not.
const WASM = {
  'relaxed-simd': () => new URL('../../build/wasm/attention-relaxed-simd.wasm', import.meta.url),
  simd: () => new URL('../../build/wasm/attention-simd.wasm', import.meta.url),
}

/**
 * @param {Variant} variant
 * @returns {URL}
 * @throws {Error} in a module without an address
 */
export function wasmAddress(variant) {
  return WASM[variant]()
}

/**
 * @returns {URL} of the experiments' worker
 * @throws {Error} in a module without an address
 */
export function workerAddress() {
  return new URL('../../build/worker/experiment-worker.js', import.meta.url)
}
