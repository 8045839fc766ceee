/**
 * Long work in short turns: a page stays alive while hundreds of megabytes are converted.
 */

/** What a turn may take, ms: a frame has 16, and some of them are the page's own. */
const TURN = 10

/** Lets events and frames have their turn. */
function pause() {
  const { scheduler } = /** @type {{ scheduler?: { yield?: () => Promise<void> } }} */ (globalThis)
  // Timers are delayed by 4 ms each, and in a tab in the background by a second.
  return scheduler?.yield ? scheduler.yield() : new Promise((resolve) => setTimeout(resolve))
}

/**
 * @param {AbortSignal} [signal]
 * @returns {() => Promise<void>} to be awaited between pieces of work; rejects once the signal is aborted
 */
export function createPace(signal) {
  let end = performance.now() + TURN
  return async () => {
    signal?.throwIfAborted()
    if (performance.now() < end) return
    await pause()
    signal?.throwIfAborted()
    end = performance.now() + TURN
  }
}
