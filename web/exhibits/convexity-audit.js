/**
 * What must hold of attention, measured: on one case drawn at random, and on the many that follow it.
 *
 * @import { Engine } from '../engine/engine.js'
 * @import { NumpyStream } from '../engine/numpy-stream.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @typedef {{ smallest: number, largest: number }} Range
 * @typedef {{ seed: number, queries: number, keys: number }} Setup  42, 5 and 6 are the notebook's
 * @typedef {{ query: Tensor, key: Tensor, value: Tensor }} Cases  (count, rows, columns) each
 *
 * @typedef {object} CaseAudit  of one case
 * @property {Tensor} weights (n, m)
 * @property {Tensor | null} coordinates (n, m) solved for from V and y alone; null where they are not unique
 * @property {number[]} outputNorms
 * @property {number[]} valueNorms
 * @property {Range} rowSums
 * @property {Range} entries of the weights
 * @property {number} furthest largest |coordinate − weight|; NaN without coordinates
 *
 * @typedef {object} ManyAudit  of all cases
 * @property {number} cases
 * @property {number} rowSumError largest |row sum − 1|
 * @property {number} smallestWeight
 * @property {number} belowLargest in how many no ‖y‖ exceeds the largest ‖v‖
 * @property {number} aboveSmallest in how many no ‖y‖ is below the smallest ‖v‖
 * @property {number} inHull in how many every y has coordinates of at least 0; NaN where they are not unique
 * @property {number} furthest largest |coordinate − weight|
 */
import { barycentricCoordinates } from './barycentric.js'
import { largestMagnitude, rowOf, subtract, total } from './matrix.js'

/** d_k and d_v, the notebook's. */
export const widths = { key: 16, value: 8 }
/** How many cases are drawn; the first is the one that is shown. */
export const caseCount = 1000
/** So many at a time take a few milliseconds. */
const PORTION = 50

const FLOAT32_EPSILON = 2 ** -23
/** Coordinates are solved for in float64; what they are off by is far below, what is outside far above. */
const HULL_TOLERANCE = 1e-6

/**
 * The first case of a stream.
 * @param {Engine} engine
 * @param {Setup} setup
 * @returns {CaseAudit}
 */
export function auditCase(engine, setup) {
  const { query, key, value } = drawCases(engine.random.numpyLegacy(setup.seed), setup, 1)
  const { output, weights } = engine.scaledDotProductAttention(query, key, value)
  const exact = engine.reference.scaledDotProductAttention(query, key, value)
  const first = slice(weights, 0)
  const coordinates = locate(slice(value, 0), slice(exact.output, 0))
  return {
    weights: first,
    coordinates,
    outputNorms: Array.from(engine.analysis.rowNorms(output).data),
    valueNorms: Array.from(engine.analysis.rowNorms(value).data),
    rowSums: rangeOf(Array.from({ length: setup.queries }, (_, row) => total(rowOf(first, row)))),
    entries: rangeOf(first.data),
    furthest: distance(coordinates, slice(exact.weights, 0)),
  }
}

/**
 * All cases of a stream, the first among them, in portions between which the page has its turn.
 * @param {Engine} engine
 * @param {Setup} setup
 * @param {AbortSignal} signal
 * @returns {Promise<ManyAudit>}
 */
export async function auditCases(engine, setup, signal) {
  const stream = engine.random.numpyLegacy(setup.seed)
  /** @type {ManyAudit} */
  const all = {
    ...{ cases: 0, rowSumError: 0, smallestWeight: Infinity },
    ...{ belowLargest: 0, aboveSmallest: 0, inHull: 0, furthest: 0 },
  }
  while (all.cases < caseCount) {
    addCases(engine, setup, drawCases(stream, setup, PORTION), all)
    await new Promise((resolve) => setTimeout(resolve))
    signal.throwIfAborted()
  }
  return all
}

/**
 * @param {Engine} engine
 * @param {Setup} setup
 * @param {Cases} cases
 * @param {ManyAudit} all what they are added to
 */
