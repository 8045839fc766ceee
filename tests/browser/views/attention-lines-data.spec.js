import { expect, test } from '@playwright/test'
import { endOf, inkAt } from './lines-support.js'
import {
  barColors,
  expectNoSidewaysScrolling,
  focusCells,
  golden,
  mount,
  open,
  settle,
  update,
  words,
} from './support.js'

const { attention } = golden.heads[1]

test.beforeEach(({ page }) => open(page))

test('masked keys have no line and say so, and a fully masked row is named', async ({ page }) => {
  await mount(page, 'AttentionLines', {
    attention: [
      [0.5, 9],
      [0.25, 0.75],
      [0, 0],
    ],
    queryTokens: ['one', 'two', 'three'],
    mask: [
      [true, false],
      [true, true],
      [false, false],
    ],
    selectedQuery: 0,
  })
  await expect(page.locator('.ticks span').last()).toHaveText('0.75')
  await expect(page.locator('.note')).toHaveText(
    'Masked keys have no line. Query 3 “three” may attend to nothing: all its keys are masked.',
  )
  await expect(page.locator('.bar-keys')).toHaveText('masked')
  await expect(page.locator('figcaption')).toContainText('Masked keys have no line.')
  await focusCells(page)
  expect(await inkAt(page, await endOf(page, 0))).toBe(255)
  expect(await inkAt(page, await endOf(page, 1))).toBe(0)
  await expect(page.locator('[role=gridcell]:focus')).toHaveText('query 1 “one”, key 2 “2”: masked')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('End')
  await expect(page.locator('[role=gridcell]:focus')).toHaveText(
    'query 3 “three”: may attend to nothing, all its keys are masked',
  )
})

test('what only some heads mask is said of those heads', async ({ page }) => {
  await mount(page, 'AttentionLines', {
    attention: [[[0.5, 0.5]], [[0.5, 0.5]]],
    mask: [[[false, false]], [[true, true]]],
  })
  await expect(page.locator('.note')).toHaveText(
    'Masked keys have no line. In head 1: Query 1 may attend to nothing: all its keys are masked.',
  )
  await focusCells(page)
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('[role=gridcell]:focus')).toHaveText(
    'query 1, key 1: head 1 masked, head 2 0.5',
  )
})

test('a NaN is a dashed line in its own colour, and named', async ({ page }) => {
  await mount(page, 'AttentionLines', { attention: [[Number.NaN, 0, 1]], selectedQuery: 0 })
  const bar = await barColors(page)
  await focusCells(page)
  const { x, y } = await endOf(page, 0)
  await expect(page.locator('[role=gridcell]:focus')).toHaveText('query 1, key 1: NaN')
  const row = await page.locator('canvas.lines').evaluate(
    (node, { x, y }) => {
      const context = /** @type {HTMLCanvasElement} */ (node).getContext('2d')
      const { data } = /** @type {CanvasRenderingContext2D} */ (context).getImageData(
        x - 120,
        Math.floor(y),
        100,
        1,
      )
      return Array.from({ length: 100 }, (_, index) => [...data.slice(4 * index, 4 * index + 3)])
    },
    { x: Math.floor(x), y },
  )
  const reds = row.map(([red, , blue]) => red > 180 && blue < 120)
  const changes = reds.filter((red, index) => index > 0 && red !== reds[index - 1]).length
  expect(changes).toBeGreaterThan(15)
  const drawn = row.find((_, index) => reds[index])
  expect(bar).not.toContainEqual(drawn)
  await expect(page.locator('.bar-keys')).toHaveText('NaN')
  await expect(page.locator('figcaption')).toContainText('their lines are dashed')
})

test('a threshold hides lines, not weights', async ({ page }) => {
  await mount(page, 'AttentionLines', {
    attention: [[0.2, 0.8]],
    threshold: 0.5,
    selectedQuery: 0,
  })
  await expect(page.locator('.note')).toHaveText('Weights below 0.5 have no line.')
  await focusCells(page)
  expect(await inkAt(page, await endOf(page, 0))).toBe(0)
  await expect(page.locator('[role=gridcell]:focus')).toHaveText('query 1, key 1: 0.2')
  expect(await inkAt(page, await endOf(page, 1))).toBe(255)
  await update(page, { threshold: null })
  await expect(page.locator('.note')).toBeHidden()
  expect(await inkAt(page, await endOf(page, 0))).toBe(255)
})

test('more queries than keys, one weight, and none at all', async ({ page }) => {
  await mount(page, 'AttentionLines', {
    attention: { data: new Array(40).fill(0.5), shape: [20, 2] },
  })
  await expect(page.locator('figcaption')).toContainText('20 queries by 2 keys')
  await focusCells(page)
  await page.keyboard.press('End')
  await expect(page.locator('[role=gridcell]:focus')).toContainText('query 20')
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('[role=gridcell]:focus')).toHaveText('query 20, key 2: 0.5')
  await page.keyboard.press('ArrowLeft')
  await update(page, { attention: [[1]] })
  await expect(page.locator('[role=gridcell]:focus')).toHaveText(
    'query 1: the largest attention weight is 1, at key 1',
  )
  await update(page, { attention: { data: [], shape: [0, 3] } })
  await expect(page.locator('.note')).toHaveText('Nothing to show: 0 queries by 3 keys.')
  await expect(page.locator('canvas.lines')).toBeHidden()
  await update(page, { attention: [[0, 0]] })
  await expect(page.locator('.note')).toHaveText('No weight is large enough to be seen as a line.')
})

