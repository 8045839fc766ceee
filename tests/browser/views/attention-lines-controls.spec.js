import { expect, test } from '@playwright/test'
import { focusCells, golden, mount, open, spokenValue, update, words } from './support.js'

/** @import { Page } from '@playwright/test' */

const { attention } = golden.heads[1]
const four = golden.heads[4].attention
const focused = '[role=gridcell]:focus'

test.beforeEach(({ page }) => open(page))

/** Keeps what the view tells the page. @param {Page} page */
async function listen(page) {
  await page.evaluate(() => {
    const heard = /** @type {unknown[]} */ ([])
    Object.assign(window, { heard })
    for (const type of ['headchange', 'querychange', 'cellhover', 'cellselect', 'cellleave']) {
      document.addEventListener(type, (event) =>
        heard.push([type, /** @type {CustomEvent} */ (event).detail]),
      )
    }
  })
}

/** @param {Page} page @returns {Promise<[string, any][]>} what was told since the last call */
function heard(page) {
  return page.evaluate(() => /** @type {any} */ (window).heard.splice(0))
}

/** @param {Page} page */
async function drawing(page) {
  const box = await page.locator('canvas.columns').boundingBox()
  if (!box) throw new Error('nothing is drawn')
  return box
}

/** The middle of a token's row, in the page. @param {Page} page @param {'query' | 'key'} column @param {number} row */
async function placeOf(page, column, row) {
  const cell = await page.locator('[role=gridcell]').boundingBox()
  const box = await drawing(page)
  if (!cell) throw new Error('there is no cell')
  // Rows are 26 px high; the cursor is at the first query.
  const y = cell.y + cell.height / 2 + 26 * row
  return { x: column === 'query' ? box.x + 20 : box.x + box.width - 30, y }
}

test('the keyboard reaches every weight, and each says its golden value', async ({ page }) => {
  await mount(page, 'AttentionLines', { attention, tokens: words })
  await page.keyboard.press('Tab')
  for (let row = 0; row < 12; row++) {
    const weights = attention.data.slice(12 * row, 12 * row + 12)
    const largest = weights.indexOf(Math.max(...weights))
    await expect(page.locator(focused)).toHaveText(
      new RegExp(
        `^query ${row + 1} “${words[row]}”: the largest attention weight is 0\\.\\d+, at key ${largest + 1} `,
      ),
    )
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Home')
    for (let key = 0; key < 12; key++) {
      const text = await page.locator(focused).textContent()
      expect(text).toContain(`query ${row + 1} “${words[row]}”, key ${key + 1} “${words[key]}”`)
      expect(spokenValue(text)).toBeCloseTo(weights[key], 8)
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowDown')
  }
})

test('all heads of a weight are said together, and Page Down goes through them', async ({
  page,
}) => {
  await mount(page, 'AttentionLines', { attention: four, tokens: words })
  await listen(page)
  await focusCells(page)
  await page.keyboard.press('ArrowRight')
  const text = (await page.locator(focused).textContent()) ?? ''
  const said = [...text.matchAll(/head (\d) ([\d.]+)/g)]
  expect(said.map(([, head]) => head)).toEqual(['1', '2', '3', '4'])
  said.forEach(([, , value], head) => expect(Number(value)).toBeCloseTo(four.data[144 * head], 8))
  await heard(page)
  for (let head = 0; head < 4; head++) {
    await page.keyboard.press('PageDown')
    const alone = await page.locator(focused).textContent()
    expect(alone).toContain(`head ${head + 1}, query 1 “The”, key 1 “The”: `)
    expect(spokenValue(alone)).toBeCloseTo(four.data[144 * head], 8)
  }
  await page.keyboard.press('PageDown')
  const changes = (await heard(page)).filter(([type]) => type === 'headchange')
  expect(changes).toEqual([0, 1, 2, 3].map((head) => ['headchange', { head }]))
  await expect(page.getByRole('button', { name: 'head 4' })).toHaveAttribute('aria-pressed', 'true')
})

test('heads and tokens are two stops for Tab', async ({ page }) => {
  await mount(page, 'AttentionLines', { attention: four })
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'all heads' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page.locator('.bar-label')).toHaveText('attention weight, head 1')
  await page.keyboard.press('Tab')
  await expect(page.locator(focused)).toContainText('query 1')
  await page.keyboard.press('Tab')
  await expect(page.locator(focused)).toHaveCount(0)
})

test('a lone head has no buttons', async ({ page }) => {
  await mount(page, 'AttentionLines', { attention })
  await expect(page.getByRole('toolbar')).toBeHidden()
})

test('Enter keeps a query, Escape goes back to all, and focus shows a query without keeping it', async ({
  page,
}) => {
  await mount(page, 'AttentionLines', { attention, tokens: words })
  await listen(page)
  await focusCells(page)
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('.hint')).toContainText('Query 2 “animal”')
  expect((await heard(page)).filter(([type]) => type === 'querychange')).toEqual([])
  await page.keyboard.press('Enter')
  await page.locator(focused).blur()
  await expect(page.locator('.tag.chosen')).toHaveText('animal')
  await expect(page.locator('.hint')).toContainText('Query 2 “animal”')
  await focusCells(page)
  await page.keyboard.press('Escape')
  await page.locator(focused).blur()
  await expect(page.locator('.tag:visible')).toHaveCount(0)
  await expect(page.locator('.hint')).toContainText('Point at a query')
  expect((await heard(page)).filter(([type]) => type === 'querychange')).toEqual([
    ['querychange', { query: 1 }],
    ['querychange', { query: -1 }],
  ])
})

