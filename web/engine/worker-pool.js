/**
 * Workers for experiments: one for each that runs. When it is done its worker waits a while for the
 * next experiment and then ends; when it is stopped, its worker ends at once.
 */
import { proxy, wrap } from 'comlink'
import { startWorker } from './worker-start.js'

/** @import { Remote } from 'comlink' */
/** @import { ExperimentName, Progress } from './experiment-slices.js' */
/** @import { ExperimentWorkerApi } from './experiment-worker.js' */

/** @typedef {{ signal?: AbortSignal, onProgress?: (progress: Progress<any>) => void }} Watch */

const IDLE_MILLISECONDS = 10_000

/** @type {Map<WebAssembly.Module, ExperimentWorker>} one idle worker for each module */
const idle = new Map()
let isHopeless = false

class ExperimentWorker {
  #worker
  #compiled
  /** @type {Remote<ExperimentWorkerApi>} */
  #api
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #idleTimer

  /** @param {Worker} worker @param {WebAssembly.Module} compiled */
  constructor(worker, compiled) {
    this.#worker = worker
    this.#compiled = compiled
    this.#api = wrap(worker)
  }

  /** Hands the compiled module over. */
  async open() {
    await this.#api.open(this.#compiled)
  }

  /**
   * @param {ExperimentName} name
   * @param {object} options complete
   * @param {Watch} watch
   * @returns {Promise<any>} the experiment's result
   */
  async run(name, options, { signal, onProgress }) {
    const { promise: stopped, reject: stop } = withReject()
    const onAbort = () => stop(signal?.reason)
    const onError = () => stop(new Error(`the worker of experiments.${name} failed`))
    signal?.addEventListener('abort', onAbort)
    this.#worker.addEventListener('error', onError)
    if (signal?.aborted) onAbort()
    /** @param {Progress<any>} progress */
    const report = (progress) => {
      try {
        if (!signal?.aborted) onProgress?.(progress)
      } catch (error) {
        stop(error)
      }
    }
    try {
      const running = this.#api.run(name, options, onProgress ? proxy(report) : null)
      const result = await Promise.race([running, stopped])
      this.#rest()
      return result
    } catch (error) {
      this.end()
      throw ofItsKind(error)
    } finally {
      signal?.removeEventListener('abort', onAbort)
      this.#worker.removeEventListener('error', onError)
    }
  }

  /** Takes it back into use. */
  wake() {
    clearTimeout(this.#idleTimer)
    if (idle.get(this.#compiled) === this) idle.delete(this.#compiled)
  }

  end() {
    this.wake()
    this.#worker.terminate()
  }

  #rest() {
    if (idle.has(this.#compiled)) {
      this.#worker.terminate()
      return
    }
    idle.set(this.#compiled, this)
    this.#idleTimer = setTimeout(() => this.end(), IDLE_MILLISECONDS)
  }
}

/**
 * @param {WebAssembly.Module} compiled
 * @param {AbortSignal} [signal]
 * @returns {Promise<ExperimentWorker | undefined>} undefined where no worker starts
 */
export async function borrowWorker(compiled, signal) {
  const waiting = idle.get(compiled)
  if (waiting) {
    waiting.wake()
    return waiting
  }
  if (isHopeless) return undefined
  const started = await startWorker()
  isHopeless = started === undefined
  if (!started) return undefined
  const worker = new ExperimentWorker(started, compiled)
  try {
    await worker.open()
    signal?.throwIfAborted()
    return worker
  } catch (error) {
    worker.end()
    if (signal?.aborted) throw error
    return undefined
  }
}

/**
 * Comlink hands a RangeError over as an Error of that name.
 * @param {unknown} error
 */
function ofItsKind(error) {
  const isPlain = error instanceof Error && !(error instanceof RangeError)
  return isPlain && error.name === 'RangeError'
    ? new RangeError(error.message, { cause: error })
    : error
}

/** A promise that is only ever rejected. */
function withReject() {
  /** @type {(reason: unknown) => void} */
  let reject = () => {}
  /** @type {Promise<never>} */
  const promise = new Promise((_, onReject) => {
    reject = onReject
  })
  promise.catch(() => {})
  return { promise, reject }
}
