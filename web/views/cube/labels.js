/**
 * What is written and drawn over the cube's planes, on the 2-D canvas that shows their picture: token
 * labels along the two near edges, axis titles, head labels, and the cell the reader looks at. Labels
 * are laid as if printed on the ground, outwards from their row or column, so that many fit.
 */
import { formatColor } from '../color.js'
import { LABEL_SIZE, thin } from '../matrix-layout.js'
import { elide } from '../tokens.js'
import { project } from './framing.js'
import { pointOf } from './stack.js'

/**
 * @import { PerspectiveCamera } from 'three'
 * @import { Theme } from '../theme.js'
 * @import { TokenLabels } from '../tokens.js'
 * @import { Stack } from './stack.js'
 * @typedef {{ head: number, query: number, key: number }} CubeCell
 * @typedef {{ x: number, y: number }} Point
 * @typedef {object} Overlay
 * @property {Stack} stack
 * @property {PerspectiveCamera} camera
 * @property {{ width: number, height: number }} size  CSS pixels
 * @property {Theme} theme
 * @property {TokenLabels} tokens
 * @property {number} emphasized
 * @property {CubeCell | null} looked  under the pointer or the cursor
 * @property {boolean} focused  the looked-at cell has the keyboard's focus
 * @property {{ query: number, key: number }} room  the longest label of each axis, px
 */

const GAP = 9
/** Head labels closer than this are thinned, px. */
const HEAD_PITCH = 14
/** In drawings narrower than this heads have numbers only, px. */
const HEAD_WORDS_FROM = 360
/** Around text that may lie on planes, px. */
const HALO = 3

/** What a head's label needs beside the planes. @param {number} width of the drawing @returns {number} px */
export function headLabelRoom(width) {
  return width < HEAD_WORDS_FROM ? 28 : 62
}

/**
 * @param {CanvasRenderingContext2D} context in CSS pixels, the planes' picture on it
 * @param {Overlay} overlay
 */
export function drawOverlay(context, overlay) {
  context.textBaseline = 'middle'
  const taken = [...drawAxis(context, overlay, 'key'), ...drawAxis(context, overlay, 'query')]
  drawHeadLabels(context, overlay, taken)
  if (overlay.looked) drawCell(context, overlay, overlay.looked)
}

/**
 * The edge along which an axis is labelled: the near one of the emphasised plane, or of the outermost
 * plane, away from the camera.
 *
 * @param {Overlay} overlay
 * @param {'query' | 'key'} axis
 * @returns {{ at: (index: number) => [number, number, number], out: [number, number, number] }}
 *   `at`: a point of the edge; `out`: a step outwards from it
 */
