/**
 * Runs an experiment in slices: between two of them whoever runs it may report, or stop. The slices'
 * sizes do not change the result.
 */
import { startSaturation } from './saturation.js'
import { startVariance } from './variance.js'

/** @import { Core } from './core.js' */

/** @typedef {'variance' | 'saturation'} ExperimentName */
/**
 * @template R
 * @typedef {{ done: number, total: number, result: R }} Progress trials, and the result so far
 */
/**
 * @typedef {object} Slicing
 * @property {number} milliseconds how long a slice may take
 * @property {() => Promise<void>} pause between slices; a rejection ends the experiment
 * @property {(progress: Progress<any>) => void} [report] after each slice
 */

/**
 * @param {Core} core
 * @param {ExperimentName} name
 * @param {any} options complete, as `varianceOptions` or `saturationOptions` returns them
 * @param {Slicing} slicing
 * @returns {Promise<any>} the experiment's result
 */
export async function runInSlices(core, name, options, { milliseconds, pause, report }) {
  const { handle, read } =
    name === 'variance' ? startVariance(core, options) : startSaturation(core, options)
  try {
    const { total } = handle
    let done = 0
    let count = 1
    while (done < total) {
      const start = performance.now()
      done = handle.run(count)
      const elapsed = performance.now() - start
      // Well below the limit, since trials differ: the next size may take twice as long.
      if (elapsed < milliseconds / 4) count *= 2
      else if (elapsed > milliseconds / 2) count = Math.max(1, count >> 1)
      report?.({ done, total, result: read() })
      if (done < total) await pause()
    }
    return read()
  } finally {
    handle.delete()
  }
}
