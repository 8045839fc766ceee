/**
 * Experiments that take a while: in a worker where there is one, else on this thread in slices.
 */
import { runInSlices } from './experiment-slices.js'
import { typeError } from './errors.js'
import { saturationOptions } from './saturation.js'
import { varianceOptions } from './variance.js'
import { borrowWorker } from './worker-pool.js'

/** @import { Core } from './core.js' */
/** @import { ExperimentName, Progress } from './experiment-slices.js' */
/** @import { SaturationOptions, SaturationRow } from './saturation.js' */
/** @import { VarianceOptions, VarianceResult } from './variance.js' */

/**
 * @template R
 * @typedef {object} RunOptions
 * @property {AbortSignal} [signal] ends the experiment; the promise is then rejected with its reason
 * @property {(progress: Progress<R>) => void} [onProgress] told how far it is and what has come out so far
 */

/** Below the 50 ms from which a reader notices that a page does not react. */
const SLICE_MILLISECONDS = 40

export class Experiments {
  #core
  #compiled

  /**
   * @param {Core} core
   * @param {WebAssembly.Module} compiled for the worker
   */
  constructor(core, compiled) {
    this.#core = core
    this.#compiled = compiled
  }

  /**
   * Products of random queries and keys, raw and scaled: their variance against theory.
   * @param {VarianceOptions & RunOptions<VarianceResult>} [options]
   * @returns {Promise<VarianceResult>}
   */
  async variance(options) {
    return this.#run('variance', varianceOptions(options), options)
  }

  /**
   * How far the softmax saturates with and without the division by √dK, for several dK.
   * @param {SaturationOptions & RunOptions<SaturationRow[]>} [options]
   * @returns {Promise<SaturationRow[]>} one row for each dK
   */
  async saturation(options) {
    return this.#run('saturation', saturationOptions(options), options)
  }

  /**
   * @param {ExperimentName} name
   * @param {object} options complete
   * @param {RunOptions<any>} [given]
   * @returns {Promise<any>}
   */
  async #run(name, options, given) {
    const signal = given?.signal ?? undefined
    const onProgress = given?.onProgress ?? undefined
    if (signal !== undefined && typeof signal.throwIfAborted !== 'function') {
      throw typeError('signal', signal, 'an AbortSignal')
    }
    if (onProgress !== undefined && typeof onProgress !== 'function') {
      throw typeError('onProgress', onProgress, 'a function')
    }
    signal?.throwIfAborted()
    const worker = await borrowWorker(this.#compiled, signal)
    if (worker) return worker.run(name, options, { signal, onProgress })
    return runInSlices(this.#core, name, options, {
      milliseconds: SLICE_MILLISECONDS,
      pause: () => pause(signal),
      report: onProgress,
    })
  }
}

/**
 * Lets other work of this thread have its turn.
 * @param {AbortSignal} [signal]
 */
async function pause(signal) {
  await new Promise((resolve) => setTimeout(resolve))
  signal?.throwIfAborted()
}
