/** Pictures of what a view or an exhibit shows, for papers, slides and reports. */
import { composite, luminance } from '../views/color.js'
import { resolveColor } from '../views/css-color.js'
import { backdrop } from '../views/theme.js'
import { toPng } from './png.js'
import { around, emptyBands, holds, Place } from './place.js'
import { Slices } from './slices.js'
import { toSvg } from './svg-document.js'
import { LEFT_OUT } from './visible.js'
import { Walk } from './walk.js'

/**
 * @import { Item } from './layers.js'
 * @typedef {object} PictureOptions
 * @property {'png' | 'svg'} kind
 * @property {number} [scale]  pixels of a PNG to a CSS pixel, 2 unless told; less where a browser's canvases hold no more
 * @property {string | null} [background]  a CSS colour; what the page has behind the element unless told, null for none
 * @property {string} [leaveOut]  selector of what is not pictured; controls and what is there for the ear unless told
 * @property {string} [title]  of an SVG; the name of the element or of the first figure in it unless told
 * @property {string} [description]  of an SVG, instead of what the figures in it say of themselves
 */

/** Of a dark page without a background, as browsers paint it. */
const DARK_GROUND = 'rgb(18, 18, 18)'
/** From this luminance on text is made for a dark page. */
const LIGHT_TEXT = 0.35

/**
 * A picture of what an element of the page shows: its text, boxes, charts and canvases, without controls, cut to its
 * content. A PNG has the page's pixels, sharper; an SVG has shapes and text that can be edited, and a text alternative.
 *
 * @param {Element} element in a page
 * @param {PictureOptions} options
 * @returns {Promise<Blob>}
 * @throws {TypeError | RangeError | Error} in words that may be shown: what is wrong with the options, that there is
 *   nothing to see, or that the browser gives no canvas as large as the picture
 */
export async function pictureOf(element, options) {
  const { kind, scale = 2, background, leaveOut = LEFT_OUT } = options
  if (element?.nodeType !== 1) throw new TypeError('element: expected an element of the page')
  if (kind !== 'png' && kind !== 'svg') {
    throw new TypeError(`kind: expected 'png' or 'svg', got ${String(kind)}`)
  }
  if (!(scale > 0 && Number.isFinite(scale))) {
    throw new RangeError(`scale: expected a number above 0, got ${String(scale)}`)
  }
  const slices = new Slices()
  const drawing = await drawingOf(element, leaveOut, slices)
  const ground = background === undefined ? groundOf(element) : background
  return kind === 'png'
    ? toPng(drawing, { scale, ground, slices })
    : toSvg(drawing, { ground, slices, ...wordsOf(element, options) })
}

/**
 * @typedef {{ items: readonly Item[], placed: (pixels: number) => Place }} Drawing
 *   `placed`: where things lie in a picture of so many pixels to a CSS pixel
 *
 * @param {Element} element
 * @param {string} leaveOut
 * @param {Slices} slices
 * @returns {Promise<Drawing>}
 */
export async function drawingOf(element, leaveOut, slices) {
  const walk = new Walk(element, leaveOut)
  walk.locate()
  const run = walk.run()
  while (!run.next().done) {
    if (await slices.breathe()) walk.locate()
  }
  const seen = walk.items.map((item) => ({ ...item, ...cut(item) })).filter(({ box }) => box.width > 0 && box.height > 0) // prettier-ignore
  if (seen.length === 0) throw new Error('there is nothing to be seen in the figure yet')
  const bounds = around(seen.map(({ box }) => box))
  // The ground of a whole figure reaches through what controls leave empty.
  const inks = seen.filter(
    ({ isInk, box }) => isInk || !walk.holes.some((hole) => holds(box, hole)),
  )
  const bands = emptyBands(
    inks.map(({ box }) => box),
    walk.holes,
  )
  return { items: seen, placed: (pixels) => new Place(bounds, bands, pixels) }
}

/**
 * What is left of an item where boxes around it cut it; a box that does not cut it is none to it.
 *
 * @param {Item} item
 * @returns {Pick<Item, 'box' | 'clip'>}
 */
function cut({ box, clip }) {
  let { left, top } = box
  let right = left + Math.max(box.width, 0.01)
  let bottom = top + Math.max(box.height, 0.01)
  let cutting = false
  for (let each = clip; each; each = each.outer) {
    const { box: room, radius } = each
    const [far, low] = [room.left + room.width, room.top + room.height]
    cutting ||=
      left < room.left + radius - 0.5 ||
      top < room.top + radius - 0.5 ||
      right > far - radius + 0.5 ||
      bottom > low - radius + 0.5
    left = Math.max(left, room.left)
    top = Math.max(top, room.top)
    right = Math.min(right, far)
    bottom = Math.min(bottom, low)
  }
  return {
    box: { left, top, width: right - left, height: bottom - top },
    clip: cutting ? clip : null,
  }
}

/** What the page has behind an element. @param {Element} element @returns {string} */
function groundOf(element) {
  const style = getComputedStyle(element)
  const [own, opacity] = resolveColor(style.backgroundColor)
  const behind = backdrop(element)
  if (behind) return `rgb(${composite(own, behind, opacity).join(', ')})`
  return luminance(resolveColor(style.color)[0]) > LIGHT_TEXT ? DARK_GROUND : 'rgb(255, 255, 255)'
}

/**
 * @param {Element} element
 * @param {PictureOptions} options
 * @returns {{ title: string, description: string }}
 */
function wordsOf(element, { title, description }) {
  const figures = [...figuresIn(element)]
  const named = [element, ...figures].map((each) => each.getAttribute('aria-label') ?? '')
  const told = figures.map((figure) => {
    const root = /** @type {ShadowRoot | Document} */ (figure.getRootNode())
    const words = root.getElementById(figure.getAttribute('aria-describedby') ?? '')?.textContent
    return [figure.getAttribute('aria-label'), words].filter(Boolean).join(': ')
  })
  return {
    title: title ?? named.find((name) => name !== '') ?? 'Figure',
    description: description ?? told.filter((words) => words !== '').join('\n'),
  }
}

/** Figures of views, also in shadow roots. @param {Element | ShadowRoot} root @returns {Generator<Element>} */
function* figuresIn(root) {
  if (root instanceof Element && root.shadowRoot) yield* figuresIn(root.shadowRoot)
  for (const child of root.children) {
    if (child.matches('figure[aria-label]')) yield child
    yield* figuresIn(child)
  }
}
