import { expect, test } from '@playwright/test'
import {
  barColors,
  colorAt,
  cursorMiddle,
  focusCells,
  golden,
  mount,
  open,
  settle,
} from './support.js'

const { attention } = golden.heads[4]

// Keys turn the cube at once, not in a slow movement.
test.use({ contextOptions: { reducedMotion: 'reduce' } })
test.beforeEach(({ page }) => open(page))

test('keys turn and zoom, 0 and the button go back to the opening view', async ({ page }) => {
  await mount(page, 'AttentionCube', { attention, emphasizedHead: 0 })
  await focusCells(page)
  const opening = await page.locator('[role=gridcell]:focus').boundingBox()
  for (const key of ['Shift+ArrowLeft', 'Shift+ArrowUp', '+']) {
    await page.keyboard.press(key)
    await settle(page)
    expect(await page.locator('[role=gridcell]:focus').boundingBox()).not.toEqual(opening)
    await page.keyboard.press('0')
    await settle(page)
    const now = await page.locator('[role=gridcell]:focus').boundingBox()
    expect(now?.x).toBeCloseTo(opening?.x ?? 0, 0)
    expect(now?.y).toBeCloseTo(opening?.y ?? 0, 0)
  }
  await expect(page.getByRole('button', { name: 'reset view' })).toBeHidden()
})

test('the wheel scrolls the page, and zooms with Ctrl or once the cube has focus', async ({
  page,
}) => {
  await mount(page, 'AttentionCube', { attention, emphasizedHead: 0 })
  await page.evaluate(() => (document.body.style.minHeight = '3000px'))
  const scene = await page.locator('canvas.scene').boundingBox()
  if (!scene) throw new Error('nothing is drawn')
  await page.mouse.move(scene.x + 300, scene.y + 200)
  const size = async () => (await page.locator('[role=gridcell]').boundingBox())?.width ?? 0
  const before = await size()
  await page.mouse.wheel(0, 50)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0)
  expect(await size()).toBeCloseTo(before, 3)
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -200)
  await page.keyboard.up('Control')
  await expect.poll(size).toBeGreaterThan(before * 1.05)
  const scrolled = await page.evaluate(() => scrollY)
  await focusCells(page)
  await page.mouse.wheel(0, 200)
  await settle(page)
  expect(await page.evaluate(() => scrollY)).toBe(scrolled)
})

test('a finger may scroll the page up and down over the cube', async ({ page }) => {
  await mount(page, 'AttentionCube', { attention })
  await expect(page.locator('canvas.scene')).toHaveCSS('touch-action', 'pan-y')
})

test('dragging turns the cube, and selects nothing; a click selects', async ({ page }) => {
  await mount(page, 'AttentionCube', { attention, emphasizedHead: 0 })
  await page.evaluate(() => {
    const selected = /** @type {unknown[]} */ ([])
    Object.assign(window, { selected })
    document.addEventListener('cellselect', (event) =>
      selected.push(/** @type {CustomEvent} */ (event).detail),
    )
  })
  const cell = await page.locator('[role=gridcell]').boundingBox()
  if (!cell) throw new Error('there is no cell')
  const middle = { x: cell.x + cell.width / 2, y: cell.y + cell.height / 2 }
  await page.mouse.click(middle.x, middle.y)
  const selected = () => page.evaluate(() => /** @type {any} */ (window).selected)
  expect(await selected()).toEqual([
    expect.objectContaining({ head: 0, query: 0, key: 0, queryToken: '1' }),
  ])
  await page.mouse.move(middle.x, middle.y)
  await page.mouse.down()
  await page.mouse.move(middle.x + 80, middle.y + 10, { steps: 4 })
  await page.mouse.up()
  await settle(page)
  expect(await selected()).toHaveLength(1)
  await expect(page.getByRole('button', { name: 'reset view' })).toBeVisible()
})

