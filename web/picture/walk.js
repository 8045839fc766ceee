/** From the page's visible nodes to a list of things to paint. */
import { paintOf } from '../views/repaint.js'
import { boxLook, paintBox, reachOf } from './box-paint.js'
import { pixels } from './css-values.js'
import { flattened, placedIn } from './layers.js'
import { mathMark } from './math-marks.js'
import { pseudoOf } from './pseudo.js'
import { drawingsOf } from './svg-shapes.js'
import { linesOf, textStyle } from './text-lines.js'
import { lineIn, paintLine } from './text-paint.js'
import { childrenOf, isAbsent, isHidden } from './visible.js'

/**
 * @import { Box } from '../views/dom.js'
 * @import { Clip, Item, Layer } from './layers.js'
 * @import { Piece } from './text-lines.js'
 * @import { Decoration, TextLook } from './text-paint.js'
 *
 * @typedef {object} Inherited
 * @property {Layer} layer
 * @property {Clip | null} clip
 * @property {number} opacity
 * @property {number} angle  of the writing, radians
 * @property {number} scale  of its size
 * @property {readonly Decoration[]} decorations
 */

export class Walk {
  /** @type {Layer} */
  #base = { level: 0, grounds: [], inks: [], placed: [] }
  /** Where something was left out. @type {Box[]} */
  holes = []
  #root
  #leaveOut
  #origin = { left: 0, top: 0 }

  /** @param {Element} root @param {string} leaveOut selector */
  constructor(root, leaveOut) {
    this.#root = root
    this.#leaveOut = leaveOut
  }

  /** The pictured element may have moved, as by scrolling. */
  locate() {
    const { left, top } = this.#root.getBoundingClientRect()
    // Fractions stay: edges then fall on the same pixels as in the page.
    this.#origin = { left: Math.floor(left), top: Math.floor(top) }
  }

  /** Element by element: between two of them a caller may wait. @returns {Generator<void>} */
  *run() {
    /** @type {Inherited} */
    const plain = {
      ...{ layer: this.#base, clip: null, opacity: 1 },
      ...{ angle: 0, scale: 1, decorations: [] },
    }
    yield* this.#visit(this.#root, getComputedStyle(this.#root), plain)
  }

  /** In the order in which they are painted. @returns {Item[]} */
  get items() {
    return flattened(this.#base)
  }

  /**
   * @param {Element} element @param {CSSStyleDeclaration} style @param {Inherited} inherited
   * @returns {Generator<void>}
   */
  *#visit(element, style, inherited) {
    if (isAbsent(element, style)) return
    if (element !== this.#root && this.#isLeftOut(element)) {
      this.holes.push(this.#boxOf(element.getBoundingClientRect()))
      return
    }
    yield
    const within = this.#inherit(style, inherited)
    const isBox = style.display !== 'contents'
    if (isBox && !isHidden(style)) this.#addBoxes(element, style, within)
    if (element instanceof SVGSVGElement) return this.#addDrawings(element, within)
    if (element instanceof HTMLInputElement) return this.#addValue(element, style, within)
    if (element instanceof HTMLCanvasElement) return this.#addCanvas(element, style, within)
    const inner = isBox ? this.#clipped(element, style, within) : within
    this.#addPseudo(element, style, '::before', inner)
    for (const node of childrenOf(element)) {
      if (node instanceof Text && !isHidden(style)) this.#addText(node, style, inner)
      else if (node instanceof Element) yield* this.#visit(node, getComputedStyle(node), inner)
    }
    this.#addPseudo(element, style, '::after', inner)
  }

  /** @param {Element} element */
  #isLeftOut(element) {
    return element.matches(this.#leaveOut) && element.getAttribute('data-picture') !== 'shown'
  }

  /** @param {Box} rect px of the window @returns {Box} */
  #boxOf({ left, top, width, height }) {
    const origin = this.#origin
    return { left: left - origin.left, top: top - origin.top, width, height }
  }

  /** @param {CSSStyleDeclaration} style @param {Inherited} inherited @returns {Inherited} */
  #inherit(style, { layer, clip, opacity, angle, scale, decorations }) {
    const transform = new DOMMatrix(style.transform === 'none' ? undefined : style.transform)
    const turned = style.rotate === 'none' ? 0 : (parseFloat(style.rotate) * Math.PI) / 180
    const line = /underline|line-through/.exec(style.textDecorationLine)?.[0]
    const color = style.textDecorationColor
    return {
      layer:
        style.position === 'static' && opacity * Number(style.opacity) === opacity
          ? layer
          : placedIn(layer, style),
      clip,
      opacity: opacity * Number(style.opacity),
      angle: angle + turned + Math.atan2(transform.b, transform.a),
      scale: scale * Math.hypot(transform.a, transform.b),
      decorations: line
        ? [...decorations, { line: /** @type {Decoration['line']} */ (line), color }]
        : decorations,
    }
  }

