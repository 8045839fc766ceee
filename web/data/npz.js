/**
 * .npz: a zip archive of .npy files. What is stored is read in place; what is deflated is inflated as far as it
 * is wanted. zip.js comes in its smallest form, which has neither workers nor WebAssembly of its own.
 */
import { configure, ZipReader } from '@zip.js/zip.js/lib/zip-core-custom.js'
import { brokenEntry } from './entry.js'
import { entryOf } from './npy.js'
import { readNpyHeader } from './npy-header.js'
import { createPace } from './pace.js'
import { PIECE, sourceWithin } from './source.js'

/**
 * @import { FileEntry as ZipEntry } from '@zip.js/zip.js'
 * @import { FileContent, FileEntry } from './entry.js'
 * @import { Source } from './source.js'
 */

/** The start of each is inflated when the file is opened. */
const MOST_ENTRIES = 10_000

const LOCAL_HEADER = 30
const STORED = 0
const DEFLATED = 8

/**
 * @param {Source} source
 * @param {{ where: string, maxBytes: number, signal?: AbortSignal }} options
 * @returns {Promise<FileContent>} arrays under their names without `.npy`
 * @throws {TypeError | RangeError} if the archive is damaged, or no array is in it
 */
export async function readNpz(source, { where, maxBytes, signal }) {
  const members = (await readDirectory(source, where)).filter(({ directory }) => !directory)
  const arrays = members.filter(({ filename }) => filename.endsWith('.npy'))
  if (arrays.length === 0) throw new TypeError(`${where}: ${whatElse(members)}`)
  if (arrays.length > MOST_ENTRIES) {
    throw new RangeError(`${where}: has ${arrays.length} arrays, more than ${MOST_ENTRIES}`)
  }
  const names = new Set(arrays.map(({ filename }) => filename))
  if (names.size < arrays.length) throw new TypeError(`${where}: two arrays have one name`)
  /** @type {FileEntry[]} */
  const entries = []
  for (const member of arrays) {
    signal?.throwIfAborted()
    const name = member.filename.slice(0, -'.npy'.length)
    entries.push(await readMember(source, member, { name, where: `${where}#${name}`, maxBytes }))
  }
  return { entries, metadata: {} }
}

/**
 * What is inflated at once, in packed bytes: a thousand times as many may come out of them, before it is known
 * that a header is all that was wanted.
 */
const CHUNK = 2 ** 13

/** @param {Source} source @param {string} where @returns {Promise<ZipEntry[]>} */
async function readDirectory(source, where) {
  configure({ useWebWorkers: false, chunkSize: CHUNK })
  try {
    const zip = new ZipReader(/** @type {any} */ (zipInput(source)))
    return /** @type {ZipEntry[]} */ (await zip.getEntries())
  } catch (error) {
    const { message } = /** @type {Error} */ (error)
    throw new TypeError(`${where}: damaged or cut-off archive: ${message}`, { cause: error })
  }
}

/** A source as zip.js reads it. @param {Source} source */
function zipInput(source) {
  /** @param {number} offset @param {number} length */
  const read = (offset, length) => source.read(offset, Math.min(source.size, offset + length))
  return {
    size: source.size,
    readUint8Array: read,
    /** @param {{ offset?: number, size?: number }} [part] */
    createReadable(part = {}) {
      const { offset = 0, size = source.size - (part.offset ?? 0) } = part
      let done = 0
      return new ReadableStream({
        async pull(controller) {
          const bytes = await read(offset + done, Math.min(CHUNK, size - done))
          if (bytes.length > 0) controller.enqueue(bytes)
          done += bytes.length
          if (bytes.length === 0 || done >= size) controller.close()
        },
      })
    },
  }
}

/** @param {ZipEntry[]} members */
function whatElse(members) {
  const names = members.map(({ filename }) => filename)
  if (names.some((name) => name.endsWith('data.pkl'))) {
    return 'expected .npy files in the archive, got a file of torch.save, which can run code; save it as .safetensors'
  }
  const found = names.length === 0 ? 'nothing' : names.slice(0, 5).join(', ')
  return `expected .npy files in the archive, got ${found}`
}

/**
 * @param {Source} source of the archive
 * @param {ZipEntry} member
 * @param {{ name: string, where: string, maxBytes: number }} options
 * @returns {Promise<FileEntry>} with what is wrong, where the member cannot be read
 */
