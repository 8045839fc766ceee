/**
 * The controls of the figures of 'Multi-head attention': what each changes, in numbers that the page shows.
 */
import {
  attentionCube,
  choose,
  expect,
  extra,
  figuresReady,
  lesson,
  relativeError,
  reset,
  resultOf,
  stateOf,
  test,
  written,
} from './site-page.js'

/** @import { Locator } from '@playwright/test' */

test.beforeEach(async ({ page }) => {
  await page.goto(lesson)
  await figuresReady(page)
})

/** @param {number} value */
const shown = (value) => written(value, 2)

/** @param {Locator} table of numbers @returns {Promise<string[]>} row by row */
async function cellsOf(table) {
  const texts = await table.locator('tbody td').allInnerTexts()
  return texts.map((text) => text.trim())
}

test('One row: a row of the table is the key that is looked at, until reset', async ({ page }) => {
  const exhibit = page.locator('attention-row')
  const initial = { query: 4, key: 8 }
  await exhibit.locator('tbody tr').nth(2).click()
  expect(await stateOf(page, 'attention-row')).toEqual({ query: 4, key: 2 })
  const weight = attentionCube.heads[1].attention.data[4 * 12 + 2]
  await expect(exhibit.locator('tr.chosen [data-weight]')).toHaveText(written(weight, 4))
  const read = exhibit.locator('.heatmap .readout .value')
  await expect.poll(async () => Number(await read.textContent())).toBeCloseTo(weight, 6)
  await reset(page, 'attention-row', initial)
})

test('Column blocks: Q, K and V are the golden ones, and a head’s columns are framed', async ({
  page,
}) => {
  const product = page.locator('column-blocks table').nth(2)
  const framed = () =>
    product
      .locator('tbody tr')
      .first()
      .locator('td')
      .evaluateAll((cells) =>
        cells.flatMap((cell, column) => (cell.classList.contains('framed') ? [column] : [])),
      )
  const golden = { query: extra.Q, key: extra.K, value: extra.V }
  for (const [projection, { data }] of Object.entries(golden)) {
    await choose(page, 'column-blocks', 'projection', projection)
    await expect.poll(() => cellsOf(product)).toEqual(data.map(shown))
  }
  for (const [head, columns] of [
    [0, [0, 1]],
    [2, [4, 5]],
    [3, [6, 7]],
  ]) {
    await choose(page, 'column-blocks', 'head', Number(head))
    expect(await framed()).toEqual(columns)
  }
  // Of two heads there is no fourth.
  await choose(page, 'column-blocks', 'heads', 2)
  expect((await stateOf(page, 'column-blocks')).head).toBeLessThan(2)
  await reset(page, 'column-blocks', { projection: 'query', numHeads: 4, head: 1 })
})

test('Bilinear form: head and tokens are chosen, both ways', async ({ page }) => {
  const form = page.locator('bilinear-form')
  const number = (/** @type {string} */ name) => form.locator(`[data-number="${name}"]`)
  const [left, right] = [form.locator('select').first(), form.locator('select').last()]
  for (const [heads, head, query, key] of [
    [4, 3, 0, 11],
    [8, 6, 5, 2],
    [1, 0, 7, 9],
  ]) {
    await choose(page, 'bilinear-form', 'heads', heads)
    await choose(page, 'bilinear-form', 'head', head)
    await left.selectOption({ index: query })
    await right.selectOption({ index: key })
    const { data } = extra.by_heads[heads].logits
    const logit = (/** @type {number} */ row, /** @type {number} */ column) =>
      written(data[(12 * head + row) * 12 + column], 4)
    await expect(number('form')).toHaveText(logit(query, key))
    await expect(number('logit')).toHaveText(logit(query, key))
    await expect(number('mirror')).toHaveText(logit(key, query))
  }
  await reset(page, 'bilinear-form', { numHeads: 4, head: 1, query: 4, key: 8 })
})

test('Feature mixing: reset brings four heads back', async ({ page }) => {
  await choose(page, 'feature-mixing', 'heads', 8)
  await reset(page, 'feature-mixing', { numHeads: 4 })
  await expect(page.locator('feature-mixing tfoot td')).toHaveCount(4)
})

test('Shuffled tokens: each setting’s two sides can be looked at, for every h', async ({
  page,
}) => {
  const name = 'permutation-equivariance'
  const tables = page.locator(`${name} .panels table`)
  const initial = await stateOf(page, name)
  expect(initial.order).toEqual(extra.equivariance.permutation)
  for (const compared of ['causal', 'positions', 'plain']) {
    await choose(page, name, 'compared', compared)
    const { left, right, difference } = (await resultOf(page, name))[compared]
    for (const [place, { data }] of [left, right, difference].entries()) {
      await expect.poll(() => cellsOf(tables.nth(place))).toEqual(data.map(shown))
    }
  }
  for (const heads of [1, 2, 8]) {
    await choose(page, name, 'heads', heads)
    const { plain, positions, causal } = await resultOf(page, name)
    const { data } = attentionCube.heads[heads].output
    const shuffled = initial.order.flatMap((/** @type {number} */ token) =>
      data.slice(8 * token, 8 * token + 8),
    )
    expect(relativeError(plain.right.data, shuffled)).toBeLessThan(1e-5)
    expect(relativeError(plain.left.data, shuffled)).toBeLessThan(1e-5)
    expect(positions.norm).toBeGreaterThan(0.1)
    expect(causal.norm).toBeGreaterThan(0.1)
  }
  await page.locator(name).getByRole('button', { name: 'In order' }).click()
  expect((await stateOf(page, name)).order).toEqual([...initial.order].sort((a, b) => a - b))
  await reset(page, name, initial)
})
