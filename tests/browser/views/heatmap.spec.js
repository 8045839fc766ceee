import { expect, test } from '@playwright/test'
import {
  barColors,
  barIndex,
  colorAt,
  cursorMiddle,
  golden,
  mount,
  open,
  spokenValue,
  words,
} from './support.js'

const { attention } = golden.heads[1]
const max = Math.max(...attention.data)
/** @param {number} row @param {number} column */
const weight = (row, column) => attention.data[12 * row + column]

test.beforeEach(({ page }) => open(page))

test('the value under the pointer is the golden one, with its tokens', async ({ page }) => {
  await mount(page, 'Heatmap', { attention, tokens: words })
  const box = await page.locator('canvas.matrix').boundingBox()
  const frame = await page.locator('.frame').boundingBox()
  if (!box || !frame) throw new Error('nothing is drawn')
  for (const [row, column] of [
    [0, 0],
    [3, 8],
    [11, 11],
    [5, 2],
  ]) {
    await page.mouse.move(
      frame.x + (frame.width * (column + 0.5)) / 12,
      frame.y + (frame.height * (row + 0.5)) / 12,
    )
    const value = await page.locator('.readout .value').textContent()
    expect(Number(value)).toBeCloseTo(weight(row, column), 8)
    await expect(page.locator('.readout .ends')).toHaveText(
      `query ${row + 1} “${words[row]}” → key ${column + 1} “${words[column]}”`,
    )
  }
  await page.mouse.move(1, 1)
  await expect(page.locator('.readout .hint')).toBeVisible()
})

test('the keyboard reaches every cell, and each says its golden value', async ({ page }) => {
  await mount(page, 'Heatmap', { attention, tokens: words })
  await page.keyboard.press('Tab')
  for (let row = 0; row < 12; row++) {
    for (let column = 0; column < 12; column++) {
      const text = await page.locator('[role=gridcell]:focus').textContent()
      expect(text).toContain(
        `query ${row + 1} “${words[row]}”, key ${column + 1} “${words[column]}”`,
      )
      expect(spokenValue(text)).toBeCloseTo(weight(row, column), 8)
      await page.keyboard.press('ArrowRight')
    }
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
  }
})

test('Ctrl with Home and End goes to the first and the last cell', async ({ page }) => {
  await mount(page, 'Heatmap', {
    attention: [
      [1, 0, 0],
      [0.5, 0.25, 0.25],
    ],
  })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Control+End')
  await expect(page.locator('[role=gridcell]:focus')).toHaveText('query 2, key 3: 0.25')
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('[role=gridcell]:focus')).toHaveText('query 2, key 3: 0.25')
  await page.keyboard.press('Control+Home')
  await expect(page.locator('[role=gridcell]:focus')).toHaveText('query 1, key 1: 1')
  await page.keyboard.press('Tab')
  await expect(page.locator('[role=gridcell]:focus')).toHaveCount(0)
})

for (const colormap of ['purples', 'viridis', 'cividis', 'puor']) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`a cell of ${colormap} has its bar's colour on a ${colorScheme} page`, async ({
      page,
    }) => {
      await page.emulateMedia({ colorScheme })
      await mount(page, 'Heatmap', { attention, tokens: words, colormap })
      const bar = await barColors(page)
      const low = colormap === 'puor' ? -max : 0
      await page.keyboard.press('Tab')
      for (const [row, column] of [
        [0, 0],
        [0, 1],
        [4, 8],
      ]) {
        const offset = { x: 0, y: 0 }
        const middle = await cursorMiddle(page, 'canvas.matrix')
        const cell = await page.locator('[role=gridcell]:focus').boundingBox()
        offset.x = middle.x + column * (cell?.width ?? 0)
        offset.y = middle.y + row * (cell?.height ?? 0)
        expect(await colorAt(page.locator('canvas.matrix'), offset)).toEqual(
          bar[barIndex(weight(row, column), low, max)],
        )
      }
    })
  }
}

