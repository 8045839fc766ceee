/**
 * The gradients of attention by everything on the way to its output, from the backward pass and, to check them,
 * from difference quotients of the loss. The loss is L = Σ G ⊙ Y, so its gradient by the output Y is G.
 *
 * @import { Engine } from '../engine/engine.js'
 * @import { AttentionResult } from '../engine/options.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @typedef {'value' | 'weights' | 'scores' | 'query' | 'key'} Part
 * @typedef {{ query: Tensor, key: Tensor, value: Tensor, upstream: Tensor }} GradientCase
 * @typedef {object} Differentiated
 * @property {Tensor} upstream (5, 8) G
 * @property {AttentionResult<Float32Array, { needStages: true }>} forward with A, (5, 6), its `weights`
 * @property {Record<Part, Tensor>} gradients by each part, from the float32 kernels
 * @property {Record<Part, Tensor>} quotients the same as difference quotients, in float64
 * @property {Record<Part, GradientNumbers>} numbers
 *
 * @typedef {object} GradientNumbers
 * @property {number} norm of the gradient
 * @property {number} kernelError largest |gradient of the kernels − quotient|
 * @property {number} referenceError largest |gradient of the float64 reference − quotient|
 */
import { frobeniusNorm, largestMagnitude, subtract } from './matrix.js'

/** In the order in which the backward pass comes to them. */
export const parts = /** @type {const} */ (['value', 'weights', 'scores', 'query', 'key'])

/**
 * Five queries, six keys and values, and the gradient of the loss by the output.
 * @param {Engine} engine
 * @returns {GradientCase} Q (5, 16), K (6, 16), V (6, 8), G (5, 8)
 */
export function gradientCase(engine) {
  const stream = engine.random.numpyLegacy(7)
  const query = stream.randn([5, 16])
  const key = stream.randn([6, 16])
  const value = stream.randn([6, 8])
  // Drawn for a mask that this case does not have.
  stream.rand([5, 6])
  return { query, key, value, upstream: stream.randn([5, 8]) }
}

/**
 * @param {Engine} engine
 * @param {GradientCase} given
 * @param {{ scale: number, step: number }} options `step`: how far an entry is moved for its quotient
 * @returns {Differentiated}
 */
export function differentiate(engine, { query, key, value, upstream }, { scale, step }) {
  const inputs = /** @type {const} */ ([query, key, value])
  const forward = engine.scaledDotProductAttention(...inputs, { scale, needStages: true })
  const { weights } = engine.reference.scaledDotProductAttention(...inputs, { scale })
  const gradients = byPart(engine.scaledDotProductAttentionBackward(...inputs, upstream, { scale }))
  const exact = byPart(
    engine.reference.scaledDotProductAttentionBackward(...inputs, upstream, { scale }),
  )
  /** @param {Tensor[]} given of which one holds a stack @param {Tensor} [attnMask] */
  const lossOf = ([q, k, v], attnMask) =>
    losses(
      engine.reference.scaledDotProductAttention(q, k, v, { scale, attnMask }).output,
      upstream,
    )
  const quotient = (
    /** @type {Tensor} */ part,
    /** @type {(stack: Tensor) => number[]} */ lossesOf,
  ) => differenceQuotient(part, step, lossesOf)
  const zero = { data: new Float64Array(weights.data.length), shape: weights.shape }
  const quotients = {
    query: quotient(query, (stack) => lossOf([stack, key, value])),
    key: quotient(key, (stack) => lossOf([query, stack, value])),
    value: quotient(value, (stack) => lossOf([query, key, stack])),
    // What a mask adds to the scores moves them.
    scores: quotient(zero, (stack) => lossOf([repeat(query, stack.shape[0]), key, value], stack)),
    weights: quotient(weights, (stack) => losses(multiply(stack, value), upstream)),
  }
  const numbers = /** @type {Record<Part, GradientNumbers>} */ (
    Object.fromEntries(
      parts.map((part) => [
        part,
        {
          norm: frobeniusNorm(gradients[part]),
          kernelError: largestMagnitude(subtract(quotients[part], gradients[part])),
          referenceError: largestMagnitude(subtract(quotients[part], exact[part])),
        },
      ]),
    )
  )
  return { upstream, forward, gradients, quotients, numbers }
}

/**
 * @param {import('../engine/options.js').AttentionGradients<any>} gradients
 * @returns {Record<Part, Tensor>}
 */
function byPart({ gradValue, gradWeights, gradScores, gradQuery, gradKey }) {
  return {
    value: gradValue,
    weights: gradWeights,
    scores: gradScores,
    query: gradQuery,
    key: gradKey,
  }
}

/**
 * (L(entry + h) − L(entry − h)) / 2h for every entry of a matrix.
 * @param {Tensor} matrix
 * @param {number} step h
 * @param {(stack: Tensor) => number[]} lossesOf of a stack of matrices, the loss of each
 * @returns {Tensor} of the matrix's shape
 */
function differenceQuotient({ data, shape }, step, lossesOf) {
  const size = data.length
  const stack = new Float64Array(2 * size * size)
  for (let copy = 0; copy < 2 * size; copy++) {
    const entry = copy >> 1
    stack.set(data, copy * size)
    stack[copy * size + entry] += copy % 2 === 0 ? step : -step
  }
  const values = lossesOf({ data: stack, shape: [2 * size, ...shape] })
  return {
    data: Float64Array.from(
      data,
      (_, entry) => (values[2 * entry] - values[2 * entry + 1]) / (2 * step),
    ),
    shape,
  }
}

/** @param {Tensor} stack (count, …) @param {Tensor} upstream (…) @returns {number[]} Σ G ⊙ Y of each */
function losses({ data, shape: [count] }, { data: upstream }) {
  const size = upstream.length
  return Array.from({ length: count }, (_, copy) => {
    let sum = 0
    for (let entry = 0; entry < size; entry++) sum += upstream[entry] * data[copy * size + entry]
    return sum
  })
}

/** @param {Tensor} stack (count, n, m) @param {Tensor} matrix (m, d) @returns {Tensor} (count, n, d) in float64 */
function multiply({ data, shape: [count, rows, inner] }, { data: right, shape: [, columns] }) {
  const product = new Float64Array(count * rows * columns)
  for (let row = 0; row < count * rows; row++) {
    for (let k = 0; k < inner; k++) {
      const factor = data[row * inner + k]
      for (let column = 0; column < columns; column++) {
        product[row * columns + column] += factor * right[k * columns + column]
      }
    }
  }
  return { data: product, shape: [count, rows, columns] }
}

/** @param {Tensor} matrix @param {number} count @returns {Tensor} (count, …) */
function repeat({ data, shape }, count) {
  const stack = new Float64Array(count * data.length)
  for (let copy = 0; copy < count; copy++) stack.set(data, copy * data.length)
  return { data: stack, shape: [count, ...shape] }
}
