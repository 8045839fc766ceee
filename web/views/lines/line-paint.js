/**
 * Drawing the lines. They are opaque, in the colours that the legend shows, the weakest first: where two
 * cross the stronger one is on top, and no colour is mixed that is not in the legend.
 */
import { formatColor } from '../color.js'
import { addCross } from '../marks.js'
import { heightAt, laneOf, middleOf } from './line-layout.js'
import { MOST_STRENGTH } from './line-scale.js'

/**
 * @import { Rgb } from '../color.js'
 * @import { LineCell, LinePicture } from './line-picture.js'
 */

/** Of the weakest line, px. */
const LEAST_WIDTH = 1
/** Of a line without a value, px. */
const NAN_WIDTH = 1.5
const NAN_DASHES = [5, 4]
/** Curves stroked together: a path of very many is slower than its parts. */
const MOST_TOGETHER = 64

/**
 * @param {CanvasRenderingContext2D} context cleared, in CSS pixels
 * @param {LinePicture} picture
 */
export function paintLines(context, picture) {
  const { attention, planes, scale, set } = picture
  const size = attention.queries * attention.keys
  let [slotBefore, strengthBefore, together] = [-1, -1, 0]
  context.beginPath()
  for (const index of set.cells) {
    const slot = planes.indexOf(Math.floor(index / size))
    const value = attention.data[index]
    const strength = scale.strength(value)
    if (slot !== slotBefore || strength !== strengthBefore || together === MOST_TOGETHER) {
      context.stroke()
      context.beginPath()
      context.strokeStyle = scale.color(slot, value)
      context.lineWidth = widthOf(picture, strength)
      ;[slotBefore, strengthBefore, together] = [slot, strength, 0]
    }
    together++
    addCurve(context, picture, cellOf(picture, index))
  }
  context.stroke()
  if (set.nan.length > 0) paintNaN(context, picture)
}

/** Dashed, with a cross before the key. @param {CanvasRenderingContext2D} context @param {LinePicture} picture */
function paintNaN(context, picture) {
  const { set, scale, layout, theme } = picture
  const reach = Math.min(4, layout.pitch * 0.25)
  const cells = Array.from(set.nan, (index) => cellOf(picture, index))
  const stroke = (/** @type {Rgb} */ color, /** @type {number} */ width) => {
    context.strokeStyle = formatColor(color)
    context.lineWidth = width
    context.setLineDash(NAN_DASHES)
    context.beginPath()
    for (const cell of cells) addCurve(context, picture, cell)
    context.stroke()
    context.setLineDash([])
    if (reach < 2) return
    context.beginPath()
    for (const cell of cells) addCross(context, layout.right - 9, endsOf(picture, cell).to, reach)
    context.stroke()
  }
  // On paper of its own, so that it is seen on other lines too.
  stroke(theme.surface, NAN_WIDTH + 2)
  stroke(scale.marks.nan, NAN_WIDTH)
}

/**
 * One line again, outlined: the one that the reader looks at.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {LinePicture} picture
 * @param {LineCell} cell
 */
export function paintLooked(context, picture, cell) {
  const { attention, planes, scale, theme, layout } = picture
  const { plane, query, key } = cell
  const slot = planes.indexOf(plane)
  if (slot < 0 || attention.isMasked(plane, query, key)) return
  const value = attention.value(plane, query, key)
  const isNaN = Number.isNaN(value)
  const width = isNaN ? NAN_WIDTH : widthOf(picture, scale.strength(value))
  const stroke = (/** @type {string} */ color, /** @type {number} */ wide) => {
    context.beginPath()
    addCurve(context, picture, cell)
    context.strokeStyle = color
    context.lineWidth = wide
    context.stroke()
  }
  stroke(formatColor(theme.surface), width + 6)
  stroke(formatColor(theme.ink), width + 3)
  stroke(isNaN ? formatColor(theme.surface) : scale.color(slot, value), width)
  if (isNaN) {
    context.setLineDash(NAN_DASHES)
    stroke(scale.color(slot, value), width)
    context.setLineDash([])
    context.beginPath()
    addCross(context, layout.right - 9, endsOf(picture, cell).to, 4)
    context.stroke()
  }
}

/**
 * The drawn line nearest to a point; of equally near ones the strongest.
 *
 * @param {LinePicture} picture
 * @param {number} x
 * @param {number} y CSS pixels, between the columns
 * @returns {LineCell | null} null where none is near
 */
export function lineAt(picture, x, y) {
  const { layout, set, scale, attention } = picture
  const span = layout.right - layout.left
  const across = (x - layout.left) / span
  const steepness = (6 * across * (1 - across)) / span
  let nearest = null
  let least = Infinity
  for (const cells of [set.cells, set.nan]) {
    for (const index of cells) {
      const cell = cellOf(picture, index)
      const { from, to } = endsOf(picture, cell)
      const away = Math.abs(heightAt(from, to, across) - y)
      if (away > layout.height) continue
      const distance = away / Math.hypot(1, (to - from) * steepness)
      const value = attention.data[index]
      const width = Number.isNaN(value) ? NAN_WIDTH : widthOf(picture, scale.strength(value))
      // Stronger lines come later, and are on top.
      if (distance <= Math.max(4, width / 2 + 1) && distance <= least + 0.25) {
        nearest = cell
        least = Math.min(least, distance)
      }
    }
  }
  return nearest
}

/** @param {LinePicture} picture @param {number} strength */
function widthOf({ layout }, strength) {
  return LEAST_WIDTH + ((layout.widest - LEAST_WIDTH) * strength) / MOST_STRENGTH
}

/** @param {LinePicture} picture @param {number} index in the data @returns {LineCell} */
function cellOf({ attention: { queries, keys } }, index) {
  const row = Math.floor(index / keys)
  return { plane: Math.floor(row / queries), query: row % queries, key: index % keys }
}

/** @param {LinePicture} picture @param {LineCell} cell */
function endsOf({ layout, planes }, { plane, query, key }) {
  const lane = laneOf(layout, planes.indexOf(plane), planes.length)
  return { from: middleOf(layout, query) + lane, to: middleOf(layout, key) + lane }
}

/** @param {CanvasPath} path @param {LinePicture} picture @param {LineCell} cell */
function addCurve(path, picture, cell) {
  const { left, right } = picture.layout
  const { from, to } = endsOf(picture, cell)
  const third = (right - left) / 3
  path.moveTo(left, from)
  path.bezierCurveTo(left + third, from, right - third, to, right, to)
}
