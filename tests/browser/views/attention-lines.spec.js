import { expect, test } from '@playwright/test'
import { formatInCell } from '../../../web/views/numbers.js'
import {
  barColors,
  barIndex,
  colorAt,
  focusCells,
  golden,
  mount,
  open,
  settle,
  update,
  words,
} from './support.js'
import { endOf, inkAt } from './lines-support.js'

/** @import { Page } from '@playwright/test' */

const { attention } = golden.heads[1]
const max = Math.max(...attention.data)
/** @param {number} row */
const weightsOf = (row) => attention.data.slice(12 * row, 12 * row + 12)
const four = golden.heads[4].attention

test.beforeEach(({ page }) => open(page))

/** The texts that the next drawings write on canvases. @param {Page} page */
async function recordTexts(page) {
  await page.evaluate(() => {
    const texts = /** @type {string[]} */ ([])
    const { fillText } = CanvasRenderingContext2D.prototype
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
      texts.push(text)
      fillText.call(this, text, x, y)
    }
    Object.assign(window, { texts })
  })
}

/** Texts written since the last call. @param {Page} page @returns {Promise<string[]>} */
function takeTexts(page) {
  return page.evaluate(() => /** @type {any} */ (window).texts.splice(0))
}

test('a selected query has its golden weights beside the keys, and all queries their means', async ({
  page,
}) => {
  await recordTexts(page)
  await mount(page, 'AttentionLines', { attention, tokens: words, selectedQuery: 8 })
  const numbers = weightsOf(8).map((value) => formatInCell(value))
  expect((await takeTexts(page)).filter((text) => /^\d/.test(text))).toEqual(numbers)
  await update(page, { selectedQuery: -1 })
  const means = words.map(
    (_, key) => words.reduce((sum, _, query) => sum + weightsOf(query)[key], 0) / 12,
  )
  const texts = await takeTexts(page)
  expect(texts.filter((text) => /^\d/.test(text))).toEqual(
    means.map((value) => formatInCell(value)),
  )
  expect(texts).toContain('mean')
})

test('several heads have a column of numbers each, under their own number', async ({ page }) => {
  await recordTexts(page)
  await mount(page, 'AttentionLines', { attention: four, tokens: words, selectedQuery: 3 })
  const texts = (await takeTexts(page)).filter((text) => /^\d/.test(text))
  const weights = [0, 1, 2, 3].flatMap((head) =>
    four.data.slice(144 * head + 36, 144 * head + 48).map((value) => formatInCell(value)),
  )
  expect(texts).toEqual(['1', '2', '3', '4', ...weights])
})

for (const colormap of ['purples', 'viridis', 'puor']) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`a line of ${colormap} has its bar's colour on a ${colorScheme} page`, async ({
      page,
    }) => {
      await page.emulateMedia({ colorScheme })
      await mount(page, 'AttentionLines', { attention, tokens: words, colormap, selectedQuery: 4 })
      const bar = await barColors(page)
      const low = colormap === 'puor' ? -max : 0
      await focusCells(page)
      for (const key of [0, 4, 7]) {
        const at = await endOf(page, key)
        // The outline of the line that the cursor is at lies on another canvas.
        expect(await colorAt(page.locator('canvas.lines'), at)).toEqual(
          bar[barIndex(weightsOf(4)[key], low, max)],
        )
      }
    })
  }
}

test('each head has a ramp in the legend, and its lines and bars have that ramp’s colours', async ({
  page,
}) => {
  await mount(page, 'AttentionLines', { attention: four, tokens: words, selectedQuery: 3 })
  const largest = Math.max(...four.data)
  const ramps = await page.locator('canvas.bar').evaluate((node) => {
    const canvas = /** @type {HTMLCanvasElement} */ (node)
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
    return Array.from({ length: canvas.height }, (_, row) => {
      const { data } = context.getImageData(0, row, canvas.width, 1)
      return Array.from({ length: canvas.width }, (_, index) => [
        ...data.slice(4 * index, 4 * index + 3),
      ])
    })
  })
  expect(ramps).toHaveLength(4)
  await focusCells(page)
  for (const key of [2, 9]) {
    const { x, y } = await endOf(page, key)
    const columns = await page.locator('canvas.columns').evaluate((node, top) => {
      const canvas = /** @type {HTMLCanvasElement} */ (node)
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
      const { data, width } = context.getImageData(0, top - 12, canvas.width, 24)
      const colors = new Set()
      for (let pixel = 0; pixel < width * 24; pixel++) {
        colors.add(data.slice(4 * pixel, 4 * pixel + 4).join())
      }
      return [...colors]
    }, y)
    for (const head of [0, 1, 2, 3]) {
      const value = four.data[144 * head + 36 + key]
      const wanted = ramps[head][barIndex(value, 0, largest)]
      // Lanes are 4 px apart.
      const at = { x, y: y + 4 * (head - 1.5) }
      expect(await colorAt(page.locator('canvas.lines'), at)).toEqual(wanted)
      expect(columns).toContain([...wanted, 255].join())
    }
  }
})

test('a fixed domain keeps colours comparable', async ({ page }) => {
  await mount(page, 'AttentionLines', {
    attention: [[0.5, 2, -1]],
    domain: [0, 1],
    selectedQuery: 0,
  })
  await expect(page.locator('.ticks span').last()).toHaveText('1')
  const bar = await barColors(page)
  await focusCells(page)
  expect(await colorAt(page.locator('canvas.lines'), await endOf(page, 0))).toEqual(bar[128])
  expect(await colorAt(page.locator('canvas.lines'), await endOf(page, 1))).toEqual(bar[255])
  expect(await inkAt(page, await endOf(page, 2))).toBe(0)
})

test('a query that is pointed at shows its lines alone', async ({ page }) => {
  await mount(page, 'AttentionLines', { attention, tokens: words })
  const box = await page.locator('canvas.columns').boundingBox()
  await focusCells(page)
  const { x, y } = await endOf(page, 5)
  await page.locator('[role=gridcell]').blur()
  const start = { x: 90, y }
  await settle(page)
  expect(await inkAt(page, start)).toBeGreaterThan(0)
  await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + y + 26)
  await settle(page)
  expect(await inkAt(page, { ...start, y: y + 26 })).toBeGreaterThan(0)
  expect(await inkAt(page, start)).toBe(0)
  await expect(page.locator('.tag:visible')).toHaveText(words[6])
  await expect(page.locator('.hint')).toContainText(`Query 7 “${words[6]}”: the largest`)
  // A key shows the lines that come to it.
  await page.mouse.move((box?.x ?? 0) + x + 20, (box?.y ?? 0) + y)
  await settle(page)
  expect(await inkAt(page, { x: x + 1, y })).toBeGreaterThan(0)
  expect(await inkAt(page, { x: x + 1, y: y + 26 })).toBe(0)
  await expect(page.locator('.hint')).toHaveText(`The lines of all queries to key 6 “${words[5]}”.`)
})
