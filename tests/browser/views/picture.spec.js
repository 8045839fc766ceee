import { expect, test } from '@playwright/test'
import {
  areasOf,
  difference,
  expectNoViolations,
  show,
  takePng,
  takeScreen,
} from './picture-page.js'
import { barColors, barIndex, golden, settle } from './support.js'

const single = golden.heads['1'].attention
const eight = golden.heads['8'].attention

/**
 * The same strokes on the same pixels: letters that are blended with a clear canvas and then with the page are off by
 * one of 255, and the edges of circles by some more. A text or a rule that is off by one pixel is 2 % of a table.
 */
const SAME = { mean: 0.5, changed: 0.001 }
/** Strokes of a drawing that lie between pixels; its texts, were they off by a few, would be 2 %. */
const STROKES = { mean: 0.5, changed: 0.003 }
/** A cube's planes are drawn twice as large and made smaller, so their edges are smoother. */
const SMOOTHER = { mean: 1, changed: 0.01 }

for (const [name, kind, options, selector, most] of /** @type {const} */ ([
  ['a heatmap', 'Heatmap', { attention: single, showValues: true }, 'canvas, .ticks', SAME],
  [
    'words in both directions',
    'Heatmap',
    {
      attention: single,
      tokens: ['שלום', 'مرحبا', ...'abcdefghij'],
      selected: { query: 0, key: 1 },
    },
    'canvas, .readout',
    SAME,
  ],
  ['eight heads', 'HeadGrid', { attention: eight }, 'canvas, .head, .ticks', SAME],
  ['lines', 'AttentionLines', { attention: single, selectedQuery: 4 }, '.plot, .color-bar', SAME],
  ['a cube', 'AttentionCube', { attention: eight, height: 400 }, 'canvas', SMOOTHER],
  ['a chart', 'residual-norm', {}, 'svg, .names, table', SAME],
  ['a table', 'head-ranks', {}, 'table', SAME],
  ['numbers on colours', 'permutation-equivariance', {}, 'table', SAME],
  ['hatched cells', 'teacher-forcing', {}, 'table', SAME],
  ['boxes with their sizes', 'fused-projection', {}, '.way figure:nth-child(-n + 2) svg', STROKES],
  ['vectors that can be changed', 'polysemy-example', {}, 'table', SAME],
])) {
  test(`the PNG of ${name} is what the screen shows`, async ({ page }) => {
    await show(page, kind, options)
    const areas = await areasOf(page, selector)
    const picture = await takePng(page)
    expect(areas.length).toBeGreaterThan(0)
    for (const area of areas) {
      const screen = await takeScreen(page, area.screen)
      const { mean, changed } = difference(screen, picture, area.picture)
      expect(mean).toBeLessThanOrEqual(most.mean)
      expect(changed).toBeLessThanOrEqual(most.changed)
      // There is something to be seen, at both places.
      expect(new Set(screen.data).size).toBeGreaterThan(8)
    }
    await expectNoViolations(page)
  })
}

for (const scheme of /** @type {const} */ (['light', 'dark'])) {
  test(`each cell of a PNG has its value's colour of the bar, on a ${scheme} page`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: scheme })
    await show(page, 'Heatmap', { attention: single, domain: [0, 0.12] })
    const bar = await barColors(page)
    const [canvas, ticks] = await areasOf(page, 'canvas.matrix, canvas.bar')
    const [frame] = await areasOf(page, '.frame')
    const picture = await takePng(page, { scale: 2 })
    const { x, y, width, height } = frame.picture
    single.data.forEach((value, cell) => {
      const column = ((cell % 12) + 0.5) / 12
      const row = (Math.floor(cell / 12) + 0.5) / 12
      const seen = picture.at(2 * (x + column * width), 2 * (y + row * height))
      expect(seen).toEqual(bar[barIndex(value, 0, 0.12)])
    })
    for (const index of [0, 100, 255]) {
      const along = ticks.picture.x + ((index + 0.5) / 256) * ticks.picture.width
      expect(picture.at(2 * along, 2 * (ticks.picture.y + 6))).toEqual(bar[index])
    }
    expect(canvas.picture.width).toBeGreaterThan(width)
    // The page's own ground.
    expect(picture.at(1, 1)).toEqual(scheme === 'light' ? [253, 252, 250] : [22, 20, 27])
    const sized = await takePng(page)
    expect([picture.width, picture.height]).toEqual([2 * sized.width, 2 * sized.height])
  })
}

test('at 360 px a picture is as narrow as the figure', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await show(page, 'multi-head-example')
  const picture = await takePng(page)
  expect(picture.width).toBeLessThanOrEqual(360)
  for (const area of await areasOf(page, 'canvas.matrix, table')) {
    const { mean, changed } = difference(await takeScreen(page, area.screen), picture, area.picture)
    expect(mean).toBeLessThanOrEqual(SAME.mean)
    expect(changed).toBeLessThanOrEqual(SAME.changed)
  }
})

