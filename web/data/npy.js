/**
 * Arrays of .npy files.
 */
import { sourceWithin } from './source.js'
import { isColumnMajor, readStored } from './stored-array.js'
import { readNpyHeader } from './npy-header.js'

/**
 * @import { FileEntry } from './entry.js'
 * @import { NpyHeader } from './npy-header.js'
 * @import { Source } from './source.js'
 */

/** Bytes of texts in one array. */
const MOST_TEXT = 2 ** 26

/**
 * @param {Source} source of one .npy file
 * @param {string} name of the array
 * @param {string} where for messages
 * @returns {Promise<FileEntry>}
 */
export async function npyEntry(source, name, where) {
  return entryOf(await readNpyHeader(source, where), source, name)
}

/**
 * @param {NpyHeader} header
 * @param {Source} source
 * @param {string} name
 * @returns {FileEntry}
 */
export function entryOf(header, source, name) {
  const { dtype, shape, offset, bytes } = header
  const listed = { name, dtype, shape, bytes }
  if (dtype === 'str') {
    return { ...listed, readStrings: (options) => readTexts(header, source, options) }
  }
  // Where all is read for any part, parts are a waste.
  const isWhole = source.isSequential || isColumnMajor(header)
  return {
    ...listed,
    ...(isWhole ? { isWhole } : {}),
    async readTensor(part, options) {
      const numbers = source.isSequential
        ? skipping(source, offset)
        : sourceWithin(source, offset, bytes)
      return readStored({ ...header, dtype, source: numbers }, part, options)
    },
  }
}

/** A stream's bytes behind its header. @param {Source} source @param {number} offset @returns {Source} */
function skipping(source, offset) {
  return {
    size: source.size - offset,
    isSequential: true,
    read: (start, end, signal) => source.read(offset + start, offset + end, signal),
    feed: (start, end, take, signal) => source.feed(offset + start, offset + end, take, signal),
  }
}

/**
 * Texts of one width, each character in four bytes, filled up with zeros.
 *
 * @param {NpyHeader} header
 * @param {Source} source
 * @param {{ where: string, signal?: AbortSignal }} options
 * @returns {Promise<string[]>}
 */
async function readTexts(header, source, { where, signal }) {
  const { shape, width, littleEndian, offset, bytes } = header
  if (isColumnMajor(header)) {
    throw new TypeError(`${where}: expected texts row by row, got them in Fortran order`)
  }
  const count = shape.reduce((product, length) => product * length, 1)
  // Texts without a character take no bytes, so nothing else bounds how many there are said to be.
  if (Math.max(bytes, count) > MOST_TEXT) {
    throw new RangeError(`${where}: ${count} texts in ${bytes} bytes are too many`)
  }
  const read = await source.read(offset, offset + bytes, signal)
  const codes = new DataView(read.buffer, read.byteOffset, read.byteLength)
  return Array.from({ length: count }, (_, i) => {
    const characters = []
    for (let at = i * width; at < (i + 1) * width; at += 4) {
      const code = codes.getUint32(at, littleEndian)
      if (code > 0x10ffff) throw new TypeError(`${where}: text ${i} is damaged`)
      characters.push(code)
    }
    while (characters.length > 0 && characters[characters.length - 1] === 0) characters.pop()
    return characters.map((code) => String.fromCodePoint(code)).join('')
  })
}
