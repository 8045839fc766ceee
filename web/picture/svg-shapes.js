/** Drawing the SVG that stands in a page, such as charts: shapes and text as computed styles have them. */
import { extentOf } from './text-paint.js'
import { isHidden } from './visible.js'
import { setTextStyle, textStyle } from './text-lines.js'

/**
 * @import { Box } from '../views/dom.js'
 * @import { TextStyle } from './text-lines.js'
 * @typedef {CanvasRenderingContext2D & { outline?: (d: string) => any }} Context
 * @typedef {{ box: Box, paint: (context: Context) => void }} Drawing  `box`: px of the window; `paint` draws in
 *   px from the left top corner of the outermost `svg`
 */

const SHAPES = 'path, rect, circle, ellipse, line, polyline, polygon'
/** What is not drawn where it stands. */
const ASIDE = 'defs, clipPath, mask, marker, symbol, pattern, linearGradient, radialGradient, title, desc' // prettier-ignore

/**
 * @param {SVGSVGElement} svg
 * @param {Box} origin of it in the window
 * @param {number} opacity
 * @returns {Drawing[]} in the order in which they are painted
 */
export function drawingsOf(svg, origin, opacity) {
  /** @type {Drawing[]} */
  const drawings = []
  const visit = (/** @type {Element} */ element, /** @type {number} */ alpha) => {
    if (element.matches(ASIDE)) return
    const style = getComputedStyle(element)
    if (style.display === 'none') return
    const own = alpha * Number(style.opacity)
    const isSeen = own > 0 && !isHidden(style)
    const isText = element instanceof SVGTextContentElement
    if (isSeen && element instanceof SVGGeometryElement && element.matches(SHAPES)) {
      drawings.push(shape(element, style, origin, own))
    } else if (isSeen && isText) drawings.push(...texts(element, style, origin, own))
    for (const child of element.children) visit(child, own)
  }
  for (const child of svg.children) visit(child, opacity)
  return drawings
}

/** @param {SVGGraphicsElement} element @param {Box} origin @returns {DOMMatrix} from its units to those of `origin` */
function matrixOf(element, { left, top }) {
  const { a, b, c, d, e, f } = element.getScreenCTM() ?? new DOMMatrix()
  return new DOMMatrix([a, b, c, d, e - left, f - top])
}

/** @param {SVGGeometryElement} element @param {CSSStyleDeclaration} style @param {Box} origin @param {number} opacity @returns {Drawing} */
function shape(element, style, origin, opacity) {
  const matrix = matrixOf(element, origin)
  const d = pathOf(element, style)
  const look = lookOf(style, opacity)
  const { left, top, width, height } = element.getBoundingClientRect()
  const half = look.lineWidth / 2
  return {
    box: { left: left - half, top: top - half, width: width + 2 * half, height: height + 2 * half },
    paint: (context) => {
      context.save()
      context.transform(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
      const path = context.outline ? context.outline(d) : new Path2D(d)
      const rule = style.fillRule === 'evenodd' ? 'evenodd' : 'nonzero'
      if (setFill(context, look)) context.fill(path, rule)
      const size = Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c)) || 1
      const scale = style.vectorEffect === 'non-scaling-stroke' ? 1 / size : 1
      if (setStroke(context, look, scale)) context.stroke(path)
      context.restore()
    },
  }
}

/** @param {CSSStyleDeclaration} style @param {number} opacity */
function lookOf(style, opacity) {
  return {
    fill: style.fill,
    stroke: style.stroke,
    fillOpacity: opacity * Number(style.fillOpacity),
    strokeOpacity: opacity * Number(style.strokeOpacity),
    lineWidth: style.stroke === 'none' ? 0 : parseFloat(style.strokeWidth),
    lineCap: /** @type {CanvasLineCap} */ (style.strokeLinecap),
    lineJoin: /** @type {CanvasLineJoin} */ (style.strokeLinejoin),
    miterLimit: Number(style.strokeMiterlimit),
    dashes: style.strokeDasharray === 'none' ? [] : style.strokeDasharray.split(/[ ,]+/).map(parseFloat), // prettier-ignore
    isStrokeFirst: style.paintOrder.startsWith('stroke'),
  }
}

/** @param {Context} context @param {ReturnType<typeof lookOf>} look @returns {boolean} whether there is a fill */
function setFill(context, look) {
  if (look.fill === 'none' || look.fill.startsWith('url(') || look.fillOpacity === 0) return false
  context.fillStyle = look.fill
  context.globalAlpha = look.fillOpacity
  return true
}

