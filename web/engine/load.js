/**
 * Loading an engine: one promise for each variant and page.
 */
import { pageRegistry } from '../page-registry.js'
import { Engine } from './engine.js'
import { optionsObject, typeError } from './errors.js'
import { hasRelaxedSimd, hasSimd } from './features.js'
import { instantiate } from './instantiate.js'
import { compileVariant } from './wasm-file.js'

/** @import { Variant } from './wasm-file.js' */

/**
 * @typedef {object} LoadOptions
 * @property {Variant | 'auto'} [variant] 'relaxed-simd' is faster, 'simd' runs in every current
 *   browser; 'auto', the default, takes the first that works
 */

/**
 * Loads the engine, or returns the one that is loaded already. A load that failed may be tried again.
 * @param {LoadOptions} [options]
 * @returns {Promise<Engine>}
 * @throws {Error} when the WebAssembly file cannot be had, or cannot run here
 * @throws {TypeError | RangeError} if the variant is no string, or none of these
 */
export function loadEngine(options) {
  try {
    const variant = variantOf(options)
    return once(variant, variant === 'auto' ? loadBest : () => loadVariant(variant))
  } catch (error) {
    return Promise.reject(error)
  }
}

/**
 * @param {LoadOptions} [options]
 * @returns {Variant | 'auto'}
 */
function variantOf(options) {
  const variant = optionsObject(options).variant ?? 'auto'
  if (variant === 'auto' || variant === 'relaxed-simd' || variant === 'simd') return variant
  const wanted = "'auto', 'relaxed-simd' or 'simd'"
  if (typeof variant !== 'string') throw typeError('variant', variant, wanted)
  throw new RangeError(`variant was ${JSON.stringify(variant)}; it had to be ${wanted}`)
}

/** @returns {Promise<Engine>} */
async function loadBest() {
  if (hasRelaxedSimd()) {
    try {
      return await once('relaxed-simd', () => loadVariant('relaxed-simd'))
    } catch {
      // The probe knows one opcode; should the engine refuse another, plain SIMD still works.
    }
  }
  return once('simd', () => loadVariant('simd'))
}

/**
 * @param {Variant} variant
 * @returns {Promise<Engine>}
 */
async function loadVariant(variant) {
  if (!(variant === 'simd' ? hasSimd() : hasRelaxedSimd())) {
    const what = variant === 'simd' ? 'WebAssembly with SIMD' : 'relaxed SIMD'
    const advice = variant === 'simd' ? 'a current browser' : "variant: 'auto' or 'simd'"
    throw new Error(
      `This JavaScript engine has no ${what}; the ${variant} engine needs it. Use ${advice}.`,
    )
  }
  const compiled = await compileVariant(variant)
  return new Engine(await instantiate(compiled), compiled, variant)
}

/**
 * @param {string} key
 * @param {() => Promise<Engine>} load
 * @returns {Promise<Engine>}
 */
function once(key, load) {
  /** @type {Map<string, Promise<Engine>>} */
  const loads = (pageRegistry().engines ??= new Map())
  let loading = loads.get(key)
  if (!loading) {
    loading = load()
    loads.set(key, loading)
    loading.catch(() => loads.delete(key))
  }
  return loading
}
