/**
 * The inspector in the lesson's exhibits: every figure of a cell against the notebook's numbers, recomputed here
 * from its queries, keys and values.
 */
import {
  accessibilityFaults,
  attentionCube,
  choose,
  expect,
  extra,
  figuresReady,
  lesson,
  test,
} from './site-page.js'

/** @import { Locator } from '@playwright/test' */

test.use({ contextOptions: { reducedMotion: 'reduce' } })
test.beforeEach(async ({ page }) => {
  await page.goto(lesson)
  await figuresReady(page)
})

const tokens = 12
const [b1, c1] = [4, 8]

/**
 * Puts the keyboard's cursor on a cell and opens it.
 * @param {Locator} view
 * @param {{ head?: number, query: number, key: number }} cell
 */
async function openCell(view, { head = 0, query, key }) {
  // A cube out of sight is not drawn, and has no cell to put the cursor on.
  await view.scrollIntoViewIfNeeded()
  await view.locator('[role=gridcell][tabindex="0"]').focus()
  const press = (/** @type {string} */ name) => view.page().keyboard.press(name)
  // From wherever a cell was opened before.
  for (let step = 0; step < 7; step++) await press('PageUp')
  for (let step = 0; step < head; step++) await press('PageDown')
  await press('Control+Home')
  for (let step = 0; step < query; step++) await press('ArrowDown')
  for (let step = 0; step < key; step++) await press('ArrowRight')
  await press('Enter')
  await expect(view.locator('.inspector')).toBeVisible()
}

/**
 * The numbers of an open inspector: by their ids, as the kernel has them and as the reference has them.
 * @param {Locator} view
 * @returns {Promise<Record<string, number[]>>}
 */
function figuresIn(view) {
  return view
    .locator('.inspector [data-figure]')
    .evaluateAll((rows) =>
      Object.fromEntries(
        rows.map((row) => [
          /** @type {HTMLElement} */ (row).dataset.figure,
          [...row.querySelectorAll('td[data-value]')].map((cell) =>
            Number(/** @type {HTMLElement} */ (cell).dataset.value),
          ),
        ]),
      ),
    )
}

/**
 * The vectors whose products an inspector lists, and the products.
 * @param {Locator} view
 * @param {number} nth
 */
function componentsIn(view, nth) {
  return view
    .locator('.components')
    .nth(nth)
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('[data-value]')].map((cell) =>
          Number(/** @type {HTMLElement} */ (cell).dataset.value),
        ),
      ),
    )
}

/** @param {number[]} a @param {number[]} b */
const dot = (a, b) => a.reduce((sum, entry, at) => sum + entry * b[at], 0)
/** @param {number[]} a */
const norm = (a) => Math.sqrt(dot(a, a))

/**
 * One row of a head, from the notebook's Q, K and V.
 * @param {number} heads
 * @param {number} head
 * @param {number} query
 * @param {number} key
 */
function wantedOf(heads, head, query, key) {
  const width = 8 / heads
  const part = (/** @type {{ data: number[] }} */ { data }, /** @type {number} */ row) =>
    data.slice(row * 8 + head * width, row * 8 + (head + 1) * width)
  const all = Array.from({ length: tokens }, (_, row) => row)
  const q = part(extra.Q, query)
  const scale = 1 / Math.sqrt(width)
  const scores = all.map((row) => scale * dot(q, part(extra.K, row)))
  const rowMax = Math.max(...scores)
  const exps = scores.map((score) => Math.exp(score - rowMax))
  const rowSum = exps.reduce((sum, exp) => sum + exp)
  const weights = exps.map((exp) => exp / rowSum)
  const y = q.map((_, at) =>
    all.reduce((sum, row) => sum + weights[row] * part(extra.V, row)[at], 0),
  )
  const v = part(extra.V, key)
  const along = (weights[key] * dot(v, y)) / norm(y)
  return {
    q,
    k: part(extra.K, key),
    v,
    figures: {
      dot: dot(q, part(extra.K, key)),
      scale,
      scaled: scores[key],
      mask: 0,
      score: scores[key],
      rowMax,
      exp: exps[key],
      rowSum,
      weight: weights[key],
      rank: weights.filter((weight) => weight > weights[key]).length + 1,
      contribution: weights[key] * norm(v),
      outputNorm: norm(y),
      part: along,
      share: along / norm(y),
    },
  }
}

/** Both columns, of which the kernel's is float32. @param {number[]} found @param {number} wanted @param {string} id */
function expectBoth(found, wanted, id) {
  expect(found, id).toHaveLength(2)
  for (const value of found) expect(Math.abs(value - wanted), id).toBeLessThan(2e-6)
}