test('a click on a query keeps it, a second one lets it go', async ({ page }) => {
  await mount(page, 'AttentionLines', { attention, tokens: words })
  await listen(page)
  const { x, y } = await placeOf(page, 'query', 7)
  await page.mouse.click(x, y)
  await page.mouse.move(1, 1)
  await expect(page.locator('.tag.chosen')).toHaveText(words[7])
  await expect(page.locator('.hint')).toContainText(`Query 8 “${words[7]}”`)
  await page.mouse.click(x, y)
  await page.mouse.move(1, 1)
  await expect(page.locator('.tag:visible')).toHaveCount(0)
  await expect(page.locator('.hint')).toContainText('Point at a query')
  expect((await heard(page)).map(([type, { query }]) => [type, query])).toEqual([
    ['querychange', 7],
    ['querychange', -1],
  ])
})

test('a key of the selected query is a cell: its value, its events, its inspector', async ({
  page,
}) => {
  await mount(page, 'AttentionLines', { attention, tokens: words, selectedQuery: 0 })
  await listen(page)
  const { x, y } = await placeOf(page, 'key', 8)
  await page.mouse.move(x, y)
  const value = Math.fround(attention.data[8])
  const shown = await page.locator('.readout .value').textContent()
  expect(Number(shown)).toBeCloseTo(value, 8)
  await expect(page.locator('.readout .ends')).toHaveText('query 1 “The” → key 9 “it”')
  const detail = {
    ...{ layer: 0, head: 0, query: 0, key: 8, masked: false },
    ...{ value: attention.data[8], queryToken: 'The', keyToken: 'it' },
  }
  expect(await heard(page)).toEqual([['cellhover', detail]])
  await page.mouse.click(x, y)
  expect(await heard(page)).toEqual([['cellselect', detail]])
  await expect(page.locator('.inspector')).toContainText('The → it')
  await page.mouse.move(1, 1)
  expect(await heard(page)).toEqual([['cellleave', null]])
  await page.keyboard.press('Escape')
  await expect(page.locator('.inspector')).toBeHidden()
  // Escape closed the inspector, and nothing else.
  await expect(page.locator('.tag.chosen')).toHaveText('The')
})

test('the weights beside a key are each head’s', async ({ page }) => {
  await mount(page, 'AttentionLines', { attention: four, tokens: words, selectedQuery: 0 })
  await listen(page)
  const { y } = await placeOf(page, 'key', 2)
  const box = await drawing(page)
  for (let head = 0; head < 4; head++) {
    await page.mouse.move(box.x + box.width - 20 - 40 * (3 - head), y)
    const told = (await heard(page)).filter(([type]) => type === 'cellhover')
    expect(told.map(([, { head, key, value }]) => [head, key, value])).toEqual([
      [head, 2, four.data[144 * head + 2]],
    ])
  }
})

test('while a weight is open the arrow keys open the next one', async ({ page }) => {
  await mount(page, 'AttentionLines', { attention, tokens: words })
  await focusCells(page)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page.locator('.inspector')).toContainText('query 1 “The” → key 1 “The”')
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('.inspector')).toContainText('query 1 “The” → key 2 “animal”')
  await update(page, { inspector: false })
  await expect(page.locator('.inspector')).toBeHidden()
})

test('a line that is pointed at is a cell, and a click keeps its query', async ({ page }) => {
  await mount(page, 'AttentionLines', {
    attention: [
      [1, 0],
      [0, 0.5],
    ],
  })
  await listen(page)
  const { y } = await placeOf(page, 'query', 1)
  const box = await drawing(page)
  await page.mouse.move(box.x + box.width / 2, y + 2)
  expect(await heard(page)).toEqual([
    ['cellhover', expect.objectContaining({ head: 0, query: 1, key: 1, value: 0.5 })],
  ])
  await page.mouse.move(box.x + box.width / 2, y - 13)
  expect(await heard(page)).toEqual([['cellleave', null]])
  await page.mouse.move(box.x + box.width / 2, y)
  await page.mouse.click(box.x + box.width / 2, y)
  const told = await heard(page)
  expect(told.map(([type]) => type)).toEqual(['cellhover', 'querychange', 'cellselect'])
  expect(told[1][1]).toEqual({ query: 1 })
  await expect(page.locator('.tag.chosen')).toHaveText('2')
})

test('buttons choose a head as in the other views', async ({ page }) => {
  await mount(page, 'AttentionLines', { attention: four, tokens: words })
  await listen(page)
  await page.getByRole('button', { name: 'head 3' }).click()
  await expect(page.locator('.bar-label')).toHaveText('attention weight, head 3')
  expect(await heard(page)).toEqual([['headchange', { head: 2 }]])
  const { x, y } = await placeOf(page, 'query', 0)
  await page.mouse.click(x, y)
  await heard(page)
  await page.mouse.move(x, y - 30)
  const key = await placeOf(page, 'key', 0)
  await page.mouse.move(key.x, key.y)
  expect(await heard(page)).toEqual([
    ['cellhover', expect.objectContaining({ head: 2, query: 0, key: 0, value: four.data[288] })],
  ])
  await page.getByRole('button', { name: 'all heads' }).click()
  await expect(page.locator('.bar-label')).toHaveText('attention weight, heads 1 (top) to 4')
  await update(page, { emphasizedHead: 1 })
  await expect(page.getByRole('button', { name: 'head 2' })).toHaveAttribute('aria-pressed', 'true')
})

test('an update keeps the focus where it was, also where tokens become fewer', async ({ page }) => {
  await mount(page, 'AttentionLines', { attention })
  await focusCells(page)
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowRight')
  await expect(page.locator(focused)).toContainText('query 12, key 12')
  await update(page, {
    attention: [
      [0.5, 0.5, 0],
      [1, 0, 0],
    ],
  })
  await expect(page.locator(focused)).toHaveText('query 2, key 3: 0')
})
