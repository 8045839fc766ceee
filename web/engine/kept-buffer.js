/**
 * Buffers that a caller keeps and a call fills (`out`).
 */
import { formatShape, shapeError, typeError } from './errors.js'
import { isSameShape, sizeOf, toTensor } from './tensor.js'

/** @import { ArrayType } from './memory.js' */
/** @import { Tensor, TensorData } from './tensor.js' */

/** @typedef {{ tensor: Tensor<any>, data: TensorData }} KeptBuffer what to return, and what to fill */

/**
 * Checks a buffer that the caller keeps for a result, if there is one.
 * @param {unknown} out a tensor of the result's shape, or its data alone
 * @param {number[]} shape
 * @param {ArrayType} Type
 * @param {string} name
 * @returns {KeptBuffer | undefined}
 */
export function keptBuffer(out, shape, Type, name) {
  if (out === undefined || out === null) return undefined
  const isBare = ArrayBuffer.isView(out)
  /** @type {any} */
  const data = isBare ? out : /** @type {any} */ (out).data
  if (!ArrayBuffer.isView(data) || /** @type {any} */ (data)[Symbol.toStringTag] !== Type.name) {
    const wanted = `a ${Type.name} of ${sizeOf(shape)} or a tensor that holds one`
    throw typeError(name, ArrayBuffer.isView(data) ? data : out, wanted)
  }
  const given = isBare
    ? toTensor(data, name)
    : toTensor({ data, shape: /** @type {any} */ (out).shape }, name)
  const fits = isBare ? given.data.length === sizeOf(shape) : isSameShape(given.shape, shape)
  if (!fits) {
    throw shapeError(name, given.shape, `it had to have the result's shape ${formatShape(shape)}`)
  }
  const tensor = isBare ? { data, shape } : /** @type {Tensor<any>} */ (out)
  return { tensor, data: given.data }
}

/**
 * Whether two arrays share memory.
 * @param {ArrayBufferView} a
 * @param {ArrayBufferView} b
 */
export function overlaps(a, b) {
  return (
    a.buffer === b.buffer &&
    a.byteOffset < b.byteOffset + b.byteLength &&
    b.byteOffset < a.byteOffset + a.byteLength
  )
}
