/** Paints of SVG: colours, gradients, transformations. */
import { resolveColor } from '../views/css-color.js'
import { element, startTag, written } from './xml.js'

/** @import { Rgb } from '../views/color.js' */

/** A gradient along a line, in the units that hold where it was made. */
export class SvgGradient {
  written = false
  /** @type {string[]} */
  #stops = []

  /** @param {string} id @param {Record<string, number>} line @param {DOMMatrix} matrix */
  constructor(id, line, matrix) {
    this.id = id
    this.line = line
    this.matrix = matrix
  }

  /** @param {number} offset @param {string} css */
  addColorStop(offset, css) {
    const [color, alpha] = resolveColor(css)
    // Stripes of a long gradient lie closer than the thousandths in which lengths are written.
    const place = offset.toFixed(6)
    const stop = {
      offset: place,
      'stop-color': hex(color),
      'stop-opacity': alpha < 1 ? alpha : null,
    }
    this.#stops.push(element('stop', stop))
  }

  get markup() {
    const { id, line, matrix } = this
    const units = { gradientUnits: 'userSpaceOnUse', gradientTransform: transformOf(matrix) }
    return `${startTag('linearGradient', { id, ...line, ...units })}${this.#stops.join('')}</linearGradient>`
  }
}

/** @param {DOMMatrix} matrix */
export function transformOf({ a, b, c, d, e, f }) {
  const linear = [a, b, c, d].map((value) => String(Math.round(value * 1e6) / 1e6))
  return `matrix(${[...linear, written(e), written(f)].join(' ')})`
}

/** @param {Rgb} rgb @returns {string} as every viewer of SVG reads it */
export function hex([red, green, blue]) {
  return `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, '0')}`
}
