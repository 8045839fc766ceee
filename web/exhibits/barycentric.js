/**
 * Where a point lies among others: the weights with which their average is the point.
 *
 * @import { Tensor } from '../engine/tensor.js'
 */

/** A direction shorter than this, against what it was, is made of rounding errors alone. */
const DEPENDENT = 1e-9

/**
 * The barycentric coordinates of y among the rows v₁ … v_m: Σ cⱼ = 1 and Σ cⱼ vⱼ = y, or as close to y as an
 * affine combination comes. They are unique when the rows are affinely independent, which takes m ≤ d + 1; all of
 * them are at least 0 exactly when y lies in the rows' convex hull.
 *
 * Least squares for cⱼ (vⱼ − v₁), j > 1, by modified Gram–Schmidt with y − v₁ as a last column, in float64.
 *
 * @param {Tensor} points (m, d)
 * @param {ArrayLike<number>} y (d)
 * @returns {Float64Array | null} (m); null when the rows are not affinely independent
 */
export function barycentricCoordinates({ data, shape: [m, d] }, y) {
  const edges = Array.from({ length: m - 1 }, (_, j) =>
    Float64Array.from({ length: d }, (_, k) => data[(j + 1) * d + k] - data[k]),
  )
  const rest = Float64Array.from({ length: d }, (_, k) => y[k] - data[k])
  // r_ij of the upper triangle, and what the last column has along each direction.
  const r = edges.map(() => new Float64Array(m - 1))
  const along = new Float64Array(m - 1)
  for (let i = 0; i < m - 1; i++) {
    const direction = edges[i]
    const length = Math.hypot(...direction)
    const original = Math.hypot(length, ...r.slice(0, i).map((row) => row[i]))
    if (i >= d || !(length > DEPENDENT * original)) return null
    for (let k = 0; k < d; k++) direction[k] /= length
    r[i][i] = length
    for (let j = i + 1; j < m - 1; j++) r[i][j] = takeAway(edges[j], direction)
    along[i] = takeAway(rest, direction)
  }
  const coordinates = new Float64Array(m)
  let others = 0
  for (let i = m - 2; i >= 0; i--) {
    let sum = along[i]
    for (let j = i + 1; j < m - 1; j++) sum -= r[i][j] * coordinates[j + 1]
    coordinates[i + 1] = sum / r[i][i]
    others += coordinates[i + 1]
  }
  coordinates[0] = 1 - others
  return coordinates
}

/**
 * @param {Float64Array} vector loses what it has along the direction
 * @param {Float64Array} direction of length 1
 * @returns {number} how much that was
 */
function takeAway(vector, direction) {
  const dot = vector.reduce((sum, value, k) => sum + value * direction[k], 0)
  for (let k = 0; k < vector.length; k++) vector[k] -= dot * direction[k]
  return dot
}
