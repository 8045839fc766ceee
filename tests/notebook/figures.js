/**
 * What the tests ask of figures in a host's page. Locators see through shadow roots.
 */
import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { version } from '../../web/version.js'

/** @import { Locator, Page } from '@playwright/test' */

const file = new URL('../golden/attention_cube.json', import.meta.url)
/** @type {Record<string, { attention: { data: number[], shape: number[] } }>} */
export const goldenHeads = JSON.parse(readFileSync(file, 'utf8')).heads

/** @param {Page} page @param {number} heads the figures that the fourth notebook computes, in its cube */
export async function expectGolden(page, heads) {
  const { data, shape } = goldenHeads[heads].attention
  const cube = page.locator('attention-cube')
  await expect.poll(async () => (await tensorOf(cube)).shape).toEqual(shape)
  const shown = await tensorOf(cube)
  expect(shown.data.length).toBe(data.length)
  const worst = Math.max(...shown.data.map((value, index) => Math.abs(value - data[index])))
  // Both are float64: a few roundings of products, exp and sums of 12 terms.
  expect(worst).toBeLessThan(1e-14)
}

/** @param {Locator} view an element @returns {Promise<{ shape: number[], data: number[] }>} */
export function tensorOf(view) {
  return view.evaluate((element) => {
    const { shape, data } = /** @type {any} */ (element).attention
    return { shape, data: [...data] }
  })
}

/**
 * Waits until a view's drawing shows more than its background.
 * @param {Locator} view
 */
export async function expectDrawn(view) {
  await view.scrollIntoViewIfNeeded()
  await expect
    .poll(() => view.locator('canvas').first().evaluate(countColors), { timeout: 30_000 })
    .toBeGreaterThan(3)
}

/** @param {Element} node a canvas @returns {number} how many colours are on it, at most 16 */
function countColors(node) {
  const canvas = /** @type {HTMLCanvasElement} */ (node)
  const context = canvas.getContext('2d')
  if (!context || canvas.width * canvas.height === 0) return 0
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
  const colors = new Set()
  for (let index = 0; index < data.length && colors.size < 16; index += 4) {
    colors.add((data[index] << 16) | (data[index + 1] << 8) | data[index + 2])
  }
  return colors.size
}

/** How many cubes share the page's one WebGL context. @param {Page} page @returns {Promise<number>} */
export function cubesOnRenderer(page) {
  return page.evaluate((version) => {
    const registry = /** @type {any} */ (globalThis)[Symbol.for(`attention-lab@${version}`)]
    return registry?.cubeRenderer?.users.size ?? 0
  }, version)
}

const FIGURES = ['attention-cube', 'attention-heatmap', 'multi-head-example']

/**
 * A cube, a heatmap and an exhibit in a page of a theme: the cube's scene is as dark or
 * light as the page, and the text of all of them can be read on what is behind it.
 *
 * @param {Page} page
 * @param {'light' | 'dark'} theme
 */
export async function expectTheme(page, theme) {
  for (const name of FIGURES) await expectDrawn(page.locator(name).first())
  const luminance = expect.poll(() => drawnLuminance(page.locator('attention-cube canvas').first()))
  if (theme === 'dark') await luminance.toBeLessThan(0.02)
  else await luminance.toBeGreaterThan(0.9)
  for (const name of FIGURES) {
    const contrasts = await page.locator(name).first().evaluate(textContrasts)
    expect(contrasts.length, `texts of ${name}`).toBeGreaterThan(3)
    expect(
      contrasts.filter(({ contrast }) => contrast < 4.5),
      name,
    ).toEqual([])
  }
}

/**
 * Runs in the page.
 * @param {Element} figure
 * @returns {{ text: string, contrast: number }[]} each text that is seen, and its contrast to what is behind it, 1 to 21
 */
