/**
 * An attention mask as the kernels read it.
 */
import { maskLayout } from './broadcast.js'
import { typeError } from './errors.js'
import { isBooleanData, toTensor } from './tensor.js'

/** @import { AddressOf, CallBuffers, Slot } from './buffers.js' */
/** @import { Kernels } from './core.js' */
/** @import { AttentionCall, MultiHeadCall } from './module.js' */
/** @import { TensorData } from './tensor.js' */

const NONE = 0
const BOOLEAN = 1
const ADDITIVE = 2

/**
 * @typedef {object} Mask
 * @property {number} kind
 * @property {TensorData} data
 * @property {Int32Array} offsets where each slice of scores finds its own
 * @property {number} rowStride
 * @property {number} columnStride
 */
/** @typedef {{ mask: Mask, data: Slot | undefined, offsets: Slot | undefined } | undefined} PlacedMask */

/**
 * @param {unknown} attnMask a MaskLike, or nothing
 * @param {readonly number[]} scoresShape (…, N, M)
 * @returns {Mask | undefined}
 */
export function describeMask(attnMask, scoresShape) {
  if (attnMask === undefined || attnMask === null) return undefined
  const { data, shape } = toTensor(attnMask, 'attnMask')
  requireBooleansOrFloats(attnMask, data)
  const kind = isBooleanData(data) ? BOOLEAN : ADDITIVE
  return { kind, data, ...maskLayout(shape, scoresShape) }
}

/**
 * Integers would be added to the scores, where 0 and 1 may well have been meant as closed and open.
 * @param {any} attnMask as it was given
 * @param {TensorData} data of the tensor made from it
 */
function requireBooleansOrFloats(attnMask, data) {
  let given = attnMask.data ?? attnMask
  while (Array.isArray(given)) given = given[0]
  if (!ArrayBuffer.isView(given) || given === data) return
  if (/^Float/.test(/** @type {any} */ (given)[Symbol.toStringTag])) return
  throw typeError('attnMask', given, 'booleans (nested or a Uint8Array) or floats to add')
}

/**
 * @param {CallBuffers} buffers
 * @param {Mask | undefined} mask
 * @param {Kernels['Type']} Type of an additive mask
 * @returns {PlacedMask}
 */
export function placeMask(buffers, mask, Type) {
  if (!mask) return undefined
  return {
    mask,
    data: buffers.input(mask.data, mask.kind === BOOLEAN ? Uint8Array : Type),
    offsets: buffers.input(mask.offsets, Int32Array),
  }
}

/**
 * @param {AttentionCall | MultiHeadCall} call
 * @param {PlacedMask} placed
 * @param {AddressOf} at
 */
export function fillMask(call, placed, at) {
  call.maskKind = placed ? placed.mask.kind : NONE
  call.mask = at(placed?.data)
  call.maskOffsets = at(placed?.offsets)
  call.maskRowStride = placed ? placed.mask.rowStride : 0
  call.maskColumnStride = placed ? placed.mask.columnStride : 0
}
