import { expect, test } from '@playwright/test'
import { barColors, colorAt, golden, mount, open, settle, update } from './support.js'

const { attention } = golden.heads[4]
const kinds = /** @type {const} */ (['Heatmap', 'HeadGrid', 'AttentionCube'])

for (const kind of kinds) {
  test(`without cells ${kind} says so, and draws the next that have some`, async ({ page }) => {
    await open(page)
    await mount(page, kind, { attention: { data: [], shape: [2, 0, 3] } })
    const words = page.locator('.words')
    await expect(words).toHaveText('Nothing to show: 2 heads, each 0 queries by 3 keys.')
    await update(page, { attention: { data: [], shape: [0, 3, 1] } })
    await expect(words).toHaveText('Nothing to show: 0 heads, each 3 queries by 1 key.')
    await expect(page.locator('canvas.bar')).toBeHidden()
    // Of nothing there may be any number.
    await update(page, { attention: { data: [], shape: [0, 1e9, 1e9] }, tokens: ['one'] })
    await expect(words).toBeVisible()

    await update(page, { attention, tokens: null })
    await expect(words).toBeHidden()
    await expect(page.locator('canvas.bar')).toBeVisible()
    await expect(page.locator('canvas.matrix, canvas.scene').first()).toBeVisible()
  })

  test(`where a browser cannot draw ${kind} says so, and draws when it can`, async ({ page }) => {
    // As where there is no memory for one more canvas.
    await page.addInitScript(() => {
      const { getContext } = HTMLCanvasElement.prototype
      Object.assign(HTMLCanvasElement.prototype, {
        /** @this {HTMLCanvasElement} @param {string} type @param {object} [options] */
        getContext(type, options) {
          const refused = 'refused' in window && this.matches('.matrix, .scene')
          return refused ? null : Reflect.apply(getContext, this, [type, options])
        },
      })
      Object.assign(window, { refused: true })
    })
    /** @type {string[]} */
    const uncaught = []
    page.on('pageerror', (error) => uncaught.push(String(error)))
    await page.goto('/tests/browser/pages/blank.html')
    await mount(page, kind, { attention })
    await expect(page.locator('.words')).toContainText('This figure could not be drawn')
    await expect(page.locator('canvas.bar')).toBeHidden()
    await page.evaluate(() => Reflect.deleteProperty(window, 'refused'))
    await update(page, { attention })
    await expect(page.locator('.words')).toBeHidden()
    await expect(page.locator('canvas.matrix, canvas.scene').first()).toBeVisible()
    expect(uncaught).toEqual([])
  })

  test(`${kind} refuses in words what are no numbers and no texts`, async ({ page }) => {
    await open(page)
    await mount(page, kind, { attention })
    const messages = await page.evaluate(() => {
      /** @type {unknown[]} */
      const bottomless = []
      bottomless[0] = bottomless
      const wrong = [
        { attention: { data: new BigInt64Array(4), shape: [2, 2] } },
        { attention: bottomless },
        { mask: { data: new BigUint64Array(1), shape: [1, 1] } },
        { label: Symbol('label') },
        { valueLabel: 7 },
        { domain: [-1.7e308, 1.7e308] },
      ]
      return wrong.map((change) => {
        try {
          ;/** @type {any} */ (window).view.update(change)
          return ''
        } catch (error) {
          return String(error)
        }
      })
    })
    expect(messages).toEqual([
      'TypeError: attention.data: expected an array of numbers, got 64-bit integers',
      'RangeError: attention: arrays are nested too deep',
      'TypeError: mask.data: expected an array of numbers, got 64-bit integers',
      'TypeError: label: expected a text, got a symbol',
      'TypeError: valueLabel: expected a text, got a number',
      'RangeError: domain: its length is past the largest number',
    ])
    await settle(page)
    await expect(page.locator('canvas.bar')).toBeVisible()
  })
}

test('the largest numbers there are have the colours of the bar’s ends', async ({ page }) => {
  await open(page)
  const most = 1.7e308
  await mount(page, 'Heatmap', { attention: [[-most, most]], colormap: 'viridis' })
  const bar = await barColors(page)
  const cell = page.locator('[role=gridcell]')
  for (const [key, end] of [
    ['Home', bar[0]],
    ['End', bar[255]],
  ]) {
    await cell.focus()
    await page.keyboard.press(String(key))
    await settle(page)
    const [inner, outer] = [await cell.boundingBox(), await page.locator('.matrix').boundingBox()]
    const middle = {
      x: (inner?.x ?? 0) + (inner?.width ?? 0) / 2 - (outer?.x ?? 0),
      y: (inner?.y ?? 0) + (inner?.height ?? 0) / 2 - (outer?.y ?? 0),
    }
    expect(await colorAt(page.locator('.matrix'), middle)).toEqual(end)
  }
})

test('a selected cell that is not there is neither framed nor read out', async ({ page }) => {
  await open(page)
  await mount(page, 'Heatmap', { attention: [[0.25, 0.75]] })
  for (const selected of [
    { query: -1, key: 0 },
    { query: 0, key: 2 },
    { query: 0, key: 0.5 },
    { query: Number.NaN, key: 0 },
  ]) {
    await update(page, { selected, pointed: selected })
    await expect(page.locator('.box:visible')).toHaveCount(0)
    await expect(page.locator('.tag:visible')).toHaveCount(0)
    await expect(page.locator('.readout .value')).toBeHidden()
  }
  await update(page, { selected: { query: 0, key: 1 } })
  await expect(page.locator('.readout .value')).toHaveText('0.75')
})

test('a cube’s height stays between what can be seen and what can be drawn', async ({ page }) => {
  await open(page)
  await mount(page, 'AttentionCube', { attention, height: 1e9 })
  const stage = page.locator('.stage')
  expect((await stage.boundingBox())?.height).toBe(4096)
  await update(page, { height: 0.001 })
  expect((await stage.boundingBox())?.height).toBe(120)
})

test('a heatmap is no larger than a canvas can be', async ({ page }) => {
  await open(page)
  const rows = 4096
  const data = Array.from({ length: rows }, (_, row) => row / rows)
  await mount(page, 'Heatmap', { attention: { data, shape: [rows, 1] }, height: 1e6 })
  const canvas = page.locator('canvas.matrix')
  const height = await canvas.evaluate((node) => /** @type {HTMLCanvasElement} */ (node).height)
  expect(height).toBeGreaterThan(10000)
  expect(height).toBeLessThanOrEqual(16384)
})
