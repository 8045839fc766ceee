/** Writing a line of a page's text on a picture. */
import { pixels, readShadows } from './css-values.js'
import { textRuler } from './svg-font.js'
import { setTextStyle } from './text-lines.js'

/**
 * @import { Box } from '../views/dom.js'
 * @import { Place } from './place.js'
 * @import { Line, TextStyle } from './text-lines.js'
 * @typedef {object} TextLook
 * @property {TextStyle} style
 * @property {string} color
 * @property {string} shadow  of a computed style
 * @property {readonly Decoration[]} decorations
 * @property {number} angle  of the writing, radians
 * @typedef {{ line: 'underline' | 'line-through', color: string }} Decoration
 */

/**
 * @param {CanvasRenderingContext2D & { fitText?: (text: string, x: number, y: number, width: number) => void }} context
 * @param {Line} line
 * @param {TextLook} look
 * @param {Place} place
 */
export function paintLine(context, line, look, place) {
  const { style, color, angle } = look
  setTextStyle(context, style)
  const { ascent, descent } = extentOf(style)
  const [left, top] = [place.x(line.left), place.y(line.top)]
  if (angle !== 0) {
    context.save()
    context.translate(left + line.width / 2, top + line.height / 2)
    context.rotate(angle)
    context.fillStyle = color
    context.textAlign = 'center'
    context.fillText(line.text, 0, (ascent - descent) / 2)
    context.restore()
    return
  }
  const baseline = top + (line.height - ascent - descent) / 2 + ascent
  for (const halo of readShadows(look.shadow)) {
    if (halo.x !== 0 || halo.y !== 0) continue
    // What is soft on the page is a little narrower here: it has to keep letters and lines apart.
    context.strokeStyle = halo.color
    context.lineWidth = halo.blur
    context.lineJoin = 'round'
    context.strokeText(line.text, left, baseline)
  }
  context.fillStyle = color
  if (context.fitText) context.fitText(line.text, left, baseline, line.width)
  else for (const piece of line.pieces) context.fillText(piece.text, place.x(piece.left), baseline)
  for (const decoration of look.decorations) {
    const height = decoration.line === 'underline' ? descent * 0.45 : -ascent * 0.3
    context.fillStyle = decoration.color
    context.fillRect(left, Math.round(baseline + height), line.width, 1)
  }
}

/** @type {Map<string, { ascent: number, descent: number }>} */
const extents = new Map()

/** What a font reaches above and below its baseline. @param {TextStyle} style @returns {{ ascent: number, descent: number }} px */
export function extentOf(style) {
  const known = extents.get(style.font)
  if (known) return known
  const ruler = textRuler()
  setTextStyle(ruler, style)
  const { fontBoundingBoxAscent, fontBoundingBoxDescent } = ruler.measureText('x')
  // Browsers lay text out on whole pixels.
  const extent = { ascent: Math.round(fontBoundingBoxAscent), descent: Math.round(fontBoundingBoxDescent) } // prettier-ignore
  // A page's fonts may come yet: what was measured before is then wrong.
  if (document.fonts?.status === 'loaded') extents.set(style.font, extent)
  return extent
}

/**
 * Where a single line stands in a box of its own, such as that of an input.
 *
 * @param {Box} box with padding and borders
 * @param {CSSStyleDeclaration} style of the box
 * @param {TextStyle} text
 * @param {string} words
 * @returns {Box}
 */
export function lineIn({ left, top, width, height }, style, text, words) {
  const ruler = textRuler()
  setTextStyle(ruler, text)
  const { ascent, descent } = extentOf(text)
  const size = { width: ruler.measureText(words).width, height: ascent + descent }
  const start = pixels(style.borderLeftWidth) + pixels(style.paddingLeft)
  const end = pixels(style.borderRightWidth) + pixels(style.paddingRight)
  const slack = width - start - end - size.width
  const share = /center/.test(style.textAlign) ? 0.5 : /end|right/.test(style.textAlign) ? 1 : 0
  return { left: left + start + share * slack, top: top + (height - size.height) / 2, ...size }
}