/** @param {Context} context @param {ReturnType<typeof lookOf>} look @param {number} scale of widths */
function setStroke(context, look, scale) {
  if (look.stroke === 'none' || look.lineWidth === 0 || look.strokeOpacity === 0) return false
  context.strokeStyle = look.stroke
  context.globalAlpha = look.strokeOpacity
  context.lineWidth = look.lineWidth * scale
  context.lineCap = look.lineCap
  context.lineJoin = look.lineJoin
  context.miterLimit = look.miterLimit
  context.setLineDash(look.dashes.map((dash) => dash * scale))
  return true
}

/** @param {SVGGeometryElement} element @param {CSSStyleDeclaration} style @returns {string} */
function pathOf(element, style) {
  const number = (/** @type {string} */ name) => {
    const length = Reflect.get(element, name)
    return length instanceof SVGAnimatedLength ? length.baseVal.value : 0
  }
  switch (element.localName) {
    case 'path':
      return element.getAttribute('d') ?? ''
    case 'rect': {
      const [x, y, width, height] = ['x', 'y', 'width', 'height'].map(number)
      const radius = Math.min(parseFloat(style.rx) || parseFloat(style.ry) || 0, width / 2, height / 2) // prettier-ignore
      if (radius === 0) return `M${x} ${y}h${width}v${height}h${-width}Z`
      const arc = (/** @type {number} */ dx, /** @type {number} */ dy) =>
        `a${radius} ${radius} 0 0 1 ${dx * radius} ${dy * radius}`
      const [across, down] = [width - 2 * radius, height - 2 * radius]
      return `M${x + radius} ${y}h${across}${arc(1, 1)}v${down}${arc(-1, 1)}h${-across}${arc(-1, -1)}v${-down}${arc(1, -1)}Z`
    }
    case 'circle':
    case 'ellipse': {
      const [cx, cy] = ['cx', 'cy'].map(number)
      const [rx, ry] = element.localName === 'circle' ? [number('r'), number('r')] : ['rx', 'ry'].map(number) // prettier-ignore
      const half = (/** @type {number} */ dx) => `a${rx} ${ry} 0 0 1 ${dx} 0`
      return `M${cx - rx} ${cy}${half(2 * rx)}${half(-2 * rx)}Z`
    }
    case 'line': {
      const [x1, y1, x2, y2] = ['x1', 'y1', 'x2', 'y2'].map(number)
      return `M${x1} ${y1}L${x2} ${y2}`
    }
    default: {
      const points = Array.from(/** @type {SVGPolylineElement} */ (element).points)
      const line = points.map(({ x, y }) => `${x} ${y}`).join('L')
      return line && `M${line}${element.localName === 'polygon' ? 'Z' : ''}`
    }
  }
}

/**
 * The text that stands in an element itself, each of its text nodes where its first letter is.
 *
 * @param {SVGTextContentElement} element @param {CSSStyleDeclaration} style @param {Box} origin @param {number} opacity
 * @returns {Drawing[]}
 */
function texts(element, style, origin, opacity) {
  const matrix = matrixOf(element, origin)
  const look = lookOf(style, opacity)
  const text = textStyle(style, 1)
  let letter = 0
  return [...element.childNodes].flatMap((node) => {
    if (!(node instanceof Text)) return []
    const first = letter
    letter += node.data.length
    const words = node.data.trim()
    if (words === '') return []
    if (first >= element.getNumberOfChars()) return []
    const { x, y } = element.getStartPositionOfChar(first)
    const angle = (element.getRotationOfChar(first) * Math.PI) / 180
    const range = document.createRange()
    range.selectNode(node)
    const { left, top, width, height } = range.getBoundingClientRect()
    return {
      box: { left, top, width, height },
      paint: (/** @type {Context} */ context) => {
        context.save()
        context.transform(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
        context.translate(x, y)
        if (angle !== 0) context.rotate(angle)
        setTextStyle(context, text)
        const down = baselineOf(style, text)
        const stroke = () => setStroke(context, look, 1) && context.strokeText(words, 0, down)
        if (look.isStrokeFirst) stroke()
        if (setFill(context, look)) context.fillText(words, 0, down)
        if (!look.isStrokeFirst) stroke()
        context.restore()
      },
    }
  })
}

/**
 * How far letters stand below the place that the document tells of them.
 *
 * @param {CSSStyleDeclaration} style
 * @param {TextStyle} text
 */
function baselineOf({ dominantBaseline }, text) {
  const { ascent, descent } = extentOf(text)
  if (dominantBaseline === 'central' || dominantBaseline === 'middle') return (ascent - descent) / 2
  return /hanging|before-edge|text-top/.test(dominantBaseline) ? ascent : 0
}
