import {
  choose,
  expect,
  figuresReady,
  golden,
  relativeError,
  reset,
  resultOf,
  stateOf,
  test,
  written,
} from './site-page.js'

/** @import { Page } from '@playwright/test' */

test.beforeEach(async ({ page }) => {
  await page.goto('lessons/scaled-dot-product-attention/')
  await figuresReady(page)
})

const { coreference } = golden('extra').scaled_dot_product

test.describe('token-projections', () => {
  /** @param {Page} page @returns {Promise<Record<string, number[][]>>} Q, K and V from X and the weights */
  async function expected(page) {
    const { x, weights } = await resultOf(page, 'token-projections')
    const entry = (/** @type {any} */ w, /** @type {number} */ row, /** @type {number} */ column) =>
      [0, 1, 2, 3].reduce(
        (sum, k) => sum + x.data[4 * row + k] * w.data[w.shape[1] * k + column],
        0,
      )
    return Object.fromEntries(
      Object.entries(weights).map(([name, w]) => [
        name,
        [0, 1, 2, 3].map((row) =>
          Array.from({ length: /** @type {any} */ (w).shape[1] }, (_, column) =>
            entry(w, row, column),
          ),
        ),
      ]),
    )
  }

  test('shows the products of what it shows, also with other weights', async ({ page }) => {
    const figure = page.locator('token-projections')
    for (const time of ['first', 'again']) {
      const { query, key, value } = await expected(page)
      for (const [place, matrix] of [query, key, value].entries()) {
        const cells = figure
          .locator('table')
          .nth(4 + place)
          .locator('tbody td')
        await expect(cells).toHaveText(matrix.flat().map((value) => written(value, 2)))
      }
      await expect(figure.locator('[data-entry]')).toHaveText(written(query[0][0], 2))
      if (time === 'first') await figure.getByRole('button', { name: 'Other weights' }).click()
    }
  })

  test('goes to an entry by keys, by buttons and by pointing at it', async ({ page }) => {
    const figure = page.locator('token-projections')
    const entry = figure.locator('[data-entry]')
    const { query, key, value } = await expected(page)
    await figure.getByRole('button', { name: 'Next entry' }).click()
    await expect(entry).toHaveText(written(query[0][1], 2))
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect(entry).toHaveText(written(query[1][0], 2))
    await page.keyboard.press('End')
    await expect(entry).toHaveText(written(value[3][1], 2))
    await choose(page, 'token-projections', 'projection', 'key')
    await expect(entry).toHaveText(written(key[0][0], 2))
    await figure.locator('table').nth(6).locator('tbody td').nth(4).click()
    await expect(entry).toHaveText(written(value[2][0], 2))
    // The row of X and the column of W that meet there.
    await expect(
      figure.locator('table').nth(3).locator('tr').nth(3).locator('.marked'),
    ).toHaveCount(4)
    await expect(figure.locator('table').nth(2).locator('td.marked')).toHaveCount(4)
    await reset(page, 'token-projections', { entry: 0, seed: 50 })
  })

  test('played, fills in one entry after the other, and stops where it is told to', async ({
    page,
  }) => {
    const figure = page.locator('token-projections')
    const empty = figure.locator('td.empty')
    await expect(empty).toHaveCount(0)
    await figure.getByRole('button', { name: 'Play' }).click()
    await expect.poll(() => empty.count()).toBeGreaterThan(0)
    await expect.poll(() => empty.count()).toBeLessThan(29)
    await figure.getByRole('button', { name: 'Pause' }).click()
    await expect(empty).toHaveCount(0)
    const { entry } = await stateOf(page, 'token-projections')
    expect(entry).toBeGreaterThan(1)
    await figure.locator('input[value="value"]').check({ force: true })
    await page.keyboard.press('Tab')
    await page.keyboard.press('End')
    await figure.getByRole('button', { name: 'Play' }).click()
    expect((await stateOf(page, 'token-projections')).entry).toBe(0)
  })
})

