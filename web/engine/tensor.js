/**
 * Tensors: row-major numbers with a shape. The engine takes and returns them, views draw them.
 */
import { describe, formatShape, shapeError, typeError, wholeNumber } from './errors.js'
import { fromNested } from './nested.js'

/** @typedef {Float32Array | Float64Array | Uint8Array} TensorData */
/**
 * Numbers in row-major order with their shape. A `Uint8Array` holds a boolean mask.
 * @template {TensorData} [D=Float32Array | Float64Array]
 * @typedef {{ data: D, shape: number[] }} Tensor
 */

/**
 * Numbers in arrays in arrays …; the innermost ones may be typed arrays.
 * @typedef {readonly (number | Float32Array | Float64Array | NestedNumbers)[]} NestedNumbers
 */
/** @typedef {readonly (boolean | NestedBooleans)[]} NestedBooleans booleans in arrays in arrays … */
/**
 * Whatever is accepted where a tensor of numbers is wanted. `data` may be a plain array too, as
 * JSON gives it; a typed array alone is a vector.
 * @typedef {Tensor | { data: ArrayLike<number>, shape: readonly number[] } | NestedNumbers
 *   | Float32Array | Float64Array} TensorLike
 */
/**
 * A mask: booleans (true = may attend) or numbers added to the scores (−∞ = masked).
 * @typedef {Tensor<TensorData> | TensorLike | NestedBooleans | Uint8Array} MaskLike
 */

const WANTED = 'a tensor { data, shape } or nested arrays of numbers'

const MOST_LENGTH = 2 ** 31 - 1

/**
 * As many float32 numbers as 32-bit addresses reach. Lengths of 0 counted as 1, since a tensor
 * without numbers may still have more rows than a loop ends with.
 */
const MOST_NUMBERS = 2 ** 30

/**
 * Makes a tensor.
 *
 * - From a `Float32Array`, `Float64Array` or `Uint8Array` (a boolean mask): keeps that very array.
 * - From another typed array: its numbers as a `Float64Array`.
 * - From nested arrays of numbers: a `Float64Array`, so that no digit is lost; from nested
 *   booleans: a mask.
 * - From a tensor: the same numbers, in another shape if one is given.
 *
 * @param {MaskLike | ArrayLike<number>} data
 * @param {readonly number[]} [shape] nested arrays have one of their own; for a typed array it is
 *   `[length]` when left out
 * @returns {Tensor<any>} `data` is a Float32Array, a Float64Array or a Uint8Array
 * @throws {TypeError} if something in `data` is neither a number nor a boolean
 * @throws {RangeError} if nested arrays are ragged, or the shape does not fit the numbers
 */
export function tensor(data, shape) {
  return toTensor(data, 'data', shape)
}

/**
 * Like `tensor`, with the argument's name for messages.
 * @param {unknown} value
 * @param {string} name
 * @param {readonly number[]} [shape]
 * @returns {Tensor<TensorData>}
 */
export function toTensor(value, name, shape) {
  if (ArrayBuffer.isView(value)) {
    const data = typedData(value, name)
    return shaped(data, shape ?? [data.length], name)
  }
  if (Array.isArray(value)) {
    const nested = fromNested(value, name)
    return shape ? shaped(nested.data, shape, name) : nested
  }
  if (typeof value !== 'object' || value === null || !('data' in value) || !('shape' in value)) {
    throw typeError(name, value, WANTED)
  }
  const own = shaped(flatData(value.data, `${name}.data`), value.shape, name)
  return shape ? shaped(own.data, shape, name) : own
}

/**
 * A tensor of numbers; a boolean mask is refused.
 * @param {unknown} value
 * @param {string} name
 * @param {number} [leastDimensions]
 * @returns {Tensor}
 */
