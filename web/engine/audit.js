/**
 * Whether attention weights are what they claim to be.
 */
import { optionsObject, shapeError } from './errors.js'
import { measure } from './measure.js'
import { numericTensor, rowsOf, sizeOf } from './tensor.js'

/** @import { Core } from './core.js' */
/** @import { TensorLike } from './tensor.js' */

/**
 * What a look at attention weights finds. Rows are counted through all leading dimensions.
 * @typedef {object} WeightsAudit
 * @property {number} rowSumError largest |row sum − 1| among rows that are neither empty nor hold a NaN
 * @property {number} rowSumErrorRow that row; −1 if there is none
 * @property {number} smallest weight, NaN left out
 * @property {number} largest weight, NaN left out
 * @property {number} negativeCount weights below 0
 * @property {number} nanCount weights that are NaN
 * @property {number} emptyRowCount rows that are all exactly 0
 * @property {number} aboveDiagonalCount weights above the diagonal that are not exactly 0
 * @property {number} aboveDiagonalLargest largest |weight| above the diagonal
 */
/**
 * Euclidean norms of rows: an output is a convex combination of values, so none exceeds the largest
 * value's. Rows with NaN are left out; a norm nobody has is NaN and its row −1.
 * @typedef {object} OutputAudit
 * @property {number} largestOutputNorm
 * @property {number} largestOutputNormRow
 * @property {number} smallestOutputNorm
 * @property {number} largestValueNorm
 * @property {number} largestValueNormRow
 * @property {number} smallestValueNorm
 * @property {number} outputNanCount numbers of the output that are NaN
 */

/**
 * @param {Core} core
 * @param {TensorLike} weights
 * @param {{ output?: TensorLike, value?: TensorLike }} [given]
 * @returns {WeightsAudit & Partial<OutputAudit>}
 */
export function audit(core, weights, given) {
  const { output, value } = optionsObject(given)
  const found = auditWeights(core, weights)
  if (output === undefined && value === undefined) return found
  return { ...found, ...auditOutput(core, output, value) }
}

/**
 * @param {Core} core
 * @param {unknown} argument
 * @returns {WeightsAudit}
 */
function auditWeights(core, argument) {
  const { data, shape } = numericTensor(argument, 'weights', 2)
  const [rows, columns] = shape.slice(-2)
  const matrices = sizeOf(shape.slice(0, -2))
  const found = measure(core, 'audit', [data], 9, ([weights], out) =>
    core.module.auditWeights(weights, matrices, rows, columns, out),
  )
  return {
    rowSumError: found[0],
    rowSumErrorRow: found[1],
    smallest: found[2],
    largest: found[3],
    negativeCount: found[4],
    nanCount: found[5],
    emptyRowCount: found[6],
    aboveDiagonalCount: found[7],
    aboveDiagonalLargest: found[8],
  }
}

/**
 * @param {Core} core
 * @param {unknown} outputArgument
 * @param {unknown} valueArgument
 * @returns {OutputAudit}
 */
function auditOutput(core, outputArgument, valueArgument) {
  const output = numericTensor(outputArgument, 'output', 2)
  const value = numericTensor(valueArgument, 'value', 2)
  const [n, dV] = rowsOf(output.shape)
  const [m, valueLength] = rowsOf(value.shape)
  if (valueLength !== dV) {
    throw shapeError('value', value.shape, `its last dimension had to be ${dV}, as output's`)
  }
  const found = measure(core, 'audit', [output.data, value.data], 7, ([outputs, values], out) =>
    core.module.auditOutput(outputs, n, values, m, dV, out),
  )
  return {
    largestOutputNorm: found[0],
    largestOutputNormRow: found[1],
    smallestOutputNorm: found[2],
    largestValueNorm: found[3],
    largestValueNormRow: found[4],
    smallestValueNorm: found[5],
    outputNanCount: found[6],
  }
}
