/**
 * Broadcasting of leading dimensions: shapes are aligned at their last dimension, and a dimension
 * of length 1, or a missing one, repeats. Kernels see slices with a table of where each starts.
 */
import { formatShape, shapeError } from './errors.js'
import { sizeOf } from './tensor.js'

/** More slices do not fit into memory, be it only for the table of where each starts. */
export const MOST_SLICES = 2 ** 28

/**
 * The common shape of several.
 * @param {readonly { name: string, shape: readonly number[] }[]} parts names are for the message
 * @returns {number[]}
 * @throws {RangeError} if two lengths differ and neither is 1, or they make more slices than memory holds
 */
export function broadcastShapes(parts) {
  const rank = Math.max(0, ...parts.map(({ shape }) => shape.length))
  const common = Array.from({ length: rank }, () => 1)
  for (const { name, shape } of parts) {
    for (const [axis, length] of shape.entries()) {
      const at = rank - shape.length + axis
      if (common[at] === 1) common[at] = length
      else if (length !== 1 && length !== common[at]) {
        const others = parts.filter((part) => part.name !== name)
        throw new RangeError(
          `${name} had leading dimensions ${formatShape(shape)}; they had to be equal to, or broadcast with, ` +
            others.map((part) => `${part.name}'s ${formatShape(part.shape)}`).join(' and '),
        )
      }
    }
  }
  if (sizeOf(common) > MOST_SLICES) {
    throw new RangeError(
      `${parts.map(({ name }) => name).join(', ')} had leading dimensions that broadcast to ` +
        `${formatShape(common)}; they had to multiply to at most 2²⁸, what 4 GB of memory hold`,
    )
  }
  return common
}

/**
 * Where each slice of a broadcast tensor starts.
 * @param {readonly number[]} own the tensor's leading dimensions
 * @param {readonly number[]} common the shape they broadcast to, of at least their rank
 * @param {number} sliceSize entries of one slice
 * @returns {Int32Array<ArrayBuffer>} (product of common), in entries
 */
export function sliceOffsets(own, common, sliceSize) {
  const strides = broadcastStrides(own, common, sliceSize)
  const offsets = new Int32Array(sizeOf(common))
  const index = new Array(common.length).fill(0)
  let offset = 0
  for (let slice = 0; slice < offsets.length; slice++) {
    offsets[slice] = offset
    for (let axis = common.length - 1; axis >= 0; axis--) {
      offset += strides[axis]
      if (++index[axis] < common[axis]) break
      offset -= strides[axis] * common[axis]
      index[axis] = 0
    }
  }
  return offsets
}

/**
 * Row-major strides; 0 where a dimension repeats.
 * @param {readonly number[]} own
 * @param {readonly number[]} common
 * @param {number} sliceSize
 */
function broadcastStrides(own, common, sliceSize) {
  const strides = new Array(common.length).fill(0)
  let stride = sliceSize
  for (let axis = own.length - 1; axis >= 0; axis--) {
    if (own[axis] !== 1) strides[common.length - own.length + axis] = stride
    stride *= own[axis]
  }
  return strides
}

/**
 * Whether no slice repeats.
 * @param {readonly number[]} own
 * @param {readonly number[]} common
 */
export function isWhole(own, common) {
  return sizeOf(own) === sizeOf(common)
}

/**
 * Adds up the gradients of slices that were one slice, in double precision.
 * @param {Float32Array | Float64Array} slices (offsets.length · sliceSize)
 * @param {Int32Array} offsets where each slice lies in the original
 * @param {number} sliceSize
 * @param {Float32Array | Float64Array} into the original's size; overwritten
 */
export function sumSlices(slices, offsets, sliceSize, into) {
  const sums = new Float64Array(into.length)
  for (const [slice, offset] of offsets.entries()) {
    const from = slice * sliceSize
    for (let i = 0; i < sliceSize; i++) sums[offset + i] += slices[from + i]
  }
  into.set(sums)
}

/**
 * How a mask is read for scores of shape (…, N, M).
 * @param {readonly number[]} mask its shape
 * @param {readonly number[]} scores
 * @param {string} [name]
 * @returns {{ offsets: Int32Array<ArrayBuffer>, rowStride: number, columnStride: number }} in
 *   entries; a stride of 0 repeats
 * @throws {RangeError} if the mask does not broadcast to the scores' shape
 */
export function maskLayout(mask, scores, name = 'attnMask') {
  // Leading dimensions of length 1 beyond the scores' own change nothing.
  const surplus = Math.max(0, mask.length - scores.length)
  const shape = mask.slice(surplus)
  const fits =
    mask.slice(0, surplus).every((length) => length === 1) &&
    shape.every((length, axis) => {
      const wanted = scores[scores.length - shape.length + axis]
      return length === 1 || length === wanted
    })
  if (!fits) {
    throw shapeError(name, mask, `it had to broadcast to the scores' shape ${formatShape(scores)}`)
  }
  const [rows = 1, columns = 1] = shape.length > 1 ? shape.slice(-2) : [1, ...shape]
  return {
    offsets: sliceOffsets(shape.slice(0, -2), scores.slice(0, -2), rows * columns),
    rowStride: rows === 1 ? 0 : columns,
    columnStride: columns === 1 ? 0 : 1,
  }
}
