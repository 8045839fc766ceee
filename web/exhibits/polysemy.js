/**
 * The word 'bank' in two sentences, with hand-made vectors: finance in some components, landscape in others.
 * Queries, keys and values are the vectors themselves.
 *
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @typedef {'deposit' | 'cash' | 'at' | 'river' | 'investment' | 'bank'} Word
 * @typedef {Record<Word, readonly number[]>} Vectors
 * @typedef {'river' | 'investment'} Sense
 *
 * @typedef {object} Reading  of 'bank' in one sentence
 * @property {readonly Word[]} words of the sentence
 * @property {Float32Array} weights (5) of 'bank' on each of them
 * @property {Float32Array} output (8) what comes out for 'bank'
 *
 * @typedef {object} Comparison  a cosine, before attention and after
 * @property {string} name
 * @property {number} before
 * @property {number} after
 */

/** The notebook's. @type {Readonly<Vectors>} */
export const notebookVectors = Object.freeze({
  deposit: [2, 0.1, 0, 0, 1.5, 0, 0, 0.5],
  cash: [2.5, 0, 0, 0, 2, 0, 0, 0.2],
  at: [0, 0, 0.1, 0, 0, 0, 0.1, 0],
  river: [0, 3, 2.5, 2, 0, 0, 0, 0],
  investment: [3, 0, 0, 0, 3, 1.5, 0, 1],
  bank: [1.5, 1.5, 1, 1, 1.5, 0.5, 0, 0.5],
})

export const words = /** @type {readonly Word[]} */ (Object.keys(notebookVectors))
/** d_k */
export const components = notebookVectors.bank.length

/**
 * @param {Engine} engine
 * @param {Vectors} vectors
 * @returns {{ readings: Record<Sense, Reading>, cosines: Comparison[] }}
 */
export function disambiguate(engine, vectors) {
  const readings = {
    river: read(engine, vectors, 'river'),
    investment: read(engine, vectors, 'investment'),
  }
  const { river, investment } = readings
  const cosine = (/** @type {ArrayLike<number>} */ a, /** @type {ArrayLike<number>} */ b) =>
    engine.analysis.frobeniusCosine(row(a), row(b))
  const compare = (
    /** @type {string} */ name,
    /** @type {Reading} */ { output },
    /** @type {Word} */ word,
  ) => ({
    name,
    before: cosine(vectors.bank, vectors[word]),
    after: cosine(output, vectors[word]),
  })
  return {
    readings,
    cosines: [
      {
        name: 'banks',
        before: cosine(vectors.bank, vectors.bank),
        after: cosine(river.output, investment.output),
      },
      compare('river', river, 'river'),
      compare('investment', investment, 'investment'),
      compare('river-investment', river, 'investment'),
      compare('investment-river', investment, 'river'),
      compare('river-bank', river, 'bank'),
      compare('investment-bank', investment, 'bank'),
    ],
  }
}

/**
 * @param {Engine} engine
 * @param {Vectors} vectors
 * @param {Sense} sense
 * @returns {Reading} of 'deposit cash at … bank'
 */
function read(engine, vectors, sense) {
  const sentence = /** @type {Word[]} */ (['deposit', 'cash', 'at', sense, 'bank'])
  const x = {
    data: Float64Array.from(sentence.flatMap((word) => vectors[word])),
    shape: [sentence.length, components],
  }
  const { output, weights } = engine.scaledDotProductAttention(x, x, x)
  const place = sentence.indexOf('bank')
  return {
    words: sentence,
    weights: weights.data.slice(place * sentence.length, (place + 1) * sentence.length),
    output: output.data.slice(place * components, (place + 1) * components),
  }
}

/** @param {ArrayLike<number>} values @returns {Tensor} (8) */
function row(values) {
  return { data: Float64Array.from(values), shape: [values.length] }
}
