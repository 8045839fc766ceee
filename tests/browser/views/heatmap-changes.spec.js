import { expect, test } from '@playwright/test'
import { expectNoSidewaysScrolling, golden, mount, open, settle, update, words } from './support.js'

const { attention } = golden.heads[1]

test.beforeEach(({ page }) => open(page))

test('more queries than keys, one cell, and none at all', async ({ page }) => {
  await mount(page, 'Heatmap', { attention: { data: new Array(40).fill(0.5), shape: [20, 2] } })
  await expect(page.locator('figcaption')).toContainText('20 queries by 2 keys')
  await update(page, { attention: [[1]] })
  await expect(page.locator('figcaption')).toContainText('1 query by 1 key')
  await update(page, { attention: { data: [], shape: [0, 3] } })
  await expect(page.locator('.words')).toHaveText('Nothing to show: 0 queries by 3 keys.')
  await expect(page.locator('canvas.matrix')).toBeHidden()
  await update(page, {
    attention: [
      [0, 0],
      [0, 0],
    ],
  })
  await expect(page.locator('canvas.matrix')).toBeVisible()
  await expect(page.locator('.ticks span').last()).toHaveText('1')
})

test('it fits from 320 px up, and follows its container', async ({ page }) => {
  const tokens = words.map((word) => word.repeat(6))
  await mount(page, 'Heatmap', { attention, tokens, showValues: true })
  for (const width of [320, 480, 1000, 320]) {
    await page.setViewportSize({ width, height: 700 })
    await settle(page)
    await expectNoSidewaysScrolling(page)
    const box = await page.locator('canvas.matrix').boundingBox()
    expect(box?.width).toBeGreaterThan(200)
  }
})

test('512 × 512 and more are drawn, a lone strong weight among 2048 × 2048 too', async ({
  page,
}) => {
  for (const size of [512, 2048]) {
    await page.evaluate(async (size) => {
      const views = await import(/** @type {string} */ ('/web/views/index.js'))
      const data = new Float32Array(size * size).fill(0)
      data[(size / 2) * size + size / 2] = 1
      const target = /** @type {any} */ (window)
      target.view?.dispose()
      target.view = new views.Heatmap(document.getElementById('figure'), {
        attention: { data, shape: [size, size] },
      })
    }, size)
    await settle(page)
    const darkest = await page.locator('canvas.matrix').evaluate((node) => {
      const canvas = /** @type {HTMLCanvasElement} */ (node)
      const frame = /** @type {HTMLElement} */ (canvas.nextElementSibling)
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
      const { data } = context.getImageData(
        frame.offsetLeft + 2,
        frame.offsetTop + 2,
        frame.offsetWidth - 4,
        frame.offsetHeight - 4,
      )
      return data.filter((_, index) => index % 4 === 1).reduce((a, b) => Math.min(a, b))
    })
    expect(darkest).toBeLessThan(20)
  }
})

test('a click and Enter select a cell, and the page is told', async ({ page }) => {
  await page.evaluate(() => {
    const heard = /** @type {unknown[]} */ ([])
    Object.assign(window, { heard })
    for (const type of ['cellhover', 'cellselect']) {
      document.addEventListener(type, (event) =>
        heard.push([type, /** @type {CustomEvent} */ (event).detail]),
      )
    }
  })
  await mount(page, 'Heatmap', { attention: [[0.25, 0.75]], keyTokens: ['left', 'right'] })
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const detail = {
    ...{ layer: 0, head: 0, query: 0, key: 1, value: 0.75, masked: false },
    ...{ queryToken: '1', keyToken: 'right' },
  }
  const heard = await page.evaluate(() => /** @type {any} */ (window).heard)
  expect(heard.slice(-2)).toEqual([
    ['cellhover', detail],
    ['cellselect', detail],
  ])
  await expect(page.locator('.box.selected')).toBeVisible()
})

test('a wrong option is refused in words, and the figure stays as it was', async ({ page }) => {
  await mount(page, 'Heatmap', { attention: [[0.25, 0.75]] })
  for (const [change, message] of [
    [{ attention: [[1, 2], [3]] }, /rows differ in length/],
    [{ attention: 'weights' }, /expected a tensor \{ data, shape \} or nested arrays/],
    [{ attention: { data: [1, 2, 3], shape: [2, 2] } }, /needs 4 numbers, data has 3/],
    [{ tokens: ['one'] }, /2 keys|1 queries|tokens: 1 given/],
    [{ colormap: 'rainbow' }, /there is no "rainbow"; choose one of purples/],
    [{ domain: [1, 0] }, /low must be below high/],
    [{ head: 1 }, /the weights have 1/],
  ]) {
    const said = await page.evaluate((change) => {
      try {
        return /** @type {any} */ (window).view.update(change)
      } catch (error) {
        return String(error)
      }
    }, change)
    expect(said).toMatch(/** @type {RegExp} */ (message))
  }
  await page.keyboard.press('Tab')
  await expect(page.locator('[role=gridcell]:focus')).toHaveText('query 1, key 1: 0.25')
})

