import { choose, expect, figuresReady, golden, relativeError, resultOf, test } from './site-page.js'

/** @import { Page } from '@playwright/test' */

const { gradient_vs_dk: curve } = golden('scaled_dot_product')
const { jacobian_row_it_score_multiplier: jacobians, saturation } =
  golden('extra').scaled_dot_product
const backward = golden('backward').scaled_dot_product_unmasked

test.beforeEach(async ({ page }) => {
  await page.goto('lessons/scaled-dot-product-attention/')
  await figuresReady(page)
})

/** Until the worker has come to its end. @param {Page} page @param {string} name */
async function measured(page, name) {
  await expect
    .poll(async () => (await resultOf(page, name)).isRunning, { timeout: 30_000 })
    .toBe(false)
}

test.describe('dot-product-variance', () => {
  const name = 'dot-product-variance'
  /** @param {Page} page @param {number} dK */
  const cells = (page, dK) => page.locator(`${name} tr[data-size="${dK}"] td`)

  test("measures products of the notebook's seed, within what chance allows", async ({ page }) => {
    await measured(page, name)
    const { sizes } = await resultOf(page, name)
    for (const dK of [4, 8, 16, 32, 64, 128, 256, 512]) {
      const { trials, raw, scaled, shareOver25 } = sizes[dK]
      expect(trials).toBe(10_000)
      expect(raw.theory).toEqual({ mean: 0, variance: dK })
      // The variance of a product's square is (2 + 6/d_k)·d_k², so this is more than 6 standard errors.
      expect(Math.abs(raw.measured.variance / dK - 1)).toBeLessThan(0.12)
      expect(scaled.measured.variance).toBeCloseTo(raw.measured.variance / dK, 10)
      await expect(cells(page, dK)).toHaveText([
        raw.measured.variance.toFixed(2),
        dK.toFixed(2),
        scaled.measured.variance.toFixed(4),
        '1.00',
        `${(100 * shareOver25).toFixed(1)} %`,
      ])
      const wanted = saturation.find((/** @type {any} */ { d_k }) => d_k === dK)
      expect(shareOver25).toBeCloseTo(wanted.frac_abs_over_25, 1)
    }
    await expect(page.locator(`${name} [data-progress]`)).toHaveText('80,000 of 80,000 products')
  })

  test('draws the same numbers as NumPy does', async ({ page }) => {
    await measured(page, name)
    const { sizes } = await resultOf(page, name)
    // Query, then key, of every product, from one stream for each width.
    const variance = await page.evaluate(async () => {
      const { loadEngine } = await import(
        String(new URL('../../attention-lab/index.js', location.href))
      )
      const { data } = (await loadEngine()).random.numpyLegacy(1337).randn([10_000, 2, 4])
      const products = Array.from({ length: 10_000 }, (_, trial) =>
        [0, 1, 2, 3].reduce((sum, k) => sum + data[8 * trial + k] * data[8 * trial + 4 + k], 0),
      )
      const mean = products.reduce((a, b) => a + b) / 10_000
      return products.reduce((sum, z) => sum + (z - mean) ** 2, 0) / 10_000
    })
    expect(sizes[4].raw.measured.variance / variance).toBeCloseTo(1, 3)
  })

  test('shows another width at once, and other settings after another run', async ({ page }) => {
    const figure = page.locator(name)
    await measured(page, name)
    await choose(page, name, 'width', 512)
    await expect(figure.locator('tr.chosen th')).toHaveText('512')
    expect((await resultOf(page, name)).isRunning).toBe(false)
    await expect(figure.locator('.raw figcaption')).toContainText(/10000 products for d_k 512/)

    await figure.getByRole('slider', { name: 'correlation' }).fill('0.5')
    await measured(page, name)
    // Theory: mean ρ·√d_k = 11.3, variance 1 + ρ² = 1.25.
    await expect(cells(page, 512).nth(3)).toHaveText('1.25')
    await expect(figure.locator('.scaled figcaption')).toContainText('theory has mean 11.3')
    const { sizes } = await resultOf(page, name)
    expect(sizes[512].scaled.measured.mean).toBeCloseTo(0.5 * Math.sqrt(512), 0)
    await figure.getByRole('button', { name: 'Draw anew' }).click()
    await measured(page, name)
    const again = await resultOf(page, name)
    expect(again.sizes[512].raw.measured.mean).not.toBe(sizes[512].raw.measured.mean)
    await figure.getByRole('button', { name: 'Reset' }).click()
    await expect(cells(page, 512).nth(3)).toHaveText('1.00')
  })

  test('runs 100,000 products for each width with progress, and stops when it is told to', async ({
    page,
  }) => {
    const figure = page.locator(name)
    await measured(page, name)
    await choose(page, name, 'width', 4)
    await choose(page, name, 'trials', 100_000)
    const progress = figure.locator('[data-progress]')
    await expect(progress).toContainText('of 800,000 products')
    await expect(progress).not.toHaveText(/^0 of/)
    await figure.getByRole('button', { name: 'Stop' }).click()
    await expect(progress).toContainText('stopped')
    const counted = await progress.textContent()
    expect((await resultOf(page, name)).isRunning).toBe(false)
    await page.waitForTimeout(500)
    expect(await progress.textContent()).toBe(counted)
    await figure.getByRole('button', { name: 'Run again' }).click()
    await expect(progress).not.toContainText('stopped')
    // The width that is looked at comes first.
    await expect
      .poll(async () => (await resultOf(page, name)).sizes[4]?.trials, { timeout: 30_000 })
      .toBe(100_000)
    const { sizes } = await resultOf(page, name)
    // Six standard errors: the variance of a square is (2 + 6/d_k)·d_k².
    expect(Math.abs(sizes[4].raw.measured.variance / 4 - 1)).toBeLessThan(0.036)
  })
})