test('it fits from 320 px up, with long tokens, and follows its container', async ({ page }) => {
  const tokens = words.map((word) => word.repeat(8))
  await mount(page, 'AttentionLines', { attention: golden.heads[8].attention, tokens })
  for (const width of [320, 480, 1000, 320]) {
    await page.setViewportSize({ width, height: 700 })
    await settle(page)
    await expectNoSidewaysScrolling(page)
    const box = await page.locator('canvas.lines').boundingBox()
    expect(box?.width).toBeGreaterThan(220)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
  }
  // A token that is cut is read in full where it is looked at.
  await focusCells(page)
  await expect(page.locator('.tag:visible')).toHaveText(tokens[0])
})

test('tokens are text, and equal words keep rows of their own', async ({ page }) => {
  const tokens = ['a<b<c', '<img src=x onerror=alert(1)>', 'a<b<c']
  await mount(page, 'AttentionLines', {
    attention: [
      [1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
    ],
    tokens,
  })
  await focusCells(page)
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('.tag:visible')).toHaveText(tokens[1])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('[role=gridcell]:focus')).toHaveText(
    'query 3 “a<b<c”, key 3 “a<b<c”: 9',
  )
  await expect(page.locator('img')).toHaveCount(0)
})

test('a wrong option is refused in words, and the figure stays as it was', async ({ page }) => {
  await mount(page, 'AttentionLines', { attention: [[0.25, 0.75]] })
  for (const [change, message] of [
    [{ attention: [[1, 2], [3]] }, /rows differ in length/],
    [{ attention: { data: new Array(16).fill(1), shape: [2, 2, 2, 2] } }, /or \(h, N, M\), got/],
    [{ tokens: ['one'] }, /tokens: 1 given/],
    [{ colormap: 'rainbow' }, /there is no "rainbow"/],
    [{ selectedQuery: 0.5 }, /selectedQuery: expected a whole number, −1 for all, got 0.5/],
    [{ emphasizedHead: 'two' }, /emphasizedHead: expected a whole number/],
    [{ threshold: -1 }, /threshold: expected a number from 0, got -1/],
    [{ threshold: Number.NaN }, /threshold: expected a number from 0, got NaN/],
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
  await focusCells(page)
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('[role=gridcell]:focus')).toHaveText('query 1, key 1: 0.25')
})

test('of many weights the strongest 2000 have a line, the figure says so, and none is lost', async ({
  page,
}) => {
  await page.evaluate(() => {
    const { bezierCurveTo } = CanvasRenderingContext2D.prototype
    Object.assign(window, { curves: 0 })
    CanvasRenderingContext2D.prototype.bezierCurveTo = function (...numbers) {
      ;/** @type {any} */ (window).curves++
      bezierCurveTo.apply(this, numbers)
    }
  })
  for (const [size, heads] of [
    [512, 12],
    [2048, 1],
  ]) {
    await page.evaluate(
      async ([size, heads]) => {
        const views = await import(/** @type {string} */ ('/web/views/index.js'))
        const target = /** @type {any} */ (window)
        // Each query attends to all keys alike, but twice as much to one in four.
        const data = Float32Array.from(
          { length: heads * size * size },
          (_, index) => (index % 4 === 0 ? 2 : 1) / (1.25 * size),
        )
        target.view?.dispose()
        target.curves = 0
        target.view = new views.AttentionLines(document.getElementById('figure'), {
          attention: { data, shape: [heads, size, size] },
        })
      },
      [size, heads],
    )
    await settle(page)
    const curves = await page.evaluate(() => /** @type {any} */ (window).curves)
    expect(curves).toBeGreaterThan(1950)
    expect(curves).toBeLessThanOrEqual(2000)
    const count = (heads * size * size).toLocaleString('en')
    await expect(page.locator('.note')).toContainText(`strongest of ${count} weights have a line`)
    await expect(page.locator('.note')).toContainText('Of equally strong ones this is a sample.')
    await focusCells(page)
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowRight')
    await expect(page.locator('[role=gridcell]:focus')).toContainText(
      `query ${size}, key ${size}: `,
    )
    await page.locator('[role=gridcell]:focus').blur()
  }
})

test('canvases are as fine as the screen', async ({ browser }) => {
  const context = await browser.newContext({ deviceScaleFactor: 3 })
  const page = await context.newPage()
  await open(page)
  await mount(page, 'AttentionLines', { attention })
  for (const name of ['lines', 'columns']) {
    const ratio = await page.locator(`canvas.${name}`).evaluate((node) => {
      const canvas = /** @type {HTMLCanvasElement} */ (node)
      return canvas.width / canvas.getBoundingClientRect().width
    })
    expect(ratio).toBeCloseTo(3, 2)
  }
  await context.close()
})

test('forty stand on one page', async ({ page }) => {
  await page.evaluate(async (attention) => {
    const views = await import(/** @type {string} */ ('/web/views/index.js'))
    for (let index = 0; index < 40; index++) {
      const slot = document.createElement('div')
      document.getElementById('figure')?.append(slot)
      new views.AttentionLines(slot, { attention, selectedQuery: index % 12 })
    }
  }, attention)
  await settle(page)
  await expect(page.locator('.tag.chosen:visible')).toHaveCount(40)
})
