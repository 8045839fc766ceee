import {
  expect,
  figuresReady,
  golden,
  relativeError,
  resultOf,
  stateOf,
  test,
} from './site-page.js'

const { disambiguation, properties } = golden('scaled_dot_product')
const { hull, polysemy_baselines: baselines } = golden('extra').scaled_dot_product

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
    expect(all.cases).toBe(1000)
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

test.describe('polysemy-example', () => {
  /** @param {number[]} a @param {number[]} b */
  const dot = (a, b) => a.reduce((sum, value, k) => sum + value * b[k], 0)
  /** @param {number[]} a @param {number[]} b */
  const cosine = (a, b) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))

  /** @param {number[][]} x @returns {number[]} the last row of softmax(XXᵀ/√d)X */
  function attend(x) {
    const last = x[x.length - 1]
    const exps = x.map((row) => Math.exp(dot(last, row) / Math.sqrt(last.length)))
    const sum = exps.reduce((a, b) => a + b)
    return last.map((_, k) => x.reduce((total, row, j) => total + (exps[j] / sum) * row[k], 0))
  }

  /** @param {import('@playwright/test').Page} page @param {string} pair */
  const cells = (page, pair) => page.locator(`polysemy-example [data-pair="${pair}"] td`)

  test("shows the notebook's cosines, each beside its value before attention, and the cross terms", async ({
    page,
  }) => {
    const [before, contextual, river, investment] = disambiguation.table.map(
      (/** @type {any} */ { Cosine_Similarity: cosine }) => cosine,
    )
    /** @type {Record<string, [before: number | string, after: number | string]>} */
    const pairs = {
      banks: [before, contextual],
      river: [baselines.bank_river_static, river],
      investment: [baselines.bank_investment_static, investment],
      'river-investment': [baselines.bank_investment_static, baselines.bankA_investment],
      'investment-river': [baselines.bank_river_static, baselines.bankB_river],
      'river-bank': [1, baselines.bankA_static_bank],
      'investment-bank': [1, baselines.bankB_static_bank],
    }
    for (const [pair, wanted] of Object.entries(pairs)) {
      const texts = wanted.map((value) => Number(value).toFixed(4))
      await expect(cells(page, pair).nth(0)).toHaveText(texts[0])
      await expect(cells(page, pair).nth(1)).toHaveText(texts[1])
    }
  })

  test("shows each output as the average that it is, with the notebook's weights", async ({
    page,
  }) => {
    for (const sense of ['river', 'investment']) {
      const weights = baselines[`weights_${sense}`]
      for (const [word, weight] of Object.entries(weights)) {
        await expect(
          page.locator(`polysemy-example [data-sense="${sense}"] [data-weight="${word}"]`),
        ).toHaveText(`${weight.toFixed(4)} ${word}`)
      }
    }
    const { readings } = await resultOf(page, 'polysemy-example')
    for (const sense of ['river', 'investment']) {
      const output = disambiguation[`Y_${sense}`].data.slice(-8)
      expect(relativeError(readings[sense].output, output)).toBeLessThan(1e-6)
    }
  })

  test('takes other vectors, and says which numbers it does not take', async ({ page }) => {
    const figure = page.locator('polysemy-example')
    const input = figure.getByRole('spinbutton', { name: 'river, component 1' })
    await input.fill('3')
    await expect(cells(page, 'river').nth(0)).not.toHaveText(baselines.bank_river_static.toFixed(4))
    const vectors = { ...disambiguation.vectors, river: [3, 3, 2.5, 2, 0, 0, 0, 0] }
    const { cosines, readings } = await resultOf(page, 'polysemy-example')
    const output = attend(
      disambiguation.sentence_river.map((/** @type {string} */ word) => vectors[word]),
    )
    expect(relativeError(readings.river.output, output)).toBeLessThan(1e-6)
    expect(cosines[1].after).toBeCloseTo(cosine(output, vectors.river), 6)
    await input.press('ArrowUp')
    await expect(input).toHaveValue('3.1')
    await input.fill('99')
    expect(await input.evaluate((node) => node.matches(':invalid'))).toBe(true)
    expect((await stateOf(page, 'polysemy-example')).river[0]).toBe(3.1)
    await input.press('Tab')
    await expect(input).toHaveValue('3.1')
    await figure.getByRole('button', { name: 'Reset' }).click()
    await expect(cells(page, 'banks').nth(1)).toHaveText(
      disambiguation.cosines.contextual.toFixed(4),
    )
    await expect(input).toHaveValue('0')
  })

  test('draws each output within the hull of its sentence, and says where', async ({ page }) => {
    const plane = page.locator('polysemy-example').getByRole('img')
    await expect(plane).toHaveAccessibleName(/at 2.\d\d and 1.\d\d in the sentence with river/)
    await expect(plane.locator('polygon')).toHaveCount(2)
    const inside = await plane.evaluate((node) =>
      ['river', 'investment'].map((sense) => {
        const polygon = /** @type {SVGGeometryElement} */ (node.querySelector(`polygon.${sense}`))
        const line = /** @type {SVGLineElement} */ (node.querySelector(`line.${sense}`))
        return polygon.isPointInFill(new DOMPoint(line.x2.baseVal.value, line.y2.baseVal.value))
      }),
    )
    expect(inside).toEqual([true, true])
  })
})