test.describe('softmax-saturation', () => {
  const name = 'softmax-saturation'

  test("shows the notebook's curve and table, and the norms beside them", async ({ page }) => {
    await measured(page, name)
    const { rows } = await resultOf(page, name)
    for (const [place, row] of curve.table.entries()) {
      const figures = saturation[place]
      const cells = page.locator(`${name} tr[data-size="${row.Projection_Dimension_dk}"] td`)
      await expect(cells.nth(0)).toHaveText(row.Scaled_Grad_Norm)
      await expect(cells.nth(1)).toHaveText(row.Unscaled_Grad_Norm)
      await expect(cells.nth(2)).toHaveText(
        row['Gradient_Ratio (Scaled / Unscaled)'].replace('x', '×'),
      )
      await expect(cells.nth(3)).toHaveText(
        `${(100 * figures.unscaled.relative_to_uniform).toFixed(0)} %`,
      )
      await expect(cells.nth(4)).toHaveText(figures.unscaled.max_p_mean.toFixed(3))
      await expect(cells.nth(5)).toHaveText(
        row.Regime === 'Stable Gradient Flow' ? 'open' : 'saturated',
      )
      for (const kind of /** @type {const} */ (['scaled', 'unscaled'])) {
        expect(rows[place][kind].meanDiagonal).toBeCloseTo(curve[kind][place], 10)
        expect(rows[place][kind].jacobianNorm).toBeCloseTo(figures[kind].jacobian_frobenius_mean, 7)
      }
    }
    await expect(page.locator(`${name} .diagonal figcaption`)).toContainText(
      'scaled from 0.0812 to 0.0798, unscaled from 0.0643 to 0.0054',
    )
    await expect(page.locator(`${name} .norm figcaption`)).toContainText(
      'unscaled from 0.3356 to 0.0511',
    )
  })

  test('takes other numbers of keys and of queries, in a worker', async ({ page }) => {
    const figure = page.locator(name)
    await measured(page, name)
    await figure.getByRole('slider', { name: 'keys' }).fill('33')
    await measured(page, name)
    const { rows } = await resultOf(page, name)
    // Nothing can be flatter than uniform attention, which is below the notebook's 0.03 here.
    for (const { scaled } of rows) {
      expect(scaled.meanDiagonal).toBeLessThan((1 / 33) * (32 / 33))
      expect(scaled.relativeToUniform).toBeGreaterThan(0.85)
    }
    await choose(page, name, 'trials', 20_000)
    const progress = figure.locator('[data-progress]')
    await expect(progress).toContainText('of 160,000 queries')
    await figure.getByRole('button', { name: 'Stop' }).click()
    await expect(progress).toContainText('stopped')
    await figure.getByRole('button', { name: 'Run again' }).click()
    await expect(progress).not.toContainText('stopped')
    await figure.getByRole('button', { name: 'Reset' }).click()
    await measured(page, name)
    await expect(figure.locator('tr[data-size="512"] td').nth(1)).toHaveText(
      curve.table[7].Unscaled_Grad_Norm,
    )
  })

  test("shows the Jacobian of 'it', which empties as its scores grow", async ({ page }) => {
    const figure = page.locator(name)
    const slider = figure.getByRole('slider', { name: 'scores times' })
    for (const [factor, wanted] of Object.entries(jacobians)) {
      await slider.fill(String(Math.log2(Number(factor))))
      const { jacobian } = await resultOf(page, name)
      // float32: the entries are products of two weights with a relative error of a few ε.
      expect(relativeError(jacobian.jacobian.data, wanted.data)).toBeLessThan(1e-5)
      const norm = Math.hypot(...wanted.data)
      await expect(figure.locator('[data-measure="norm"] td')).toHaveText(norm.toFixed(4))
    }
    await slider.fill('5')
    const { jacobian } = await resultOf(page, name)
    expect(jacobian.largestEntry).toBeLessThan(0.01)
    await figure.getByRole('combobox').selectOption('animal')
    await expect(figure.locator('[data-measure="weight"]')).toContainText('animal')
  })
})

