import { causal, open } from './causal-page.js'
import { choose, expect, test } from './site-page.js'

/** @import { Locator } from '@playwright/test' */

test.use({ contextOptions: { reducedMotion: 'reduce' } })
test.beforeEach(open)

/**
 * Opens every cell of a six by six heatmap, and sees that none is contradicted by the reference.
 * @param {Locator} heatmap
 * @param {(row: number, column: number, inspector: Locator) => Promise<void>} [look]
 */
async function openAll(heatmap, look) {
  const { keyboard } = heatmap.page()
  const inspector = heatmap.locator('.inspector')
  await heatmap.locator('[role=gridcell][tabindex="0"]').first().focus()
  await keyboard.press('Control+Home')
  await keyboard.press('Enter')
  for (let row = 0; row < 6; row++) {
    for (let column = 0; column < 6; column++) {
      await expect(inspector.locator('.inspector-title')).toContainText(`query ${row + 1}`)
      await expect(inspector.locator('.inspector-title')).toContainText(`key ${column + 1}`)
      await expect(heatmap.getByRole('alert')).toHaveCount(0)
      await look?.(row, column, inspector)
      await keyboard.press(column < 5 ? 'ArrowRight' : 'Home')
    }
    await keyboard.press('ArrowDown')
  }
  await keyboard.press('Escape')
}

/** @param {Locator} inspector @param {string} figure @returns {Promise<number>} as the kernel has it */
async function kernelsOwn(inspector, figure) {
  const cell = inspector.locator(`[data-figure="${figure}"] td[data-value]`).first()
  return Number(await cell.getAttribute('data-value'))
}

test('Every cell of both masks opens, and the notebook’s weight is in it', async ({ page }) => {
  for (const [name, { data }] of Object.entries({
    bidirectional: causal.demo.bidirectional,
    causal: causal.demo.causal,
  })) {
    await openAll(page.locator(`two-masks .${name}`), async (row, column, inspector) => {
      expect(await kernelsOwn(inspector, 'weight')).toBeCloseTo(data[6 * row + column], 6)
    })
  }
})

test('Every cell of a painted mask opens, with an empty row and whatever closes it', async ({
  page,
}) => {
  const editor = page.locator('mask-editor')
  await choose(page, 'mask-editor', 'preset', 'alibi')
  for (let column = 0; column < 3; column++) {
    await editor.locator(`button[data-cell="${12 + column}"]`).press('Space')
  }
  const added = (/** @type {Locator} */ inspector) => kernelsOwn(inspector, 'mask')
  await openAll(editor.locator('.weights'), async (row, column, inspector) => {
    if (row === 5) expect(await added(inspector)).toBeCloseTo(0.25 * (column - 5), 9)
  })
  await choose(page, 'mask-editor', 'fill', 'billion')
  await openAll(editor.locator('.weights'), async (row, column, inspector) => {
    if (row === 2) expect(await kernelsOwn(inspector, 'weight')).toBeCloseTo(1 / 6, 6)
    if (column > row) expect(await added(inspector)).toBe(-1e9)
  })
})

test('The PyTorch module’s cells open, with its own weights in each sequence', async ({ page }) => {
  const grid = page.locator('causal-axioms .grid')
  await choose(page, 'causal-axioms', 'sequence', 1)
  const { data } = causal.torch_module.weights
  await openAll(grid, async (row, column, inspector) => {
    const wanted = data[4 * 36 + 6 * row + column]
    expect(await kernelsOwn(inspector, 'weight')).toBeCloseTo(wanted, 5)
  })
})
