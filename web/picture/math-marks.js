/** The strokes of formulas that are no letters: bars of fractions, roots. */

/** @import { Box } from '../views/dom.js' */

/** Of a font's size. */
const THICKNESS = 0.055

/**
 * @param {Element} element of MathML
 * @param {CSSStyleDeclaration} style
 * @returns {{ box: Box, paint: (context: CanvasRenderingContext2D, box: Box) => void } | null}
 *   `box`: px of the window; `paint` is given the same on the picture
 */
export function mathMark(element, style) {
  const thick = Math.max(1, parseFloat(style.fontSize) * THICKNESS)
  const color = style.color
  if (element.localName === 'mfrac' && element.getAttribute('linethickness') !== '0') {
    const [over, under] = [...element.children].map((child) => child.getBoundingClientRect())
    if (!over || !under) return null
    const { left, width } = element.getBoundingClientRect()
    const top = (over.bottom + under.top - thick) / 2
    const paint = (/** @type {CanvasRenderingContext2D} */ context, /** @type {Box} */ box) => {
      context.fillStyle = color
      context.fillRect(box.left, box.top, box.width, box.height)
    }
    return { box: { left, top, width, height: thick }, paint }
  }
  if (element.localName !== 'msqrt') return null
  const { left, top, width, height } = element.getBoundingClientRect()
  const first = element.firstElementChild?.getBoundingClientRect().left ?? left
  const sign = Math.max(4, first - left)
  const paint = (/** @type {CanvasRenderingContext2D} */ context, /** @type {Box} */ box) => {
    const bottom = box.top + box.height
    context.strokeStyle = color
    context.lineWidth = thick
    context.lineJoin = 'miter'
    context.beginPath()
    context.moveTo(box.left + sign * 0.1, bottom - box.height * 0.42)
    context.lineTo(box.left + sign * 0.3, bottom - box.height * 0.48)
    context.lineTo(box.left + sign * 0.55, bottom - thick)
    context.lineTo(box.left + sign * 0.95, box.top + thick / 2)
    context.lineTo(box.left + box.width, box.top + thick / 2)
    context.stroke()
  }
  return { box: { left, top, width, height }, paint }
}
