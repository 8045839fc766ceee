/**
 * What a step of decoding costs, with the cache and without it, in the engine's exact counts.
 *
 * @import { Engine } from '../engine/engine.js'
 * @typedef {object} DecodingCost
 * @property {number} cached operations of the step that makes the sequence `length` long: its own projections,
 *   scores and average
 * @property {number} anew without the cache: keys and values of all tokens again, one query
 * @property {number} full without the cache: the whole pass again, all queries too
 * @property {number} kept bytes from step to step, by the cache
 * @property {number} written bytes of keys and values that the step adds to it
 * @property {number} writtenFull bytes that the whole pass writes: queries, keys, values and weights
 */

/**
 * @param {Engine} engine
 * @param {number} length of the sequence after the step, T
 * @param {number} width d, of one head
 * @returns {DecodingCost}
 */
export function decodingCost(engine, length, width) {
  // No output projection: it is the same in all three.
  const layer = { dModel: width, numHeads: 1, dOut: 0 }
  const step = (/** @type {number} */ after) =>
    engine.analysis.kvStepFlops({ ...layer, length: after })
  const { cached, lastRowRecomputed, fullPass, cacheBytes } = step(length)
  const { bytes } = engine.analysis.flops({ ...layer, n: length })
  return {
    cached,
    anew: lastRowRecomputed,
    full: fullPass,
    kept: cacheBytes,
    written: step(1).cacheBytes,
    writtenFull: bytes.projected + bytes.weights,
  }
}

/** Lengths from 1 to `most`, close together on a logarithmic axis. @param {number} most @returns {number[]} */
export function lengthsUpTo(most) {
  const count = 4 * Math.ceil(Math.log2(most))
  const lengths = Array.from({ length: count + 1 }, (_, index) =>
    Math.round(most ** (index / count)),
  )
  return [...new Set(lengths)]
}