test('controls are left out, and so is the room that they had', async ({ page }) => {
  await show(page, 'kv-cache')
  const whole = await takePng(page, { leaveOut: '[role="status"]' })
  const picture = await takePng(page)
  // One row of them above the figure, one in its midst.
  const rows = await areasOf(page, '.controls')
  expect(rows).toHaveLength(2)
  const height = rows.reduce((sum, { screen }) => sum + screen.height, 0)
  expect(whole.height - picture.height).toBeGreaterThanOrEqual(height)
})

test('a cube that changed out of sight is drawn anew for its picture', async ({ page }) => {
  await show(page, 'AttentionCube', { attention: eight, height: 400 })
  const seen = await takePng(page)
  await show(page, 'AttentionCube', { attention: single, height: 400 })
  await page.evaluate(() => {
    const { pictured } = /** @type {any} */ (window)
    pictured.style.marginTop = '4000px'
  })
  await settle(page)
  await page.evaluate((attention) => /** @type {any} */ (window).view.update(attention), eight)
  await settle(page)
  const hidden = await takePng(page)
  const area = { x: 0, y: 0, width: seen.width, height: seen.height }
  expect(difference(seen, hidden, area).changed).toBeLessThanOrEqual(SAME.changed)
})

test('a figure that no canvas holds is drawn smaller, and one that is far too large refused in words', async ({
  page,
}) => {
  await show(page, 'Heatmap', { attention: single })
  const take = (/** @type {number} */ height) =>
    page.evaluate(async (height) => {
      const { picture, pictured } = /** @type {any} */ (window)
      const box = document.createElement('div')
      box.style.height = `${height}px`
      box.style.width = '50px'
      box.style.background = 'rgb(10, 20, 30)'
      pictured.replaceChildren(box)
      const blob = await picture.pictureOf(pictured, { kind: 'png' })
      const bitmap = await createImageBitmap(blob)
      const canvas = document.createElement('canvas')
      canvas.width = canvas.height = 1
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
      context.drawImage(bitmap, -10, -bitmap.height + 20)
      const color = [...context.getImageData(0, 0, 1, 1).data]
      return { width: bitmap.width, height: bitmap.height, color }
    }, height)
  const { width, height, color } = await take(20000)
  // 16384 rows hold a picture of 20016 px at 0.8186 of its size.
  expect(height).toBe(16384)
  expect(width).toBe(Math.floor((66 * 16384) / 20016))
  expect(color).toEqual([10, 20, 30, 255])
  await expect(take(400_000)).rejects.toThrow('gives no canvas for a picture of 66 × 400016 pixels')
})

test('where a browser’s large canvases stay empty, a smaller picture is made', async ({ page }) => {
  await show(page, 'Heatmap', { attention: single })
  const whole = await takePng(page, { scale: 4 })
  await page.evaluate((width) => {
    const { getImageData } = CanvasRenderingContext2D.prototype
    CanvasRenderingContext2D.prototype.getImageData = function (...area) {
      const image = Reflect.apply(getImageData, this, area)
      if (this.canvas.width >= width) image.data.fill(0)
      return image
    }
  }, whole.width)
  const picture = await takePng(page, { scale: 4 })
  expect([picture.width, picture.height]).toEqual([whole.width / 2, whole.height / 2])
})

test('what is wrong is said in words', async ({ page }) => {
  await show(page, 'Heatmap', { attention: single })
  await expect(takePng(page, { kind: 'gif' })).rejects.toThrow("expected 'png' or 'svg', got gif")
  await expect(takePng(page, { scale: 0 })).rejects.toThrow('expected a number above 0, got 0')
  await page.evaluate(() => /** @type {any} */ (window).pictured.replaceChildren())
  await expect(takePng(page)).rejects.toThrow('nothing to be seen')
})

test('a background can be chosen, or none', async ({ page }) => {
  await show(page, 'Heatmap', { attention: single })
  expect((await takePng(page, { background: '#123456' })).at(1, 1)).toEqual([18, 52, 86])
  expect((await takePng(page, { background: null })).data[3]).toBe(0)
})

test('the page has its turn while a large picture is drawn', async ({ page }) => {
  await show(page, 'HeadGrid', { attention: eight })
  const turns = await page.evaluate(async () => {
    const { picture, pictured } = /** @type {any} */ (window)
    // A clock by which every look at it takes 15 ms.
    const { now } = performance
    let time = 0
    performance.now = () => (time += 15)
    let turns = 0
    const channel = new MessageChannel()
    channel.port1.onmessage = () => {
      turns++
      channel.port2.postMessage(null)
    }
    channel.port2.postMessage(null)
    await picture.pictureOf(pictured, { kind: 'svg' })
    performance.now = now
    channel.port1.close()
    return turns
  })
  expect(turns).toBeGreaterThan(20)
})
