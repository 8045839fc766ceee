import { choose, expect, figuresReady, resultOf, test } from './site-page.js'

/** @import { Page } from '@playwright/test' */

test.beforeEach(async ({ page }) => {
  await page.goto('lessons/scaled-dot-product-attention/')
  await figuresReady(page)
})

/** @param {Page} page @param {string} name */
function stateOf(page, name) {
  return page.locator(name).evaluate((element) => /** @type {any} */ (element).state)
}

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

  /** @param {number} value as a cell shows it */
  const shown = (value) =>
    value
      .toFixed(2)
      .replace(/^-0.00$/, '0.00')
      .replace('-', '−')

  test('shows the products of what it shows, also with other weights', async ({ page }) => {
    const figure = page.locator('token-projections')
    for (const time of ['first', 'again']) {
      const { query, key, value } = await expected(page)
      for (const [place, matrix] of [query, key, value].entries()) {
        const cells = figure
          .locator('table')
          .nth(4 + place)
          .locator('tbody td')
        await expect(cells).toHaveText(matrix.flat().map(shown))
      }
      await expect(figure.locator('[data-entry]')).toHaveText(shown(query[0][0]))
      if (time === 'first') await figure.getByRole('button', { name: 'Other weights' }).click()
    }
  })

  test('goes to an entry by keys, by buttons and by pointing at it', async ({ page }) => {
    const figure = page.locator('token-projections')
    const entry = figure.locator('[data-entry]')
    const { query, key, value } = await expected(page)
    await figure.getByRole('button', { name: 'Next entry' }).click()
    await expect(entry).toHaveText(shown(query[0][1]))
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect(entry).toHaveText(shown(query[1][0]))
    await page.keyboard.press('End')
    await expect(entry).toHaveText(shown(value[3][1]))
    await choose(page, 'token-projections', 'projection', 'key')
    await expect(entry).toHaveText(shown(key[0][0]))
    await figure.locator('table').nth(6).locator('tbody td').nth(4).click()
    await expect(entry).toHaveText(shown(value[2][0]))
    // The row of X and the column of W that meet there.
    await expect(
      figure.locator('table').nth(3).locator('tr').nth(3).locator('.marked'),
    ).toHaveCount(4)
    await expect(figure.locator('table').nth(2).locator('td.marked')).toHaveCount(4)
    await figure.getByRole('button', { name: 'Reset' }).click()
    expect(await stateOf(page, 'token-projections')).toEqual({
      entry: 0,
      isPlaying: false,
      seed: 50,
    })
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
