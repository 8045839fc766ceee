/** Rounds of a call: it lasts about a millisecond. */
const ROUNDS = 1_000_000
const FLOPS_A_ROUND = 64
const COPIED = 1 << 24

/**
 * What the machine could do at most, as work to be timed beside the kernels.
 *
 * @param {BufferSource} bytes of the variant's module
 */
export async function loadCeilings(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes, {})
  const { multiplyAdds, copy } = /** @type {Record<string, (...args: number[]) => number>} */ (
    /** @type {unknown} */ (instance.exports)
  )
  // V8 changes to optimised code between calls only.
  for (let call = 0; call < 200; call++) multiplyAdds(1000, 0.5)
  let direction = 0
  return {
    /** Multiply-adds that stay in registers. */
    multiplyAdds: { run: () => multiplyAdds(ROUNDS, 0.5), flops: ROUNDS * FLOPS_A_ROUND },
    /** Copies of more than a cache holds. */
    copy: { run: () => copy(direction++), bytes: COPIED },
  }
}

/** @typedef {Awaited<ReturnType<typeof loadCeilings>>} Ceilings */