async function readMember(source, member, { name, where, maxBytes }) {
  const { uncompressedSize: size, compressionMethod: method, encrypted } = member
  try {
    if (encrypted) throw new TypeError(`${where}: is encrypted; save it without a password`)
    if (method !== STORED && method !== DEFLATED) {
      throw new TypeError(`${where}: expected it stored or deflated, got method ${method}`)
    }
    if (method === DEFLATED && size > maxBytes) {
      throw new RangeError(`${where}: unpacks to ${size} bytes, and at most ${maxBytes} may be`)
    }
    const bytes =
      method === STORED ? await storedSource(source, member, where) : inflated(member, where)
    return entryOf(await readNpyHeader(bytes, where), bytes, name)
  } catch (error) {
    return brokenEntry(name, error, size)
  }
}

/** @param {Source} source @param {ZipEntry} member @param {string} where */
async function storedSource(source, { offset, compressedSize, uncompressedSize }, where) {
  const isInside = offset >= 0 && offset + LOCAL_HEADER <= source.size
  if (!isInside) throw new RangeError(`${where}: lies outside of the archive`)
  const header = await source.read(offset, offset + LOCAL_HEADER)
  const bits = new DataView(header.buffer, header.byteOffset)
  if (bits.getUint32(0, true) !== 0x04034b50) throw new TypeError(`${where}: damaged archive`)
  const start = offset + LOCAL_HEADER + bits.getUint16(26, true) + bits.getUint16(28, true)
  if (compressedSize !== uncompressedSize || start + uncompressedSize > source.size) {
    throw new RangeError(`${where}: lies outside of the archive`)
  }
  return sourceWithin(source, start, uncompressedSize)
}

/**
 * A deflated member, inflated from its beginning each time and no further than it is wanted.
 *
 * @param {ZipEntry} member
 * @param {string} where
 * @returns {Source}
 */
function inflated(member, where) {
  const size = member.uncompressedSize
  /** @type {Source['feed']} */
  const feed = async (start, end, take, signal) => {
    const stop = new AbortController()
    const pace = createPace(signal)
    const cutter = pieceCutter(start, end, take)
    /** @type {unknown} */
    let refusal
    const sink = new WritableStream({
      async write(/** @type {Uint8Array} */ chunk) {
        if (stop.signal.aborted) return
        try {
          await cutter.add(chunk)
          await pace()
          // To the end of the member its check sum is compared, before that nothing is left to do.
          if (cutter.isDone() && end < size) stop.abort()
        } catch (error) {
          refusal = error
          stop.abort()
        }
      },
    })
    try {
      const options = { checkSignature: true, signal: stop.signal }
      await member.getData(sink, options)
    } catch (error) {
      if (!refusal && !(cutter.isDone() && end < size)) {
        const { message } = /** @type {Error} */ (error)
        throw new TypeError(`${where}: damaged: ${message}`, { cause: error })
      }
    }
    if (refusal) throw refusal
    if (!cutter.isDone()) throw new RangeError(`${where}: unpacks to less than it says`)
  }
  return {
    size,
    isSequential: true,
    feed,
    async read(start, end, signal) {
      const bytes = new Uint8Array(end - start)
      let filled = 0
      const take = async (/** @type {Uint8Array} */ piece) => {
        bytes.set(piece, filled)
        filled += piece.length
      }
      if (bytes.length > 0) await feed(start, end, take, signal)
      return bytes
    },
  }
}

/**
 * Makes pieces of one size out of a stream's chunks, from `start` to `end` in it.
 *
 * @param {number} start
 * @param {number} end
 * @param {import('./source.js').Take} take
 */
function pieceCutter(start, end, take) {
  let position = 0
  let taken = start
  let filled = 0
  const piece = new Uint8Array(Math.min(PIECE, end - start))
  return {
    isDone: () => taken === end,
    /** @param {Uint8Array} chunk */
    async add(chunk) {
      const from = Math.max(0, start - position)
      const to = Math.min(chunk.length, end - position)
      position += chunk.length
      for (let at = from; at < to;) {
        const count = Math.min(to - at, piece.length - filled)
        piece.set(chunk.subarray(at, at + count), filled)
        filled += count
        at += count
        if (filled < piece.length && taken + filled < end) continue
        await take(piece.subarray(0, filled))
        taken += filled
        filled = 0
      }
    },
  }
}
