import { median } from '../sampling.js'

/** A call of so many rounds lasts well under a millisecond. */
const ROUNDS = 20_000
const FLOPS_A_ROUND = 64
const COPIED = 1 << 24

/**
 * @param {BufferSource} bytes of the variant's module
 * @returns {Promise<{ gflops: number, gbps: number }>} multiply-adds a second; bytes copied a second, each counted once
 */
export async function measureCeilings(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes, {})
  const { multiplyAdds, copy } = /** @type {Record<string, (...args: number[]) => number>} */ (
    /** @type {unknown} */ (instance.exports)
  )
  // Called often before it counts: V8 changes to optimised code between calls only.
  const rates = sample(300, () => multiplyAdds(ROUNDS, 0.5), ROUNDS * FLOPS_A_ROUND, 20)
  const bytesRates = sample(12, (run) => copy(run), COPIED, 1)
  return { gflops: rates / 1e9, gbps: bytesRates / 1e9 }
}

/**
 * @param {number} samples
 * @param {(run: number) => unknown} work
 * @param {number} amount of one run
 * @param {number} repeats
 * @returns {number} amount a second
 */
function sample(samples, work, amount, repeats) {
  const rates = []
  for (let index = 0; index < samples; index++) {
    const start = performance.now()
    for (let run = 0; run < repeats; run++) work(index + run)
    rates.push((1000 * amount * repeats) / (performance.now() - start))
  }
  return median(rates.slice(samples >> 2))
}
