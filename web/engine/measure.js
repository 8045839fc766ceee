import { CallBuffers } from './buffers.js'

/** @import { Core } from './core.js' */

/**
 * Hands float64 arrays to a measuring function and takes float64 numbers back.
 * @param {Core} core
 * @param {string} operation for the message when memory is too small
 * @param {ArrayLike<number>[]} inputs
 * @param {number} count numbers measured
 * @param {(inputs: number[], out: number) => number | void} compute gets addresses; returns a status
 * @returns {Float64Array}
 */
export function measure(core, operation, inputs, count, compute) {
  const buffers = new CallBuffers(core.memory, operation)
  const slots = inputs.map((input) => buffers.input(input, Float64Array))
  const result = buffers.result('measured', [count], Float64Array)
  return buffers.run({ compute: (at) => compute(slots.map(at), at(result)) }).measured.data
}
