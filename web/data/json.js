/**
 * Tensors and texts in JSON: nested arrays, `{ data, shape }`, a list of texts, or an object that names several.
 */
import { describe } from '../engine/errors.js'
import { fromNested } from '../engine/nested.js'
import { toTensor } from '../engine/tensor.js'
import { brokenEntry } from './entry.js'
import { rangesOf, runsOf } from './layout.js'

/**
 * @import { Dtype, NumberArray } from './dtypes.js'
 * @import { FileContent, FileEntry, FileTensor } from './entry.js'
 * @import { Source } from './source.js'
 */

/** JSON is read whole and at once, and the page stands still for that long. */
const MOST_BYTES = 2 ** 26

/**
 * @param {Source} source
 * @param {string} name of the array, where the file names none
 * @param {string} where for messages
 * @returns {Promise<FileContent>} `metadata` holds the texts and numbers that stand beside tensors
 * @throws {TypeError | RangeError}
 */
export async function readJson(source, name, where) {
  if (source.size > MOST_BYTES) {
    throw new RangeError(
      `${where}: JSON of ${source.size} bytes is longer than ${MOST_BYTES}; save it as .npy or .safetensors`,
    )
  }
  const value = parse(await source.read(0, source.size), where)
  if (Array.isArray(value) || isTensor(value)) {
    return { entries: [entryOf(name, value, where)], metadata: {} }
  }
  /** @type {FileContent} */
  const content = { entries: [], metadata: {} }
  for (const [key, member] of Object.entries(/** @type {object} */ (value))) {
    if (Array.isArray(member) || isTensor(member)) {
      content.entries.push(namedEntry(key, member, where))
    } else if (typeof member === 'object' && member !== null) {
      const problem = `${where}#${key}: expected an array, got ${describe(member)}`
      content.entries.push(brokenEntry(key, problem, 0))
    } else {
      content.metadata[key] = String(member)
    }
  }
  return content
}

/** @param {Uint8Array} bytes @param {string} where @returns {unknown} an array or an object */
function parse(bytes, where) {
  /** @type {string} */
  let text
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new TypeError(`${where}: expected JSON in UTF-8, got bytes that are none`)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    const hint = /\b(NaN|Infinity)\b/.test(text)
      ? ' (JSON knows no NaN and no Infinity: write null, or save it as .npy)'
      : ''
    const { message } = /** @type {Error} */ (error)
    throw new TypeError(`${where}: expected JSON: ${message}${hint}`, { cause: error })
  }
}

/** @param {unknown} value @returns {value is { data: unknown, shape: unknown }} */
function isTensor(value) {
  return typeof value === 'object' && value !== null && 'data' in value && 'shape' in value
}

/** An entry, or what is wrong with it. @param {string} key @param {unknown} member @param {string} where */
function namedEntry(key, member, where) {
  try {
    return entryOf(key, member, `${where}#${key}`)
  } catch (error) {
    return brokenEntry(key, error, 0)
  }
}

/** @param {string} name @param {unknown} value @param {string} where @returns {FileEntry} */
function entryOf(name, value, where) {
  if (Array.isArray(value) && value.length > 0 && value.every((text) => typeof text === 'string')) {
    const bytes = value.reduce((sum, text) => sum + text.length, 0)
    const listed = { name, dtype: /** @type {const} */ ('str'), shape: [value.length], bytes }
    return { ...listed, readStrings: async () => [...value] }
  }
  const tensor = toNumbers(value, where)
  const { data, shape } = tensor
  /** @type {Dtype} */
  const dtype = data instanceof Uint8Array ? 'bool' : 'float64'
  return {
    ...{ name, dtype, shape, bytes: data.byteLength },
    readTensor: async (part, options) => partOf(tensor, part, options.where),
  }
}

/** `null` among numbers is NaN, as JSON writes it. @param {unknown} value @param {string} where @returns {FileTensor} */
function toNumbers(value, where) {
  if (Array.isArray(value)) return fromNested(value, where, { isNullNaN: true })
  const { data, shape } = /** @type {{ data: unknown, shape: any }} */ (value)
  if (!Array.isArray(data)) {
    throw new TypeError(`${where}.data: expected an array of numbers, got ${describe(data)}`)
  }
  const numbers = fromNested(data, `${where}.data`, { isNullNaN: true }).data
  return toTensor({ data: numbers, shape }, where)
}

/** @param {FileTensor} tensor @param {import('./layout.js').Part} part @param {string} where @returns {FileTensor} */
function partOf({ data, shape }, part, where) {
  const ranges = rangesOf(shape, part, where)
  /** @type {NumberArray[]} */
  const pieces = [...runsOf(shape, ranges)].map(({ start, end }) => data.subarray(start, end))
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const copy = data instanceof Uint8Array ? new Uint8Array(length) : new Float64Array(length)
  let filled = 0
  for (const piece of pieces) {
    copy.set(piece, filled)
    filled += piece.length
  }
  return { data: copy, shape: ranges.shape }
}
