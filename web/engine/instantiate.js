/**
 * An instance of the WebAssembly module from its compiled code. The glue that Emscripten wrote is
 * handed the code, so it looks for no file itself.
 */
import createModule from '../../build/wasm/attention.js'

/** @import { WasmModule } from './module.js' */

/**
 * @param {WebAssembly.Module} compiled
 * @returns {Promise<WasmModule>}
 */
export function instantiate(compiled) {
  return new Promise((resolve, reject) => {
    /**
     * @param {WebAssembly.Imports} imports
     * @param {(instance: WebAssembly.Instance, module: WebAssembly.Module) => void} receive
     */
    const instantiateWasm = (imports, receive) => {
      WebAssembly.instantiate(compiled, imports).then((instance) => {
        receive(instance, compiled)
      }, reject)
      return {}
    }
    const create = /** @type {(options: object) => Promise<unknown>} */ (createModule)
    create({ instantiateWasm }).then(
      (module) => resolve(/** @type {WasmModule} */ (module)),
      reject,
    )
  })
}
