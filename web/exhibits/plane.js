/**
 * Vectors seen in a plane: their coordinates along two directions, and the hull of what is seen.
 *
 * @typedef {readonly [x: number, y: number]} Point
 */

/**
 * The plane of two vectors: one axis along the first, the other along what the second has beside it.
 * @param {ArrayLike<number>} first
 * @param {ArrayLike<number>} second
 * @returns {(vector: ArrayLike<number>) => Point} along an axis that there is not, everything is 0
 */
export function planeOf(first, second) {
  const across = unit(first)
  const shared = dot(second, across)
  const up = unit(Float64Array.from(second, (value, index) => value - shared * across[index]))
  return (vector) => [dot(vector, across), dot(vector, up)]
}

/**
 * The convex hull of points in the plane, by Andrew's monotone chain.
 * @param {readonly Point[]} points
 * @returns {Point[]} its corners, in order around it
 */
export function convexHull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const chain = (/** @type {readonly Point[]} */ along) => {
    /** @type {Point[]} */
    const corners = []
    for (const point of along) {
      while (
        corners.length > 1 &&
        !turnsLeft(corners[corners.length - 2], corners[corners.length - 1], point)
      ) {
        corners.pop()
      }
      corners.push(point)
    }
    return corners.slice(0, -1)
  }
  return sorted.length < 2 ? sorted : [...chain(sorted), ...chain([...sorted].reverse())]
}

/** @param {Point} a @param {Point} b @param {Point} c */
function turnsLeft(a, b, c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0
}

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
function dot(a, b) {
  return Array.from(a).reduce((sum, value, index) => sum + value * b[index], 0)
}

/** @param {ArrayLike<number>} vector @returns {Float64Array} of length 1, or zeros */
function unit(vector) {
  const length = Math.sqrt(dot(vector, vector))
  // What is left of a vector after most of it was taken away is rounding errors.
  return Float64Array.from(vector, (value) => (length > 1e-9 ? value / length : 0))
}
