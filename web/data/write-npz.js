/**
 * Writing .npz: a zip archive of .npy files. Loaded when one is asked for, since it brings the zip writer.
 */
import { ZipWriter } from '@zip.js/zip.js/lib/zip-core-custom.js'
import { npyBytes, npyTextBytes } from './write-npy.js'

/** @import { MaskLike } from '../engine/tensor.js' */

/** The first day that zip knows: the same arrays give the same bytes. */
const DATE = new Date(1980, 0, 1)

/**
 * @param {Record<string, MaskLike | readonly string[]>} arrays
 * @returns {Promise<Blob>}
 */
export async function writeNpz(arrays) {
  /** @type {BlobPart[]} */
  const parts = []
  const sink = new WritableStream({
    write(/** @type {Uint8Array<ArrayBuffer>} */ chunk) {
      parts.push(chunk)
    },
  })
  const zip = new ZipWriter(sink, {
    useWebWorkers: false,
    // Stored, as by numpy.savez: readers can then take a part of an array.
    level: 0,
    extendedTimestamp: false,
    lastModDate: DATE,
  })
  for (const [name, array] of Object.entries(arrays)) {
    if (name === '') throw new TypeError('arrays: expected a name for each, got an empty one')
    const file = new Blob([isTexts(array) ? npyTextBytes(array) : npyBytes(array)])
    await zip.add(`${name}.npy`, /** @type {any} */ ({ readable: file.stream(), size: file.size }))
  }
  await zip.close()
  return new Blob(parts, { type: 'application/zip' })
}

/** @param {MaskLike | readonly string[]} array @returns {array is readonly string[]} */
function isTexts(array) {
  return Array.isArray(array) && typeof array[0] === 'string'
}