test('a fixed domain keeps colours comparable, and values outside take the end colours', async ({
  page,
}) => {
  await mount(page, 'Heatmap', { attention: [[0.5, 2, -1]], domain: [0, 1] })
  const bar = await barColors(page)
  await page.keyboard.press('Tab')
  for (const index of [128, 255, 0]) {
    const middle = await cursorMiddle(page, 'canvas.matrix')
    expect(await colorAt(page.locator('canvas.matrix'), middle)).toEqual(bar[index])
    await page.keyboard.press('ArrowRight')
  }
  await expect(page.locator('.ticks span').last()).toHaveText('1')
})

test('NaN is drawn as such, not as zero, and named in the legend', async ({ page }) => {
  await mount(page, 'Heatmap', { attention: [[0, Number.NaN, 1]] })
  const bar = await barColors(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('[role=gridcell]:focus')).toHaveText('query 1, key 2: NaN')
  const middle = await cursorMiddle(page, 'canvas.matrix')
  const beside = { x: middle.x, y: middle.y - 12 }
  expect(bar).not.toContainEqual(await colorAt(page.locator('canvas.matrix'), beside))
  await expect(page.locator('.bar-keys')).toContainText('NaN')
  await expect(page.locator('figcaption')).toContainText('NaN')
})

test('masked cells are hatched, are left out of the scale, and a fully masked row is named', async ({
  page,
}) => {
  await mount(page, 'Heatmap', {
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
  })
  await expect(page.locator('.ticks span').last()).toHaveText('0.75')
  await expect(page.locator('.note')).toHaveText(
    'Query 3 “three” may attend to nothing: all its keys are masked.',
  )
  await expect(page.locator('.bar-keys')).toHaveText('masked')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('[role=gridcell]:focus')).toHaveText('query 1 “one”, key 2 “2”: masked')
  const colors = await page.locator('canvas.matrix').evaluate(
    (node, middle) => {
      const context = /** @type {HTMLCanvasElement} */ (node).getContext('2d')
      const { data } = /** @type {CanvasRenderingContext2D} */ (context).getImageData(
        middle.x - 8,
        middle.y - 8,
        16,
        16,
      )
      return new Set(Array.from({ length: 256 }, (_, index) => data[4 * index])).size
    },
    await cursorMiddle(page, 'canvas.matrix'),
  )
  expect(colors).toBeGreaterThan(1)
})

test('a causal mask hides keys after the query', async ({ page }) => {
  await mount(page, 'Heatmap', { attention, causal: true })
  await page.keyboard.press('Tab')
  await page.keyboard.press('End')
  await expect(page.locator('[role=gridcell]:focus')).toHaveText('query 1, key 12: masked')
})

test('tokens are text, equal words keep rows of their own', async ({ page }) => {
  const tokens = ['a<b<c', '<img src=x onerror=alert(1)>', 'a<b<c']
  await mount(page, 'Heatmap', {
    attention: [
      [1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
    ],
    tokens,
  })
  await page.keyboard.press('Tab')
  await expect(page.locator('[role=gridcell]:focus')).toHaveText(
    'query 1 “a<b<c”, key 1 “a<b<c”: 1',
  )
  await expect(page.locator('.tag.row')).toHaveText('a<b<c')
  await page.keyboard.press('Control+End')
  await expect(page.locator('[role=gridcell]:focus')).toHaveText(
    'query 3 “a<b<c”, key 3 “a<b<c”: 9',
  )
  await expect(page.locator('img')).toHaveCount(0)
})

test('the names of the cell’s tokens stand over its column and beside its row', async ({
  page,
}) => {
  const tokens = words.map((_, index) => `t${index}`)
  await mount(page, 'Heatmap', { attention, tokens })
  await page.keyboard.press('Tab')
  for (const key of ['Home', 'End']) {
    await page.keyboard.press(key)
    const cell = await page.locator('[role=gridcell]:focus').boundingBox()
    const column = await page.locator('.tag.column').boundingBox()
    const row = await page.locator('.tag.row').boundingBox()
    if (!cell || !column || !row) throw new Error('nothing is marked')
    expect(column.x + column.width / 2).toBeCloseTo(cell.x + cell.width / 2, 0)
    expect(row.y + row.height / 2).toBeCloseTo(cell.y + cell.height / 2, 0)
  }
})
