/**
 * The cube's geometry, without any drawing: planes lie level above each other, head 1 on top. Columns
 * (keys) run along +x, rows (queries) along +z, so that row 0 is at the far edge for a camera in front.
 *
 * @import { Ray } from 'three'
 * @typedef {object} Stack
 * @property {number} heads
 * @property {number} queries
 * @property {number} keys
 * @property {number} width  along x, world units
 * @property {number} depth  along z
 * @property {number} spacing  between planes
 * @property {number} height  of the whole
 */

/** The longer side of a plane, world units; the shorter one never less than a fifth of it. */
const SIDE = 10
/** Between two planes, and of the whole stack at most. */
const SPACING = 2.6
const MOST_HEIGHT = 11

/**
 * @param {{ heads: number, queries: number, keys: number }} sizes
 * @returns {Stack}
 */
export function stackOf({ heads, queries, keys }) {
  const longest = Math.max(queries, keys, 1)
  const spacing = heads > 1 ? Math.min(SPACING, MOST_HEIGHT / (heads - 1)) : 0
  return {
    heads,
    queries,
    keys,
    width: SIDE * Math.max(0.2, keys / longest),
    depth: SIDE * Math.max(0.2, queries / longest),
    spacing,
    height: spacing * Math.max(0, heads - 1),
  }
}

/** @param {Stack} stack @param {number} head */
export function heightOf({ spacing, height }, head) {
  return height / 2 - head * spacing
}

/**
 * A point of a plane.
 *
 * @param {Stack} stack
 * @param {number} head
 * @param {number} query rows from the far edge; fractions are inside of a cell
 * @param {number} key columns from the left edge
 * @returns {[x: number, y: number, z: number]}
 */
export function pointOf(stack, head, query, key) {
  return [
    (key / stack.keys - 0.5) * stack.width,
    heightOf(stack, head),
    (query / stack.queries - 0.5) * stack.depth,
  ]
}

/**
 * Heads in the order in which their planes have to be blended: the farthest from the camera's level
 * first. On one line of sight all planes lie on one side of the camera, in the order of their distance
 * from its level, so this is right from every angle, even from within the stack.
 *
 * @param {Stack} stack
 * @param {number} cameraHeight
 * @param {number} emphasized drawn last; −1 for none
 * @returns {number[]}
 */
export function blendingOrder(stack, cameraHeight, emphasized) {
  const distance = (/** @type {number} */ head) => Math.abs(heightOf(stack, head) - cameraHeight)
  return Array.from({ length: stack.heads }, (_, head) => head).sort(
    (a, b) =>
      Number(a === emphasized) - Number(b === emphasized) || distance(b) - distance(a) || b - a,
  )
}

/**
 * The cell that a line of sight meets first.
 *
 * @param {Stack} stack
 * @param {Ray} ray
 * @param {number} emphasized only this plane is solid; −1 when all are
 * @returns {{ head: number, query: number, key: number } | null}
 */
export function pick(stack, ray, emphasized) {
  let nearest = Infinity
  let found = null
  for (let head = 0; head < stack.heads; head++) {
    if (emphasized >= 0 && head !== emphasized) continue
    const distance = (heightOf(stack, head) - ray.origin.y) / ray.direction.y
    if (!(distance > 0) || distance >= nearest) continue
    const column = (ray.origin.x + distance * ray.direction.x) / stack.width + 0.5
    const row = (ray.origin.z + distance * ray.direction.z) / stack.depth + 0.5
    if (column < 0 || column >= 1 || row < 0 || row >= 1) continue
    nearest = distance
    found = {
      head,
      query: Math.min(stack.queries - 1, Math.floor(row * stack.queries)),
      key: Math.min(stack.keys - 1, Math.floor(column * stack.keys)),
    }
  }
  return found
}
