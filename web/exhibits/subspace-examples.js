/**
 * What 'Multi-head attention: subspaces and cost' computes with, as its notebook has it.
 *
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 */

/** The sentence of the four specialised heads. */
export const sentence = Object.freeze([
  'The',
  'astronomer',
  'observed',
  'the',
  'distant',
  'galaxy',
  'carefully',
])

/** What the four heads are said to attend to. */
export const specialisations = Object.freeze(['neighbours', 'syntax', 'first words', 'modifiers'])

/**
 * The weights of four heads, written by hand, not computed: rows that are given by a few numbers and divided by
 * their sum.
 * @returns {Tensor} (4, 7, 7)
 */
export function specialisedHeads() {
  const count = sentence.length
  const place = (/** @type {string} */ word) => sentence.indexOf(word)
  /** Each of the words up to this one alike. @param {number} row */
  const uniform = (row) =>
    Array.from({ length: count }, (_, key) => (key <= row ? 1 / (row + 1) : 0))
  /** @param {Record<string, number>} byWord @param {number} row @param {number} own weight of the word itself */
  const sparse = (byWord, row, own) => {
    const weights = new Array(count).fill(0)
    weights[row] = own
    for (const [word, weight] of Object.entries(byWord)) weights[place(word)] = weight
    return weights
  }
  /** @type {((word: string, row: number) => number[])[]} */
  const heads = [
    (_, row) =>
      Array.from({ length: count }, (_, key) => {
        if (key > row) return 0
        if (key === row) return 0.6
        return key === row - 1 ? 0.35 : 0.05 / Math.max(1, row - 1)
      }),
    (word, row) => {
      if (word === 'observed') return sparse({ astronomer: 0.45, galaxy: 0.35 }, row, 0.2)
      if (word === 'carefully') return sparse({ observed: 0.7 }, row, 0.3)
      if (word === 'galaxy') return sparse({ distant: 0.5, observed: 0.2 }, row, 0.3)
      return uniform(row)
    },
    (_, row) => {
      const weights = [0.4, 0.4, ...new Array(count - 2).fill(0)]
      weights[row] += 0.2
      return weights.map((weight, key) => (key <= row ? weight : 0))
    },
    (word, row) => {
      if (word === 'distant') return sparse({ galaxy: 0.65 }, row, 0.25)
      if (word === 'galaxy') return sparse({ distant: 0.65 }, row, 0.25)
      if (word === 'carefully') return sparse({ observed: 0.65 }, row, 0.25)
      return uniform(row)
    },
  ]
  const rows = heads.flatMap((head) =>
    sentence.map((word, row) => {
      const weights = head(word, row)
      const sum = weights.reduce((a, b) => a + b, 0)
      return weights.map((weight) => weight / sum)
    }),
  )
  return { data: Float64Array.from(rows.flat()), shape: [heads.length, count, count] }
}

/** Sizes of the notebook's layer */
export const layerSizes = Object.freeze({ batch: 2, tokens: 6, features: 32, heads: 4 })
/** The notebook's seed */
export const layerSeed = 42

/**
 * The notebook's layer and its input: X ~ N(0, 1), then W_Q, W_K, W_V, W_O ~ N(0, 1/d_model).
 * @param {Engine} engine
 * @param {{ batch?: number, tokens?: number, features?: number, seed?: number }} [sizes] the notebook's if left out
 * @returns {{ x: Tensor, parameters: Record<'wq' | 'wk' | 'wv' | 'wo', Tensor> }} x (B, N, d_model), each
 *   weight (d_model, d_model), in float64
 */
export function layerExample(engine, sizes = {}) {
  const { batch, tokens, features, seed } = { ...layerSizes, seed: layerSeed, ...sizes }
  const stream = engine.random.numpyLegacy(seed)
  const x = stream.randn([batch, tokens, features])
  const weights = () => {
    const drawn = stream.randn([features, features])
    for (let index = 0; index < drawn.data.length; index++) drawn.data[index] /= Math.sqrt(features)
    return drawn
  }
  return { x, parameters: { wq: weights(), wk: weights(), wv: weights(), wo: weights() } }
}