export function numericTensor(value, name, leastDimensions = 0) {
  const { data, shape } = toTensor(value, name)
  if (isBooleanData(data)) {
    throw new TypeError(`${name} was a boolean mask; it had to be ${WANTED}`)
  }
  if (shape.length < leastDimensions) {
    throw shapeError(name, shape, `it had to have at least ${leastDimensions} dimensions`)
  }
  let room = 1
  for (const length of shape) room *= length || 1
  if (room > MOST_NUMBERS) {
    const wanted = 'its lengths had to multiply to at most 2³⁰ (0 counted as 1), which are 4 GB'
    throw shapeError(name, shape, wanted)
  }
  return { data: /** @type {Float32Array | Float64Array} */ (data), shape }
}

/**
 * Whether a tensor's data are the bytes of a boolean mask. By tag, since an array may come from
 * another window.
 * @param {TensorData} data
 * @returns {data is Uint8Array}
 */
export function isBooleanData(data) {
  return data[Symbol.toStringTag] === 'Uint8Array'
}

/**
 * @param {Tensor} tensor
 * @param {string} name
 * @param {readonly number[]} shape
 * @throws {RangeError} if the tensor has another one
 */
export function requireShape(tensor, name, shape) {
  if (!isSameShape(tensor.shape, shape)) {
    throw shapeError(name, tensor.shape, `it had to have shape ${formatShape(shape)}`)
  }
}

/**
 * @param {readonly number[]} a
 * @param {readonly number[]} b
 */
export function isSameShape(a, b) {
  return a.length === b.length && a.every((length, axis) => length === b[axis])
}

/**
 * The number of entries of a shape.
 * @param {readonly number[]} shape
 */
export function sizeOf(shape) {
  let size = 1
  for (const length of shape) size *= length
  return size
}

/**
 * A shape as rows of its last dimension.
 * @param {readonly number[]} shape
 */
export function rowsOf(shape) {
  const columns = shape[shape.length - 1]
  return [sizeOf(shape.slice(0, -1)), columns]
}

/**
 * A shape that a caller gave: whole numbers ≥ 0.
 * @param {unknown} shape
 * @param {string} name
 * @returns {number[]}
 */
export function toShape(shape, name) {
  if (!Array.isArray(shape)) throw typeError(name, shape, 'an array of whole numbers')
  for (const [axis, length] of shape.entries()) {
    const isFine = Number.isInteger(length) && length >= 0 && length <= MOST_LENGTH
    if (!isFine) wholeNumber(length, `${name}[${axis}]`, 0, MOST_LENGTH)
  }
  return [...shape]
}

/**
 * @template {TensorData} D
 * @param {D} data
 * @param {unknown} shape
 * @param {string} name
 */
function shaped(data, shape, name) {
  const own = toShape(shape, name === 'data' ? 'shape' : `${name}.shape`)
  if (sizeOf(own) !== data.length) {
    throw new RangeError(
      `${name} held ${data.length} numbers; its shape ${formatShape(own)} needed ${sizeOf(own)}`,
    )
  }
  return { data, shape: own }
}

/** @param {unknown} data @param {string} name */
function flatData(data, name) {
  if (ArrayBuffer.isView(data)) return typedData(data, name)
  if (Array.isArray(data)) return fromNested(data, name).data
  throw typeError(name, data, 'a typed array or an array of numbers')
}

/** @param {ArrayBufferView} data @param {string} name @returns {TensorData} */
function typedData(data, name) {
  switch (/** @type {any} */ (data)[Symbol.toStringTag]) {
    case 'Float32Array':
    case 'Float64Array':
    case 'Uint8Array':
      requireAttached(data, name)
      return /** @type {TensorData} */ (data)
    case 'DataView':
    case 'BigInt64Array':
    case 'BigUint64Array':
      throw typeError(name, data, 'a typed array of numbers')
    default:
      return Float64Array.from(/** @type {any} */ (data))
  }
}

/**
 * A view whose buffer went to a worker, or shrank, reads as empty: that would pass for a tensor
 * without numbers.
 * @param {ArrayBufferView} data
 * @param {string} name
 */
function requireAttached(data, name) {
  if (data.byteLength > 0 || data.byteOffset > 0) return
  try {
    new Uint8Array(data.buffer)
  } catch {
    throw new TypeError(
      `${name} was ${describe(data)} without its memory; it had to be one whose buffer was not handed over`,
    )
  }
}
