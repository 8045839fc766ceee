/** What CSS paints of an element's box: shadows, background, borders, outline. */
import { resolveColor } from '../views/css-color.js'
import { linearGradient } from './css-gradient.js'
import { pixels, readShadows, splitList } from './css-values.js'

/**
 * @import { Box } from '../views/dom.js'
 * @import { Place } from './place.js'
 * @import { Shadow } from './css-values.js'
 * @typedef {{ width: number, style: string, color: string }} Border
 * @typedef {object} BoxLook
 * @property {string} color
 * @property {string[]} images  the first is on top
 * @property {Shadow[]} shadows
 * @property {Border[]} borders  top, right, bottom, left
 * @property {boolean} isCollapsed  borders lie on the box's edges, half of each outside
 * @property {Border & { offset: number }} outline
 * @property {(box: Box) => number[]} radii
 */

const SIDES = /** @type {const} */ (['Top', 'Right', 'Bottom', 'Left'])
const CORNERS = /** @type {const} */ (['TopLeft', 'TopRight', 'BottomRight', 'BottomLeft'])

/**
 * @param {CSSStyleDeclaration} style computed
 * @returns {BoxLook | null} null where there is nothing to see
 */
export function boxLook(style) {
  const borders = SIDES.map((side) => border(style, `border${side}`))
  const outline = { ...border(style, 'outline'), offset: pixels(style.outlineOffset) }
  const images = style.backgroundImage === 'none' ? [] : splitList(style.backgroundImage)
  const shadows = readShadows(style.boxShadow).filter((shadow) => isSeen(shadow.color))
  const color = style.backgroundColor
  if (
    !isSeen(color) &&
    images.length + shadows.length === 0 &&
    outline.width === 0 &&
    borders.every(({ width }) => width === 0)
  )
    return null
  const corners = CORNERS.map((corner) => style[`border${corner}Radius`])
  const isCell = style.display.startsWith('table-') && style.borderCollapse === 'collapse'
  return {
    ...{ color, images, shadows, borders, outline },
    isCollapsed: isCell && style.display !== 'table-caption',
    radii: ({ width, height }) => corners.map((corner) => pixels(corner, Math.min(width, height))),
  }
}

/** @param {CSSStyleDeclaration} style @param {string} name @returns {Border} */
function border(style, name) {
  const read = (/** @type {string} */ part) => String(Reflect.get(style, name + part))
  const kind = read('Style')
  const color = read('Color')
  // Browsers' own rings of focus are no part of a figure.
  const isNone = /none|hidden|auto/.test(kind) || !isSeen(color)
  return { width: isNone ? 0 : pixels(read('Width')), style: kind, color }
}

/** @param {string} color */
function isSeen(color) {
  return resolveColor(color)[1] > 0
}

