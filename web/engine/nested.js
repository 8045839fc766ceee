/**
 * Nested arrays as tensors: [[1, 2], [3, 4]] has shape (2, 2).
 */
import { describe, typeError } from './errors.js'

const MOST_DIMENSIONS = 16

/**
 * Nested arrays of numbers or of booleans, row-major; the innermost ones may be typed arrays.
 * @param {readonly unknown[]} nested
 * @param {string} name the argument, for messages
 * @param {{ isNullNaN?: boolean }} [options] whether `null` among numbers is NaN, as JSON writes it
 * @returns {{ data: Float64Array | Uint8Array, shape: number[] }} booleans become bytes
 * @throws {TypeError} if an entry is neither a number nor a boolean, or some are one, some the other
 * @throws {RangeError} if rows differ in length or depth
 */
export function fromNested(nested, name, { isNullNaN = false } = {}) {
  const shape = shapeOfFirstEntries(nested, name)
  const size = shape.reduce((product, length) => product * length, 1)
  const first = firstLeaf(nested)
  const kind = typeof first === 'boolean' ? 'boolean' : 'number'
  const data = kind === 'boolean' ? new Uint8Array(size) : new Float64Array(size)
  /** @type {number[]} where we are, for messages */
  const position = []
  let filled = 0

  /** @param {ArrayLike<any>} row @param {number} axis */
  const fill = (row, axis) => {
    if (row.length !== shape[axis]) fail(row, `of ${shape[axis]} entries`)
    for (let i = 0; i < row.length; i++) {
      position[axis] = i
      const entry = row[i]
      if (axis < shape.length - 1) {
        if (!isRow(entry)) fail(entry, `an array of ${shape[axis + 1]}`)
        fill(entry, axis + 1)
      } else if (typeof entry === kind) {
        data[filled++] = Number(entry)
      } else if (isNullNaN && entry === null && kind === 'number') {
        data[filled++] = Number.NaN
      } else {
        position.length = axis + 1
        fail(entry, `a ${kind}`)
      }
    }
    position.length = axis
  }

  /** @param {unknown} entry @param {string} wanted @returns {never} */
  const fail = (entry, wanted) => {
    const path = name + position.map((index) => `[${index}]`).join('')
    const depthOrLength = isRow(entry) || (wanted.startsWith('an array') && isLeaf(entry))
    if (!depthOrLength) throw typeError(path, entry, `${wanted}, like its neighbours`)
    throw new RangeError(
      `${name} was ragged: ${path} was ${describe(entry)}; it had to be ${wanted}, like its neighbours`,
    )
  }

  fill(nested, 0)
  return { data, shape }
}

/** @param {unknown} entry @returns {entry is ArrayLike<unknown>} */
function isRow(entry) {
  return Array.isArray(entry) || (ArrayBuffer.isView(entry) && 'length' in entry)
}

/** @param {unknown} entry */
function isLeaf(entry) {
  return typeof entry === 'number' || typeof entry === 'boolean'
}

/** @param {unknown} level */
function firstLeaf(level) {
  while (isRow(level)) level = level[0]
  return level
}

/**
 * The shape that the first entry of each level suggests.
 * @param {readonly unknown[]} nested
 * @param {string} name
 */
function shapeOfFirstEntries(nested, name) {
  const shape = []
  /** @type {unknown} */
  let level = nested
  while (isRow(level)) {
    shape.push(level.length)
    if (shape.length > MOST_DIMENSIONS) {
      throw new RangeError(
        `${name} had more than ${MOST_DIMENSIONS} dimensions; it had to have at most ${MOST_DIMENSIONS}`,
      )
    }
    level = level[0]
  }
  return shape
}
