/**
 * How an array's numbers lie in a file, and which of them a part of it needs.
 */
import { formatShape } from '../engine/errors.js'
import { sizeOf } from '../engine/tensor.js'

/** More axes than any array here has; NumPy allows 64. */
const MOST_AXES = 32

/**
 * @typedef {object} Part which of an array is wanted: along its first axis, or along as many of its first axes
 *   as numbers are given, all of the others
 * @property {number | readonly number[]} [start] 0 when left out
 * @property {number | readonly number[]} [end] exclusive; the axis's length when left out
 */

/**
 * The bytes that a shape takes.
 *
 * @param {readonly unknown[]} shape as a file tells it
 * @param {number} width bytes of an entry
 * @param {string} where for messages
 * @returns {number}
 * @throws {RangeError} if a length is no whole number ≥ 0, or the array is larger than any file
 */
export function bytesOfShape(shape, width, where) {
  const text = formatShape(shape.map(String))
  if (shape.length > MOST_AXES) {
    throw new RangeError(`${where}: expected at most ${MOST_AXES} axes, got ${shape.length}`)
  }
  let room = width
  for (const length of shape) {
    if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) {
      throw new RangeError(`${where}: expected a shape of whole numbers from 0, got ${text}`)
    }
    // An axis of length 0 hides the others, which readers multiply all the same.
    room *= Math.max(1, length)
  }
  if (!Number.isSafeInteger(room)) {
    throw new RangeError(`${where}: no file is as large as its shape ${text} says`)
  }
  return shape.includes(0) ? 0 : room
}

/**
 * The ranges that a part takes along each axis.
 *
 * @param {readonly number[]} shape
 * @param {Part} part
 * @param {string} where for messages
 * @returns {{ starts: number[], ends: number[], shape: number[] }} of all axes; the part's shape
 * @throws {TypeError | RangeError}
 */
export function rangesOf(shape, { start, end }, where) {
  const bounds = { start: listOf(start), end: listOf(end) }
  for (const [name, given] of Object.entries(bounds)) {
    if (given.length > shape.length) {
      throw new RangeError(
        `${where}: ${name} has ${given.length} numbers, but the shape ${formatShape(shape)} has ${shape.length}`,
      )
    }
  }
  const starts = shape.map((_, axis) => bounds.start[axis] ?? 0)
  const ends = shape.map((length, axis) => bounds.end[axis] ?? length)
  for (const [axis, length] of shape.entries()) {
    const [from, to] = [starts[axis], ends[axis]]
    const isFine =
      Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from <= to && to <= length
    if (isFine) continue
    throw new RangeError(
      `${where}: expected 0 ≤ start ≤ end ≤ ${length} along axis ${axis}, got ${String(from)} and ${String(to)}`,
    )
  }
  return { starts, ends, shape: starts.map((from, axis) => ends[axis] - from) }
}

/** @param {number | readonly number[] | undefined} bound */
function listOf(bound) {
  if (bound === undefined || bound === null) return []
  return typeof bound === 'number' ? [bound] : bound
}

/**
 * The runs of consecutive entries that ranges of a row-major array consist of, in order; as few as possible.
 *
 * @param {readonly number[]} shape
 * @param {{ starts: number[], ends: number[], shape: number[] }} ranges
 * @returns {Generator<{ start: number, end: number }>} in entries
 */
export function* runsOf(shape, { starts, ends, shape: wanted }) {
  if (sizeOf(wanted) === 0) return
  // Up to this axis ranges are cut; all axes behind it are whole.
  let axis = shape.length - 1
  while (axis > 0 && wanted[axis] === shape[axis]) axis--
  if (axis < 0) {
    yield { start: 0, end: 1 }
    return
  }
  const step = sizeOf(shape.slice(axis + 1))
  const outer = starts.slice(0, axis)
  for (;;) {
    let row = 0
    for (let i = 0; i < axis; i++) row = row * shape[i] + outer[i]
    const first = row * shape[axis]
    yield { start: (first + starts[axis]) * step, end: (first + ends[axis]) * step }
    let i = axis - 1
    while (i >= 0 && ++outer[i] === ends[i]) outer[i] = starts[i--]
    if (i < 0) return
  }
}