test.describe('attention-steps', () => {
  const { steps_it: steps } = coreference
  const stages = [
    {
      values: steps.raw.data,
      digits: 3,
      said: /^The query of “it” meets every key; 32 products.* = 5\.638\.$/s,
    },
    { values: steps.scaled.data, digits: 3, said: '5.638 ÷ 5.657 = 0.997' },
    { values: steps.masked.data, digits: 3, said: 'No mask is set' },
    { values: steps.exp.data, digits: 3, said: 'exp(0.997 − 0.997) = 1.000' },
    { values: steps.weights.data, digits: 4, said: '1.000 ÷ 5.521 = 0.1811' },
    { values: steps.share_along_output.data, digits: 3, said: '36.1 % of the length' },
  ]

  test("stage by stage shows the notebook's numbers, forward by buttons and back by keys", async ({
    page,
  }) => {
    const figure = page.locator('attention-steps')
    const next = figure.getByRole('button', { name: 'Next stage' })
    /** @param {number} stage */
    const check = async (stage) => {
      const { values, digits, said } = stages[stage]
      const texts = values.map((/** @type {number} */ value) => written(value, digits))
      await expect(figure.locator(`td[data-stage="${stage}"]`)).toHaveText(texts)
      await expect(figure.locator('.said')).toContainText(said)
      await expect(figure.locator('[data-stage]')).toHaveCount(11 * (stage + 1))
    }
    for (let stage = 0; stage < stages.length; stage++) {
      await check(stage)
      if (stage < stages.length - 1) await next.click()
    }
    await expect(figure.locator('.values canvas').first()).toBeVisible()
    const { contributions, weights, rowSum } = await resultOf(page, 'attention-steps')
    expect(relativeError(contributions.data.slice(-32), steps.output.data)).toBeLessThan(1e-6)
    expect(relativeError(weights, steps.weights.data)).toBeLessThan(1e-6)
    expect(rowSum).toBeCloseTo(steps.row_sum, 5)
    await page.keyboard.press('ArrowLeft')
    await check(4)
    await page.keyboard.press('Home')
    await check(0)
  })

  test('says −∞ for what a causal mask forbids, and 0 from then on', async ({ page }) => {
    const figure = page.locator('attention-steps')
    await figure.getByRole('checkbox', { name: 'causal mask' }).check()
    await figure.getByRole('button', { name: 'Next stage' }).click()
    await page.keyboard.press('End')
    for (const [stage, text] of [
      [2, '−∞'],
      [3, '0.000'],
      [4, '0.0000'],
      [5, '0.000'],
    ]) {
      const cells = figure.locator(`td[data-stage="${stage}"]`)
      for (const key of [8, 9, 10]) await expect(cells.nth(key)).toHaveText(String(text))
      await expect(cells.nth(7)).not.toHaveText(String(text))
    }
    // The first word has nothing but itself.
    await figure.getByRole('combobox', { name: 'query' }).selectOption({ index: 0 })
    await expect(figure.locator('td[data-stage="4"]').first()).toHaveText('1.0000')
    await reset(page, 'attention-steps', { query: 7, key: 1, stage: 0, isCausal: false })
    await expect(figure.locator('[data-stage]')).toHaveCount(11)
  })

  test('tells of the key that is chosen', async ({ page }) => {
    const figure = page.locator('attention-steps')
    await figure.getByRole('row', { name: /^tired/ }).click()
    await expect(figure.locator('.said')).toContainText(written(steps.raw.data[10], 3))
    await figure.getByRole('combobox', { name: 'key' }).selectOption('street')
    await expect(figure.locator('.said')).toContainText(written(steps.raw.data[5], 3))
    await figure.getByRole('combobox', { name: 'key' }).selectOption('tired')
    const { reference } = await resultOf(page, 'attention-steps')
    const sum = reference.terms.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b)
    expect(sum).toBeCloseTo(steps.raw.data[10], 12)
  })
})

