/**
 * Writing .safetensors.
 */
import { toTensor } from '../engine/tensor.js'
import { bytesOf } from './write-npy.js'

/** @import { MaskLike } from '../engine/tensor.js' */

/** @type {Record<string, string>} the format's names of what arrays hold */
const DTYPES = { Float64Array: 'F64', Float32Array: 'F32', Uint8Array: 'BOOL' }

/** So that numbers of every width are aligned. */
const ALIGNMENT = 8

/**
 * Tensors as a .safetensors file: float32, float64, or booleans from a Uint8Array.
 *
 * @param {Record<string, MaskLike>} tensors
 * @param {Record<string, string>} [metadata] texts, such as `{ tokens: JSON.stringify(tokens) }`
 * @returns {Uint8Array<ArrayBuffer>}
 * @throws {TypeError | RangeError} if something is no tensor, or metadata hold something else than texts
 */
export function safetensorsBytes(tensors, metadata = {}) {
  for (const [key, text] of Object.entries(metadata)) {
    if (typeof text !== 'string') throw new TypeError(`metadata.${key}: expected a text`)
  }
  const named = Object.entries(tensors).map(([name, tensor]) => {
    if (name === '__metadata__') throw new TypeError('tensors: the name __metadata__ is taken')
    return { name, ...toTensor(tensor, name) }
  })
  // Wide numbers first: what follows them is aligned as well.
  named.sort((a, b) => b.data.BYTES_PER_ELEMENT - a.data.BYTES_PER_ELEMENT)
  let end = 0
  const entries = named.map(({ name, data, shape }) => {
    const start = end
    end += data.byteLength
    const dtype = DTYPES[String(data[Symbol.toStringTag])]
    return [name, { dtype, shape, data_offsets: [start, end] }]
  })
  const header = { ...(Object.keys(metadata).length > 0 ? { __metadata__: metadata } : {}) }
  const text = JSON.stringify({ ...header, ...Object.fromEntries(entries) })
  const encoded = new TextEncoder().encode(text)
  const length = Math.ceil(encoded.length / ALIGNMENT) * ALIGNMENT
  const file = new Uint8Array(8 + length + end).fill(0x20, 8, 8 + length)
  new DataView(file.buffer).setBigUint64(0, BigInt(length), true)
  file.set(encoded, 8)
  let at = 8 + length
  for (const { data } of named) {
    file.set(bytesOf(data), at)
    at += data.byteLength
  }
  return file
}
