/**
 * How the heads of a layer stand to one another: as long vectors, and as the subspaces that their columns span.
 *
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @typedef {'wq' | 'wk' | 'wv'} Projection
 * @typedef {object} Subspaces
 * @property {Tensor} cosines (h, h): Tr(WᵢᵀWⱼ)/(‖Wᵢ‖‖Wⱼ‖)
 * @property {Tensor} smallest (h, h): the smallest principal angle of each pair, degrees
 * @property {number[][][]} angles of each pair, degrees, the smallest first
 * @typedef {{ cosine: number, angles: number[] }} Turned  a head against its own columns in another basis
 * @typedef {{ count: number, deviation: number, expected: number, beyond: number }} RandomBlocks  cosines of
 *   random blocks: their standard deviation, what theory expects, and how many exceed the notebook's threshold
 */
import { moduleExample, moduleSizes } from './causal-examples.js'
import { columnBlock } from './matrix.js'

const { heads: numHeads, features } = moduleSizes
const width = features / numHeads
/** The notebook calls two heads orthogonal below this cosine. */
export const notebookThreshold = 0.25

/**
 * @param {Engine} engine
 * @param {Projection} projection
 * @returns {Subspaces}
 */
export function compareSubspaces(engine, projection) {
  const weights = moduleExample(engine).parameters[projection]
  const blocks = Array.from({ length: numHeads }, (_, head) =>
    columnBlock(weights, head * width, width),
  )
  const cosineOf = (/** @type {Tensor} */ a, /** @type {Tensor} */ b) =>
    engine.analysis.frobeniusCosine(a, b)
  const angles = blocks.map((a) => blocks.map((b) => degreesBetween(engine, a, b)))
  return {
    cosines: square(blocks.map((a) => blocks.map((b) => cosineOf(a, b)))),
    smallest: square(angles.map((row) => row.map(([first]) => first))),
    angles,
  }
}

/** @param {Engine} engine @param {Tensor} a @param {Tensor} b */
function degreesBetween(engine, a, b) {
  return Array.from(engine.analysis.principalAngles(a, b).data, (angle) => (angle * 180) / Math.PI)
}

/**
 * The span of head 1's columns, in its own basis and in one that is turned within it.
 * @param {Engine} engine
 * @param {Projection} projection
 * @param {number} seed of the turn
 * @returns {Turned}
 */
export function turnBasis(engine, projection, seed) {
  const block = columnBlock(moduleExample(engine).parameters[projection], 0, width)
  const basis = orthonormal(engine.random.numpyLegacy(seed).randn([width, width]))
  const turned = engine.matmul(block, basis)
  return {
    cosine: engine.analysis.frobeniusCosine(block, turned),
    angles: degreesBetween(engine, block, turned),
  }
}

/**
 * Pairs of blocks of a head's size that have nothing to do with one another.
 * @param {Engine} engine
 * @returns {RandomBlocks}
 */
export function compareRandom(engine) {
  const count = 500
  const stream = engine.random.numpyLegacy(0)
  const cosines = Array.from({ length: count }, () =>
    engine.analysis.frobeniusCosine(
      stream.randn([features, width]),
      stream.randn([features, width]),
    ),
  )
  const squares = cosines.reduce((sum, cosine) => sum + cosine * cosine, 0)
  return {
    count,
    deviation: Math.sqrt(squares / count),
    // A sum of d·d_k products of independent numbers, over the norms: 1/√(d·d_k).
    expected: 1 / Math.sqrt(features * width),
    beyond: cosines.filter((cosine) => Math.abs(cosine) > notebookThreshold).length,
  }
}

/**
 * The columns of a square matrix made orthonormal, by Gram and Schmidt, twice over for accuracy.
 * @param {Tensor} matrix changed in place
 * @returns {Tensor} the same
 */
function orthonormal(matrix) {
  const [rows, columns] = matrix.shape
  const { data } = matrix
  const dot = (/** @type {number} */ a, /** @type {number} */ b) => {
    let sum = 0
    for (let row = 0; row < rows; row++) sum += data[row * columns + a] * data[row * columns + b]
    return sum
  }
  for (let column = 0; column < columns; column++) {
    for (let pass = 0; pass < 2; pass++) {
      for (let before = 0; before < column; before++) {
        const share = dot(column, before)
        for (let row = 0; row < rows; row++) {
          data[row * columns + column] -= share * data[row * columns + before]
        }
      }
    }
    const length = Math.sqrt(dot(column, column))
    for (let row = 0; row < rows; row++) data[row * columns + column] /= length
  }
  return matrix
}

/** @param {number[][]} rows @returns {Tensor} */
function square(rows) {
  return { data: Float64Array.from(rows.flat()), shape: [rows.length, rows.length] }
}
