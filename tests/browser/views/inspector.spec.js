import { expect, test } from '@playwright/test'
import { accessibilityFaults } from '../site-page.js'
import { focused, inspector, kinds, mountExplained, openCell } from './inspector-page.js'
import {
  expectNoSidewaysScrolling,
  focusCells,
  golden,
  mount,
  open,
  settle,
  update,
  words,
} from './support.js'

const { attention } = golden.heads[4]

test.use({ contextOptions: { reducedMotion: 'reduce' } })
test.beforeEach(({ page }) => open(page))

test('a click opens the cell: weight, rank, row sum, and what is missing', async ({ page }) => {
  await mount(page, 'Heatmap', { attention: golden.heads[1].attention, tokens: words })
  await expect(inspector(page)).toBeHidden()
  const frame = await page.locator('.frame').boundingBox()
  if (!frame) throw new Error('nothing is drawn')
  await page.mouse.click(frame.x + (frame.width * 8.5) / 12, frame.y + (frame.height * 4.5) / 12)
  await expect(inspector(page)).toContainText('query 5 “cross” → key 9 “it”')
  const { data } = golden.heads[1].attention
  const row = data.slice(48, 60)
  const number = (/** @type {string} */ id) =>
    inspector(page).locator(`[data-figure="${id}"] td`).first()
  expect(Number(await number('value').getAttribute('data-value'))).toBe(row[8])
  const rank = row.filter((weight) => weight > row[8]).length + 1
  await expect(number('rank')).toHaveText(String(rank))
  expect(Number(await number('rowSum').getAttribute('data-value'))).toBeCloseTo(1, 6)
  await expect(inspector(page)).toContainText('q, k and v did not come with this map')
  await expect(page.getByRole('status')).toContainText(`rank ${rank} of 12 in its row`)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

for (const [kind, drawing] of /** @type {const} */ ([
  ['HeadGrid', 'canvas.matrix'],
  ['AttentionCube', 'canvas.scene'],
])) {
  test(`a click opens a cell of ${kind}, which says what is missing`, async ({ page }) => {
    await mount(page, kind, { attention, tokens: words })
    await page.locator(drawing).first().click()
    await expect(inspector(page)).toContainText(/head \d, query \d+ “\w+” → key \d+ “\w+”/)
    await expect(inspector(page)).toContainText('q, k and v did not come with this map')
    await expect(page.getByRole('status')).toContainText('of 12 in its row')
  })
}

for (const kind of kinds) {
  test(`with the keyboard alone ${kind} opens, follows the arrows and closes`, async ({ page }) => {
    await mount(page, kind, { attention, tokens: words })
    await openCell(page, 'ArrowDown', 'ArrowRight')
    await expect(inspector(page)).toContainText('query 2 “animal” → key 2 “animal”')
    // Opening has moved nothing: the next arrow goes on from here.
    expect(await focused(page)).toBe('gridcell')
    await page.evaluate(() => {
      Object.assign(window, { heard: [] })
      document.addEventListener('cellselect', (event) =>
        /** @type {any} */ (window).heard.push(/** @type {CustomEvent} */ (event).detail.key),
      )
    })
    await page.keyboard.press('ArrowRight')
    await expect(inspector(page)).toContainText('query 2 “animal” → key 3 “did”')
    await page.keyboard.press('End')
    await expect(inspector(page)).toContainText('key 12 “tired”')
    expect(await page.evaluate(() => /** @type {any} */ (window).heard)).toEqual([2, 11])
    expect(await focused(page)).toBe('gridcell')

    // Into the inspector and, by its button, back to the cell.
    await page.keyboard.press('Tab')
    while ((await focused(page)) !== 'close') await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(inspector(page)).toBeHidden()
    expect(await focused(page)).toBe('gridcell')
    await expect(page.locator('[role=gridcell]:focus')).toContainText('key 12 “tired”')

    await page.keyboard.press('Enter')
    await expect(inspector(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(inspector(page)).toBeHidden()
    expect(await focused(page)).toBe('gridcell')
    await page.keyboard.press('ArrowLeft')
    await settle(page)
    await expect(inspector(page)).toBeHidden()
  })
}

test('Escape closes from within, and is not passed on to what the figure stands in', async ({
  page,
}) => {
  await mount(page, 'Heatmap', { attention })
  await page.evaluate(() => {
    Object.assign(window, { escapes: 0 })
    document.addEventListener('keydown', () => /** @type {any} */ (window).escapes++)
  })
  await openCell(page)
  const before = await page.evaluate(() => /** @type {any} */ (window).escapes)
  await inspector(page).getByRole('button', { name: 'Close' }).focus()
  await page.keyboard.press('Escape')
  await expect(inspector(page)).toBeHidden()
  expect(await focused(page)).toBe('gridcell')
  expect(await page.evaluate(() => /** @type {any} */ (window).escapes)).toBe(before)
  // With nothing to close it is the page's.
  await page.keyboard.press('Escape')
  expect(await page.evaluate(() => /** @type {any} */ (window).escapes)).toBe(before + 1)
})

for (const kind of /** @type {const} */ (['HeadGrid', 'AttentionCube'])) {
  test(`in ${kind} Page Down opens the same cell of the next head`, async ({ page }) => {
    await mount(page, kind, { attention })
    await openCell(page, 'ArrowRight')
    await expect(inspector(page)).toContainText('head 1, query 1 → key 2')
    await page.keyboard.press('PageDown')
    await expect(inspector(page)).toContainText('head 2, query 1 → key 2')
    await page.keyboard.press('ArrowDown')
    await expect(inspector(page)).toContainText('head 2, query 2 → key 2')
  })
}

test('in a grid the inspector stands below the line of heads that it belongs to', async ({
  page,
}) => {
  await page.setViewportSize({ width: 600, height: 900 })
  await mount(page, 'HeadGrid', { attention })
  await openCell(page)
  const top = async (/** @type {string} */ selector, nth = 0) =>
    (await page.locator(selector).nth(nth).boundingBox())?.y ?? Number.NaN
  const order = [await top('.panel', 0), await top('.inspector'), await top('.panel', 2)]
  expect(order).toEqual([...order].sort((a, b) => a - b))
  await page.keyboard.press('PageDown')
  await page.keyboard.press('PageDown')
  await expect(inspector(page)).toContainText('head 3')
  expect(await focused(page)).toBe('gridcell')
  expect(await top('.inspector')).toBeGreaterThan(await top('.legend'))
})

test('with fewer heads or tokens the inspector stays on the nearest cell that there is', async ({
  page,
}) => {
  await mount(page, 'HeadGrid', { attention })
  await openCell(page, 'PageDown', 'PageDown', 'PageDown', 'Control+End')
  await expect(inspector(page)).toContainText('head 4, query 12 → key 12')
  await update(page, { attention: { data: new Array(8).fill(0.5), shape: [2, 2, 2] } })
  await expect(inspector(page)).toContainText('head 2, query 2 → key 2')
  await update(page, { attention: { data: [], shape: [0, 2, 2] } })
  await expect(inspector(page)).toBeHidden()
})

test('a heatmap’s inspector shows what is selected, whoever selects it', async ({ page }) => {
  await mount(page, 'Heatmap', { attention, selected: { query: 3, key: 4 } })
  await expect(inspector(page)).toBeHidden()
  await openCell(page)
  await expect(inspector(page)).toContainText('query 1 → key 1')
  await update(page, { selected: { query: 3, key: 4 } })
  await expect(inspector(page)).toContainText('query 4 → key 5')
  await update(page, { selected: null })
  await expect(inspector(page)).toBeHidden()
})

for (const kind of kinds) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`axe finds nothing wrong with an open cell of ${kind} on a ${colorScheme} page`, async ({
      page,
    }) => {
      await page.emulateMedia({ colorScheme })
      await mountExplained(page, kind, { d: 12 })
      await openCell(page)
      expect(await accessibilityFaults(page)).toEqual([])
    })
  }
}

test('from 320 px up nothing is cut off or lies beside the page', async ({ page }) => {
  await mountExplained(page, 'HeadGrid', { d: 16 })
  await openCell(page)
  for (const width of [320, 360, 430, 620, 1000, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await settle(page)
    await expectNoSidewaysScrolling(page)
    const cut = await inspector(page)
      .locator('td, th, p, button')
      .evaluateAll((nodes) =>
        nodes
          .filter((node) => node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0)
          .map((node) => node.textContent),
      )
    expect(cut, `at ${width} px`).toEqual([])
  }
})

test('what has opened is in sight', async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 500 })
  await mountExplained(page, 'Heatmap')
  await openCell(page)
  await expect(inspector(page).locator('.finding')).toBeInViewport({ ratio: 1 })
})