  /** What cuts an element's content. @param {Element} element @param {CSSStyleDeclaration} style @param {Inherited} within @returns {Inherited} */
  #clipped(element, style, within) {
    const isCut = style.overflowX !== 'visible' || style.overflowY !== 'visible'
    if (!isCut || style.display === 'inline') return within
    const rect = element.getBoundingClientRect()
    const [up, right, down, left] = ['Top', 'Right', 'Bottom', 'Left'].map((side) =>
      pixels(String(Reflect.get(style, `border${side}Width`))),
    )
    const box = {
      ...{ left: rect.left + left, top: rect.top + up },
      ...{ width: rect.width - left - right, height: rect.height - up - down },
    }
    const isElided = style.textOverflow === 'ellipsis'
    const clip = {
      box: this.#boxOf(box),
      radius: Math.max(0, pixels(style.borderTopLeftRadius) - left),
      outer: within.clip,
      ellipsis: isElided ? box.left + box.width - pixels(style.paddingRight) : undefined,
    }
    return { ...within, clip }
  }

  /** @param {Box} rect px of the window @param {Inherited} within @param {Item['paint']} paint @param {boolean} [isInk] @param {boolean} [isGround] */
  #add(rect, { layer, clip, opacity }, paint, isInk = true, isGround = false) {
    const box = this.#boxOf(rect)
    const item = { box, isInk, clip, opacity, paint }
    if (isGround) layer.grounds.push(item)
    else layer.inks.push(item)
  }

  /** @param {Element} element @param {CSSStyleDeclaration} style @param {Inherited} within */
  #addBoxes(element, style, within) {
    const mark = mathMark(element, style)
    if (mark) {
      const own = this.#boxOf(mark.box)
      this.#add(mark.box, within, (context, place) => mark.paint(context, place.box(own)))
    }
    const look = boxLook(style)
    if (!look) return
    const isInline = style.display === 'inline'
    const rects = isInline ? element.getClientRects() : [element.getBoundingClientRect()]
    const reach = reachOf(look)
    const isInk = element.childNodes.length === 0 && !element.shadowRoot
    for (const rect of rects) {
      const own = this.#boxOf(rect)
      const box = {
        ...{ left: rect.left - reach, top: rect.top - reach },
        ...{ width: rect.width + 2 * reach, height: rect.height + 2 * reach },
      }
      this.#add(
        box,
        within,
        (context, place) => paintBox(context, look, own, place),
        isInk,
        !isInline,
      )
    }
  }

  /** @param {SVGSVGElement} svg @param {Inherited} within */
  #addDrawings(svg, within) {
    const rect = svg.getBoundingClientRect()
    const own = this.#boxOf(rect)
    for (const { box, paint } of drawingsOf(svg, rect, within.opacity)) {
      this.#add(box, { ...within, opacity: 1 }, (context, place) => {
        const { left, top } = place.box(own)
        context.save()
        context.translate(left, top)
        paint(context)
        context.restore()
      })
    }
  }

  /** @param {HTMLCanvasElement} canvas @param {CSSStyleDeclaration} style @param {Inherited} within */
  #addCanvas(canvas, style, within) {
    const rect = canvas.getBoundingClientRect()
    if (isHidden(style) || canvas.width * canvas.height * rect.width * rect.height === 0) return
    const own = this.#boxOf(rect)
    this.#add(rect, within, (context, place) => {
      const { left, top, width, height } = place.box(own)
      const size = { width: canvas.offsetWidth, height: canvas.offsetHeight }
      context.save()
      context.translate(left, top)
      context.scale(rect.width / size.width, rect.height / size.height)
      const paint = paintOf(canvas)
      const isPainted = paint !== undefined && paint(context, size) !== false
      context.restore()
      if (isPainted) return
      context.imageSmoothingEnabled = style.imageRendering !== 'pixelated'
      context.drawImage(canvas, left, top, width, height)
    })
  }

  /** @param {Text} node @param {CSSStyleDeclaration} style of the element around it @param {Inherited} within */
  #addText(node, style, within) {
    const isVertical = style.writingMode.startsWith('vertical')
    const angle = within.angle + (isVertical ? Math.PI / 2 : 0)
    const look = { ...lookOf(style, within), decorations: within.decorations }
    if (Math.abs(Math.sin(angle / 2)) > 1e-3) look.angle = angle
    for (const line of linesOf(node, look.style, within.clip?.ellipsis)) {
      const own = { ...line, ...this.#boxOf(line) }
      own.pieces = line.pieces.map((piece) => ({ ...piece, ...this.#boxOf(piece) }))
      this.#add(line, within, (context, place) => paintLine(context, own, look, place))
    }
  }

  /** @param {Element} element @param {CSSStyleDeclaration} style @param {'::before' | '::after'} which @param {Inherited} within */
  #addPseudo(element, style, which, within) {
    const pseudo = pseudoOf(element, style, which)
    if (!pseudo || isHidden(pseudo.style)) return
    const own = this.#boxOf(pseudo.box)
    const box = boxLook(pseudo.style)
    if (box) this.#add(pseudo.box, within, (context, place) => paintBox(context, box, own, place))
    if (pseudo.text === '') return
    this.#addLine({ text: pseudo.text, ...pseudo.box }, lookOf(pseudo.style, within), within)
  }

  /** What is typed in. @param {HTMLInputElement} input @param {CSSStyleDeclaration} style @param {Inherited} within */
  #addValue(input, style, within) {
    if (isHidden(style) || input.value === '') return
    const look = lookOf(style, within)
    const box = lineIn(input.getBoundingClientRect(), style, look.style, input.value)
    this.#addLine({ text: input.value, ...box }, look, within)
  }

  /** A line that no text node stands for. @param {Piece} line px of the window @param {TextLook} look @param {Inherited} within */
  #addLine(line, look, within) {
    const own = { ...line, ...this.#boxOf(line) }
    const whole = { ...own, pieces: [own] }
    this.#add(line, within, (context, place) => paintLine(context, whole, look, place))
  }
}

/** @param {CSSStyleDeclaration} style @param {Inherited} within @returns {TextLook} */
function lookOf(style, { scale }) {
  return {
    style: textStyle(style, scale),
    color: style.webkitTextFillColor,
    shadow: style.textShadow,
    decorations: [],
    angle: 0,
  }
}
