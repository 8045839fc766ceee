/**
 * The results of a forward pass, which of them a call asks for, and what a backward pass takes
 * over from them.
 */
import { flag, optionsObject } from './errors.js'
import { numericTensor, requireShape } from './tensor.js'

/** @import { CallBuffers, Slot } from './buffers.js' */
/** @import { Kernels } from './core.js' */
/** @import { ResultOptions } from './options.js' */
/** @import { Tensor } from './tensor.js' */

/** What to do when memory is too small for the weights. */
export const STREAM = 'pass needWeights: false, which never builds an N×M buffer'

/**
 * Declares `weights` and the stages between logits and weights, as far as they are asked for.
 * @param {CallBuffers} buffers
 * @param {number[]} scoresShape (…, N, M)
 * @param {{ needWeights: boolean, needStages: boolean, out: Record<string, unknown> }} wanted
 * @param {Kernels['Type']} Type
 * @returns {Record<string, Slot | undefined>}
 */
export function placeStages(buffers, scoresShape, { needWeights, needStages, out }, Type) {
  const rowShape = scoresShape.slice(0, -1)
  /** @type {Record<string, Slot | undefined>} */
  const slots = {}
  /** @param {string} name @param {number[]} shape */
  const result = (name, shape) => {
    slots[name] = buffers.result(name, [...shape], Type, out[name])
  }
  if (needWeights) result('weights', scoresShape)
  if (needStages && needWeights) {
    result('logits', scoresShape)
    result('scores', scoresShape)
    result('exp', scoresShape)
  }
  if (needStages) {
    result('rowMax', rowShape)
    result('rowSum', rowShape)
  }
  return slots
}

/**
 * @param {ResultOptions} options
 * @returns {{ needWeights: boolean, needStages: boolean, out: Record<string, unknown> }}
 */
export function wantedResults(options) {
  return {
    needWeights: flag(options.needWeights, 'needWeights', true),
    needStages: flag(options.needStages, 'needStages', false),
    out: outBuffers(options.out),
  }
}

/**
 * @param {unknown} out
 * @returns {Record<string, unknown>}
 */
export function outBuffers(out) {
  const given = /** @type {Record<string, unknown> | undefined} */ (out)
  return optionsObject(given, 'out', 'an object { output, weights, … } of buffers to fill')
}

/**
 * What the gradient of a stage, input or parameter is called.
 * @param {string} name such as query
 * @returns {string} such as gradQuery
 */
export function gradientName(name) {
  return `grad${name[0].toUpperCase()}${name.slice(1)}`
}

/**
 * A tensor that the forward pass has left in its result, if it has.
 * @param {unknown} forward the backward call's option
 * @param {string} name
 * @param {readonly number[]} shape
 * @returns {Tensor | undefined}
 */
export function forwardResult(forward, name, shape) {
  const given = /** @type {Record<string, unknown>} */ (forward)
  const results = optionsObject(given, 'forward', 'what the forward call returned')
  if (results[name] === undefined) return undefined
  const kept = numericTensor(results[name], `forward.${name}`)
  requireShape(kept, `forward.${name}`, shape)
  return kept
}
