/**
 * .safetensors: the header's length in eight bytes, a header in JSON, and the numbers of all tensors behind it.
 */
import { describe } from '../engine/errors.js'
import { WIDTHS } from './dtypes.js'
import { brokenEntry } from './entry.js'
import { bytesOfShape } from './layout.js'
import { sourceWithin } from './source.js'
import { readStored } from './stored-array.js'

/**
 * @import { Dtype } from './dtypes.js'
 * @import { FileContent, FileEntry } from './entry.js'
 * @import { Source } from './source.js'
 */

/** What the format itself allows. */
const MOST_HEADER = 100_000_000

/** @type {Record<string, Dtype>} */
const DTYPES = {
  BOOL: 'bool',
  U8: 'uint8',
  I8: 'int8',
  U16: 'uint16',
  I16: 'int16',
  U32: 'uint32',
  I32: 'int32',
  U64: 'uint64',
  I64: 'int64',
  F16: 'float16',
  BF16: 'bfloat16',
  F32: 'float32',
  F64: 'float64',
}

/**
 * Lists of texts have no place among the tensors: those that the metadata hold as JSON, such as
 * `{"tokens": "[\"The\", \"cat\"]"}`, are listed as arrays of texts.
 *
 * @param {Source} source
 * @param {string} where for messages
 * @returns {Promise<FileContent>}
 * @throws {TypeError | RangeError} if the header is damaged, or tensors lie outside of the file or overlap
 */
export async function readSafetensors(source, where) {
  const { header, offset } = await readHeader(source, where)
  const { __metadata__: given = {}, ...tensors } = header
  const metadata = readMetadata(given, where)
  const room = source.size - offset
  const entries = Object.entries(tensors).map(([name, tensor]) =>
    readTensorHeader(name, tensor, room, `${where}#${name}`),
  )
  requireNoGaps(entries, room, where)
  return {
    metadata,
    entries: [
      ...entries.map(({ name, kind, dtype, shape, start, end }) =>
        dtype
          ? entryOf(name, dtype, shape, sourceWithin(source, offset + start, end - start))
          : brokenEntry(name, unknownKind(kind, `${where}#${name}`), end - start),
      ),
      ...textEntries(metadata, tensors),
    ],
  }
}

/** @param {Source} source @param {string} where */
async function readHeader(source, where) {
  if (source.size < 10) throw new TypeError(`${where}: ends within its header`)
  const start = await source.read(0, 8)
  const length = Number(new DataView(start.buffer, start.byteOffset).getBigUint64(0, true))
  if (length > MOST_HEADER) {
    throw new RangeError(`${where}: its header of ${length} bytes is longer than ${MOST_HEADER}`)
  }
  const offset = 8 + length
  if (offset > source.size) {
    throw new RangeError(
      `${where}: its header is said to take ${length} bytes, but the file has ${source.size}`,
    )
  }
  const bytes = await source.read(8, offset)
  let header
  let text
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    header = JSON.parse(text)
  } catch (error) {
    const { message } = /** @type {Error} */ (error)
    throw new TypeError(`${where}: damaged header: ${message}`, { cause: error })
  }
  if (!isObject(header)) {
    throw new TypeError(`${where}: expected a header that is an object, got ${describe(header)}`)
  }
  if (countKeys(text) !== Object.keys(header).length) {
    throw new TypeError(`${where}: two tensors have one name`)
  }
  return { header, offset }
}

