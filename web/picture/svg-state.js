import { SvgPath } from './svg-path.js'

/** @import { SvgGradient } from './svg-paint.js' */

/** What `save` keeps. */
const STATE = /** @type {const} */ ([
  ...['fillStyle', 'strokeStyle', 'lineWidth', 'lineCap', 'lineJoin', 'miterLimit', 'globalAlpha'],
  ...['font', 'textAlign', 'textBaseline', 'letterSpacing', 'fontVariantCaps', 'matrix', 'dashes'],
])

/** What a context knows before it draws: styles, the transformation, the current path. */
export class SvgState {
  /** @type {string | SvgGradient} */
  fillStyle = '#000000'
  /** @type {string | SvgGradient} */
  strokeStyle = '#000000'
  lineWidth = 1
  lineCap = 'butt'
  lineJoin = 'miter'
  miterLimit = 10
  globalAlpha = 1
  font = '10px sans-serif'
  /** @type {CanvasTextAlign} */
  textAlign = 'start'
  /** @type {CanvasTextBaseline} */
  textBaseline = 'alphabetic'
  letterSpacing = '0px'
  fontVariantCaps = 'normal'
  imageSmoothingEnabled = true
  matrix = new DOMMatrix()
  /** @type {readonly number[]} */
  dashes = []
  path = new SvgPath(this)

  /** @returns {Record<string, unknown>} */
  kept() {
    return Object.fromEntries(STATE.map((key) => [key, Reflect.get(this, key)]))
  }

  /** @param {number} a @param {number} b @param {number} c @param {number} d @param {number} e @param {number} f */
  transform(a, b, c, d, e, f) {
    this.matrix = this.matrix.multiply(new DOMMatrix([a, b, c, d, e, f]))
  }

  /** @param {number} x @param {number} y */
  translate(x, y) {
    this.matrix = this.matrix.translate(x, y)
  }

  /** @param {number} x @param {number} y */
  scale(x, y) {
    this.matrix = this.matrix.scale(x, y)
  }

  /** @param {number} angle radians */
  rotate(angle) {
    this.matrix = this.matrix.rotate((angle * 180) / Math.PI)
  }

  beginPath() {
    this.path = new SvgPath(this)
  }

  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.path.moveTo(x, y)
  }

  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.path.lineTo(x, y)
  }

  /** @param {Parameters<SvgPath['bezierCurveTo']>} points */
  bezierCurveTo(...points) {
    this.path.bezierCurveTo(...points)
  }

  closePath() {
    this.path.closePath()
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  rect(x, y, width, height) {
    this.path.rect(x, y, width, height)
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {number | number[]} radii */
  roundRect(x, y, width, height, radii) {
    this.path.roundRect(x, y, width, height, radii)
  }

  /** @param {readonly number[]} dashes */
  setLineDash(dashes) {
    this.dashes = [...dashes]
  }
}
