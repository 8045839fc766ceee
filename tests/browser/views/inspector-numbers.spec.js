import { expect, test } from '@playwright/test'
import { accessibilityFaults } from '../site-page.js'
import { inspector, kinds, mountExplained, openCell } from './inspector-page.js'
import { focusCells, golden, mount, open, settle, update } from './support.js'

test.use({ contextOptions: { reducedMotion: 'reduce' } })
test.beforeEach(({ page }) => open(page))

test('every number from q and k to the share stands beside the reference’s', async ({ page }) => {
  await mountExplained(page, 'Heatmap')
  await openCell(page, 'ArrowDown', 'ArrowRight', 'ArrowRight')
  const rows = await inspector(page)
    .locator('[data-figure]')
    .evaluateAll((rows) =>
      rows.map((row) => [
        /** @type {HTMLElement} */ (row).dataset.figure,
        ...[...row.querySelectorAll('td')].map((cell) => cell.dataset.value ?? cell.textContent),
      ]),
    )
  expect(rows.map(([id]) => id)).toEqual(
    ['dot', 'scale', 'scaled', 'mask', 'score', 'rowMax', 'exp', 'rowSum', 'weight', 'rank'].concat(
      ['contribution', 'outputNorm', 'part', 'share'],
    ),
  )
  for (const [id, computed, reference] of rows) {
    expect(Math.abs(Number(computed) - Number(reference)), id).toBeLessThan(1e-5)
  }
  await expect(inspector(page).locator('.components').first().locator('tbody tr')).toHaveCount(4)
  await expect(inspector(page)).toContainText('numbers agree with the float64 reference')
  await expect(page.getByRole('status')).toContainText('agree with the float64 reference')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(inspector(page).locator('.drawn')).toContainText('weight')
})

for (const [stage, name] of [
  ['weights', 'weight a'],
  ['logits', 'dot product'],
  ['exp', 'exponential'],
]) {
  test(`a wrong number planted in the ${stage} raises the alarm, in words and with a mark`, async ({
    page,
  }) => {
    await mountExplained(page, 'Heatmap', { plant: [stage, 7, 0.9] })
    await openCell(page, 'ArrowDown', 'ArrowRight', 'ArrowRight')
    const alarm = page.getByRole('alert')
    await expect(alarm).toContainText('✗ This number is wrong')
    await expect(alarm).toContainText(`${name}: 0.9 instead of`)
    const row = inspector(page)
      .locator('tr.wrong', { hasText: name.split(' ')[0] })
      .first()
    await expect(row).toContainText('✗')
    await expect(row).toContainText('too far apart')
    await expect(inspector(page)).not.toContainText('agree with the float64 reference')
    expect(await accessibilityFaults(page)).toEqual([])

    // The row above is right, and so is this one once its numbers are.
    await page.keyboard.press('ArrowUp')
    await expect(alarm).toHaveCount(0)
    await page.keyboard.press('ArrowDown')
    await expect(alarm).toHaveCount(1)
    await page.evaluate(() => /** @type {any} */ (window).show())
    await expect(alarm).toHaveCount(0)
    await expect(inspector(page).locator('tr.wrong')).toHaveCount(0)
  })
}

for (const kind of kinds) {
  test(`in ${kind} a wrong weight is opened by pointer and by keyboard, and the alarm goes off`, async ({
    page,
  }) => {
    await mountExplained(page, kind, { plant: ['weights', 7, 0.9] })
    // Of the planes of a cube the emphasised one is in front of all others.
    await update(page, { emphasizedHead: 0 })
    await focusCells(page)
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
    await settle(page)
    const cell = page.locator('[role=gridcell]:focus')
    await expect(cell).toContainText('query 2, key 3')
    const at = await cell.boundingBox()
    if (!at) throw new Error('the cursor is nowhere')
    const alarm = page.getByRole('alert')
    const isOpen = async () => {
      await expect(inspector(page)).toContainText('query 2 → key 3')
      await expect(alarm).toContainText('✗ This number is wrong')
      await expect(alarm).toContainText('weight a: 0.9 instead of')
    }
    await page.keyboard.press('Enter')
    await isOpen()
    await page.keyboard.press('Escape')
    await expect(inspector(page)).toBeHidden()
    await expect(alarm).toHaveCount(0)
    await page.mouse.click(at.x + at.width / 2, at.y + at.height / 2)
    await isOpen()
  })
}

test('a map that draws another weight than the one that was computed raises it too', async ({
  page,
}) => {
  await mountExplained(page, 'HeadGrid')
  await page.evaluate(() => {
    const { view } = /** @type {any} */ (window)
    view.update({ attention: { data: new Float32Array(50).fill(0.25), shape: [2, 5, 5] } })
  })
  await openCell(page)
  await expect(page.getByRole('alert')).toContainText('weight a on the map: 0.25 instead of')
})