test.describe('coreference-example', () => {
  const notebook = golden('scaled_dot_product').coreference
  /** @param {Page} page @param {string} name */
  const measure = (page, name) => page.locator(`coreference-example [data-measure="${name}"]`)

  test("starts with the notebook's embeddings, scores and weights", async ({ page }) => {
    const { x, scores, weights } = await resultOf(page, 'coreference-example')
    expect(relativeError(x.data, notebook.embeddings.data)).toBeLessThan(1e-12)
    expect(relativeError(scores.data, notebook.scores.data)).toBeLessThan(1e-6)
    expect(relativeError(weights.data, notebook.weights.data)).toBeLessThan(1e-6)
    const row = notebook.weights.data.slice(7 * 11, 8 * 11)
    await expect(measure(page, 'animal')).toHaveText(row[1].toFixed(4))
    await expect(measure(page, 'it')).toHaveText(row[7].toFixed(4))
    await expect(measure(page, 'tired')).toHaveText(row[10].toFixed(4))
    await expect(measure(page, 'self')).toHaveText(
      coreference.by_dk[32].self_weight_mean.toFixed(4),
    )
    await expect(measure(page, 'asymmetry')).toHaveText('0')
  })

  test('follows the width d_k: the weight on itself grows in spite of scaling', async ({
    page,
  }) => {
    for (const [dK, wanted] of Object.entries(coreference.by_dk)) {
      await choose(page, 'coreference-example', 'width', dK)
      await expect(measure(page, 'self')).toHaveText(wanted.self_weight_mean.toFixed(4))
      await expect(measure(page, 'animal')).toHaveText(wanted.it.data[1].toFixed(4))
      await expect(measure(page, 'tired')).toHaveText(wanted.it.data[10].toFixed(4))
    }
  })

  test("follows what goes into 'it'", async ({ page }) => {
    const figure = page.locator('coreference-example')
    for (const [mixture, wanted] of Object.entries(coreference.by_mix)) {
      const [animal, tired] = [.../[\d.]+/g[Symbol.matchAll](mixture)].map(([text]) => text)
      await figure.getByRole('slider', { name: '“animal” in “it”' }).fill(animal)
      await figure.getByRole('slider', { name: '“tired” in “it”' }).fill(tired)
      await expect(measure(page, 'animal')).toHaveText(wanted.data[1].toFixed(4))
      await expect(measure(page, 'it')).toHaveText(wanted.data[7].toFixed(4))
      await expect(measure(page, 'tired')).toHaveText(wanted.data[10].toFixed(4))
    }
    await figure.getByRole('button', { name: 'Reset' }).click()
    await expect(measure(page, 'animal')).toHaveText(notebook.weights.data[78].toFixed(4))
  })

  test('is uniform without scores, and sharper with larger ones', async ({ page }) => {
    const figure = page.locator('coreference-example')
    const scale = figure.getByRole('slider', { name: 'scale' })
    await scale.focus()
    await page.keyboard.press('Home')
    await expect(measure(page, 'animal')).toHaveText((1 / 11).toFixed(4))
    await page.keyboard.press('End')
    const { weights } = await resultOf(page, 'coreference-example')
    expect(weights.data[78]).toBeGreaterThan(0.7)
  })

  test('keeps one scale of colours for both views: the largest weight, or 1', async ({ page }) => {
    const figure = page.locator('coreference-example')
    const ends = ['.heatmap', '.lines'].map((view) => figure.locator(`${view} .ticks span`).last())
    for (const end of ends) await expect(end).toHaveText('0.377')
    await choose(page, 'coreference-example', 'colors', 'one')
    for (const end of ends) await expect(end).toHaveText('1')
  })

  test('shows the lines of the query whose cell is selected, and opens the cell', async ({
    page,
  }) => {
    const figure = page.locator('coreference-example')
    expect((await stateOf(page, 'coreference-example')).query).toBe(7)
    await figure.locator('.heatmap [role=gridcell][tabindex="0"]').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await expect(figure.locator('.heatmap [role=gridcell]:focus')).toContainText(
      'query 2 “animal”, key 2 “animal”',
    )
    await page.keyboard.press('Enter')
    expect((await stateOf(page, 'coreference-example')).query).toBe(1)
    await expect(figure.locator('.heatmap .inspector')).toContainText('animal')
    await expect(figure.locator('.heatmap .inspector .agrees')).toBeVisible()
    await expect(figure.locator('div.lines')).toContainText(/Query 2 .animal./)
    // And in the lines themselves.
    await figure.locator('div.lines [role=gridcell][tabindex="0"]').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await stateOf(page, 'coreference-example')).query).toBe(2)
    await expect(figure.locator('div.lines')).toContainText(/Query 3 .didn.t./)
  })
})
