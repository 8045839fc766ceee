/**
 * One row of attention, read out of the stages that a call has kept: the numbers that stand behind a cell.
 *
 * @import { MaskOptions } from '../engine/options.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @import { KeptStages } from './inspection.js'
 * @typedef {Float32Array | Float64Array} Numbers
 *
 * @typedef {object} InspectedRow
 * @property {Numbers} query (d_k)
 * @property {Numbers} keys (m, d_k)
 * @property {Numbers | null} values (m, d_v)
 * @property {Float64Array} bias (m) what the mask adds to the scores, −∞ where it closes
 * @property {number} scale
 * @property {number} column the key in question
 * @property {(key: number) => boolean} isOpen
 * @property {string} why the key in question is masked, if it is
 * @property {number | null} logit as the kernels computed it; null where that was not kept, as below
 * @property {number | null} score
 * @property {number | null} exp
 * @property {number | null} rowMax
 * @property {number | null} rowSum
 * @property {Numbers | null} weights (m)
 * @property {Numbers | null} output (d_v)
 */
import { scaleOf } from '../engine/attention-problem.js'
import { sliceOffsets } from '../engine/broadcast.js'
import { describeMask } from '../engine/mask.js'
import { isBooleanData, numericTensor, rowsOf, sizeOf } from '../engine/tensor.js'

/**
 * @param {KeptStages} stages
 * @param {MaskOptions} options
 * @returns {(slice: number, query: number, key: number) => InspectedRow}
 * @throws {TypeError | RangeError} where query, key, value and mask do not fit one another
 */
export function rowReader(stages, { attnMask, isCausal = false, scale: given }) {
  const query = numericTensor(stages.query, 'query', 2)
  const key = numericTensor(stages.key, 'key', 2)
  const value = stages.value ? numericTensor(stages.value, 'value', 2) : null
  const [n, d] = query.shape.slice(-2)
  const [m, keyWidth] = key.shape.slice(-2)
  const leading = (stages.weights ?? stages.logits ?? query).shape.slice(0, -2)
  const slices = sizeOf(leading)
  if (keyWidth !== d) throw new RangeError(`key: its rows have ${keyWidth} numbers, query's ${d}`)
  if (value && value.shape.at(-2) !== m) {
    throw new RangeError(`value: it has ${value.shape.at(-2)} rows, key has ${m}`)
  }
  const mask = describeMask(attnMask, [...leading, n, m])
  const scale = scaleOf(given, d)
  const output = stages.heads ?? stages.output
  const keeps = output && value && output.shape.at(-1) === value.shape.at(-1)

  return (slice, row, column) => {
    if (slice >= slices || row >= n || column >= m) {
      throw new RangeError(
        `the stages hold ${slices} × ${n} × ${m} weights, and none at ${slice}, ${row}, ${column}`,
      )
    }
    const rowAt = slice * n + row
    const bias = new Float64Array(m)
    for (let at = 0; at < m; at++) {
      if (isCausal && at > row) bias[at] = -Infinity
      else if (mask) {
        const entry = mask.data[mask.offsets[slice] + row * mask.rowStride + at * mask.columnStride]
        bias[at] = !isBooleanData(mask.data) ? entry : entry ? 0 : -Infinity
      }
    }
    const ofRow = (/** @type {Tensor | undefined} */ stage, /** @type {number} */ length) =>
      stage ? stage.data.subarray(rowAt * length, (rowAt + 1) * length) : null
    const ofCell = (/** @type {Tensor | undefined} */ stage) => ofRow(stage, m)?.[column] ?? null
    return {
      query: sliceOf(query, leading, slice).subarray(row * d, (row + 1) * d),
      keys: sliceOf(key, leading, slice),
      values: value && sliceOf(value, leading, slice),
      bias,
      scale,
      column,
      isOpen: (at) => bias[at] !== -Infinity,
      why:
        isCausal && column > row
          ? 'a causal mask closes the keys after a query'
          : 'the mask closes it',
      logit: ofCell(stages.logits),
      score: ofCell(stages.scores),
      exp: ofCell(stages.exp),
      rowMax: stages.rowMax?.data[rowAt] ?? null,
      rowSum: stages.rowSum?.data[rowAt] ?? null,
      weights: ofRow(stages.weights, m),
      output: keeps ? ofRow(output, rowsOf(output.shape)[1]) : null,
    }
  }
}

/**
 * The matrix that belongs to a slice of the scores: leading dimensions broadcast, and a group of heads may
 * share its keys and values.
 *
 * @param {Tensor} tensor (…, rows, columns)
 * @param {readonly number[]} leading of the scores
 * @param {number} slice
 * @returns {Numbers} (rows, columns)
 */
function sliceOf({ data, shape }, leading, slice) {
  const own = shape.slice(0, -2)
  const size = sizeOf(shape.slice(-2))
  const start = isBroadcast(own, leading)
    ? sliceOffsets(own, leading, size)[slice]
    : size * Math.floor((slice * sizeOf(own)) / sizeOf(leading))
  return data.subarray(start, start + size)
}

/** @param {readonly number[]} own @param {readonly number[]} leading */
function isBroadcast(own, leading) {
  return own.every((length, axis) => {
    const wanted = leading[leading.length - own.length + axis]
    return length === 1 || length === wanted
  })
}