/** Keys of the outermost object, those that are there twice as well. @param {string} text valid JSON */
function countKeys(text) {
  let depth = 0
  let count = 0
  for (const [mark] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
    if (mark === '{' || mark === '[') depth++
    else if (mark === '}' || mark === ']') depth--
    else if (mark === ':' && depth === 1) count++
  }
  return count
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @param {unknown} given @param {string} where @returns {Record<string, string>} */
function readMetadata(given, where) {
  const isFine = isObject(given) && Object.values(given).every((value) => typeof value === 'string')
  if (!isFine) throw new TypeError(`${where}: expected __metadata__ of texts`)
  return /** @type {Record<string, string>} */ (given)
}

/**
 * @param {string} name
 * @param {unknown} tensor
 * @param {number} room bytes behind the header
 * @param {string} where
 */
function readTensorHeader(name, tensor, room, where) {
  if (!isObject(tensor))
    throw new TypeError(`${where}: expected an object, got ${describe(tensor)}`)
  const { dtype: kind, shape, data_offsets: offsets } = tensor
  if (typeof kind !== 'string') {
    throw new TypeError(`${where}: expected a dtype, got ${describe(kind)}`)
  }
  if (!Array.isArray(shape))
    throw new TypeError(`${where}: expected a shape, got ${describe(shape)}`)
  const [start, end] = Array.isArray(offsets) && offsets.length === 2 ? offsets : []
  const areOffsets = Number.isSafeInteger(start) && Number.isSafeInteger(end)
  if (!areOffsets || start < 0 || start > end || end > room) {
    throw new RangeError(
      `${where}: expected data_offsets within the ${room} bytes behind the header, got ${JSON.stringify(offsets)}`,
    )
  }
  const dtype = Object.hasOwn(DTYPES, kind) ? DTYPES[kind] : undefined
  const wanted = bytesOfShape(shape, dtype ? WIDTHS[dtype] : 0, where)
  if (dtype && wanted !== end - start) {
    throw new RangeError(
      `${where}: its shape needs ${wanted} bytes, data_offsets give ${end - start}`,
    )
  }
  return { name, kind, dtype, shape: /** @type {number[]} */ (shape), start, end }
}

/**
 * Every byte belongs to one tensor, as the format demands: so nothing is hidden in a file, and none is cut off.
 *
 * @param {{ name: string, start: number, end: number }[]} tensors
 * @param {number} room
 * @param {string} where
 */
function requireNoGaps(tensors, room, where) {
  let at = 0
  const ordered = [...tensors].sort((a, b) => a.start - b.start || a.end - b.end)
  for (const { name, start, end } of ordered) {
    if (start < at) throw new RangeError(`${where}#${name}: overlaps another tensor`)
    if (start > at)
      throw new RangeError(`${where}: ${start - at} bytes before #${name} are no tensor's`)
    at = end
  }
  if (at < room)
    throw new RangeError(`${where}: goes on for ${room - at} bytes after its last tensor`)
}

/** @param {string} kind @param {string} where */
function unknownKind(kind, where) {
  return `${where}: expected one of ${Object.keys(DTYPES).join(', ')}, got ${kind.slice(0, 20)}`
}

/**
 * @param {string} name
 * @param {Dtype} dtype
 * @param {number[]} shape
 * @param {Source} source
 * @returns {FileEntry}
 */
function entryOf(name, dtype, shape, source) {
  return {
    ...{ name, dtype, shape, bytes: source.size },
    readTensor: (part, options) =>
      readStored({ source, dtype, shape, littleEndian: true, fortranOrder: false }, part, options),
  }
}

/** @param {Record<string, string>} metadata @param {object} tensors @returns {FileEntry[]} */
function textEntries(metadata, tensors) {
  return Object.entries(metadata).flatMap(([name, text]) => {
    const texts = Object.hasOwn(tensors, name) ? null : listOfTexts(text)
    if (!texts) return []
    const listed = { name, dtype: /** @type {const} */ ('str'), shape: [texts.length] }
    return [{ ...listed, bytes: text.length, readStrings: async () => texts }]
  })
}

/** @param {string} text @returns {string[] | null} */
function listOfTexts(text) {
  if (!text.startsWith('[')) return null
  try {
    const list = JSON.parse(text)
    return Array.isArray(list) && list.every((entry) => typeof entry === 'string') ? list : null
  } catch {
    return null
  }
}
