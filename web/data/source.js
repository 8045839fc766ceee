/**
 * Bytes that are read in parts. Whatever a file lies in, no reader asks for more of it than it needs.
 *
 * @typedef {(piece: Uint8Array) => Promise<void>} Take
 * @typedef {object} Source
 * @property {number} size in bytes
 * @property {boolean} isSequential whether a part costs as much as all that stands before it, as in a stream
 *   that is inflated
 * @property {(start: number, end: number, signal?: AbortSignal) => Promise<Uint8Array>} read these bytes at once
 * @property {(start: number, end: number, take: Take, signal?: AbortSignal) => Promise<void>} feed these bytes
 *   in pieces of `PIECE`, the last one shorter, each of them after the one before was taken
 */

/**
 * Bytes of a piece. Every number's width divides it, so no number lies in two pieces; to convert it takes a
 * millisecond or less.
 */
export const PIECE = 2 ** 18

/**
 * A file of the reader's, or what was fetched. Only slices of it are ever read, so that it may be larger
 * than the memory.
 *
 * @param {Blob} blob
 * @param {string} where for messages
 * @returns {Source}
 */
export function blobSource(blob, where) {
  return partSource(blob.size, async (start, end) => {
    let buffer
    try {
      buffer = await blob.slice(start, end).arrayBuffer()
    } catch {
      throw new TypeError(`${where}: the file can no longer be read; choose it again`)
    }
    if (buffer.byteLength === end - start) return new Uint8Array(buffer)
    throw new TypeError(`${where}: the file has become shorter; choose it again`)
  })
}

/**
 * @param {Uint8Array} bytes kept, not copied
 * @returns {Source}
 */
export function memorySource(bytes) {
  return partSource(bytes.length, async (start, end) => bytes.subarray(start, end))
}

/**
 * A part of another source, as a source.
 *
 * @param {Source} source
 * @param {number} from
 * @param {number} size
 * @returns {Source}
 */
export function sourceWithin(source, from, size) {
  return partSource(size, (start, end, signal) => source.read(from + start, from + end, signal))
}

/**
 * @param {number} size
 * @param {Source['read']} read
 * @returns {Source}
 */
function partSource(size, read) {
  return {
    size,
    isSequential: false,
    read,
    async feed(start, end, take, signal) {
      for (let at = start; at < end; at += PIECE) {
        await take(await read(at, Math.min(end, at + PIECE), signal))
      }
    },
  }
}