function edgeOf({ stack, camera, emphasized }, axis) {
  const outermost = camera.position.y >= 0 ? stack.heads - 1 : 0
  const level = emphasized >= 0 ? emphasized : outermost
  if (axis === 'key') {
    const near = camera.position.z >= 0
    return {
      at: (index) => pointOf(stack, level, near ? stack.queries : 0, index),
      out: [0, 0, near ? 1 : -1],
    }
  }
  const right = camera.position.x >= 0
  return {
    at: (index) => pointOf(stack, level, index, right ? stack.keys : 0),
    out: [right ? 1 : -1, 0, 0],
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Overlay} overlay
 * @param {'query' | 'key'} axis
 * @returns {Point[]} points that the labels cover
 */
function drawAxis(context, overlay, axis) {
  const { camera, size, theme, tokens, looked, room } = overlay
  const labels = tokens[axis]
  const { at, out } = edgeOf(overlay, axis)
  const screen = (/** @type {readonly [number, number, number]} */ point) =>
    project(camera, point, size)
  /** @param {number} index @returns {{ x: number, y: number, dx: number, dy: number }} where a label starts, and its direction */
  const ray = (index) => {
    const point = at(index)
    const from = screen(point)
    const to = screen([point[0] + out[0], point[1] + out[1], point[2] + out[2]])
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1
    return { x: from.x, y: from.y, dx: (to.x - from.x) / length, dy: (to.y - from.y) / length }
  }
  const count = Math.max(1, labels.length)
  const start = ray(0)
  const end = ray(count)
  const middle = ray(count / 2)
  const along = { x: end.x - start.x, y: end.y - start.y }
  // Labels are parallel lines of text: their distance is across the text, not along the edge, and least
  // where the edge is farthest from the camera.
  const across = (/** @type {Point} */ from, /** @type {Point} */ to) =>
    Math.abs((to.x - from.x) * middle.dy - (to.y - from.y) * middle.dx)
  if (across(start, end) < LABEL_SIZE) return []
  const pitch = Math.min(across(start, ray(1)), across(ray(count - 1), end))
  /** @type {Point[]} */
  const taken = []
  const measure = (/** @type {string} */ text) => context.measureText(text).width
  const marked = looked ? looked[axis] : -1
  const shown = thin(labels.length, pitch, LABEL_SIZE - 1, tokens.named)
  let longest = 0
  for (const index of new Set([...shown, ...(marked >= 0 ? [marked] : [])])) {
    if (index !== marked && marked >= 0 && Math.abs(index - marked) * pitch < LABEL_SIZE + 3)
      continue
    context.font = `${index === marked ? 600 : 400} ${LABEL_SIZE}px ${theme.font}`
    // The marked one is bold, and may be wider than what was measured.
    const text = elide(labels[index], room[axis] * (index === marked ? 1.15 : 1.01), measure)
    const width = measure(text)
    const label = ray(index + 0.5)
    longest = Math.max(longest, width)
    for (let reach = GAP; reach <= GAP + width; reach += 8) {
      taken.push({ x: label.x + reach * label.dx, y: label.y + reach * label.dy })
    }
    writeAlong(context, label, text, theme, index === marked)
  }
  drawTitle(context, overlay, axis, { middle, along, distance: GAP + longest + 16 })
  return taken
}

/**
 * Text outwards from an edge, turned so that it is never upside down.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {{ x: number, y: number, dx: number, dy: number }} ray
 * @param {string} text
 * @param {Theme} theme
 * @param {boolean} marked
 */
function writeAlong(context, { x, y, dx, dy }, text, theme, marked) {
  const flipped = dx < 0
  context.save()
  context.translate(x + GAP * dx, y + GAP * dy)
  context.rotate(Math.atan2(flipped ? -dy : dy, flipped ? -dx : dx))
  context.textAlign = flipped ? 'right' : 'left'
  if (marked) {
    const width = context.measureText(text).width
    context.fillStyle = formatColor(theme.ink)
    context.beginPath()
    context.roundRect(flipped ? -width - 5 : -5, -9, width + 10, 18, 4)
    context.fill()
  }
  if (marked) {
    context.fillStyle = formatColor(theme.surface)
    context.fillText(text, 0, 0.5)
  } else {
    write(context, text, { x: 0, y: 0.5 }, theme, formatColor(theme.ink))
  }
  context.restore()
}

/**
 * Text with a halo of the scene's colour, since edges of planes may run behind it.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {string} text
 * @param {Point} at
 * @param {Theme} theme
 * @param {string} color
 */
function write(context, text, { x, y }, theme, color) {
  context.lineJoin = 'round'
  context.lineWidth = HALO
  context.strokeStyle = formatColor(theme.surface)
  context.strokeText(text, x, y)
  context.fillStyle = color
  context.fillText(text, x, y)
}

/**
 * 'key →' along its edge, outside of the labels; the arrow points to where positions grow.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Overlay} overlay
 * @param {'query' | 'key'} axis
 * @param {{ middle: { x: number, y: number, dx: number, dy: number }, along: { x: number, y: number }, distance: number }} edge
 */
function drawTitle(context, { theme }, axis, { middle, along, distance }) {
  const flipped = along.x < 0
  context.save()
  context.translate(middle.x + distance * middle.dx, middle.y + distance * middle.dy)
  context.rotate(Math.atan2(flipped ? -along.y : along.y, flipped ? -along.x : along.x))
  context.font = `600 ${LABEL_SIZE}px ${theme.font}`
  context.textAlign = 'center'
  const title = flipped ? `← ${axis}` : `${axis} →`
  write(context, title, { x: 0, y: 0 }, theme, formatColor(theme.soft))
  context.restore()
}

/**
 * 'head 1' beside each plane, on the side that queries' labels leave free.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Overlay} overlay
 * @param {Point[]} taken where a head label gives way
 */
function drawHeadLabels(context, overlay, taken) {
  const { stack, camera, size, theme, emphasized, looked } = overlay
  // The two labelled edges make a V; the queries' is its right arm, or, from other sides, its left one.
  const onLeft = camera.position.x * camera.position.z >= 0
  const corners = headCorners(overlay, onLeft)
  const span = Math.abs(corners[corners.length - 1].y - corners[0].y)
  const pitch = stack.heads > 1 ? span / (stack.heads - 1) : HEAD_PITCH
  const step = Math.max(1, Math.ceil(HEAD_PITCH / Math.max(pitch, 0.5)))
  const active = emphasized >= 0 ? emphasized : (looked?.head ?? -1)
  context.textAlign = onLeft ? 'right' : 'left'
  corners.forEach(({ x, y, visible }, head) => {
    const isActive = head === active
    const near = active >= 0 && Math.abs(head - active) * pitch < HEAD_PITCH
    if (!visible || (!isActive && (head % step !== 0 || near))) return
    context.font = `${isActive ? 650 : 400} ${LABEL_SIZE}px ${theme.font}`
    const text = size.width < HEAD_WORDS_FROM ? `${head + 1}` : `head ${head + 1}`
    const end = x + (onLeft ? -GAP : GAP)
    const start = end + (onLeft ? -1 : 1) * context.measureText(text).width
    const covered = (/** @type {Point} */ point) =>
      point.x > Math.min(start, end) - 6 &&
      point.x < Math.max(start, end) + 6 &&
      Math.abs(point.y - (y - 4)) < LABEL_SIZE
    const isCovered = taken.some(covered)
    if (!isActive && isCovered) return
    // The active one is always written, above what is in its way.
    const level = isCovered ? y - 4 - LABEL_SIZE : y - 4
    const back = emphasized >= 0 && !isActive
    write(context, text, { x: end, y: level }, theme, formatColor(back ? theme.soft : theme.ink))
  })
}

/**
 * For each plane the corner that is outermost on one side; one corner for all, so that labels stand in
 * a line.
 *
 * @param {Overlay} overlay
 * @param {boolean} onLeft
 */
function headCorners({ stack, camera, size }, onLeft) {
  const columns = [
    [0, 0],
    [0, stack.keys],
    [stack.queries, 0],
    [stack.queries, stack.keys],
  ].map(([query, key]) =>
    Array.from({ length: stack.heads }, (_, head) =>
      project(camera, pointOf(stack, head, query, key), size),
    ),
  )
  const middle = (/** @type {Point[]} */ points) => points[0].x + points[points.length - 1].x
  return columns.reduce((best, next) => (onLeft === middle(next) < middle(best) ? next : best))
}

/** The cell, and its row and column on its plane. @param {CanvasRenderingContext2D} context @param {Overlay} overlay @param {CubeCell} cell */
function drawCell(context, overlay, { head, query, key }) {
  const { stack, theme, focused } = overlay
  const mark = formatColor(focused ? theme.accent : theme.ink)
  context.lineJoin = 'round'
  context.lineWidth = 1
  context.strokeStyle = formatColor(theme.ink, 0.45)
  tracePatch(context, overlay, head, query, query + 1, 0, stack.keys)
  context.stroke()
  tracePatch(context, overlay, head, 0, stack.queries, key, key + 1)
  context.stroke()
  tracePatch(context, overlay, head, query, query + 1, key, key + 1)
  context.lineWidth = focused ? 6 : 4.5
  context.strokeStyle = formatColor(theme.surface)
  context.stroke()
  context.lineWidth = focused ? 3 : 2
  context.strokeStyle = mark
  context.stroke()
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Overlay} overlay
 * @param {number} head
 * @param {number} top
 * @param {number} bottom
 * @param {number} left
 * @param {number} right
 */
function tracePatch(context, { stack, camera, size }, head, top, bottom, left, right) {
  context.beginPath()
  for (const [query, key] of [
    [top, left],
    [top, right],
    [bottom, right],
    [bottom, left],
  ]) {
    const { x, y } = project(camera, pointOf(stack, head, query, key), size)
    context.lineTo(x, y)
  }
  context.closePath()
}
