/**
 * The worker's side of the experiments: bundled on its own into one classic script. It is handed
 * the compiled module, so it fetches nothing.
 */
import { expose } from 'comlink'
import { createCore } from './core.js'
import { runInSlices } from './experiment-slices.js'
import { instantiate } from './instantiate.js'

/** @import { Core } from './core.js' */
/** @import { ExperimentName, Progress } from './experiment-slices.js' */

const SLICE_MILLISECONDS = 40

/** @type {Core | undefined} */
let core

const api = {
  /** @param {WebAssembly.Module} compiled */
  async open(compiled) {
    core ??= createCore(await instantiate(compiled))
  },

  /**
   * @param {ExperimentName} name
   * @param {any} options
   * @param {((progress: Progress<any>) => void) | null} report
   */
  async run(name, options, report) {
    if (!core) throw new Error('run was called before open')
    return runInSlices(core, name, options, {
      milliseconds: SLICE_MILLISECONDS,
      pause: async () => {},
      report: report ?? undefined,
    })
  },
}

/** @typedef {typeof api} ExperimentWorkerApi */

expose(api)
postMessage('ready')
