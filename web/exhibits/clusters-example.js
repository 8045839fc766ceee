/**
 * The worked example of 'Multi-head attention': twelve tokens in R⁸, in three clusters of four, and four
 * random matrices, drawn as the notebook draws them.
 *
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @typedef {{ x: Tensor, wq: Tensor, wk: Tensor, wv: Tensor, wo: Tensor }} ClustersExample in float64
 */

/** d */
export const features = 8
/** n = 12: cluster and place in it */
export const tokens = Object.freeze(
  ['a', 'b', 'c'].flatMap((name) => ['1', '2', '3', '4'].map((place) => name + place)),
)

/** How far a token stands from its cluster's centre, in each feature. */
const noise = 0.2
const tokensInCluster = 4

/**
 * @param {Engine} engine
 * @param {number} [seed] 0 is the notebook's
 * @returns {ClustersExample} x (12, 8), the weights (8, 8)
 */
export function clustersExample(engine, seed = 0) {
  const stream = engine.random.numpyGenerator(seed)
  const centres = normalizeRows(stream.normal(0, 1, [tokens.length / tokensInCluster, features]))
  const x = stream.normal(0, 1, [tokens.length, features])
  for (let row = 0; row < tokens.length; row++) {
    const centre = Math.floor(row / tokensInCluster) * features
    for (let column = 0; column < features; column++) {
      const index = row * features + column
      x.data[index] = centres.data[centre + column] + noise * x.data[index]
    }
  }
  const weights = () => {
    const drawn = stream.normal(0, 1, [features, features])
    for (let index = 0; index < drawn.data.length; index++) drawn.data[index] /= Math.sqrt(features)
    return drawn
  }
  return { x, wq: weights(), wk: weights(), wv: weights(), wo: weights() }
}

/** @param {Tensor} matrix changed in place @returns {Tensor} the same, each row of length 1 */
function normalizeRows(matrix) {
  const [rows, columns] = matrix.shape
  for (let row = 0; row < rows; row++) {
    const values = matrix.data.subarray(row * columns, (row + 1) * columns)
    const length = Math.hypot(...values)
    for (let column = 0; column < columns; column++) values[column] /= length
  }
  return matrix
}