function textContrasts(figure) {
  const canvas = new OffscreenCanvas(1, 1)
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'))
  /** Of any CSS colour, and how opaque it is. @param {string} color */
  const luminance = (color) => {
    context.clearRect(0, 0, 1, 1)
    context.fillStyle = color
    context.fillRect(0, 0, 1, 1)
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data
    const linear = (/** @type {number} */ value) =>
      value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
    return [0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue), alpha]
  }
  /** @param {Element} element @returns {Element | null} around it, out of shadow roots too */
  const outer = ({ parentElement, parentNode }) =>
    parentElement ?? (parentNode instanceof ShadowRoot ? parentNode.host : null)
  /** @param {Element} element */
  const behind = (element) => {
    for (let node = /** @type {Element | null} */ (element); node; node = outer(node)) {
      const [value, alpha] = luminance(getComputedStyle(node).backgroundColor)
      if (alpha === 255) return value
    }
    return 1
  }
  /** @param {Element | ShadowRoot} root @returns {Element[]} */
  const within = (root) =>
    [...root.children].flatMap((child) => [
      child,
      ...within(child),
      ...(child.shadowRoot ? within(child.shadowRoot) : []),
    ])
  const hasText = (/** @type {Element} */ { childNodes }) =>
    [...childNodes].some((node) => node instanceof Text && node.data.trim() !== '')
  return within(/** @type {ShadowRoot} */ (figure.shadowRoot))
    .filter((element) => hasText(element) && element.checkVisibility({ opacityProperty: true }))
    .filter((element) => element.clientWidth > 1 && !element.matches(':disabled, style, script'))
    .map((element) => {
      const levels = [luminance(getComputedStyle(element).color)[0], behind(element)]
      const contrast = (Math.max(...levels) + 0.05) / (Math.min(...levels) + 0.05)
      return { text: element.textContent?.trim() ?? '', contrast }
    })
}

/**
 * The relative luminance of a drawing's background, in its corner.
 * @param {Locator} canvas
 * @returns {Promise<number>} 0 to 1
 */
function drawnLuminance(canvas) {
  return canvas.evaluate((node) => {
    const context = /** @type {HTMLCanvasElement} */ (node).getContext('2d')
    const [red, green, blue, alpha] = context?.getImageData(2, 2, 1, 1).data ?? []
    if (alpha !== 255) return NaN
    const linear = (/** @type {number} */ value) =>
      value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  })
}

/** Keeps count of the figures that are made, before the page's scripts run. @param {Page} page */
export function countFigures(page) {
  return page.addInitScript((names) => {
    /** @type {WeakRef<Element>[]} */
    const made = []
    const { createElement } = Document.prototype
    Object.assign(globalThis, { made })
    Object.assign(Document.prototype, {
      /** @this {Document} @param {string} name @param {ElementCreationOptions} [options] */
      createElement(name, options) {
        const element = Reflect.apply(createElement, this, [name, options])
        if (names.includes(name)) made.push(new WeakRef(element))
        return element
      },
    })
  }, FIGURES)
}

/** What outlives every figure, and could keep hold of one by its listeners. */
const LASTING = [
  'window',
  'document',
  'document.documentElement',
  'document.body',
  'document.fonts',
]

/** marimo adds one of these to the document with each run of a cell; no figure listens to it. */
const HOSTS_OWN = 'visibilitychange'

/**
 * What a page holds after garbage was collected.
 * @param {Page} page whose figures are counted
 * @returns {Promise<{ shown: number, made: number, alive: number, cubes: number, listeners: number }>} `made`: since
 *   the page was opened; `alive`: those of them that are in memory, in the page or not; `cubes`: on the shared
 *   renderer; `listeners`: on what outlives figures
 */
export async function holdings(page) {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  let listeners = 0
  for (const expression of LASTING) {
    const { result } = await session.send('Runtime.evaluate', { expression })
    const { objectId = '' } = result
    const found = await session.send('DOMDebugger.getEventListeners', { objectId })
    listeners += found.listeners.filter(({ type }) => type !== HOSTS_OWN).length
  }
  await session.detach()
  const [made, alive] = await page.evaluate(() => {
    const made = /** @type {WeakRef<Element>[]} */ (/** @type {any} */ (globalThis).made)
    return [made.length, made.filter((reference) => reference.deref()).length]
  })
  const shown = await page.locator(FIGURES.join(', ')).count()
  return { ...{ shown, made, alive, listeners }, cubes: await cubesOnRenderer(page) }
}

/**
 * A slider that changes a cube's tensor (`RAMP`'s `rolled`) a hundred times: the one cube is drawn anew each time, and
 * never built anew.
 *
 * @param {Page} page
 * @param {Locator} slider at 0
 */
export async function expectFollowed(page, slider) {
  const cube = page.locator('attention-cube')
  await expectDrawn(cube)
  const canvases = await cube.locator('canvas').elementHandles()
  for (let step = 1; step <= 100; step++) {
    await slider.press('ArrowRight')
    await expect.poll(async () => (await tensorOf(cube)).data.indexOf(0)).toBe(step)
  }
  for (const canvas of canvases) {
    expect(await canvas.evaluate((node) => node.isConnected)).toBe(true)
  }
  await expect(cube).toHaveCount(1)
  expect(await cube.locator('canvas').count()).toBe(canvases.length)
  expect(await cubesOnRenderer(page)).toBe(1)
}
