/**
 * What a causal mask promises, measured: nothing above the diagonal, rows that sum to 1, and a first output that
 * is the first value, as long as no output projection has been at it.
 *
 * @import { Engine } from '../engine/engine.js'
 * @import { MultiHeadResult } from '../engine/options.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @typedef {object} CausalAudit
 * @property {readonly number[]} weightsShape
 * @property {readonly number[]} outputShape
 * @property {number} above how many weights stand above the diagonal
 * @property {number} notZero how many of them are not exactly 0
 * @property {number} largestAbove
 * @property {number} smallestSum of a row
 * @property {number} largestSum
 * @property {number} sumError largest |Σ − 1|
 * @property {number} firstDifference max |y₁ − v₁| before an output projection, over all heads and sequences
 * @property {number} firstBits how many numbers of y₁ have other bits than those of v₁
 * @property {number | null} projectedDifference max |y₁ − v₁| after it; null where there is none
 */
import { namelessExample, moduleExample, moduleSizes } from './causal-examples.js'
import { rowOf, total } from './matrix.js'
import { differentBits, largestDifference } from './same-bits.js'

/**
 * Scaled dot-product attention of tokens that stand for no words.
 * @param {Engine} engine
 * @param {{ seed: number, length: number, isCausal: boolean }} options
 * @returns {{ audit: CausalAudit, weights: Tensor, output: Tensor }}
 */
export function auditOneHead(engine, { seed, length, isCausal }) {
  const { query, key, value } = namelessExample(engine, seed, length)
  const { output, weights } = engine.scaledDotProductAttention(query, key, value, { isCausal })
  const first = {
    outputs: output,
    values: { data: Float32Array.from(value.data), shape: value.shape },
  }
  return { audit: audit(engine, weights, output, first, null), weights, output }
}

/**
 * The PyTorch module: four heads, two sequences.
 * @param {Engine} engine
 * @param {{ isCausal: boolean }} options
 * @returns {{ audit: CausalAudit, stages: Required<MultiHeadResult> }}
 */
export function auditModule(engine, { isCausal }) {
  const { x, parameters } = moduleExample(engine)
  const numHeads = moduleSizes.heads
  const stages = engine.multiHeadAttention(x, parameters, { numHeads, isCausal, needStages: true })
  const { weights, output, heads, value } = stages
  const { batch, tokens } = moduleSizes
  let projectedDifference = 0
  for (let sequence = 0; sequence < batch; sequence++) {
    // v₁ of all heads, side by side, as y₁ is before the output projection.
    const values = Array.from({ length: numHeads }, (_, head) => [
      ...rowOf(value, (sequence * numHeads + head) * tokens),
    ]).flat()
    const difference = largestDifference(rowOf(output, sequence * tokens), values)
    projectedDifference = Math.max(projectedDifference, difference)
  }
  return {
    audit: audit(engine, weights, output, { outputs: heads, values: value }, projectedDifference),
    stages,
  }
}

/**
 * @param {Engine} engine
 * @param {Tensor} weights (…, T, T)
 * @param {Tensor} output
 * @param {{ outputs: Tensor, values: Tensor }} first (…, T, d_v) each, before an output projection
 * @param {number | null} projectedDifference
 * @returns {CausalAudit}
 */
function audit(engine, weights, output, { outputs, values }, projectedDifference) {
  const { aboveDiagonalCount, aboveDiagonalLargest } = engine.analysis.audit(weights)
  const length = weights.shape[weights.shape.length - 1]
  const rows = weights.data.length / length
  const sums = Array.from({ length: rows }, (_, row) => total(rowOf(weights, row)))
  let firstDifference = 0
  let firstBits = 0
  for (let row = 0; row < rows; row += length) {
    const [y, v] = [rowOf(outputs, row), rowOf(values, row)]
    firstDifference = Math.max(firstDifference, largestDifference(y, v))
    firstBits += differentBits(y, v)
  }
  return {
    weightsShape: weights.shape,
    outputShape: output.shape,
    above: (rows / length) * ((length * (length - 1)) / 2),
    notZero: aboveDiagonalCount,
    largestAbove: aboveDiagonalLargest,
    smallestSum: Math.min(...sums),
    largestSum: Math.max(...sums),
    sumError: Math.max(...sums.map((sum) => Math.abs(sum - 1))),
    firstDifference,
    firstBits,
    projectedDifference,
  }
}
