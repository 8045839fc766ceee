/**
 * Writing .npy files: version 1 for numbers, row by row, lowest byte first.
 */
import { describe } from '../engine/errors.js'
import { toTensor } from '../engine/tensor.js'

/** @import { MaskLike, TensorData } from '../engine/tensor.js' */

/** NumPy aligns the numbers to this. */
const ALIGNMENT = 64

/** @type {Record<string, string>} NumPy's names of what arrays hold */
const DESCRS = { Float32Array: '<f4', Float64Array: '<f8', Uint8Array: '|b1' }

/**
 * A tensor as a .npy file: float32, float64, or booleans from a Uint8Array.
 *
 * @param {MaskLike} tensor
 * @returns {Uint8Array<ArrayBuffer>}
 * @throws {TypeError | RangeError} if it is no tensor
 */
export function npyBytes(tensor) {
  const { data, shape } = toTensor(tensor, 'tensor')
  return withHeader(DESCRS[String(data[Symbol.toStringTag])], shape, bytesOf(data))
}

/**
 * Texts as a .npy file of NumPy's texts, all as wide as the longest. A lone half of a surrogate pair becomes
 * U+FFFD, since NumPy cannot read it; zeros at a text's end are lost there.
 *
 * @param {readonly string[]} texts
 * @returns {Uint8Array<ArrayBuffer>}
 * @throws {TypeError} if one of them is no text
 */
export function npyTextBytes(texts) {
  const codes = texts.map((text, i) => {
    if (typeof text === 'string') return Array.from(text, codeOf)
    throw new TypeError(`texts[${i}] was ${describe(text)}; it had to be a text`)
  })
  // NumPy itself never writes texts without a character.
  const width = codes.reduce((most, { length }) => Math.max(most, length), 1)
  const bytes = new DataView(new ArrayBuffer(4 * width * texts.length))
  codes.forEach((text, i) =>
    text.forEach((code, j) => bytes.setUint32(4 * (width * i + j), code, true)),
  )
  return withHeader(`<U${width}`, [texts.length], new Uint8Array(bytes.buffer))
}

/** @param {string} character */
function codeOf(character) {
  const code = character.codePointAt(0) ?? 0
  return code >= 0xd800 && code < 0xe000 ? 0xfffd : code
}

/** @param {TensorData} data */
export function bytesOf(data) {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
}

/** @param {string} descr @param {readonly number[]} shape @param {Uint8Array} bytes */
function withHeader(descr, shape, bytes) {
  const lengths = shape.length === 1 ? `${shape[0]},` : shape.join(', ')
  const dictionary = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${lengths}), }`
  const start = 10
  const room = start + dictionary.length + 1
  const offset = Math.ceil(room / ALIGNMENT) * ALIGNMENT
  const header = `\x93NUMPY\x01\0..${dictionary}${' '.repeat(offset - room)}\n`
  const file = new Uint8Array(offset + bytes.length)
  for (let i = 0; i < offset; i++) file[i] = header.charCodeAt(i)
  new DataView(file.buffer).setUint16(8, offset - start, true)
  file.set(bytes, offset)
  return file
}