function addCases(engine, { queries, keys }, { query, key, value }, all) {
  const { output, weights } = engine.scaledDotProductAttention(query, key, value)
  const exact = engine.reference.scaledDotProductAttention(query, key, value)
  const { rowSumError, smallest } = engine.analysis.audit(weights)
  const norms = {
    output: engine.analysis.rowNorms(output).data,
    value: engine.analysis.rowNorms(value).data,
  }
  // The average of m values is off by m + 1 roundings at most.
  const slack = 1 + (keys + 1) * FLOAT32_EPSILON
  const [count] = weights.shape
  for (let index = 0; index < count; index++) {
    const outputs = rangeOf(norms.output.subarray(index * queries, (index + 1) * queries))
    const values = rangeOf(norms.value.subarray(index * keys, (index + 1) * keys))
    if (outputs.largest <= slack * values.largest) all.belowLargest++
    if (slack * outputs.smallest >= values.smallest) all.aboveSmallest++
    const own = locate(slice(value, index), slice(exact.output, index))
    all.furthest = Math.max(all.furthest, distance(own, slice(exact.weights, index)))
    if (!own) all.inHull = NaN
    else if (rangeOf(own.data).smallest >= -HULL_TOLERANCE) all.inHull++
  }
  all.cases += count
  all.rowSumError = Math.max(all.rowSumError, rowSumError)
  all.smallestWeight = Math.min(all.smallestWeight, smallest)
}

/**
 * Q, K and V of some cases, one case after the other, as the notebook draws its one.
 * @param {NumpyStream} stream
 * @param {Setup} setup
 * @param {number} count
 * @returns {Cases}
 */
function drawCases(stream, { queries, keys }, count) {
  const sizes = {
    query: [queries, widths.key],
    key: [keys, widths.key],
    value: [keys, widths.value],
  }
  const each = Object.values(sizes).reduce((sum, [rows, columns]) => sum + rows * columns, 0)
  const { data } = stream.randn([count, each])
  let from = 0
  /** @param {number[]} size @returns {Tensor} (count, rows, columns) */
  const take = ([rows, columns]) => {
    const numbers = rows * columns
    const taken = new Float64Array(count * numbers)
    for (let index = 0; index < count; index++) {
      const start = index * each + from
      taken.set(data.subarray(start, start + numbers), index * numbers)
    }
    from += numbers
    return { data: taken, shape: [count, rows, columns] }
  }
  return { query: take(sizes.query), key: take(sizes.key), value: take(sizes.value) }
}

/**
 * The barycentric coordinates of each output among the values.
 * @param {Tensor} value (m, d_v)
 * @param {Tensor} output (n, d_v)
 * @returns {Tensor | null} (n, m); null where they are not unique
 */
function locate(value, output) {
  const [keys] = value.shape
  const [rows] = output.shape
  const located = new Float64Array(rows * keys)
  for (let row = 0; row < rows; row++) {
    const own = barycentricCoordinates(value, rowOf(output, row))
    if (!own) return null
    located.set(own, row * keys)
  }
  return { data: located, shape: [rows, keys] }
}

/** @param {Tensor | null} a @param {Tensor} b @returns {number} largest |a − b| */
function distance(a, b) {
  return a ? largestMagnitude(subtract(a, b)) : NaN
}

/** @param {Tensor} stack (cases, rows, columns) @param {number} index @returns {Tensor} (rows, columns) */
function slice({ data, shape: [, rows, columns] }, index) {
  const size = rows * columns
  return { data: data.subarray(index * size, (index + 1) * size), shape: [rows, columns] }
}

/** @param {ArrayLike<number>} values @returns {Range} */
function rangeOf(values) {
  let [smallest, largest] = [Infinity, -Infinity]
  for (let index = 0; index < values.length; index++) {
    smallest = Math.min(smallest, values[index])
    largest = Math.max(largest, values[index])
  }
  return { smallest, largest }
}