test('where it is switched off nothing opens, and what is open closes', async ({ page }) => {
  await mount(page, 'HeadGrid', { attention, inspector: false })
  await focusCells(page)
  await page.keyboard.press('Enter')
  await settle(page)
  await expect(inspector(page)).toBeHidden()
  await update(page, { inspector: true })
  await openCell(page)
  await update(page, { inspector: false })
  await expect(inspector(page)).toBeHidden()
  for (const [option, wrong] of [
    ['inspector', 'no'],
    ['explain', 7],
  ]) {
    const message = await page.evaluate(([option, wrong]) => {
      try {
        ;/** @type {any} */ (window).view.update({ [option]: wrong })
        return ''
      } catch (error) {
        return String(error)
      }
    }, /** @type {const} */ ([option, wrong]))
    expect(message).toContain(`TypeError: ${option}: expected`)
  }
})

test('an element has an attribute that switches it off', async ({ page }) => {
  await page.evaluate(async () => {
    await import(/** @type {string} */ ('/web/elements/define.js'))
    const element = document.createElement('attention-heatmap')
    element.setAttribute('attention', '[[0.25, 0.75]]')
    element.setAttribute('inspector', 'off')
    document.getElementById('figure')?.append(element)
  })
  await focusCells(page)
  await page.keyboard.press('Enter')
  await settle(page)
  await expect(inspector(page)).toBeHidden()
  const element = page.locator('attention-heatmap')
  await element.evaluate((node) => node.setAttribute('inspector', 'no'))
  await expect(element.getByRole('alert')).toContainText('inspector: expected on or off, got "no"')
  await element.evaluate((node) => node.removeAttribute('inspector'))
  await openCell(page)
})

test('a view that goes while a cell is open leaves nothing behind', async ({ page }) => {
  await mountExplained(page, 'HeadGrid')
  await openCell(page)
  await page.evaluate(() => {
    const { view } = /** @type {any} */ (window)
    view.dispose()
    view.dispose()
  })
  await page.keyboard.press('Escape')
  await settle(page)
  expect(await page.evaluate(() => document.getElementById('figure')?.childNodes.length)).toBe(0)
})
