/**
 * An attention mask as the kernels read it.
 */
import { maskLayout } from './broadcast.js'
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
  const kind = isBooleanData(data) ? BOOLEAN : ADDITIVE
  return { kind, data, ...maskLayout(shape, scoresShape) }
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
