/**
 * Which arrays of a file can be attention.
 *
 * @import { ListedArray } from './entry.js'
 */

/**
 * @typedef {ListedArray & { attentionShape: number[] }} AttentionArray `attentionShape`: (N, M), (h, N, M) or
 *   (layers, h, N, M), without the batch's axis
 */

/** Attention weights are fractions; whole numbers are tokens' numbers, booleans masks. */
const FLOATS = ['float16', 'bfloat16', 'float32', 'float64']

/**
 * The arrays that attention could be kept in, by kind and shape: floats of shape (N, M), (h, N, M) or
 * (layers, h, N, M), or with a batch of one sequence, (1, h, N, M), (layers, 1, h, N, M), (1, layers, h, N, M).
 * Whether they are attention no shape can tell.
 *
 * @param {{ arrays: readonly ListedArray[] }} file
 * @returns {AttentionArray[]} to read one, take its `name`; the numbers of both shapes are the same
 */
export function attentionArrays({ arrays }) {
  return arrays.flatMap((array) => {
    const attentionShape = attentionShapeOf(array)
    return attentionShape ? [{ ...array, attentionShape }] : []
  })
}

/** @param {ListedArray} array @returns {number[] | null} */
function attentionShapeOf({ dtype, shape, problem }) {
  if (problem !== undefined || !FLOATS.includes(dtype) || shape.includes(0)) return null
  const own = withoutBatch(shape)
  return own.length >= 2 && own.length <= 4 ? own : null
}

/** @param {readonly number[]} shape */
function withoutBatch(shape) {
  let own = [...shape]
  if (own.length === 5 && own[1] === 1) own = [own[0], ...own.slice(2)]
  else if (own.length === 5 && own[0] === 1) own = own.slice(1)
  // A single layer is drawn as its heads.
  return own.length === 4 && own[0] === 1 ? own.slice(1) : own
}
