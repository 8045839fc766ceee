import { written } from './xml.js'

/**
 * A path as SVG writes it, built by the calls of a canvas. Its points are those of the picture: the transformation
 * that holds while it is built has been applied.
 */
export class SvgPath {
  d = ''

  /** @param {{ matrix: DOMMatrix }} owner whose transformation holds */
  constructor(owner) {
    this.owner = owner
  }

  /** @param {string} command @param {number[]} points x and y in turn */
  #add(command, ...points) {
    const { a, b, c, d, e, f } = this.owner.matrix
    let text = command
    for (let index = 0; index < points.length; index += 2) {
      const [x, y] = [points[index], points[index + 1]]
      text += `${index > 0 ? ' ' : ''}${written(a * x + c * y + e)} ${written(b * x + d * y + f)}`
    }
    this.d += text
  }

  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.#add('M', x, y)
  }

  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.#add(this.d === '' ? 'M' : 'L', x, y)
  }

  /** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {number} x @param {number} y */
  bezierCurveTo(x1, y1, x2, y2, x, y) {
    this.#add('C', x1, y1, x2, y2, x, y)
  }

  closePath() {
    if (this.d !== '') this.d += 'Z'
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  rect(x, y, width, height) {
    this.moveTo(x, y)
    this.lineTo(x + width, y)
    this.lineTo(x + width, y + height)
    this.lineTo(x, y + height)
    this.closePath()
  }

  /**
   * @param {number} x @param {number} y @param {number} width @param {number} height
   * @param {number | number[]} radii one, or left top, right top, right bottom, left bottom
   */
  roundRect(x, y, width, height, radii) {
    const all = typeof radii === 'number' ? [radii, radii, radii, radii] : radii
    if (all.every((radius) => radius === 0)) return this.rect(x, y, width, height)
    // No larger than fits, all by the same factor, as CSS and canvases have it.
    const [a, b, c, d] = all
    const fit = Math.min(1, width / (a + b || 1), width / (c + d || 1), height / (b + c || 1), height / (a + d || 1)) // prettier-ignore
    const [tl, tr, br, bl] = all.map((radius) => radius * fit)
    const [right, bottom] = [x + width, y + height]
    // How far a Bézier curve's handles stand out from a quarter of a circle.
    const k = 1 - 0.5523
    this.moveTo(x + tl, y)
    this.lineTo(right - tr, y)
    this.bezierCurveTo(right - k * tr, y, right, y + k * tr, right, y + tr)
    this.lineTo(right, bottom - br)
    this.bezierCurveTo(right, bottom - k * br, right - k * br, bottom, right - br, bottom)
    this.lineTo(x + bl, bottom)
    this.bezierCurveTo(x + k * bl, bottom, x, bottom - k * bl, x, bottom - bl)
    this.lineTo(x, y + tl)
    this.bezierCurveTo(x, y + k * tl, x + k * tl, y, x + tl, y)
    this.closePath()
  }
}
