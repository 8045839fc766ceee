import { expect, test } from '@playwright/test'
import {
  barColors,
  barIndex,
  colorAt,
  cursorMiddle,
  expectNoSidewaysScrolling,
  golden,
  mount,
  open,
  settle,
  spokenValue,
  update,
  words,
} from './support.js'

const { attention } = golden.heads[8]
const max = Math.max(...attention.data)

test.beforeEach(({ page }) => open(page))

test('all heads share one colour scale, and cells say their golden values', async ({ page }) => {
  await mount(page, 'HeadGrid', { attention, tokens: words })
  await expect(page.locator('canvas.matrix')).toHaveCount(8)
  await expect(page.locator('canvas.bar')).toHaveCount(1)
  const bar = await barColors(page)
  await page.locator('[role=gridcell][tabindex="0"]').focus()
  for (let head = 0; head < 8; head++) {
    const text = await page.locator('[role=gridcell]:focus').textContent()
    expect(text).toContain(`head ${head + 1}, query 1 “The”, key 1 “The”`)
    const weight = attention.data[144 * head]
    expect(spokenValue(text)).toBeCloseTo(weight, 8)
    const panel = page.locator('.panel').nth(head).locator('canvas.matrix')
    const cell = await page.locator('[role=gridcell]:focus').boundingBox()
    const canvas = await panel.boundingBox()
    if (!cell || !canvas) throw new Error('nothing is drawn')
    const at = { x: cell.x + cell.width / 2 - canvas.x, y: cell.y + cell.height / 2 - canvas.y }
    expect(await colorAt(panel, at)).toEqual(bar[barIndex(weight, 0, max)])
    await page.keyboard.press('PageDown')
  }
})

test('heads and cells are two stops for Tab, however many heads there are', async ({ page }) => {
  await mount(page, 'HeadGrid', { attention })
  await page.keyboard.press('Tab')
  await expect(page.locator('.panel button').first()).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('.panel button').nth(1)).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(page.locator('.panel.chosen button')).toHaveText('head 8')
  await page.keyboard.press('Tab')
  await expect(page.locator('[role=gridcell]:focus')).toContainText('head 8')
  await page.keyboard.press('Tab')
  await expect(page.locator('#figure [role=gridcell]:focus')).toHaveCount(0)
})

test('a head is chosen by its button or a click into it, and the page is told', async ({
  page,
}) => {
  await mount(page, 'HeadGrid', { attention })
  await page.evaluate(() => {
    const heard = /** @type {unknown[]} */ ([])
    Object.assign(window, { heard })
    document.addEventListener('headchange', (event) =>
      heard.push(/** @type {CustomEvent} */ (event).detail),
    )
  })
  await page.locator('.panel button').nth(2).click()
  await page
    .locator('canvas.matrix')
    .nth(4)
    .click({ position: { x: 120, y: 120 } })
  await page.locator('.panel button').nth(4).click()
  expect(await page.evaluate(() => /** @type {any} */ (window).heard)).toEqual([
    { layer: 0, head: 2, plane: 2 },
    { layer: 0, head: 4, plane: 4 },
    { layer: -1, head: -1, plane: -1 },
  ])
})

test('layers × heads are an overview that fits 320 px', async ({ page }) => {
  const data = Array.from({ length: 3 * 12 * 16 }, (_, index) => (index % 17) / 17)
  await mount(page, 'HeadGrid', { attention: { data, shape: [3, 12, 4, 4] } })
  await expect(page.locator('.layer')).toHaveText(['layer 1', 'layer 2', 'layer 3'])
  for (const width of [320, 1000]) {
    await page.setViewportSize({ width, height: 700 })
    await settle(page)
    await expectNoSidewaysScrolling(page)
  }
  await page.locator('[role=gridcell][tabindex="0"]').focus()
  await page.keyboard.press('PageDown')
  await expect(page.locator('[role=gridcell]:focus')).toContainText('layer 1, head 2, query 1')
})

test('heads come and go in place, and unequal lengths are drawn', async ({ page }) => {
  await mount(page, 'HeadGrid', { attention, emphasizedHead: 6 })
  await page
    .locator('canvas.matrix')
    .first()
    .evaluate((node) => Object.assign(node, { kept: true }))
  await update(page, { attention: { data: new Array(24).fill(0.25), shape: [2, 3, 4] } })
  await expect(page.locator('canvas.matrix')).toHaveCount(2)
  await expect(page.locator('.panel.chosen')).toHaveCount(0)
  expect(
    await page
      .locator('canvas.matrix')
      .first()
      .evaluate((node) => 'kept' in node),
  ).toBe(true)
  await update(page, { attention })
  await expect(page.locator('.panel.chosen button')).toHaveText('head 7')
})

test('the cursor stands where the cell is drawn', async ({ page }) => {
  await mount(page, 'HeadGrid', { attention: golden.heads[1].attention })
  await page.locator('[role=gridcell][tabindex="0"]').focus()
  await page.keyboard.press('Control+End')
  const { x, y } = await cursorMiddle(page, 'canvas.matrix')
  const box = await page.locator('canvas.matrix').boundingBox()
  expect(x).toBeGreaterThan((box?.width ?? 0) * 0.9)
  expect(y).toBeGreaterThan((box?.height ?? 0) * 0.9)
})

test('the legend begins where the cells do, and ends no further than they', async ({ page }) => {
  for (const heads of [1, 2, 4, 8]) {
    await mount(page, 'HeadGrid', { attention: golden.heads[heads].attention, tokens: words })
    const [bar, first] = await Promise.all(
      ['canvas.bar', '.frame'].map((part) => page.locator(part).first().boundingBox()),
    )
    const frames = await page.locator('.frame').all()
    const ends = await Promise.all(
      frames.map(async (frame) => {
        const box = await frame.boundingBox()
        return (box?.x ?? 0) + (box?.width ?? 0)
      }),
    )
    expect(bar?.x).toBeCloseTo(first?.x ?? 0, 0)
    expect((bar?.x ?? 0) + (bar?.width ?? 0)).toBeLessThanOrEqual(Math.max(...ends) + 1)
    await page.evaluate(() => /** @type {any} */ (window).view.dispose())
  }
})
