/**
 * Timing several pieces of work side by side: their samples alternate, so that what disturbs the machine disturbs all
 * of them, and a ratio of medians holds where absolute times do not.
 */

/** A sample lasts at least this long, since `performance.now` ticks in steps of 5 µs and more, ms. */
const LEAST_SAMPLE = 4

/**
 * @typedef {() => unknown | Promise<unknown>} Work
 * @param {Record<string, Work>} works by name
 * @param {{ seconds?: number, least?: number, most?: number }} [options] how long in all; samples of each
 * @returns {Promise<Record<string, number>>} median time of one run of each, ms
 */
export async function alternate(works, { seconds = 3, least = 7, most = 200 } = {}) {
  /** @type {Record<string, { repeats: number, samples: number[] }>} */
  const timed = {}
  for (const [name, work] of Object.entries(works)) {
    // Twice: the first run compiles.
    await work()
    const once = await time(work, 1)
    timed[name] = {
      repeats: Math.max(1, Math.ceil(LEAST_SAMPLE / Math.max(once, 1e-3))),
      samples: [],
    }
  }
  const start = performance.now()
  for (let sample = 0; sample < most; sample++) {
    if (sample >= least && performance.now() - start > 1000 * seconds) break
    for (const [name, work] of Object.entries(works)) {
      timed[name].samples.push(await time(work, timed[name].repeats))
    }
  }
  return Object.fromEntries(
    Object.entries(timed).map(([name, { samples }]) => [name, median(samples)]),
  )
}

/** @param {Work} work @param {number} repeats @returns {Promise<number>} of one run, ms */
async function time(work, repeats) {
  const start = performance.now()
  for (let run = 0; run < repeats; run++) {
    const result = work()
    // Ours answers at once; to wait for it anyway would time the queue of promises.
    if (result instanceof Promise) await result
  }
  return (performance.now() - start) / repeats
}

/** @param {number[]} values @returns {number} */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