test('new data are shown in place: nodes, focus and the open list stay', async ({ page }) => {
  await mountExplained(page, 'Heatmap', { d: 64 })
  await openCell(page)
  const panel = inspector(page)
  await panel.getByRole('button', { name: 'All 64 components' }).first().click()
  const list = panel.locator('.components').first()
  await list.evaluate((node) => node.scrollTo(0, 300))
  const scrolled = await list.evaluate((node) => node.scrollTop)
  await panel.evaluate((node) => node.setAttribute('data-seen', ''))
  const value = panel.locator('[data-figure="weight"] td').first()
  const before = await value.textContent()
  await page.evaluate(() => /** @type {any} */ (window).show(['weights', 0, 0.5]))
  await expect(value).toHaveText('0.5')
  expect(before).not.toBe('0.5')
  await expect(page.locator('.inspector[data-seen]')).toBeVisible()
  expect(await list.evaluate((node) => node.scrollTop)).toBe(scrolled)
  await expect(panel.getByRole('button', { name: 'Only the 8 largest' })).toBeFocused()
})

test('of long vectors the largest products come first, and all are within reach', async ({
  page,
}) => {
  await mountExplained(page, 'Heatmap', { d: 64 })
  await openCell(page, 'ArrowDown')
  const list = inspector(page).locator('.components').first()
  const products = () =>
    list
      .locator('td:nth-child(2)[data-value]')
      .evaluateAll((cells) =>
        cells.map((cell) => Number(/** @type {HTMLElement} */ (cell).dataset.value)),
      )
  const few = await products()
  expect(few).toHaveLength(9)
  await expect(list).toContainText('the other 56 together')
  const more = inspector(page).getByRole('button', { name: 'All 64 components' }).first()
  await more.focus()
  await page.keyboard.press('Enter')
  const every = await products()
  expect(every).toHaveLength(64)
  const sizes = every.map(Math.abs)
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
  expect(every.slice(8).reduce((sum, product) => sum + product, 0)).toBeCloseTo(few[8], 5)
  const dot = inspector(page).locator('[data-figure="dot"] td').first()
  expect(every.reduce((sum, product) => sum + product, 0)).toBeCloseTo(
    Number(await dot.getAttribute('data-value')),
    5,
  )
  // The keyboard can scroll it.
  await page.keyboard.press('Shift+Tab')
  await expect(list).toBeFocused()
  expect((await list.boundingBox())?.height).toBeLessThan(300)
  expect(await accessibilityFaults(page)).toEqual([])
})

test('a masked cell, a masked row and NaN are explained in words', async ({ page }) => {
  await mount(page, 'Heatmap', {
    attention: [
      [1, 0],
      [0, 0],
      [Number.NaN, Number.NaN],
    ],
    mask: [
      [true, false],
      [false, false],
      [true, true],
    ],
    queryTokens: ['one', 'two', 'three'],
  })
  await openCell(page, 'ArrowRight')
  await expect(inspector(page)).toContainText('one may not attend to 2.')
  await expect(inspector(page)).toContainText('contributes exactly 0')
  await page.keyboard.press('ArrowDown')
  await expect(inspector(page)).toContainText('two may attend to nothing.')
  await expect(inspector(page)).toContainText('all weights of the row are exactly 0')
  await page.keyboard.press('ArrowDown')
  await expect(inspector(page)).toContainText('not a number (NaN)')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a causal map with q and k says why a cell is masked, and has −∞ and 0 in both columns', async ({
  page,
}) => {
  await mountExplained(page, 'Heatmap', { isCausal: true })
  await openCell(page, 'ArrowRight')
  await expect(inspector(page)).toContainText('a causal mask closes the keys after a query')
  const cells = (/** @type {string} */ id) =>
    inspector(page).locator(`[data-figure="${id}"] td`).allTextContents()
  expect(await cells('score')).toEqual(['−∞', '−∞', '0'])
  expect(await cells('weight')).toEqual(['0', '0', '0'])
  expect(await cells('rank')).toEqual(['—', '—', '—'])
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('what cannot be explained is said, along with what the map tells', async ({ page }) => {
  page.removeAllListeners('console')
  await mount(page, 'Heatmap', { attention: golden.heads[4].attention })
  await page.evaluate(() =>
    /** @type {any} */ (window).view.update({
      explain: () => {
        throw new RangeError('no such row')
      },
    }),
  )
  await openCell(page)
  await expect(inspector(page)).toContainText('could not be computed: no such row')
  await expect(inspector(page).locator('[data-figure="rank"]')).toBeVisible()
})
