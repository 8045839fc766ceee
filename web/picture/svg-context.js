/**
 * A canvas's 2-D context that writes an SVG document. It knows what views and pages are drawn with, and no more.
 *
 * The library svgcanvas was tried: it sets fonts by style attributes, which a strict content security policy
 * refuses; it knows no Path2D and no gradient's transparency in today's colour syntax; its clip also cuts what was
 * drawn before it; and it smooths the cells of matrices.
 */
import { resolveColor } from '../views/css-color.js'
import { baselineBelow, fontAttributes, textRuler } from './svg-font.js'
import { hex, SvgGradient, transformOf } from './svg-paint.js'
import { SvgState } from './svg-state.js'
import { element, startTag, written } from './xml.js'

/**
 * @import { Box } from '../views/dom.js'
 * @typedef {{ d: string, matrix?: DOMMatrix }} Outline  of a shape of SVG, with its own transformation
 */

/** Images of at most so many pixels become rectangles, larger ones stay images: 64 × 64. */
const MOST_RECTANGLES = 4096

let documents = 0

export class SvgContext extends SvgState {
  /** @type {string[]} */
  #parts = []
  /** @type {{ state: Record<string, unknown>, groups: number }[]} */
  #saved = []
  /** Groups opened by clips since the last `save`. */
  #groups = 0
  #ids = 0
  #name = `p${(++documents).toString(36)}${Math.random().toString(36).slice(2, 7)}`

  /** All that was drawn, as the content of an `svg` element. */
  get markup() {
    return this.#parts.join('\n')
  }

  /** @returns {string} one that no other picture of the page has */
  newId() {
    return `${this.#name}-${++this.#ids}`
  }

  save() {
    this.#saved.push({ state: this.kept(), groups: this.#groups })
    this.#groups = 0
  }

