/**
 * The header of a .npy file, versions 1 to 3: `\x93NUMPY`, two bytes of version, the header's length, and a
 * dictionary in Python's notation.
 */
import { describe } from '../engine/errors.js'
import { WIDTHS } from './dtypes.js'
import { bytesOfShape } from './layout.js'
import { parsePythonLiteral } from './python-literal.js'

/**
 * @import { Dtype } from './dtypes.js'
 * @import { Source } from './source.js'
 *
 * @typedef {object} NpyHeader
 * @property {Dtype | 'str'} dtype
 * @property {number} width bytes of an entry; of a text 4 for each of its characters
 * @property {boolean} littleEndian
 * @property {boolean} fortranOrder
 * @property {number[]} shape
 * @property {number} offset where the numbers begin
 * @property {number} bytes that they take
 */

export const NPY_MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]

/** Headers of arrays of numbers have some 120 bytes, and a few thousand at the very most. */
const MOST_HEADER = 2 ** 16

/** NumPy's names of the kinds of numbers. @type {Record<string, Dtype>} */
const DTYPES = {
  b1: 'bool',
  i1: 'int8',
  u1: 'uint8',
  i2: 'int16',
  u2: 'uint16',
  i4: 'int32',
  u4: 'uint32',
  i8: 'int64',
  u8: 'uint64',
  f2: 'float16',
  f4: 'float32',
  f8: 'float64',
}

/** What else NumPy writes, and what to do about it. @type {Record<string, string>} */
const REFUSED = {
  O: 'Python objects, which are pickled; save an array of numbers',
  c: 'complex numbers; save real ones',
  V: 'records or raw bytes (NumPy writes bfloat16 so); save it as float32',
  S: "byte strings; save texts, .astype('U')",
  a: "byte strings; save texts, .astype('U')",
  f: 'floats of another width than 2, 4 or 8 bytes; save it as float32 or float64',
  M: 'dates; save numbers',
  m: 'time spans; save numbers',
}

/**
 * @param {Source} source of one .npy file
 * @param {string} where for messages
 * @returns {Promise<NpyHeader>}
 * @throws {TypeError} if it is damaged, or holds what is not read
 * @throws {RangeError} if its shape is absurd, or its numbers are fewer or more than that says
 */
export async function readNpyHeader(source, where) {
  const first = await source.read(0, Math.min(source.size, 256))
  if (first.length < 10 || NPY_MAGIC.some((byte, i) => first[i] !== byte)) {
    throw new TypeError(`${where}: expected a .npy file, got ${first.length} bytes that are none`)
  }
  const version = first[6]
  if (version < 1 || version > 3 || first[7] !== 0) {
    throw new TypeError(`${where}: expected version 1, 2 or 3 of .npy, got ${version}.${first[7]}`)
  }
  const start = version === 1 ? 10 : 12
  if (first.length < start) throw new TypeError(`${where}: ends within its header`)
  const bits = new DataView(first.buffer, first.byteOffset)
  const length = version === 1 ? bits.getUint16(8, true) : bits.getUint32(8, true)
  if (length > MOST_HEADER) {
    throw new RangeError(`${where}: its header of ${length} bytes is longer than ${MOST_HEADER}`)
  }
  const offset = start + length
  if (offset > source.size) throw new TypeError(`${where}: ends within its header`)
  const bytes =
    offset <= first.length ? first.subarray(start, offset) : await source.read(start, offset)
  const text = new TextDecoder(version === 3 ? 'utf-8' : 'latin1').decode(bytes)
  const header = { ...readDictionary(text, where), offset }
  requireBytes(header.bytes, source.size - offset, where)
  return header
}

/** @param {number} wanted @param {number} found @param {string} where */
function requireBytes(wanted, found, where) {
  if (found === wanted) return
  const but = found < wanted ? `ends after ${found}` : `goes on for ${found - wanted} more`
  throw new RangeError(`${where}: its shape needs ${wanted} bytes, but the file ${but}`)
}

/** @param {string} text @param {string} where */
function readDictionary(text, where) {
  let dictionary
  try {
    dictionary = parsePythonLiteral(text)
  } catch (error) {
    const { message } = /** @type {Error} */ (error)
    throw new TypeError(`${where}: damaged header: ${message}`, { cause: error })
  }
  const keys = dictionary instanceof Map ? [...dictionary.keys()].sort().join() : ''
  if (!(dictionary instanceof Map) || keys !== 'descr,fortran_order,shape') {
    throw new TypeError(
      `${where}: damaged header: expected the keys descr, fortran_order and shape, got ${keys || 'none'}`,
    )
  }
  const fortranOrder = dictionary.get('fortran_order')
  if (typeof fortranOrder !== 'boolean') {
    throw new TypeError(
      `${where}: damaged header: expected fortran_order True or False, got ${describe(fortranOrder)}`,
    )
  }
  const shape = dictionary.get('shape')
  if (!Array.isArray(shape)) {
    throw new TypeError(`${where}: damaged header: expected a shape, got ${describe(shape)}`)
  }
  const kind = readDescr(dictionary.get('descr'), where)
  return { ...kind, fortranOrder, shape, bytes: bytesOfShape(shape, kind.width, where) }
}

/**
 * @param {unknown} descr such as '<f4'
 * @param {string} where
 * @returns {{ dtype: Dtype | 'str', width: number, littleEndian: boolean }}
 */
function readDescr(descr, where) {
  if (Array.isArray(descr)) throw new TypeError(`${where}: holds ${REFUSED.V}`)
  const [, order, letter, count] = /^([<>|=]?)([a-zA-Z])(\d*)/.exec(String(descr)) ?? []
  const littleEndian = order !== '>'
  const isWhole = `${order}${letter}${count}` === descr
  if (isWhole && letter === 'U' && count !== '' && Number(count) < 2 ** 20) {
    return { dtype: 'str', width: 4 * Number(count), littleEndian }
  }
  const dtype = isWhole ? DTYPES[`${letter}${count}`] : undefined
  if (dtype) return { dtype, width: WIDTHS[dtype], littleEndian }
  const why = REFUSED[letter] ?? `the kind ${describe(descr)}; save it as float32 or float64`
  throw new TypeError(`${where}: holds ${why}`)
}
