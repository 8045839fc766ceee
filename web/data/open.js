/**
 * Tensor files: JSON, .npy, .npz and .safetensors, told apart by their content.
 */
import { typeError } from '../engine/errors.js'
import { fetchFile, fileNameOf } from './fetch-file.js'
import { readJson } from './json.js'
import { npyEntry } from './npy.js'
import { NPY_MAGIC } from './npy-header.js'
import { readSafetensors } from './safetensors.js'
import { blobSource, memorySource } from './source.js'
import { TensorFile } from './tensor-file.js'

/**
 * @import { FileContent } from './entry.js'
 * @import { Source } from './source.js'
 * @typedef {'npy' | 'npz' | 'safetensors' | 'json'} FileKind
 */

/** What may be read or fetched unless the caller says otherwise: 2 GB. */
const MOST_BYTES = 2 ** 31

/**
 * Opens a file of tensors. Only its headers are read, so that one of 500 MB opens at once; `read` then reads one
 * array, or a part of it, in slices between which the page goes on. (JSON alone is read whole, up to 64 MB.)
 *
 * @param {Blob | ArrayBuffer | ArrayBufferView | URL | string} source a file, its bytes, or its address, which is
 *   fetched
 * @param {object} [options]
 * @param {string} [options.name] of the file, for messages, and without its ending that of an array that has none
 * @param {AbortSignal} [options.signal] ends the fetching
 * @param {number} [options.maxBytes] that are fetched, unpacked from an archive, or taken by one array in
 *   memory; 2³¹ when left out
 * @returns {Promise<TensorFile>}
 * @throws {TypeError} if it cannot be fetched or read, is of no known kind, or damaged
 * @throws {RangeError} if lengths, shapes or offsets in it are impossible, or it is larger than `maxBytes`
 */
export async function openTensorFile(source, { name, signal, maxBytes = MOST_BYTES } = {}) {
  signal?.throwIfAborted()
  const isAddress = typeof source === 'string' || source instanceof URL
  const given = isAddress ? await fetchFile(source, { maxBytes, signal }) : source
  const ownName = isAddress ? fileNameOf(String(source)) : isBlob(given) ? nameOf(given) : ''
  const fileName = name ?? ownName
  const where = fileName || 'the file'
  const bytes = asSource(given, where)
  const kind = await kindOf(bytes, where)
  const arrayName = fileName.replace(/\.[^.]*$/, '') || 'array'
  const options = { where, maxBytes, signal, arrayName }
  return new TensorFile(kind, where, await READERS[kind](bytes, options), maxBytes)
}

/**
 * @type {Record<FileKind, (source: Source, options: { where: string, maxBytes: number, arrayName: string,
 *   signal?: AbortSignal }) => Promise<FileContent>>}
 */
const READERS = {
  json: (source, { where, arrayName }) => readJson(source, arrayName, where),
  npy: async (source, { where, arrayName }) => ({
    entries: [await npyEntry(source, arrayName, where)],
    metadata: {},
  }),
  // Unzipping is most of all this code.
  npz: async (source, options) => (await import('./npz.js')).readNpz(source, options),
  safetensors: (source, { where }) => readSafetensors(source, where),
}

/** @param {unknown} given @param {string} where @returns {Source} */
function asSource(given, where) {
  if (isBlob(given)) return blobSource(given, where)
  if (ArrayBuffer.isView(given)) {
    return memorySource(new Uint8Array(given.buffer, given.byteOffset, given.byteLength))
  }
  if (Object.prototype.toString.call(given) === '[object ArrayBuffer]') {
    return memorySource(new Uint8Array(/** @type {ArrayBuffer} */ (given)))
  }
  throw typeError('source', given, 'a File or Blob, an ArrayBuffer, a typed array or an address')
}

/** By tag, since a file may come from another window. @param {unknown} given @returns {given is Blob} */
function isBlob(given) {
  return /^\[object (Blob|File)\]$/.test(Object.prototype.toString.call(given))
}

/** A file has a name, other blobs have none. @param {Blob & { name?: unknown }} blob */
function nameOf({ name }) {
  return typeof name === 'string' ? name : ''
}

/** How else files begin, and what to do with them. @type {[number[], string][]} */
const OTHERS = [
  [[0x1f, 0x8b], 'a file packed with gzip; unpack it first'],
  [[0x89, 0x48, 0x44, 0x46], 'HDF5; save its arrays with numpy.savez'],
  [[0x80, 0x02], 'a pickle, which can run code; save it as .npy or .safetensors'],
  [[0x80, 0x03], 'a pickle, which can run code; save it as .npy or .safetensors'],
  [[0x80, 0x04], 'a pickle, which can run code; save it as .npy or .safetensors'],
  [[0x80, 0x05], 'a pickle, which can run code; save it as .npy or .safetensors'],
  [[0x47, 0x47, 0x55, 0x46], 'GGUF; save its tensors as .safetensors'],
  [[0x3c], 'an HTML page instead; is there such a file on the server?'],
]

/**
 * @param {Source} source
 * @param {string} where
 * @returns {Promise<FileKind>}
 */
async function kindOf(source, where) {
  const wanted = `${where}: expected JSON, .npy, .npz or .safetensors`
  if (source.size === 0) throw new TypeError(`${wanted}, got nothing: it is empty`)
  const start = await source.read(0, Math.min(source.size, 256))
  /** @param {readonly number[]} bytes */
  const begins = (bytes) => bytes.every((byte, i) => start[i] === byte)
  if (begins(NPY_MAGIC)) return 'npy'
  if (begins([0x50, 0x4b, 3, 4]) || begins([0x50, 0x4b, 5, 6])) return 'npz'
  // A length that no file has would be eight characters of a text.
  if (start[8] === 0x7b && start[7] === 0 && start[6] === 0) return 'safetensors'
  const text = new TextDecoder().decode(start).trimStart()
  if (text.startsWith('[') || text.startsWith('{')) return 'json'
  const other = OTHERS.find(([bytes]) => begins(bytes))?.[1]
  if (other) throw new TypeError(`${wanted}, got ${other}`)
  const isText = text !== '' && !/[\p{Cc}\ufffd]/u.test(text.replace(/\s/g, ''))
  const found = isText ? `the text ${JSON.stringify(text.slice(0, 30))}` : 'other bytes'
  throw new TypeError(`${wanted}, got ${found}`)
}
