/** Where the browser has put the words of a text node. */
import { transformed } from './letter-case.js'
import { textRuler } from './svg-font.js'

/**
 * @typedef {{ text: string, left: number, top: number, width: number, height: number }} Piece  px of the window
 * @typedef {Piece & { pieces: Piece[] }} Line  `pieces`: the same, in parts that a canvas sets as the page does
 * @typedef {object} TextStyle
 * @property {string} font  as a canvas takes it
 * @property {string} letterSpacing
 * @property {string} caps
 * @property {string} transform
 * @property {boolean} isPreformatted
 */

/** Scripts whose letters stand one beside the other. */
const SEPARATE = /^[\p{Script=Latin}\p{Script=Greek}\p{N}\p{P}\p{S}\s]*$/u

/** @type {Intl.Segmenter | null} */
let segmenter = null

/** @param {string} text */
function graphemesOf(text) {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return [...segmenter.segment(text)]
}

/**
 * @param {CSSStyleDeclaration} style computed
 * @param {number} scale of the text's size
 * @returns {TextStyle}
 */
export function textStyle(style, scale) {
  const size = `${parseFloat(style.fontSize) * scale}px`
  return {
    font: `${style.fontStyle} ${style.fontWeight} ${size} ${style.fontFamily}`,
    letterSpacing: style.letterSpacing === 'normal' ? '0px' : style.letterSpacing,
    caps: style.fontVariantCaps,
    transform: style.textTransform,
    isPreformatted: style.whiteSpace.startsWith('pre') || style.whiteSpace === 'break-spaces',
  }
}

/** @param {CanvasRenderingContext2D} context @param {TextStyle} style */
export function setTextStyle(context, { font, letterSpacing, caps }) {
  context.font = font
  context.letterSpacing = letterSpacing
  context.fontVariantCaps = /** @type {CanvasFontVariantCaps} */ (caps)
  context.textAlign = 'left'
  context.textBaseline = 'alphabetic'
}

/**
 * @param {Text} node
 * @param {TextStyle} style
 * @param {number} [end] right edge, where an ellipsis takes the place of what goes beyond
 * @returns {Line[]}
 */
export function linesOf(node, style, end = Infinity) {
  const { data } = node
  const range = node.ownerDocument.createRange()
  const boxes = (/** @type {number} */ from, /** @type {number} */ to) => {
    range.setStart(node, from)
    range.setEnd(node, to)
    return linesIn([...range.getClientRects()].filter((rect) => rect.width > 0 && rect.height > 0))
  }
  const first = data.search(/\S/)
  if (first < 0) return []
  const last = data.trimEnd().length
  /** @type {[number, number][]} */
  let parts = [[first, last]]
  if (boxes(first, last).length > 1 || data.slice(first, last).includes('\n')) {
    parts = splitLines(data, first, last, boxes)
  }
  return parts.flatMap(([from, to]) => {
    const all = boxes(from, to)
    if (all.length === 0) return []
    const cut = all[0].right > end + 0.5 ? cutAt(from, to, end, style, boxes) : to
    const box = cut < to ? boxes(from, Math.max(cut, from + 1))[0] : all[0]
    const text = written(data.slice(from, cut), style) + (cut < to ? '…' : '')
    const { left, top, height } = box
    const width = cut < to ? end - left : box.width
    const line = { text, left, top, width, height }
    return [{ ...line, pieces: cut < to ? [line] : piecesOf(line, data, from, to, style, boxes) }]
  })
}

/** @typedef {(from: number, to: number) => DOMRect[]} Boxes  of each line */

/** Whether two boxes are of one line. @param {DOMRect} a @param {DOMRect} b */
function isLevel(a, b) {
  return Math.abs(a.top - b.top) < a.height / 2
}

/**
 * A line that runs in both directions has a box for each part; they are set together, as a canvas does it.
 *
 * @param {DOMRect[]} rects
 * @returns {DOMRect[]}
 */
function linesIn(rects) {
  /** @type {DOMRect[]} */
  const lines = []
  for (const rect of rects) {
    const last = lines[lines.length - 1]
    if (!last || !isLevel(rect, last)) {
      lines.push(rect)
      continue
    }
    const [left, right] = [Math.min(last.left, rect.left), Math.max(last.right, rect.right)]
    lines[lines.length - 1] = new DOMRect(left, last.top, right - left, last.height)
  }
  return lines
}

/**
 * @param {string} data @param {number} first @param {number} last @param {Boxes} boxes
 * @returns {[number, number][]} of each line
 */
function splitLines(data, first, last, boxes) {
  /** @type {[number, number][]} */
  const lines = []
  /** @type {DOMRect | null} */
  let before = null
  const add = (
    /** @type {number} */ from,
    /** @type {number} */ to,
    /** @type {DOMRect} */ box,
  ) => {
    if (before && isLevel(box, before)) lines[lines.length - 1][1] = to
    else lines.push([from, to])
    before = box
  }
  for (const { 0: word, index } of data.slice(first, last).matchAll(/\S+/g)) {
    const from = first + index
    const all = boxes(from, from + word.length)
    if (all.length === 1) add(from, from + word.length, all[0])
    if (all.length < 2) continue
    // A word that is broken.
    for (const { segment, index: place } of graphemesOf(word)) {
      const [box] = boxes(from + place, from + place + segment.length)
      if (box) add(from + place, from + place + segment.length, box)
    }
  }
  return lines
}

/** @param {number} from @param {number} to @param {number} end @param {TextStyle} style @param {Boxes} boxes @returns {number} */
function cutAt(from, to, end, style, boxes) {
  const ruler = textRuler()
  setTextStyle(ruler, style)
  const room = end - ruler.measureText('…').width
  let fits = from
  for (let next = from + 1; next <= to; next++) {
    const [box] = boxes(next - 1, next)
    if (box && box.right > room) break
    fits = next
  }
  return fits
}

/** @param {string} text @param {TextStyle} style */
function written(text, { transform, isPreformatted }) {
  return transformed(isPreformatted ? text : text.replace(/\s+/g, ' '), transform)
}

/**
 * A canvas knows no figures of one width and no spacing of words: where its line would be longer or shorter than the
 * page's, each word is set by itself, and if need be each letter.
 *
 * @param {Piece} line @param {string} data @param {number} from @param {number} to
 * @param {TextStyle} style @param {Boxes} boxes
 * @returns {Piece[]}
 */
function piecesOf(line, data, from, to, style, boxes) {
  const isUpright = line.width >= line.height || line.text.length < 2
  if (!isUpright || isAsWide(line, style)) return [line]
  return [...data.slice(from, to).matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
    const start = from + index
    const [box] = boxes(start, start + word.length)
    if (!box) return []
    const { left, top, width, height } = box
    const piece = { text: written(word, style), left, top, width, height }
    if (isAsWide(piece, style) || !SEPARATE.test(word)) return [piece]
    return graphemesOf(word).flatMap(({ segment, index: place }) => {
      const [letter] = boxes(start + place, start + place + segment.length)
      if (!letter) return []
      const text = written(segment, style)
      const slack = letter.width - measured(text, style)
      return [{ text, left: letter.left + slack / 2, top, width: letter.width - slack, height }]
    })
  })
}

/** @param {string} text @param {TextStyle} style */
function measured(text, style) {
  const ruler = textRuler()
  setTextStyle(ruler, style)
  return ruler.measureText(text).width
}

/** @param {Piece} piece @param {TextStyle} style */
function isAsWide({ text, width }, style) {
  return Math.abs(measured(text, style) - width) <= 0.3
}
