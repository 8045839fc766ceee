import { choose, expect, figuresReady, golden, reset, slider, stateOf, test } from './site-page.js'

const { multi_head: extra } = golden('extra')

/** @param {number} value in groups of three */
const grouped = (value) => value.toLocaleString('en')

test.beforeEach(async ({ page }) => {
  await page.goto('lessons/subspaces-and-cost/')
  await figuresReady(page)
})

test('Costs are the golden counts, for each number of heads', async ({ page }) => {
  const wanted = extra.cost.filter((/** @type {any} */ { N }) => N === 6)
  expect(wanted.length).toBe(4)
  for (const cost of wanted) {
    const row = page.locator(`attention-cost tr[data-heads="${cost.heads}"]`)
    const softmax = Object.values(cost.softmax).reduce((a, b) => a + b)
    for (const [name, value] of Object.entries({
      ...{ projections: cost.projections, scores: cost.scores, values: cost.values },
      ...{ scale: cost.scale, softmax, bytes: cost.weights_bytes },
    })) {
      await expect(row.locator(`[data-count="${name}"]`)).toHaveText(grouped(value))
    }
  }
  // The golden formula is for one sequence.
  const { notebook_formula_multiply_adds: formula, batch } = wanted[0]
  const count = (/** @type {string} */ name) =>
    page.locator(`attention-cost .formula [data-count="${name}"]`)
  await expect(count('formula')).toHaveText(grouped(batch * formula))
  await expect(count('doubled')).toHaveText(grouped(2 * batch * formula))
  await expect(count('products')).toHaveText(grouped(2 * batch * formula))
})

test('Costs: sizes, heads and masks', async ({ page }) => {
  const count = (/** @type {string} */ name, heads = 4) =>
    page.locator(`attention-cost tr[data-heads="${heads}"] [data-count="${name}"]`)
  await choose(page, 'attention-cost', 'mask', 'added')
  // One addition for each of 2 · 4 · 6² scores.
  await expect(count('scale')).toHaveText(grouped(2 * 288))
  await choose(page, 'attention-cost', 'mask', 'causal')
  // 21 of 36 pairs are left.
  await expect(count('scores')).toHaveText(grouped((4608 * 21) / 36))
  await expect(count('bytes')).toHaveText('1,152')

  await choose(page, 'attention-cost', 'mask', 'none')
  await choose(page, 'attention-cost', 'heads', 32)
  await expect(page.locator('attention-cost tr.chosen')).toHaveAttribute('data-heads', '32')
  const share = page.locator('attention-cost [data-count="share"]')
  await expect(share).toHaveText('12.1 %')
  await slider(page, 'attention-cost', 'tokens').press('End')
  await expect(share).toHaveText('141.1 %')
  await choose(page, 'attention-cost', 'features', 1024)
  await expect(share).toHaveText('1.6 %')
  await slider(page, 'attention-cost', 'batch').press('Home')
  await expect(count('bytes', 32)).toHaveText(grouped(128 * 2 ** 20))
  await page.locator('attention-cost tr[data-heads="8"]').click()
  expect(await stateOf(page, 'attention-cost')).toEqual({
    ...{ tokens: 1024, features: 1024, batch: 1, numHeads: 8, mask: 'none' },
  })
  await reset(page, 'attention-cost', {
    ...{ tokens: 6, features: 32, batch: 2, numHeads: 4, mask: 'none' },
  })
})
