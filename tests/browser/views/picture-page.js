/**
 * What the specs of pictures share: a page under the strict policy, a figure on it, and pictures of it, decoded.
 */
import { expect } from '@playwright/test'
import { open, settle } from './support.js'

/**
 * @import { Page } from '@playwright/test'
 * @typedef {{ x: number, y: number, width: number, height: number }} Area  px
 * @typedef {{ width: number, height: number, at: (x: number, y: number) => number[], data: Uint8ClampedArray }} Bitmap
 */

/**
 * An element or a view alone on the page, found as `window.pictured`.
 *
 * @param {Page} page
 * @param {string} kind of a view, or an element's name
 * @param {object} [options] of a view
 */
export async function show(page, kind, options = {}) {
  await open(page, 'strict')
  await page.evaluate(async ([kind, options]) => {
    const main = /** @type {HTMLElement} */ (document.querySelector('main'))
    const views = await import(/** @type {string} */ ('/web/views/index.js'))
    const picture = await import(/** @type {string} */ ('/web/picture/index.js'))
    const isView = kind in views
    const pictured = document.createElement(isView ? 'div' : kind)
    main.replaceChildren(pictured)
    Object.assign(window, { picture, pictured })
    if (isView) Object.assign(window, { view: new views[kind](pictured, options) })
  }, /** @type {const} */ ([kind, options]))
  if (kind.includes('-')) {
    await page.waitForFunction(() => /** @type {any} */ (window).pictured.exhibit?.isReady)
  }
  await page.evaluate(() => document.fonts.ready)
  await settle(page)
}

/** The page's policy refused nothing. @param {Page} page */
export async function expectNoViolations(page) {
  expect(await page.evaluate(() => /** @type {any} */ (window).violations)).toEqual([])
}

/**
 * @param {Page} page
 * @param {object} [options] of `pictureOf`
 * @returns {Promise<Bitmap>}
 */
export async function takePng(page, options = {}) {
  const base64 = await page.evaluate(async (options) => {
    const { picture, pictured } = /** @type {any} */ (window)
    const blob = await picture.pictureOf(pictured, { kind: 'png', scale: 1, ...options })
    if (blob.type !== 'image/png') throw new Error(blob.type)
    const bytes = new Uint8Array(await blob.arrayBuffer())
    return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ''))
  }, options)
  return decode(page, base64)
}

/**
 * What the screen shows of an area of the page.
 *
 * @param {Page} page
 * @param {Area} area
 * @returns {Promise<Bitmap>}
 */
export async function takeScreen(page, area) {
  const png = await page.screenshot({ clip: area, fullPage: true })
  return decode(page, png.toString('base64'))
}

/** @param {Page} page @param {string} base64 a PNG @returns {Promise<Bitmap>} */
async function decode(page, base64) {
  const { width, height, pixels } = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const { width, height } = bitmap
    const canvas = new OffscreenCanvas(width, height)
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'))
    context.drawImage(bitmap, 0, 0)
    const { data } = context.getImageData(0, 0, width, height)
    let pixels = ''
    for (let start = 0; start < data.length; start += 32768) {
      pixels += String.fromCharCode(...data.subarray(start, start + 32768))
    }
    return { width, height, pixels: btoa(pixels) }
  }, base64)
  return bitmapOf(width, height, new Uint8ClampedArray(Buffer.from(pixels, 'base64')))
}

/** @param {number} width @param {number} height @param {Uint8ClampedArray} data @returns {Bitmap} */
function bitmapOf(width, height, data) {
  const at = (/** @type {number} */ x, /** @type {number} */ y) => {
    const start = 4 * (Math.floor(y) * width + Math.floor(x))
    return [...data.subarray(start, start + 3)]
  }
  return { width, height, at, data }
}

/**
 * The areas of some nodes within the pictured element, on the page and in its picture.
 *
 * @param {Page} page
 * @param {string} selector
 * @returns {Promise<{ screen: Area, picture: Area }[]>} whole pixels
 */
export function areasOf(page, selector) {
  return page.evaluate(async (selector) => {
    const { picture, pictured } = /** @type {any} */ (window)
    const place = await placeOf(picture, pictured)
    const origin = pictured.getBoundingClientRect()
    return nodesIn(pictured, selector).map((node) => {
      const { left, top, right, bottom } = node.getBoundingClientRect()
      const [x, y] = [Math.round(left), Math.round(top)]
      const size = { width: Math.round(right) - x, height: Math.round(bottom) - y }
      return {
        screen: { x: x + scrollX, y: y + scrollY, ...size },
        picture: {
          x: place.x(x - Math.floor(origin.left)),
          y: place.y(y - Math.floor(origin.top)),
          ...size,
        },
      }
    })

    /** @param {any} picture @param {Element} element */
    async function placeOf(picture, element) {
      const { LEFT_OUT } = await import(/** @type {string} */ ('/web/picture/visible.js'))
      const { Slices } = await import(/** @type {string} */ ('/web/picture/slices.js'))
      return (await picture.drawingOf(element, LEFT_OUT, new Slices())).placed(1)
    }

    /** @param {Element | ShadowRoot} root @param {string} selector @returns {Element[]} */
    function nodesIn(root, selector) {
      const inner = root instanceof Element ? root.shadowRoot : null
      return [
        ...(inner ? nodesIn(inner, selector) : []),
        ...[...root.children].flatMap((child) => [
          ...(child.matches(selector) ? [child] : []),
          ...nodesIn(child, selector),
        ]),
      ]
    }
  }, selector)
}

/**
 * How far a picture is from what the screen shows, in an area of both.
 *
 * @param {Bitmap} screen of just the area
 * @param {Bitmap} picture
 * @param {Area} area in the picture
 * @returns {{ mean: number, changed: number }} of the channels' bytes; the share of pixels that differ by more than 32
 */
export function difference(screen, picture, area) {
  let [sum, changed] = [0, 0]
  for (let y = 0; y < screen.height; y++) {
    for (let x = 0; x < screen.width; x++) {
      const here = 4 * (y * screen.width + x)
      const there = 4 * ((area.y + y) * picture.width + area.x + x)
      let most = 0
      for (let channel = 0; channel < 3; channel++) {
        const away = Math.abs(screen.data[here + channel] - picture.data[there + channel])
        sum += away
        most = Math.max(most, away)
      }
      if (most > 32) changed++
    }
  }
  const pixels = screen.width * screen.height
  return { mean: sum / pixels / 3, changed: changed / pixels }
}

/** @param {Page} page @param {object} [options] of `pictureOf` @returns {Promise<string>} */
export function takeSvg(page, options = {}) {
  return page.evaluate(async (options) => {
    const { picture, pictured } = /** @type {any} */ (window)
    const blob = await picture.pictureOf(pictured, { kind: 'svg', ...options })
    if (blob.type !== 'image/svg+xml') throw new Error(blob.type)
    return blob.text()
  }, options)
}