/** How far beyond its box a look reaches. @param {BoxLook} look @returns {number} px */
export function reachOf({ shadows, outline }) {
  const outer = shadows.filter(({ isInset }) => !isInset)
  const reach = outer.map(({ x, y, spread }) => spread + Math.max(Math.abs(x), Math.abs(y)))
  return Math.max(0, ...reach, outline.width > 0 ? outline.offset + outline.width : 0)
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {BoxLook} look
 * @param {Box} own
 * @param {Place} place
 */
export function paintBox(context, look, own, place) {
  const box = place.box(own)
  const radii = look.radii(box)
  for (const shadow of [...look.shadows].reverse()) {
    if (!shadow.isInset) paintShadow(context, shadow, box, radii)
  }
  for (const paint of [look.color, ...[...look.images].reverse()]) {
    const fill = paint === look.color ? paint : linearGradient(context, paint, box)
    if (fill === null || (typeof fill === 'string' && !isSeen(fill))) continue
    context.fillStyle = fill
    trace(context, box, radii)
  }
  for (const shadow of [...look.shadows].reverse()) {
    if (shadow.isInset) paintInset(context, shadow, inside(box, look))
  }
  if (look.isCollapsed) paintCollapsed(context, look.borders, own, place)
  else paintBorders(context, look.borders, box, radii)
  const { outline } = look
  if (outline.width > 0) {
    const outer = grown(box, outline.offset + outline.width)
    const rounding = radii.map((radius) => (radius > 0 ? radius + outline.offset : 0))
    paintRing(context, outline, outer, rounding)
  }
}

/** Fills a box. @param {CanvasRenderingContext2D} context @param {Box} box @param {number[]} radii */
function trace(context, { left, top, width, height }, radii) {
  if (radii.every((radius) => radius === 0)) return context.fillRect(left, top, width, height)
  context.beginPath()
  context.roundRect(left, top, width, height, radii)
  context.fill()
}

/** @param {Box} box @param {number} by @returns {Box} */
function grown({ left, top, width, height }, by) {
  return {
    ...{ left: left - by, top: top - by },
    ...{ width: Math.max(0, width + 2 * by), height: Math.max(0, height + 2 * by) },
  }
}

/** @param {Box} box @param {BoxLook} look @returns {Box} without the borders */
function inside({ left, top, width, height }, { borders, isCollapsed }) {
  const [up, right, down, before] = borders.map((side) => (isCollapsed ? 0 : side.width))
  return {
    ...{ left: left + before, top: top + up },
    ...{ width: width - before - right, height: height - up - down },
  }
}

/** A ring or a copy beside the box; figures have no soft ones. @param {CanvasRenderingContext2D} context @param {Shadow} shadow @param {Box} box @param {number[]} radii */
function paintShadow(context, { color, x, y, spread }, box, radii) {
  const outer = grown({ ...box, left: box.left + x, top: box.top + y }, spread)
  const rounding = radii.map((radius) => (radius > 0 ? Math.max(0, radius + spread) : 0))
  context.fillStyle = color
  context.save()
  // A shadow is not seen through its box.
  const around = grown(box, Math.abs(x) + Math.abs(y) + Math.abs(spread) + 1)
  context.beginPath()
  context.rect(around.left, around.top, around.width, around.height)
  context.roundRect(box.left, box.top, box.width, box.height, radii)
  context.clip('evenodd')
  trace(context, outer, rounding)
  context.restore()
}

/** @param {CanvasRenderingContext2D} context @param {Shadow} shadow @param {Box} box */
function paintInset(context, { color, x, y, spread }, box) {
  const { left, top, width, height } = box
  const hole = grown({ ...box, left: left + x, top: top + y }, -spread)
  const [right, bottom] = [left + width, top + height]
  const clampX = (/** @type {number} */ value) => Math.max(left, Math.min(value, right))
  const clampY = (/** @type {number} */ value) => Math.max(top, Math.min(value, bottom))
  const [x1, x2] = [clampX(hole.left), clampX(hole.left + hole.width)]
  const [y1, y2] = [clampY(hole.top), clampY(hole.top + hole.height)]
  context.fillStyle = color
  const fill = (/** @type {number[]} */ [a, b, c, d]) =>
    c > a && d > b && context.fillRect(a, b, c - a, d - b)
  fill([left, top, right, y1])
  fill([left, y2, right, bottom])
  fill([left, y1, x1, y2])
  fill([x2, y1, right, y2])
}

/** @param {CanvasRenderingContext2D} context @param {Border[]} borders @param {Box} box @param {number[]} radii */
function paintBorders(context, borders, box, radii) {
  const [first] = borders
  const isRing = borders.every(
    ({ width, style, color }) =>
      width === first.width && style === first.style && color === first.color,
  )
  if (first.width > 0 && isRing) return paintRing(context, first, box, radii)
  const { left, top, width, height } = box
  const [up, right, down, before] = borders
  paintSide(context, up, { ...box, height: up.width })
  paintSide(context, right, { ...box, left: left + width - right.width, width: right.width })
  paintSide(context, down, { ...box, top: top + height - down.width, height: down.width })
  paintSide(context, before, { ...box, width: before.width })
}

/** Borders that cells share lie on the line between them. @param {CanvasRenderingContext2D} context @param {Border[]} borders @param {Box} own @param {Place} place */
function paintCollapsed(context, borders, own, place) {
  const box = place.box(own)
  borders.forEach((side, index) => {
    const { left, top, width, height } = own
    if (index % 2 === 0) {
      const middle = place.y(index === 0 ? top : top + height)
      const line = { ...box, top: place.snap(middle - side.width / 2), height: side.width }
      return paintSide(context, side, line)
    }
    const middle = place.x(index === 3 ? left : left + width)
    const line = { ...box, left: place.snap(middle - side.width / 2), width: side.width }
    return paintSide(context, side, line)
  })
}

/** @param {CanvasRenderingContext2D} context @param {Border} border @param {Box} line */
function paintSide(context, border, { left, top, width, height }) {
  if (border.width === 0) return
  context.fillStyle = context.strokeStyle = border.color
  if (!/dashed|dotted/.test(border.style)) return context.fillRect(left, top, width, height)
  const isLevel = width > height
  setDashes(context, border, isLevel ? width : height)
  context.beginPath()
  context.moveTo(isLevel ? left : left + width / 2, isLevel ? top + height / 2 : top)
  context.lineTo(
    isLevel ? left + width : left + width / 2,
    isLevel ? top + height / 2 : top + height,
  )
  context.stroke()
  context.setLineDash([])
}

/** @param {CanvasRenderingContext2D} context @param {Border} border @param {Box} box its outer edge @param {number[]} radii */
function paintRing(context, border, box, radii) {
  const { width } = border
  const middle = grown(box, -width / 2)
  context.strokeStyle = border.color
  setDashes(context, border)
  const isSquare = radii.every((radius) => radius === 0)
  if (isSquare) context.strokeRect(middle.left, middle.top, middle.width, middle.height)
  else {
    const rounding = radii.map((radius) => Math.max(0, radius - width / 2))
    context.beginPath()
    context.roundRect(middle.left, middle.top, middle.width, middle.height, rounding)
    context.stroke()
  }
  context.setLineDash([])
}

/** @param {CanvasRenderingContext2D} context @param {Border} border @param {number} [length] of a line that ends with a dash */
function setDashes(context, { width, style }, length) {
  context.lineWidth = width
  if (style !== 'dashed' && style !== 'dotted') return
  const dash = style === 'dotted' ? width : width < 3 ? 3 * width : 2 * width
  context.setLineDash([dash, length === undefined ? dash : bestGap(length, dash)])
}

/** As near to a dash's length as fits. @param {number} length @param {number} dash @returns {number} */
function bestGap(length, dash) {
  const count = Math.floor((length + dash) / (2 * dash))
  const gapOf = (/** @type {number} */ dashes) => (length - dashes * dash) / (dashes - 1)
  const [wide, narrow] = [gapOf(count), gapOf(count + 1)]
  if (count < 2) return narrow > 0 ? narrow : dash
  return narrow <= 0 || Math.abs(wide - dash) < Math.abs(narrow - dash) ? wide : narrow
}