test('Every figure of an opened cell of the worked example is the notebook’s, for every h', async ({
  page,
}) => {
  const grid = page.locator('multi-head-example .grid')
  for (const [heads, head] of [
    [1, 0],
    [2, 1],
    [4, 1],
    [8, 6],
  ]) {
    await choose(page, 'multi-head-example', 'heads', heads)
    await expect(page.locator('multi-head-example .measures tbody tr')).toHaveCount(heads)
    await openCell(grid, { head, query: b1, key: c1 })
    await expect(grid.locator('.inspector')).toContainText(
      `head ${head + 1}, query 5 “b1” → key 9 “c1”`,
    )
    const { q, k, v, figures } = wantedOf(heads, head, b1, c1)
    const found = await figuresIn(grid)
    expect(Object.keys(found)).toEqual(Object.keys(figures))
    for (const [id, wanted] of Object.entries(figures)) expectBoth(found[id], wanted, id)
    const products = await componentsIn(grid, 0)
    products.forEach(([ownQ, ownK, ...both], at) => {
      expect(ownQ).toBeCloseTo(q[at], 6)
      expect(ownK).toBeCloseTo(k[at], 6)
      expectBoth(both, q[at] * k[at], `product ${at}`)
    })
    const contributions = await componentsIn(grid, 1)
    contributions.forEach(([ownV, ...both], at) => {
      expect(ownV).toBeCloseTo(v[at], 6)
      expectBoth(both, figures.weight * v[at], `contribution ${at}`)
    })
    // And the golden files' own stages.
    const place = (head * tokens + b1) * tokens + c1
    expectBoth(found.dot, extra.by_heads[heads].logits.data[place], 'logit')
    expectBoth(found.weight, attentionCube.heads[heads].attention.data[place], 'weight')
    await expect(grid.locator('.inspector .agrees')).toContainText('agree with the float64')
    await expect(grid.getByRole('alert')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(grid.locator('.inspector')).toBeHidden()
  }
})

test('An open cell follows the number of heads, in place', async ({ page }) => {
  const grid = page.locator('multi-head-example .grid')
  await openCell(grid, { head: 1, query: b1, key: c1 })
  await grid.locator('.inspector').evaluate((node) => node.setAttribute('data-seen', ''))
  for (const heads of [8, 2, 4]) {
    await choose(page, 'multi-head-example', 'heads', heads)
    await expect(page.locator('multi-head-example .measures tbody tr')).toHaveCount(heads)
    const wanted = wantedOf(heads, 1, b1, c1).figures
    await expect
      .poll(async () => Math.abs((await figuresIn(grid)).weight[0] - wanted.weight))
      .toBeLessThan(1e-6)
    await expect(grid.locator('.inspector[data-seen]')).toContainText('head 2')
  }
})

test('The cube opens the same numbers', async ({ page }) => {
  const cube = page.locator('multi-head-example .cube')
  await openCell(cube, { head: 2, query: b1, key: c1 })
  const { figures } = wantedOf(4, 2, b1, c1)
  const found = await figuresIn(cube)
  for (const [id, wanted] of Object.entries(figures)) expectBoth(found[id], wanted, id)
})

test('No cell of a row raises an alarm', async ({ page }) => {
  const grid = page.locator('multi-head-example .grid')
  await openCell(grid, { query: b1 - 1, key: 0 })
  for (const query of [b1 - 1, b1]) {
    for (let key = 0; key < tokens; key++) {
      await expect(grid.locator('.inspector-title')).toContainText(
        `query ${query + 1} “${extra.tokens[query]}” → key ${key + 1} “${extra.tokens[key]}”`,
      )
      await expect(grid.locator('.inspector .agrees')).toBeVisible()
      await page.keyboard.press(key < tokens - 1 ? 'ArrowRight' : 'Home')
    }
    await page.keyboard.press('ArrowDown')
  }
  await expect(grid.getByRole('alert')).toHaveCount(0)
})

test('One row: what is open is the row and key that the figure is at', async ({ page }) => {
  const row = page.locator('attention-row')
  const view = row.locator('.heatmap')
  await openCell(view, { query: b1, key: c1 })
  await page.keyboard.press('ArrowLeft')
  await expect(row.locator('tr.chosen')).toContainText('b4')
  await row.locator('select').selectOption({ index: 11 })
  await expect(view.locator('.inspector-title')).toContainText('query 12 “c4” → key 8 “b4”')
  const { figures } = wantedOf(1, 0, 11, 7)
  const found = await figuresIn(view)
  for (const [id, wanted] of Object.entries(figures)) expectBoth(found[id], wanted, id)
})

test('The bilinear form’s map says that it shows logits', async ({ page }) => {
  const form = page.locator('bilinear-form')
  const view = form.locator('.heatmap')
  await openCell(view, { query: b1, key: c1 })
  await expect(view.locator('.inspector')).toContainText('This map shows logits')
  await expect(view.locator('.inspector .drawn')).toContainText('dot product')
  const found = await figuresIn(view)
  const { figures } = wantedOf(4, 1, b1, c1)
  for (const [id, wanted] of Object.entries(figures)) expectBoth(found[id], wanted, id)
  await expect(form.locator('[data-number="logit"]')).toHaveText(found.dot[0].toFixed(4))
})

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  for (const width of [360, 1280]) {
    test(`With cells open axe finds nothing, and nothing is too wide: ${colorScheme}, ${width} px`, async ({
      page,
    }) => {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      for (const part of [
        'multi-head-example .grid',
        'multi-head-example .cube',
        'attention-row .heatmap',
        'bilinear-form .heatmap',
      ]) {
        await openCell(page.locator(part), { query: 1, key: 2 })
      }
      expect(await accessibilityFaults(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    })
  }
}
