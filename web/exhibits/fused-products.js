/**
 * One product for all heads, or one for each: the same numbers, and how long each takes.
 *
 * @import { Engine } from '../engine/engine.js'
 * @import { MultiHeadResult } from '../engine/options.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @typedef {'wq' | 'wk' | 'wv' | 'wo'} Weight
 * @typedef {object} Layer
 * @property {Tensor} x (B, N, d_model)
 * @property {Record<Weight, Tensor>} parameters (d_model, d_model) each
 * @property {number} numHeads
 */
import { columnBlock } from './matrix.js'
import { differentBits, largestDifference } from './same-bits.js'

const projections = /** @type {const} */ (['wq', 'wk', 'wv'])
/** As the engine calls what they give. */
const results = /** @type {const} */ ({ wq: 'query', wk: 'key', wv: 'value' })

/**
 * The products of x with each head's own blocks of the weights, against the blocks of the fused products.
 * @param {Engine} engine
 * @param {Layer} layer
 * @param {Required<MultiHeadResult>} stages the engine's fused pass
 * @returns {{ products: number, numbers: number, different: number, largest: number }} how many products and
 *   numbers were compared, how many numbers have other bits, and by how much they differ at most
 */
export function compareWithSeparate(engine, { x, parameters, numHeads }, stages) {
  const [batch, tokens, features] = x.shape
  const width = features / numHeads
  const size = tokens * width
  const compared = { products: 0, numbers: 0, different: 0, largest: 0 }
  for (const weight of projections) {
    const fused = /** @type {Float32Array} */ (stages[results[weight]].data)
    for (let head = 0; head < numHeads; head++) {
      const block = columnBlock(parameters[weight], head * width, width)
      const own = engine.matmul(x, block).data
      compared.products++
      for (let entry = 0; entry < batch; entry++) {
        const separate = own.subarray(entry * size, (entry + 1) * size)
        const start = (entry * numHeads + head) * size
        const same = fused.subarray(start, start + size)
        compared.numbers += size
        compared.different += differentBits(separate, same)
        compared.largest = Math.max(compared.largest, largestDifference(separate, same))
      }
    }
  }
  return compared
}

/** How long each way is timed, ms: short enough for one task of a page. */
const TIMED = 8

/**
 * Times the three fused products and the 3h separate ones, a round of each in turn, so that a machine that
 * slows down slows both.
 * @param {Engine} engine
 * @param {Layer} layer
 * @returns {{ fused: number, separate: number, rounds: number }} medians in µs, x copied in each time
 */
export function timeProducts(engine, { x, parameters, numHeads }) {
  const width = x.shape[2] / numHeads
  const whole = projections.map((weight) => float32(parameters[weight]))
  const blocks = projections.flatMap((weight) =>
    Array.from({ length: numHeads }, (_, head) =>
      float32(columnBlock(parameters[weight], head * width, width)),
    ),
  )
  const input = float32(x)
  /** @param {Tensor[]} weights */
  const multiply = (weights) => {
    for (const weight of weights) engine.matmul(input, weight)
  }
  // Clocks of pages are coarse: a sample is as many rounds as fill some of its ticks.
  let repeats = 1
  while (repeats < 4096 && timed(() => multiply(whole), repeats) < 0.4) repeats *= 2
  /** @type {number[]} */
  const fused = []
  /** @type {number[]} */
  const separate = []
  const end = performance.now() + 2 * TIMED
  do {
    fused.push(timed(() => multiply(whole), repeats) / repeats)
    separate.push(timed(() => multiply(blocks), repeats) / repeats)
  } while (performance.now() < end)
  return { fused: 1000 * median(fused), separate: 1000 * median(separate), rounds: fused.length }
}

/** @param {() => void} run @param {number} repeats @returns {number} ms */
function timed(run, repeats) {
  const start = performance.now()
  for (let round = 0; round < repeats; round++) run()
  return performance.now() - start
}

/** @param {number[]} values */
function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1]
}

/** @param {Tensor} tensor @returns {Tensor} what kernels take, converted once */
function float32({ data, shape }) {
  return { data: Float32Array.from(data), shape }
}
