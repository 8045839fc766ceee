/**
 * A language model so small that its weights can be set by hand: one attention head over tokens and positions
 * that are unit vectors, and a softmax over seven words.
 *
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @typedef {Record<'wq' | 'wk' | 'wv' | 'wo', Tensor>} Parameters
 * @typedef {'follows' | 'peeks'} ModelName
 */
import { sentence } from './causal-examples.js'

/** Stands before the first word, so that it too is predicted from something. */
export const start = '⟨s⟩'
/** What the model can say; a token is its place in here. */
export const vocabulary = Object.freeze([start, ...sentence])
/** What it reads: the start and all words but the last. @type {readonly number[]} */
export const inputs = Object.freeze(sentence.map((_, place) => place))
/** What it is to say: the same, one place on. @type {readonly number[]} */
export const targets = Object.freeze(inputs.map((token) => token + 1))

const words = vocabulary.length
const positions = inputs.length
/** Score of the position that a query is after, scaled; all others have 0. */
const sharpness = 8
/** Logit of a word that all of the attention says. */
const confidence = 6

/**
 * - `follows` knows the sentence by heart: it looks at the token where it stands and says that token's follower.
 * - `peeks` knows nothing: it looks one place ahead and says what stands there.
 * @param {ModelName} name
 * @returns {Parameters} wq and wk (13, 6), wv (13, 7), wo (7, 7)
 */
export function toyModel(name) {
  const ahead = name === 'peeks' ? 1 : 0
  const follower = (/** @type {number} */ token) => Math.min(token + 1, words - 1)
  return {
    // A position asks for a position; how a token is spelled does not matter.
    wq: matrix(words + positions, positions, (row, column) =>
      row - words + ahead === column && row >= words ? sharpness * Math.sqrt(positions) : 0,
    ),
    wk: matrix(words + positions, positions, (row, column) => (row - words === column ? 1 : 0)),
    // A token says itself, or what comes after it; where it stands does not matter.
    wv: matrix(words + positions, words, (row, column) =>
      row < words && column === (name === 'peeks' ? row : follower(row)) ? 1 : 0,
    ),
    wo: matrix(words, words, (row, column) => (row === column ? confidence : 0)),
  }
}

/**
 * @param {readonly number[]} tokens
 * @param {number} [first] the position of the first of them
 * @returns {Tensor} (tokens, 13)
 */
export function embed(tokens, first = 0) {
  return matrix(tokens.length, words + positions, (row, column) =>
    column === tokens[row] || column === words + first + row ? 1 : 0,
  )
}

/**
 * One pass over some tokens: at every position a distribution over what comes next.
 * @param {Engine} engine
 * @param {Parameters} parameters
 * @param {readonly number[]} tokens
 * @param {boolean} isCausal
 * @returns {{ logits: Tensor, probabilities: Tensor }} (tokens, 7) each
 */
export function predict(engine, parameters, tokens, isCausal) {
  const { output } = engine.multiHeadAttention(embed(tokens), parameters, { numHeads: 1, isCausal })
  return { logits: output, probabilities: engine.softmax(output) }
}

/**
 * @param {number} rows
 * @param {number} columns
 * @param {(row: number, column: number) => number} entry
 * @returns {Tensor}
 */
function matrix(rows, columns, entry) {
  const data = Float32Array.from({ length: rows * columns }, (_, index) =>
    entry(Math.floor(index / columns), index % columns),
  )
  return { data, shape: [rows, columns] }
}
