import { expect, figuresReady, golden, relativeError, resultOf, test } from './site-page.js'

const { properties } = golden('scaled_dot_product')
const { hull } = golden('extra').scaled_dot_product

test.beforeEach(async ({ page }) => {
  await page.goto('lessons/scaled-dot-product-attention/')
  await figuresReady(page)
})

test.describe('attention-properties', () => {
  /** @param {import('@playwright/test').Page} page @param {string} claim */
  const row = (page, claim) => page.locator(`attention-properties [data-claim="${claim}"]`)

  test("measures the notebook's case: what its table says, and what it should have said", async ({
    page,
  }) => {
    const [, nonNegative, norms] = properties.table
    await expect(row(page, 'row-sums').locator('td').first()).toHaveText(
      /^\s*(0\.99999\d\d|1\.00000\d\d) to (0\.99999\d\d|1\.00000\d\d)\s*$/,
    )
    await expect(row(page, 'entries').locator('td').first()).toHaveText(
      `${nonNegative.Empirical_Min} to ${nonNegative.Empirical_Max}`,
    )
    const [lowest, highest] = norms.Theoretical_Value.match(/[\d.]+/g)
    await expect(row(page, 'upper-bound').locator('td').first()).toHaveText(
      `${norms.Empirical_Max} ≤ ${highest}`,
    )
    await expect(row(page, 'lower-bound').locator('td').first()).toHaveText(
      `${norms.Empirical_Min} < ${lowest}`,
    )
    for (const claim of ['row-sums', 'entries', 'upper-bound', 'hull']) {
      await expect(row(page, claim)).toContainText('✓ yes')
    }
    await expect(row(page, 'lower-bound')).toContainText('✗ no')
    await expect(row(page, 'hull')).toContainText('1000 of 1000')

    const { first, all } = await resultOf(page, 'attention-properties')
    expect(relativeError(first.weights.data, properties.A.data)).toBeLessThan(1e-6)
    expect(relativeError(first.outputNorms, hull.y_norms.data)).toBeLessThan(1e-6)
    expect(relativeError(first.valueNorms, hull.v_norms.data)).toBeLessThan(1e-12)
    expect(relativeError(first.coordinates.data, hull.barycentric.data)).toBeLessThan(1e-12)
    expect(first.furthest).toBeLessThan(1e-12)
    expect(all.rowSumError).toBeLessThan(1e-6)
    expect(all.aboveSmallest).toBeLessThan(100)
  })

  test('measures other cases, of any number of queries and keys', async ({ page }) => {
    const figure = page.locator('attention-properties')
    await figure.getByRole('button', { name: 'Draw another case' }).click()
    await expect(figure.getByRole('columnheader', { name: 'seed 43' })).toBeVisible()
    await expect(row(page, 'lower-bound')).toContainText('✗ no')

    await figure.getByRole('slider', { name: 'keys' }).focus()
    await page.keyboard.press('Home')
    // With one key there is nothing to average: the output is the value.
    const { first } = await resultOf(page, 'attention-properties')
    expect(relativeError(first.outputNorms, Array(5).fill(first.valueNorms[0]))).toBeLessThan(1e-6)
    for (const claim of ['upper-bound', 'lower-bound', 'hull']) {
      await expect(row(page, claim)).toContainText('1000 of 1000')
    }
    await page.keyboard.press('End')
    await expect(row(page, 'hull')).toContainText('not unique')
    await expect(figure.getByText('12 points in 8 dimensions')).toBeVisible()

    await figure.getByRole('slider', { name: 'queries' }).focus()
    await page.keyboard.press('End')
    await expect(figure.locator('.numbers tbody tr')).toHaveCount(12)
    await figure.getByRole('button', { name: 'Reset' }).click()
    await expect(figure.getByRole('columnheader', { name: 'notebook' })).toBeVisible()
  })

  test('says in its text alternative how many outputs are below the shortest value', async ({
    page,
  }) => {
    await expect(page.locator('attention-properties').getByRole('img')).toHaveAccessibleName(
      'Norms on a line: 6 values from 1.97 to 4.33, 5 outputs from 1.62 to 2.12; 2 of them below the shortest value.',
    )
  })
})