  restore() {
    const saved = this.#saved.pop()
    if (!saved) return
    for (; this.#groups > 0; this.#groups--) this.#parts.push('</g>')
    this.#groups = saved.groups
    Object.assign(this, saved.state)
  }

  /** @param {string} d of an SVG path @returns {Outline} what `fill` and `stroke` take, as they take a Path2D elsewhere */
  outline(d) {
    return { d, matrix: this.matrix }
  }

  /** @param {Outline | CanvasFillRule} [path] @param {CanvasFillRule} [rule] */
  fill(path, rule) {
    const [outline, how] = typeof path === 'string' ? [this.path, path] : [path ?? this.path, rule]
    if (outline.d === '') return
    const evenOdd = how === 'evenodd' ? how : null
    this.#add('path', {
      d: outline.d,
      ...this.#moved(outline),
      'fill-rule': evenOdd,
      ...this.#fill(),
    })
  }

  /** @param {Outline} [outline] */
  stroke(outline = this.path) {
    if (outline.d === '') return
    const isOwn = 'matrix' in outline
    const pen = this.#pen(isOwn ? 1 : this.#scale)
    this.#add('path', { d: outline.d, ...this.#moved(outline), fill: 'none', ...pen })
  }

  /** Cuts what is drawn from now on until `restore`. @param {CanvasFillRule} [rule] */
  clip(rule) {
    const id = this.newId()
    const path = element('path', {
      d: this.path.d || 'M0 0',
      'clip-rule': rule === 'evenodd' ? rule : null,
    })
    this.#parts.push(`${startTag('clipPath', { id })}${path}</clipPath>`)
    this.#parts.push(startTag('g', { 'clip-path': `url(#${id})` }))
    this.#groups++
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  fillRect(x, y, width, height) {
    this.#add('rect', { ...this.#rect(x, y, width, height), ...this.#fill() })
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  strokeRect(x, y, width, height) {
    const { transform, ...place } = this.#rect(x, y, width, height)
    const pen = this.#pen(transform ? 1 : this.#scale)
    this.#add('rect', { ...place, transform, fill: 'none', ...pen })
  }

  /** @param {string} text @param {number} x @param {number} y @param {number} [most] width */
  fillText(text, x, y, most) {
    this.#write(text, x, y, this.#widthOf(text, most), this.#fill())
  }

  /** @param {string} text @param {number} x @param {number} y @param {number} [most] width */
  strokeText(text, x, y, most) {
    this.#write(text, x, y, this.#widthOf(text, most), {
      ...{ fill: 'none', ...this.#pen(1) },
      // A halo around letters, which are read once.
      'aria-hidden': 'true',
    })
  }

  /** Text that is as wide as it is told. @param {string} text @param {number} x @param {number} y @param {number} width */
  fitText(text, x, y, width) {
    this.#write(text, x, y, width, this.#fill())
  }

  /** @param {string} text @returns {TextMetrics} */
  measureText(text) {
    const ruler = textRuler()
    ruler.font = this.font
    ruler.textBaseline = this.textBaseline
    ruler.letterSpacing = this.letterSpacing
    ruler.fontVariantCaps = /** @type {CanvasFontVariantCaps} */ (this.fontVariantCaps)
    return ruler.measureText(text)
  }

  /** @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 */
  createLinearGradient(x0, y0, x1, y1) {
    const id = this.newId()
    return new SvgGradient(id, { x1: x0, y1: y0, x2: x1, y2: y1 }, this.matrix)
  }

  /** See `drawPixels` of the views. @param {ImageData} image @param {Box} box */
  drawPixels(image, { left, top, width, height }) {
    const { data, width: columns, height: rows } = image
    if (columns * rows > MOST_RECTANGLES) {
      const canvas = document.createElement('canvas')
      canvas.width = columns
      canvas.height = rows
      canvas.getContext('2d')?.putImageData(image, 0, 0)
      return this.#embed(canvas, left, top, width, height, 'pixelated')
    }
    const matrix = this.matrix.translate(left, top).scale(width / columns, height / rows)
    // In units of a cell, so that neighbours meet without a gap.
    const group = { transform: transformOf(matrix), 'shape-rendering': 'crispEdges' }
    this.#parts.push(startTag('g', group))
    for (let cell = 0; cell < columns * rows; cell++) {
      const [red, green, blue] = data.subarray(4 * cell, 4 * cell + 3)
      const place = { x: cell % columns, y: Math.floor(cell / columns), width: 1, height: 1 }
      this.#parts.push(element('rect', { ...place, fill: hex([red, green, blue]) }))
    }
    this.#parts.push('</g>')
  }

  /** @param {HTMLCanvasElement} canvas @param {number} x @param {number} y @param {number} width @param {number} height */
  drawImage(canvas, x, y, width, height) {
    this.#embed(canvas, x, y, width, height, this.imageSmoothingEnabled ? null : 'pixelated')
  }

  /**
   * @param {HTMLCanvasElement} canvas @param {number} x @param {number} y @param {number} width @param {number} height
   * @param {string | null} rendering
   */
  #embed(canvas, x, y, width, height, rendering) {
    const place = { ...this.#rect(x, y, width, height), preserveAspectRatio: 'none' }
    const href = canvas.toDataURL()
    this.#add('image', { ...place, 'image-rendering': rendering, opacity: this.#opacity, href })
  }

  /** @param {string} name @param {Record<string, string | number | null>} attributes */
  #add(name, attributes) {
    for (const paint of [this.fillStyle, this.strokeStyle]) {
      if (paint instanceof SvgGradient && !paint.written) {
        paint.written = true
        this.#parts.push(paint.markup)
      }
    }
    this.#parts.push(element(name, attributes))
  }

  /** @param {string} text @param {number} [most] @returns {number} */
  #widthOf(text, most = Infinity) {
    return Math.min(most, this.measureText(text).width)
  }

  /** @param {string} text @param {number} x @param {number} y @param {number} width @param {Record<string, string | number | null>} paint */
  #write(text, x, y, width, paint) {
    if (text === '') return
    const { matrix, font, textAlign } = this
    const baseline = y + baselineBelow(this.textBaseline, font)
    const anchor = textAlign === 'center' ? 'middle' : /right|end/.test(textAlign) ? 'end' : null
    const isMoved = matrix.a === 1 && matrix.b === 0 && matrix.c === 0 && matrix.d === 1
    const line = text.replace(/\s/g, ' ')
    const attributes = {
      x: isMoved ? x + matrix.e : x,
      y: isMoved ? baseline + matrix.f : baseline,
      transform: isMoved ? null : transformOf(matrix),
      ...fontAttributes(font),
      'font-variant': this.fontVariantCaps === 'normal' ? null : this.fontVariantCaps,
      'letter-spacing': parseFloat(this.letterSpacing) || null,
      'text-anchor': anchor,
      // Where the font is another one the words still keep to their place.
      textLength: [...text].length > 1 ? width : null,
      lengthAdjust: [...text].length > 1 ? 'spacingAndGlyphs' : null,
      'xml:space': /^ | {2}| $/.test(line) ? 'preserve' : null,
    }
    this.#parts.push(element('text', { ...attributes, ...paint }, line))
  }

  get #opacity() {
    return this.globalAlpha < 1 ? this.globalAlpha : null
  }

  /** How much larger the transformation makes a line's width. */
  get #scale() {
    const { a, b, c, d } = this.matrix
    return Math.sqrt(Math.abs(a * d - b * c))
  }

  #fill() {
    const [fill, opacity] = this.#ink(this.fillStyle)
    return { fill, 'fill-opacity': opacity }
  }

  /** @param {number} scale of widths */
  #pen(scale) {
    const [stroke, opacity] = this.#ink(this.strokeStyle)
    return {
      stroke,
      'stroke-opacity': opacity,
      'stroke-width': this.lineWidth * scale,
      'stroke-linecap': this.lineCap === 'butt' ? null : this.lineCap,
      'stroke-linejoin': this.lineJoin === 'miter' ? null : this.lineJoin,
      'stroke-miterlimit': this.lineJoin === 'miter' ? this.miterLimit : null,
      'stroke-dasharray': this.dashes.length
        ? this.dashes.map((dash) => written(dash * scale)).join(' ')
        : null,
    }
  }

  /** @param {string | SvgGradient} style @returns {[string, number | null]} */
  #ink(style) {
    if (style instanceof SvgGradient) return [`url(#${style.id})`, this.#opacity]
    const [color, alpha] = resolveColor(style)
    const opacity = alpha * this.globalAlpha
    return [hex(color), opacity < 1 ? opacity : null]
  }

  /** @param {Outline} outline */
  #moved({ matrix }) {
    return { transform: matrix && !matrix.isIdentity ? transformOf(matrix) : null }
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  #rect(x, y, width, height) {
    const { a, b, c, d, e, f } = this.matrix
    if (b !== 0 || c !== 0 || a <= 0 || d <= 0 || a !== d)
      return { x, y, width, height, transform: transformOf(this.matrix) }
    const place = { x: a * x + e, y: d * y + f, width: a * width, height: d * height }
    return { ...place, transform: null }
  }
}
