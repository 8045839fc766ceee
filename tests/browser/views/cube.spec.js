import { expect, test } from '@playwright/test'
import {
  barColors,
  barIndex,
  colorAt,
  cursorMiddle,
  focusCells,
  golden,
  mount,
  open,
  settle,
  spokenValue,
  update,
  words,
} from './support.js'

const { attention } = golden.heads[4]
const max = Math.max(...attention.data)
/** @param {number} head @param {number} row @param {number} column */
const weight = (head, row, column) => attention.data[144 * head + 12 * row + column]

// Keys turn the cube at once, not in a slow movement.
test.use({ contextOptions: { reducedMotion: 'reduce' } })
test.beforeEach(({ page }) => open(page))

test('the keyboard reaches every cell of every head, and each says its golden value', async ({
  page,
}) => {
  await mount(page, 'AttentionCube', { attention, tokens: words })
  await focusCells(page)
  for (let head = 0; head < 4; head++) {
    for (const [row, column] of [
      [0, 0],
      [0, 11],
      [11, 11],
    ]) {
      if (column === 11) await page.keyboard.press('End')
      if (row === 11) await page.keyboard.press('Control+End')
      const text = await page.locator('[role=gridcell]:focus').textContent()
      expect(text).toContain(
        `head ${head + 1}, query ${row + 1} “${words[row]}”, key ${column + 1} “${words[column]}”`,
      )
      expect(spokenValue(text)).toBeCloseTo(weight(head, row, column), 8)
    }
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('PageDown')
  }
})

test('the pointer gives head, query, key and the golden value', async ({ page }) => {
  await mount(page, 'AttentionCube', { attention, tokens: words, emphasizedHead: 2 })
  await focusCells(page)
  for (let step = 0; step < 5; step++) {
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
  }
  const box = await page.locator('[role=gridcell]:focus').boundingBox()
  await page.locator('[role=gridcell]:focus').blur()
  await expect(page.locator('.readout .hint')).toBeVisible()
  if (!box) throw new Error('no cell has focus')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await expect(page.locator('.readout .ends')).toHaveText(
    `head 3, query 6 “${words[5]}” → key 6 “${words[5]}”`,
  )
  const value = await page.locator('.readout .value').textContent()
  expect(Number(value)).toBeCloseTo(weight(2, 5, 5), 8)
})

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  test(`on a ${colorScheme} page a cell of the emphasised plane has its bar's colour`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme })
    await mount(page, 'AttentionCube', { attention, emphasizedHead: 1 })
    const bar = await barColors(page)
    await focusCells(page)
    for (let index = 0; index < 12; index++) {
      expect(
        await colorAt(page.locator('canvas.scene'), await cursorMiddle(page, 'canvas.scene')),
      ).toEqual(bar[barIndex(weight(1, index, index), 0, max)])
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowDown')
      await settle(page)
    }
  })

  test(`on a ${colorScheme} page the bar of all heads is composited as a plane is`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme })
    const single = golden.heads[1].attention
    const most = Math.max(...single.data)
    await mount(page, 'AttentionCube', { attention: single })
    const bar = await barColors(page)
    await focusCells(page)
    for (let index = 0; index < 12; index += 3) {
      const middle = await cursorMiddle(page, 'canvas.scene')
      const seen = await colorAt(page.locator('canvas.scene'), middle)
      const expected = bar[barIndex(single.data[13 * index], 0, most)]
      // The blending unit rounds for itself.
      seen.forEach((byte, channel) =>
        expect(Math.abs(byte - expected[channel])).toBeLessThanOrEqual(1),
      )
      for (let step = 0; step < 3; step++) {
        await page.keyboard.press('ArrowRight')
        await page.keyboard.press('ArrowDown')
      }
      await settle(page)
    }
  })
}

test('row 0 is at the far edge of the opening view, column 0 at its left', async ({ page }) => {
  await mount(page, 'AttentionCube', { attention, emphasizedHead: 0 })
  await focusCells(page)
  const first = await cursorMiddle(page, 'canvas.scene')
  await page.keyboard.press('End')
  const right = await cursorMiddle(page, 'canvas.scene')
  await page.keyboard.press('Control+End')
  const last = await cursorMiddle(page, 'canvas.scene')
  expect(right.x).toBeGreaterThan(first.x + 50)
  expect(last.y).toBeGreaterThan(right.y + 50)
})

test('translucent planes are blended in the right order from above and from below', async ({
  page,
}) => {
  // Head 1, above, is dark; head 2, below, is light: which one lies on the other tells.
  const dark = new Array(16).fill(1)
  const light = new Array(16).fill(0)
  await mount(page, 'AttentionCube', {
    attention: { data: [...dark, ...light], shape: [2, 4, 4] },
    domain: [0, 1],
  })
  await focusCells(page)
  // Straight from above the planes cover each other.
  for (let step = 0; step < 12; step++) await page.keyboard.press('Shift+ArrowUp')
  await settle(page)
  const canvas = page.locator('canvas.scene')
  const centre = await canvas.evaluate((node) => ({
    x: node.clientWidth / 2 + 7,
    y: node.clientHeight / 2 + 7,
  }))
  const bar = await barColors(page)
  const above = await colorAt(canvas, centre)
  expect(near(above, bar[255], 30)).toBe(true)
  for (let step = 0; step < 26; step++) await page.keyboard.press('Shift+ArrowDown')
  await settle(page)
  const below = await colorAt(canvas, centre)
  expect(near(below, bar[0], 30)).toBe(true)
})