test('a moving cube comes to rest, and an idle one draws nothing', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await mount(page, 'AttentionCube', { attention })
  await focusCells(page)
  const before = await drawnPictures(page)
  await page.keyboard.press('Shift+ArrowLeft')
  await expect.poll(() => drawnPictures(page)).toBeGreaterThan(before + 3)
  await expect.poll(() => drawnWithin(page, 6), { timeout: 30_000 }).toBe(0)
})

test('out of sight nothing is drawn; what changed meanwhile is drawn on coming back', async ({
  page,
}) => {
  await mount(page, 'AttentionCube', { attention, emphasizedHead: 0 })
  await page.evaluate(() => {
    document.body.style.paddingTop = '3000px'
  })
  const change = () =>
    page.evaluate(() => /** @type {any} */ (window).view.update({ attention: [[[1]]] }))
  // The browser tells that the cube is out of sight in one of the next frames.
  for (let frame = 0; frame < 4; frame++) await settle(page)
  expect(await drawnWithin(page, 6, change)).toBe(0)
  await page.locator('canvas.scene').scrollIntoViewIfNeeded()
  await expect.poll(() => drawnWithin(page, 6)).toBe(0)
  await focusCells(page)
  const bar = await barColors(page)
  expect(
    await colorAt(page.locator('canvas.scene'), await cursorMiddle(page, 'canvas.scene')),
  ).toEqual(bar[255])
})

test('of several crossings told at once the last one counts', async ({ page }) => {
  await page.addInitScript(() => {
    const { IntersectionObserver } = window
    window.IntersectionObserver = class extends IntersectionObserver {
      /** @param {IntersectionObserverCallback} callback */
      constructor(callback) {
        super(callback)
        Object.assign(window, { tell: callback })
      }
    }
  })
  await page.reload()
  await mount(page, 'AttentionCube', { attention, emphasizedHead: 0 })
  for (const seen of [false, true]) {
    await page.evaluate(
      (seen) =>
        /** @type {any} */ (window).tell([!seen, seen].map((is) => ({ isIntersecting: is }))),
      seen,
    )
    await settle(page)
    const update = () =>
      page.evaluate(() => /** @type {any} */ (window).view.update({ domain: [0, Math.random()] }))
    expect(await drawnWithin(page, 4, update)).toBe(seen ? 1 : 0)
  }
})

test('while the keyboard has the cube, its keys are said', async ({ page }) => {
  await mount(page, 'AttentionCube', { attention })
  await expect(page.locator('.keys')).toBeHidden()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.locator('.keys')).toContainText('Shift + arrows turn')
  await expect(page.getByRole('grid')).toHaveAccessibleDescription(/Shift with an arrow key turns/)
})

test('head buttons stand in one line: with their word, or with numbers only', async ({ page }) => {
  await mount(page, 'AttentionCube', { attention })
  const lines = async () => {
    const boxes = await Promise.all(
      (await page.locator('.heads button').all()).map((button) => button.boundingBox()),
    )
    return new Set(boxes.map((box) => Math.round(box?.y ?? 0))).size
  }
  const third = page.getByRole('button', { name: 'head 3' })
  expect(await lines()).toBe(1)
  const wide = (await third.boundingBox())?.width ?? 0
  await page.setViewportSize({ width: 320, height: 700 })
  await settle(page)
  expect(await lines()).toBe(1)
  expect((await third.boundingBox())?.width).toBeLessThan(wide - 15)
})

/** How many pictures the page's WebGL context has drawn. @param {import('@playwright/test').Page} page */
function drawnPictures(page) {
  return page.evaluate(() => {
    const symbols = Object.getOwnPropertySymbols(globalThis)
    const key = symbols.find(({ description }) => description?.startsWith('attention-lab@'))
    return Number(/** @type {any} */ (globalThis)[/** @type {any} */ (key)].cubeRenderer.drawn)
  })
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {number} frames
 * @param {() => Promise<unknown>} [change]
 */
async function drawnWithin(page, frames, change = async () => {}) {
  const before = await drawnPictures(page)
  await change()
  for (let frame = 0; frame < frames; frame += 2) await settle(page)
  return (await drawnPictures(page)) - before
}
