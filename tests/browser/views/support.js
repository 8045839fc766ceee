/**
 * What the specs of the views share. Views under test hang on `window.view`, their container is #figure.
 */
import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'

/** @import { Locator, Page } from '@playwright/test' */

const file = new URL('../../golden/attention_cube.json', import.meta.url)
/** @type {{ heads: Record<string, { attention: { data: number[], shape: number[] } }> }} */
export const golden = JSON.parse(readFileSync(file, 'utf8'))

/** The views. */
export const kinds = /** @type {const} */ ([
  'Heatmap',
  'HeadGrid',
  'AttentionCube',
  'AttentionLines',
])

/** Two words that are the same are two tokens. */
export const words = 'The animal did not cross the street because it was too tired'.split(' ')

/**
 * Opens an empty page and fails the test on anything that goes wrong on it.
 *
 * @param {Page} page
 * @param {string} [name]
 */
export async function open(page, name = 'blank') {
  page.on('pageerror', (error) => {
    throw error
  })
  page.on('console', (message) => {
    if (message.type() === 'error') throw new Error(`console: ${message.text()}`)
  })
  await page.goto(`/tests/browser/pages/${name}.html`)
}

/**
 * Builds a view in #figure.
 *
 * @param {Page} page
 * @param {typeof kinds[number]} kind
 * @param {object} options must survive serialisation; NaN and ±Infinity do
 */
export async function mount(page, kind, options) {
  await page.evaluate(async ([kind, options]) => {
    const views = await import(/** @type {string} */ ('/web/views/index.js'))
    const container = document.getElementById('figure')
    Object.assign(window, { views, view: new views[kind](container, options) })
  }, /** @type {const} */ ([kind, options]))
  await settle(page)
}

/** @param {Page} page @param {object} change */
export async function update(page, change) {
  await page.evaluate((change) => /** @type {any} */ (window).view.update(change), change)
  await settle(page)
}

/**
 * Takes WebGL away, before the page's scripts run.
 *
 * @param {Page} page
 */
export function withoutWebGL(page) {
  return page.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype
    Object.assign(HTMLCanvasElement.prototype, {
      /** @this {HTMLCanvasElement} @param {string} kind @param {object} [options] */
      getContext(kind, options) {
        return kind.startsWith('webgl') ? null : Reflect.apply(getContext, this, [kind, options])
      },
    })
  })
}

/** Two frames: what was asked for has been drawn. @param {Page} page */
export async function settle(page) {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  )
}

/**
 * The colour that a canvas shows.
 *
 * @param {Locator} canvas of a 2-D context
 * @param {{ x: number, y: number }} at CSS pixels from its left top corner
 * @returns {Promise<number[]>} red, green, blue
 */
export function colorAt(canvas, at) {
  return canvas.evaluate((node, { x, y }) => {
    const canvas = /** @type {HTMLCanvasElement} */ (node)
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
    const ratio = canvas.width / canvas.clientWidth
    const { data } = context.getImageData(Math.floor(x * ratio), Math.floor(y * ratio), 1, 1)
    return [...data.slice(0, 3)]
  }, at)
}

/** The colour bar's 256 colours, as drawn. @param {Page} page @returns {Promise<number[][]>} */
export function barColors(page) {
  return page.locator('canvas.bar').evaluate((node) => {
    const canvas = /** @type {HTMLCanvasElement} */ (node)
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
    const { data } = context.getImageData(0, 0, canvas.width, 1)
    return Array.from({ length: canvas.width }, (_, index) => [
      ...data.slice(4 * index, 4 * index + 3),
    ])
  })
}

/** Where a value stands on a bar of 256 colours. @param {number} value @param {number} low @param {number} high */
export function barIndex(value, low, high) {
  return Math.round(255 * Math.min(1, Math.max(0, (value - low) / (high - low))))
}

/**
 * The middle of the cell under the keyboard's cursor, in its drawing.
 *
 * @param {Page} page
 * @param {string} drawing selector of the canvas
 */
export async function cursorMiddle(page, drawing) {
  const cell = await page.locator('[role=gridcell]:focus').boundingBox()
  const canvas = await page.locator(drawing).first().boundingBox()
  if (!cell || !canvas) throw new Error('no cell has focus')
  return { x: cell.x + cell.width / 2 - canvas.x, y: cell.y + cell.height / 2 - canvas.y }
}

/** Puts the keyboard's cursor on the cells. @param {Page} page */
export async function focusCells(page) {
  await page.locator('[role=gridcell][tabindex="0"]').focus()
  await settle(page)
}

/** The value in a cell's spoken text. @param {string | null} text */
export function spokenValue(text) {
  return Number(/: ([^:]+)$/.exec(text ?? '')?.[1]?.replace('−', '-'))
}

/** @param {Page} page */
export async function expectNoSidewaysScrolling(page) {
  const [content, room] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect(content).toBeLessThanOrEqual(room)
}
