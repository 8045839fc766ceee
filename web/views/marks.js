/**
 * What says without colour that something is no value: hatching for masked, a cross for NaN.
 */
import { formatColor } from './color.js'

/**
 * @import { Box } from './dom.js'
 * @import { Rgb } from './color.js'
 */

/** From line to line of the hatching, px. */
const HATCH_PITCH = 6

/**
 * Hatches the context's path.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Box} bounds around the path
 * @param {Rgb} color
 * @param {number} ratio device pixels per CSS pixel
 */
export function hatch(context, { left, top, width, height }, color, ratio) {
  context.save()
  context.clip()
  context.strokeStyle = formatColor(color)
  context.lineWidth = Math.max(1, 1 / ratio)
  context.beginPath()
  for (let x = -height; x < width; x += HATCH_PITCH) {
    context.moveTo(left + x, top + height)
    context.lineTo(left + x + height, top)
  }
  context.stroke()
  context.restore()
}

/**
 * @param {CanvasPath} path gets a cross
 * @param {number} x its middle
 * @param {number} y
 * @param {number} reach to each side
 */
export function addCross(path, x, y, reach) {
  path.moveTo(x - reach, y - reach)
  path.lineTo(x + reach, y + reach)
  path.moveTo(x - reach, y + reach)
  path.lineTo(x + reach, y - reach)
}
