/**
 * Starts the experiments' worker wherever that is possible: from its own address, else from a blob
 * of the same script. The first fails when the package comes from another origin, the second under a
 * strict content security policy; then there is no worker.
 */
import { workerAddress } from './addresses.js'

/** How long a worker may take to say that it is ready. */
const READY_MILLISECONDS = 5000

/**
 * @returns {Promise<Worker | undefined>} undefined where no worker starts
 */
export async function startWorker() {
  if (typeof Worker !== 'function') return undefined
  return (await readyWorker(fromAddress)) ?? (await readyWorker(fromBlob))
}

/** @returns {Worker} */
function fromAddress() {
  // Its address is made elsewhere, or bundlers would take the finished script for source and bundle it again.
  return new Worker(workerAddress())
}

/** @returns {Promise<Worker>} */
async function fromBlob() {
  const { default: script } = await import('../../build/worker/experiment-worker.js?raw')
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
  try {
    return new Worker(url)
  } finally {
    // The worker has begun to fetch it; freeing it now is allowed and leaves nothing behind.
    URL.revokeObjectURL(url)
  }
}

/**
 * Failure shows itself in three ways: a throw, an error event, or silence.
 * @param {() => Worker | Promise<Worker>} create
 * @returns {Promise<Worker | undefined>}
 */
async function readyWorker(create) {
  let worker
  try {
    worker = await create()
  } catch {
    return undefined
  }
  return new Promise((resolve) => {
    const settled = new AbortController()
    /** @param {boolean} isReady */
    const settle = (isReady) => {
      settled.abort()
      clearTimeout(timer)
      if (!isReady) worker.terminate()
      resolve(isReady ? worker : undefined)
    }
    const timer = setTimeout(() => settle(false), READY_MILLISECONDS)
    const { signal } = settled
    worker.addEventListener('message', ({ data }) => data === 'ready' && settle(true), { signal })
    worker.addEventListener('error', (event) => (event.preventDefault(), settle(false)), { signal })
    worker.addEventListener('messageerror', () => settle(false), { signal })
  })
}