/** @param {number[]} a @param {number[]} b @param {number} reach */
function near(a, b, reach) {
  return a.every((byte, channel) => Math.abs(byte - b[channel]) <= reach)
}

test('head buttons emphasise a head, tell the page, and are one stop for Tab', async ({ page }) => {
  await mount(page, 'AttentionCube', { attention })
  await page.evaluate(() => {
    const heads = /** @type {number[]} */ ([])
    Object.assign(window, { heads })
    document.addEventListener('headchange', (event) =>
      heads.push(/** @type {CustomEvent} */ (event).detail.head),
    )
  })
  await page.getByRole('button', { name: 'head 3' }).click()
  await expect(page.getByRole('button', { name: 'head 3' })).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Home')
  await page.keyboard.press('Space')
  expect(await page.evaluate(() => /** @type {any} */ (window).heads)).toEqual([2, 3, -1])
  await page.keyboard.press('Tab')
  await expect(page.locator('[role=gridcell]:focus')).toHaveCount(1)
  expect(await page.evaluate(() => /** @type {any} */ (window).view.emphasizedHead)).toBe(-1)
})

test('an update changes numbers, heads and tokens in place, and keeps the view', async ({
  page,
}) => {
  await mount(page, 'AttentionCube', { attention, tokens: words, domain: [0, 1] })
  await page.locator('canvas.scene').evaluate((node) => Object.assign(node, { kept: true }))
  await focusCells(page)
  await page.keyboard.press('Shift+ArrowLeft')
  await settle(page)
  await expect(page.getByRole('button', { name: 'reset view' })).toBeVisible()
  await update(page, { attention: golden.heads[8].attention, emphasizedHead: 7 })
  await expect(page.locator('.heads button')).toHaveCount(9)
  await update(page, {
    attention: { data: new Array(24).fill(0.25), shape: [2, 3, 4] },
    tokens: null,
    queryTokens: ['a', 'b', 'c'],
    keyTokens: ['d', 'e', 'f', 'g'],
  })
  await expect(page.locator('.heads button')).toHaveCount(3)
  // A head that is gone counts as none.
  await expect(page.getByRole('button', { name: 'all heads' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect(page.locator('[role=gridcell]:focus')).toHaveText(
    'head 2, query 1 “a”, key 1 “d”: 0.25',
  )
  await expect(page.getByRole('button', { name: 'reset view' })).toBeVisible()
  expect(await page.locator('canvas.scene').evaluate((node) => 'kept' in node)).toBe(true)
})

test('zeros, NaN, masks, one token and very many heads are all drawn', async ({ page }) => {
  await mount(page, 'AttentionCube', { attention: { data: [0, 0, 0, 0], shape: [1, 2, 2] } })
  await expect(page.locator('.ticks span').last()).toHaveText('1')
  await update(page, { attention: [[[Number.NaN, 1]]] })
  await focusCells(page)
  await expect(page.locator('[role=gridcell]:focus')).toContainText('NaN')
  await expect(page.locator('.bar-keys')).toHaveText('NaN')
  await update(page, { attention: [[[1]]] })
  await update(page, { attention: { data: new Float32Array(64 * 9), shape: [64, 3, 3] } })
  await update(page, { attention, causal: true })
  await page.keyboard.press('End')
  await expect(page.locator('[role=gridcell]:focus')).toContainText('masked')
})

test('it fits from 320 px up, and follows its container', async ({ page }) => {
  await mount(page, 'AttentionCube', { attention: golden.heads[8].attention, tokens: words })
  for (const width of [320, 700, 320]) {
    await page.setViewportSize({ width, height: 700 })
    await settle(page)
    const canvas = await page.locator('canvas.scene').boundingBox()
    expect(canvas?.width).toBeCloseTo(width - 24, 0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    )
  }
})

test('the opening view has room for long tokens on both axes', async ({ page }) => {
  const names = (/** @type {number} */ count) =>
    Array.from({ length: count }, (_, index) => `token number ${index}`)
  for (const [queries, keys] of [
    [5, 20],
    [20, 5],
    [12, 12],
  ]) {
    const data = new Array(3 * queries * keys).fill(0.5)
    await mount(page, 'AttentionCube', {
      attention: { data, shape: [3, queries, keys] },
      queryTokens: names(queries),
      keyTokens: names(keys),
    })
    // Nothing touches the drawing's edge, so nothing is cut there.
    const colors = await page.locator('canvas.scene').evaluate((node) => {
      const canvas = /** @type {HTMLCanvasElement} */ (node)
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
      const { width, height } = canvas
      const edges = [
        [0, 0, width, 1],
        [0, height - 1, width, 1],
        [0, 0, 1, height],
        [width - 1, 0, 1, height],
      ]
      return edges.map(([x, y, columns, rows]) => {
        const { data } = context.getImageData(x, y, columns, rows)
        return new Set(new Uint32Array(data.buffer)).size
      })
    })
    expect(colors).toEqual([1, 1, 1, 1])
    await page.evaluate(() => /** @type {any} */ (window).view.dispose())
  }
})
