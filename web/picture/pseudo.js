/** What style sheets put before and after an element's content: no node stands for it in the page. */
import { pixels } from './css-values.js'
import { textRuler } from './svg-font.js'
import { setTextStyle, textStyle } from './text-lines.js'
import { extentOf } from './text-paint.js'

/**
 * @import { Box } from '../views/dom.js'
 * @typedef {{ style: CSSStyleDeclaration, text: string, box: Box }} Pseudo  `box`: px of the window
 */

/**
 * Those that can be placed: positioned ones by their offsets, others beside the first or last text.
 *
 * @param {Element} element
 * @param {CSSStyleDeclaration} own its style
 * @param {'::before' | '::after'} which
 * @returns {Pseudo | null}
 */
export function pseudoOf(element, own, which) {
  const style = getComputedStyle(element, which)
  if (/^(none|normal)$/.test(style.content) || style.display === 'none') return null
  const text = /^"((?:[^"\\]|\\.)*)"/.exec(style.content)?.[1].replace(/\\(.)/g, '$1') ?? ''
  const rect = element.getBoundingClientRect()
  const look = textStyle(style, 1)
  const ruler = textRuler()
  setTextStyle(ruler, look)
  const { ascent, descent } = extentOf(look)
  const words = { width: ruler.measureText(text).width, height: ascent + descent }
  if (style.position === 'absolute' && own.position !== 'static') {
    const left = rect.left + pixels(own.borderLeftWidth) + pixels(style.left)
    const top = rect.top + pixels(own.borderTopWidth) + pixels(style.top)
    const around = (/** @type {string[]} */ ...names) =>
      names.reduce((sum, name) => sum + pixels(String(Reflect.get(style, name))), 0)
    const isWhole = style.boxSizing === 'border-box'
    const width = pixels(style.width) + (isWhole ? 0 : around('paddingLeft', 'paddingRight', 'borderLeftWidth', 'borderRightWidth')) // prettier-ignore
    const height = pixels(style.height) + (isWhole ? 0 : around('paddingTop', 'paddingBottom', 'borderTopWidth', 'borderBottomWidth')) // prettier-ignore
    if (text === '') return { style, text, box: { left, top, width, height } }
    const isCentred = style.textAlign === 'center'
    const x = left + (isCentred ? (width - words.width) / 2 : 0)
    return { style, text, box: { left: x, top: top + (height - words.height) / 2, ...words } }
  }
  if (style.position !== 'static') return null
  const range = element.ownerDocument.createRange()
  range.selectNodeContents(element)
  const rects = [...range.getClientRects()].filter(({ width }) => width > 0)
  const beside = which === '::before' ? rects[0] : rects[rects.length - 1]
  if (!beside) return null
  const isBox = text === '' && style.display === 'inline-block'
  const { width, height } = isBox
    ? { width: pixels(style.width), height: pixels(style.height) }
    : words
  const left =
    which === '::before'
      ? beside.left - pixels(style.marginRight) - width
      : beside.right + pixels(style.marginLeft)
  // An empty box stands on the line that letters stand on.
  const bottom = beside.bottom - (beside.height - ascent - descent) / 2 - (isBox ? descent : 0)
  return { style, text, box: { left, top: bottom - height, width, height } }
}
