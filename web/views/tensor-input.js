/**
 * What views accept as numbers: a tensor `{ data, shape }`, row-major, or nested arrays. Messages say
 * what was given and what is wanted, because they are shown to readers in a figure's place.
 *
 * @typedef {ArrayLike<number>} Numbers
 * @typedef {{ data: Numbers, shape: readonly number[] }} TensorLike
 * @typedef {readonly (number | boolean | null | NestedNumbers)[] | Numbers} NestedNumbers
 */

/** More than any view draws: an array that holds itself has no end. */
const MOST_AXES = 8

/**
 * @param {unknown} value a tensor or nested arrays; `null` among numbers is NaN, as JSON writes it
 * @param {string} name for messages
 * @returns {{ data: Numbers, shape: number[], boolean: boolean }} the tensor's own data are not copied
 * @throws {TypeError} when it is neither
 * @throws {RangeError} when rows differ in length, or data and shape do not fit
 */
export function readTensor(value, name) {
  if (isTensor(value)) return checkTensor(value, name)
  if (isArrayLike(value)) return readNested(value, name)
  throw new TypeError(
    `${name}: expected a tensor { data, shape } or nested arrays of numbers, got ${describe(value)}`,
  )
}

/** @param {unknown} value @returns {value is TensorLike} */
function isTensor(value) {
  return typeof value === 'object' && value !== null && 'data' in value && 'shape' in value
}

/** @param {unknown} value @returns {value is ArrayLike<unknown>} */
function isArrayLike(value) {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))
}

/** By tag, since an array may come from another window. @param {unknown} data */
function isByteArray(data) {
  return tagOf(data) === '[object Uint8Array]'
}

/** NumPy's int64 arrives as such; its numbers do not mix with others. @param {unknown} data */
function isBigIntArray(data) {
  return /^\[object Big(Int|Uint)64Array\]$/.test(tagOf(data))
}

/** @param {unknown} value @returns {string} */
function tagOf(value) {
  return Object.prototype.toString.call(value)
}

/** @param {readonly number[]} shape */
function formatShape(shape) {
  return `(${shape.join(', ')})`
}

/** @param {unknown} value */
function describe(value) {
  if (value === null || value === undefined) return String(value)
  if (typeof value === 'string') return `the text ${JSON.stringify(value.slice(0, 40))}`
  return typeof value === 'object' ? 'another object' : `${typeof value} ${String(value)}`
}

/** @param {TensorLike} value @param {string} name */
function checkTensor({ data, shape }, name) {
  if (!isArrayLike(data)) throw new TypeError(`${name}.data: expected an array of numbers`)
  if (isBigIntArray(data)) {
    throw new TypeError(`${name}.data: expected an array of numbers, got 64-bit integers`)
  }
  const lengths = Array.isArray(shape) ? [...shape] : null
  if (!lengths?.every((length) => Number.isInteger(length) && length >= 0)) {
    throw new TypeError(`${name}.shape: expected whole numbers, got ${JSON.stringify(shape)}`)
  }
  const wanted = lengths.reduce((product, length) => product * length, 1)
  if (data.length !== wanted) {
    throw new RangeError(
      `${name}: shape ${formatShape(lengths)} needs ${wanted} numbers, data has ${data.length}`,
    )
  }
  if (!Array.isArray(data)) return { data, shape: lengths, boolean: isByteArray(data) }
  return { ...readNested(data, `${name}.data`), shape: lengths }
}

/** @param {ArrayLike<unknown>} value @param {string} name */
function readNested(value, name) {
  /** @type {number[]} */
  const shape = []
  /** @type {unknown} */
  let level = value
  while (isArrayLike(level)) {
    shape.push(level.length)
    if (shape.length > MOST_AXES) throw new RangeError(`${name}: arrays are nested too deep`)
    level = level[0]
  }
  const boolean = typeof level === 'boolean'
  const data = new Float64Array(shape.reduce((product, length) => product * length, 1))
  let filled = 0
  /** @param {ArrayLike<unknown>} row @param {number} axis */
  const fill = (row, axis) => {
    if (row.length !== shape[axis]) {
      throw new RangeError(
        `${name}: rows differ in length (${row.length} where the first has ${shape[axis]})`,
      )
    }
    for (let index = 0; index < row.length; index++) {
      const entry = row[index]
      if (axis + 1 < shape.length) {
        if (!isArrayLike(entry)) throw new RangeError(`${name}: rows differ in depth`)
        fill(entry, axis + 1)
      } else if (isArrayLike(entry)) {
        throw new RangeError(`${name}: rows differ in depth`)
      } else if (entry === null) {
        data[filled++] = Number.NaN
      } else if (typeof entry === (boolean ? 'boolean' : 'number')) {
        data[filled++] = Number(entry)
      } else {
        throw new TypeError(`${name}: expected numbers, found ${describe(entry)}`)
      }
    }
  }
  fill(value, 0)
  return { data, shape, boolean }
}