test('an update keeps the focus where it was, also where the matrix shrinks', async ({ page }) => {
  await mount(page, 'Heatmap', { attention })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Control+End')
  await update(page, {
    attention: [
      [0.5, 0.5],
      [1, 0],
    ],
  })
  await expect(page.locator('[role=gridcell]:focus')).toHaveText('query 2, key 2: 0')
})

test('a cell that is pointed at elsewhere is shown until the reader points at another', async ({
  page,
}) => {
  await mount(page, 'Heatmap', { attention: [[0.25, 0.75]], keyTokens: ['left', 'right'] })
  const value = page.locator('.readout .value')
  await update(page, { pointed: { query: 0, key: 1 } })
  await expect(value).toHaveText('0.75')
  await expect(page.locator('.box:not(.selected)')).toBeVisible()
  await expect(page.locator('.tag.column')).toHaveText('right')
  const frame = await page.locator('.frame').boundingBox()
  if (!frame) throw new Error('nothing is drawn')
  await page.mouse.move(frame.x + frame.width / 4, frame.y + frame.height / 2)
  await expect(value).toHaveText('0.25')
  await page.mouse.move(1, 1)
  await expect(value).toHaveText('0.75')
  // A cell that is not there is not shown.
  await update(page, { pointed: { query: 4, key: 1 } })
  await expect(page.locator('.tag.column')).toBeHidden()
  await update(page, { pointed: null })
  await expect(page.locator('.readout .hint')).toBeVisible()
})

/**
 * Watches what is written on canvases from now on.
 *
 * @param {import('@playwright/test').Page} page
 * @returns {Promise<() => Promise<string[]>>} the texts since it was last asked
 */
async function writtenTexts(page) {
  await page.evaluate(() => {
    const written = /** @type {string[]} */ ([])
    Object.assign(window, { written })
    const { fillText } = CanvasRenderingContext2D.prototype
    Object.assign(CanvasRenderingContext2D.prototype, {
      /** @this {CanvasRenderingContext2D} @param {string} text @param {...number} rest */
      fillText(text, ...rest) {
        written.push(text)
        Reflect.apply(fillText, this, [text, ...rest])
      },
    })
  })
  return () => page.evaluate(() => /** @type {any} */ (window).written.splice(0))
}

test('three decimals stand in cells that have room for them, two in smaller ones', async ({
  page,
}) => {
  const written = await writtenTexts(page)
  await mount(page, 'Heatmap', { attention: [[0.1234]], showValues: true, decimals: 3 })
  expect(await written()).toContain('0.123')
  await update(page, { attention: [new Array(30).fill(0.1234)] })
  const texts = await written()
  expect(texts).toContain('0.12')
  expect(texts).not.toContain('0.123')
})

test('rows and columns that are no queries and keys are called what they are', async ({ page }) => {
  const written = await writtenTexts(page)
  const axes = { query: 'entry', key: 'feature' }
  await mount(page, 'Heatmap', { attention: [[0.25, 0.75]], axes, inspector: false })
  expect(await written()).toEqual(expect.arrayContaining(['entry ↓', 'feature →']))
  await expect(page.locator('figcaption')).toContainText('1 entry by 2 features')
  await expect(page.locator('figcaption')).toContainText('entry 1, feature 2')
  await page.keyboard.press('Tab')
  await expect(page.locator('[role=gridcell]:focus')).toHaveText('entry 1, feature 1: 0.25')
  await expect(page.locator('.readout .ends')).toHaveText('entry 1 → feature 1')
  await update(page, { axes: null })
  await expect(page.locator('[role=gridcell]:focus')).toHaveText('query 1, key 1: 0.25')
  expect(await written()).toContain('query ↓')
})

test('the last of many positions is written whole', async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 700 })
  const data = new Array(600).fill(0.5)
  await mount(page, 'Heatmap', { attention: { data, shape: [3, 200] } })
  // Right of the last digit there is some paper left.
  const ink = await page.locator('canvas.matrix').evaluate((node) => {
    const canvas = /** @type {HTMLCanvasElement} */ (node)
    const frame = /** @type {HTMLElement} */ (canvas.nextElementSibling)
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
    const inkIn = (/** @type {number} */ x, /** @type {number} */ width) =>
      context.getImageData(x, 0, width, frame.offsetTop - 2).data.some((byte) => byte > 0)
    return { edge: inkIn(canvas.width - 1, 1), label: inkIn(canvas.width - 20, 19) }
  })
  expect(ink).toEqual({ edge: false, label: true })
})