test.describe('attention-gradients', () => {
  const name = 'attention-gradients'
  /** @type {Record<string, string>} */
  const wanted = {
    value: 'grad_value',
    scores: 'grad_scores',
    query: 'grad_query',
    key: 'grad_key',
  }

  test('starts with the golden gradients, and its quotients agree with them', async ({ page }) => {
    const { upstream, forward, gradients, quotients, numbers } = await resultOf(page, name)
    expect(relativeError(upstream.data, backward.grad_output.data)).toBeLessThan(1e-12)
    expect(relativeError(forward.weights.data, backward.weights.data)).toBeLessThan(1e-6)
    for (const [part, key] of Object.entries(wanted)) {
      expect(relativeError(gradients[part].data, backward[key].data)).toBeLessThan(1e-6)
      expect(relativeError(quotients[part].data, backward[key].data)).toBeLessThan(1e-9)
      const row = page.locator(`${name} tr[data-gradient="${part}"] td`)
      await expect(row.first()).toHaveText(Math.hypot(...backward[key].data).toFixed(4))
    }
    for (const { kernelError, referenceError } of Object.values(numbers)) {
      expect(kernelError).toBeLessThan(5e-6)
      expect(referenceError).toBeLessThan(1e-8)
    }
  })

  test('opens its weights, which the reference confirms', async ({ page }) => {
    const map = page.locator(`${name} .attention`)
    await map.locator('[role=gridcell][tabindex="0"]').focus()
    await page.keyboard.press('Enter')
    await expect(map.locator('.inspector .agrees')).toBeVisible()
  })

  test('shows what a single entry of the upstream gradient does', async ({ page }) => {
    const figure = page.locator(name)
    await figure.locator('.upstream [role=gridcell][tabindex="0"]').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect(figure.getByText('one entry: row 3, column 2')).toBeVisible()
    const { upstream, gradients } = await resultOf(page, name)
    const nonZero = (/** @type {any} */ { data, shape: [, columns] }) =>
      data.flatMap((/** @type {number} */ value, /** @type {number} */ index) =>
        value === 0 ? [] : [[Math.floor(index / columns), index % columns]],
      )
    expect(nonZero(upstream)).toEqual([[2, 1]])
    for (const part of ['weights', 'scores', 'query']) {
      expect(nonZero(gradients[part]).every((/** @type {number[]} */ [row]) => row === 2)).toBe(
        true,
      )
    }
    expect(nonZero(gradients.value)).toEqual([0, 1, 2, 3, 4, 5].map((row) => [row, 1]))
    await choose(page, name, 'upstream', 'drawn')
    const again = await resultOf(page, name)
    expect(relativeError(again.upstream.data, backward.grad_output.data)).toBeLessThan(1e-12)
    await figure.getByRole('button', { name: 'Reset' }).click()
    await expect(figure.getByText('one entry: row 2, column 3')).toBeVisible()
  })

  test('lets the values learn on when the scores are saturated', async ({ page }) => {
    const figure = page.locator(name)
    await choose(page, name, 'upstream', 'one')
    const before = (await resultOf(page, name)).numbers
    await figure.getByRole('slider', { name: 'scale' }).fill('5')
    const { numbers } = await resultOf(page, name)
    expect(numbers.value.norm).toBeGreaterThan(before.value.norm)
    for (const part of ['scores', 'query', 'key']) {
      expect(numbers[part].norm).toBeLessThan(before[part].norm / 1000)
    }
    await expect(figure.locator('tr[data-gradient="value"] td').first()).toHaveText('1.0000')
  })

  test('has the smallest error for a step that is neither large nor tiny', async ({ page }) => {
    const slider = page.locator(name).getByRole('slider', { name: 'step' })
    const errorAt = async (/** @type {number} */ digits) => {
      await slider.fill(String(digits))
      return (await resultOf(page, name)).numbers.query.referenceError
    }
    const [large, best, tiny] = [await errorAt(1), await errorAt(5), await errorAt(12)]
    expect(best).toBeLessThan(large / 1000)
    expect(best).toBeLessThan(tiny / 1000)
  })
})
