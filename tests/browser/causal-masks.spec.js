import { causal, extra, open, pointAt } from './causal-page.js'
import {
  choose,
  expect,
  relativeError,
  reset,
  resultOf,
  stateOf,
  test,
  written,
} from './site-page.js'

/** @import { Locator, Page } from '@playwright/test' */

test.beforeEach(open)

test.describe('Two masks', () => {
  const { bidirectional, causal: masked } = causal.demo

  test("start with the notebook's matrices, and one of their rows in numbers", async ({ page }) => {
    const result = await resultOf(page, 'two-masks')
    expect(relativeError(result.bidirectional.weights.data, bidirectional.data)).toBeLessThan(1e-6)
    expect(relativeError(result.causal.weights.data, masked.data)).toBeLessThan(1e-6)
    const cells = page.locator('two-masks td[data-weight="bidirectional"]')
    const row = (/** @type {number[]} */ data) => data.slice(18, 24)
    await expect(cells).toHaveText(row(bidirectional.data).map((weight) => written(weight, 4)))
    await expect(page.locator('two-masks td[data-weight="causal"]')).toHaveText(
      row(masked.data).map((weight) => (weight === 0 ? '0' : written(weight, 4))),
    )
  })

  test('share one pointer: a cell in either is framed and read out in the other', async ({
    page,
  }) => {
    const left = page.locator('two-masks .bidirectional')
    const right = page.locator('two-masks .causal')
    const value = (/** @type {Locator} */ heatmap) => heatmap.locator('.readout .value')
    const pointed = (/** @type {Locator} */ heatmap) => heatmap.locator('.box:not(.selected)')

    await pointAt(page, left, 4, 5, 6)
    expect(Number(await value(left).textContent())).toBeCloseTo(bidirectional.data[29], 6)
    await expect(value(right)).toHaveText('masked')
    await expect(pointed(right)).toBeVisible()
    await expect(right.locator('.ends')).toHaveText('query 5 “fluent” → key 6 “prose”')

    await pointAt(page, right, 5, 4, 6)
    await expect(left.locator('.ends')).toHaveText('query 6 “prose” → key 5 “fluent”')
    expect(Number(await value(left).textContent())).toBeCloseTo(bidirectional.data[34], 6)
    expect(Number(await value(right).textContent())).toBeCloseTo(masked.data[34], 6)

    await page.mouse.move(1, 1)
    await expect(pointed(left)).toBeHidden()
    await expect(pointed(right)).toBeHidden()

    await left.locator('[role=gridcell]').focus()
    await page.keyboard.press('Control+End')
    await expect(right.locator('.ends')).toHaveText('query 6 “prose” → key 6 “prose”')
  })

  test('show the row that is chosen, in list, heatmap or table, until reset', async ({ page }) => {
    const exhibit = page.locator('two-masks')
    await exhibit.locator('select').selectOption({ label: 'The' })
    expect(await stateOf(page, 'two-masks')).toEqual({ query: 0, key: 1 })
    await expect(exhibit.locator('td[data-weight="causal"]')).toHaveText([
      '1.0000',
      ...['0', '0', '0', '0', '0'],
    ])
    await exhibit.locator('tbody tr').nth(5).click()
    expect(await stateOf(page, 'two-masks')).toEqual({ query: 0, key: 5 })
    await exhibit.locator('.causal [role=gridcell]').focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Enter')
    expect(await stateOf(page, 'two-masks')).toEqual({ query: 5, key: 5 })
    // The last query sees every token in both: the mask changes nothing.
    await expect(exhibit.locator('td[data-weight="causal"]')).toHaveText(
      bidirectional.data.slice(30).map((/** @type {number} */ weight) => written(weight, 4)),
    )
    await reset(page, 'two-masks', { query: 3, key: 1 })
  })
})

test.describe('Leakage', () => {
  /** @param {number} token */
  const wantedFor = (token) => {
    const [name] = Object.keys(extra.leakage_axioms_case).filter((key) =>
      key.includes(`_${token} `),
    )
    return extra.leakage_axioms_case[name]
  }

  for (const token of [3, 7]) {
    test(`from token ${token + 1} is what the golden figures say, and 0 with the mask`, async ({
      page,
    }) => {
      if (token !== 3) await choose(page, 'future-leakage', 'token', token)
      const wanted = wantedFor(token)
      const { open, masked } = await resultOf(page, 'future-leakage')
      expect(relativeError(open.norms, wanted.unmasked.data)).toBeLessThan(1e-5)
      expect(relativeError(masked.norms, wanted.masked.data)).toBeLessThan(1e-5)
      expect(masked.norms.slice(0, token)).toEqual(new Array(token).fill(0))
      expect(masked.same).toEqual(Array.from({ length: 8 }, (_, place) => place < token))
      const shown = page.locator('future-leakage td.masked')
      await expect(shown).toHaveText(
        wanted.masked.data.map((/** @type {number} */ norm) =>
          norm === 0 ? '0' : norm.toFixed(4),
        ),
      )
      await expect(page.locator('future-leakage td.open')).toHaveText(
        wanted.unmasked.data.map((/** @type {number} */ norm) => norm.toFixed(4)),
      )
      const count = page.locator('future-leakage tfoot td')
      await expect(count.first()).toHaveText(`${token} of ${token} move`)
      await expect(count.last()).toContainText(`0 of ${token} move`)
    })
  }

  test('never reaches an earlier output under the mask, whatever is disturbed and how far', async ({
    page,
  }) => {
    const exhibit = page.locator('future-leakage')
    const slider = exhibit.locator('input[type="range"]')
    for (const part of ['key', 'value', 'both']) {
      await choose(page, 'future-leakage', 'part', part)
      for (const key of ['End', 'PageDown', 'Home']) {
        await slider.press(key)
        const { open, masked } = await resultOf(page, 'future-leakage')
        expect(masked.same.slice(0, 3)).toEqual([true, true, true])
        expect(open.same).not.toContain(true)
        expect(masked.same.slice(3)).not.toContain(true)
      }
    }
    // The first row sees itself alone: its value is all that counts.
    await choose(page, 'future-leakage', 'token', 0)
    await choose(page, 'future-leakage', 'part', 'key')
    const first = await resultOf(page, 'future-leakage')
    expect(first.masked.norms[0]).toBe(0)
    expect(await stateOf(page, 'future-leakage')).toEqual({ token: 0, amount: -3, part: 'key' })
    await reset(page, 'future-leakage', { token: 3, amount: 1, part: 'both' })
  })

  test('is nothing at all when nothing is disturbed', async ({ page }) => {
    await page
      .locator('future-leakage')
      .evaluate((element) => Object.assign(element, { state: { amount: 0 } }))
    const { open, masked } = await resultOf(page, 'future-leakage')
    for (const { norms, same } of [open, masked]) {
      expect(norms).toEqual(new Array(8).fill(0))
      expect(same).not.toContain(false)
    }
  })
})

test.describe('The mask editor', () => {
  const cases = extra.masks_on_demo
  /** @param {string} start */
  const wantedFor = (start) => cases[Object.keys(cases).filter((key) => key.startsWith(start))[0]]
  const cell = (
    /** @type {Page} */ page,
    /** @type {number} */ row,
    /** @type {number} */ column,
  ) => page.locator(`mask-editor button[data-cell="${6 * row + column}"]`)
  /** @param {boolean[][]} mask @returns {string} */
  const cellsOf = (mask) =>
    mask
      .flat()
      .map((open) => (open ? '1' : '0'))
      .join('')

  test('starts causal, and window, prefix and padding are the golden ones', async ({ page }) => {
    for (const preset of ['causal', 'window', 'prefix', 'padding']) {
      if (preset !== 'causal') await choose(page, 'mask-editor', 'preset', preset)
      const { mask, weights } = wantedFor(preset)
      const result = await resultOf(page, 'mask-editor')
      expect(result.cells).toBe(cellsOf(mask))
      expect(relativeError(result.weights.data, weights.data)).toBeLessThan(1e-6)
      for (const [row, column] of [
        [0, 0],
        [0, 5],
        [4, 2],
        [5, 5],
      ]) {
        await expect(cell(page, row, column)).toHaveText(mask[row][column] ? '0' : '−∞')
      }
    }
    await choose(page, 'mask-editor', 'preset', 'none')
    const { weights } = await resultOf(page, 'mask-editor')
    expect(relativeError(weights.data, causal.demo.bidirectional.data)).toBeLessThan(1e-6)
  })

  test('adds ALiBi’s bias, another for each head', async ({ page }) => {
    const { bias, weights } = wantedFor('alibi')
    await choose(page, 'mask-editor', 'preset', 'alibi')
    for (let head = 0; head < 4; head++) {
      await choose(page, 'mask-editor', 'head', head)
      const result = await resultOf(page, 'mask-editor')
      const own = (/** @type {any} */ { data }) => data.slice(36 * head, 36 * head + 36)
      expect(relativeError(result.weights.data, own(weights))).toBeLessThan(1e-6)
      for (const at of [6, 30, 33]) expect(result.mask.data[at]).toBe(own(bias)[at])
    }
    await choose(page, 'mask-editor', 'head', 0)
    await expect(cell(page, 5, 0)).toHaveText('−1.25')
    await expect(cell(page, 0, 5)).toHaveText('−∞')
  })

  test('has a parameter for each kind, and takes it at once', async ({ page }) => {
    const slider = page.locator('mask-editor input[type="range"]')
    const open = async () => {
      const { cells } = await resultOf(page, 'mask-editor')
      return cells.replaceAll('0', '').length
    }
    await choose(page, 'mask-editor', 'preset', 'window')
    await slider.press('End')
    expect(await open()).toBe(21)
    await choose(page, 'mask-editor', 'preset', 'prefix')
    await slider.press('End')
    expect(await open()).toBe(36)
    await choose(page, 'mask-editor', 'preset', 'padding')
    await slider.press('Home')
    expect(await open()).toBe(0)
    await expect(page.locator('mask-editor .weights .note')).toContainText(
      'may attend to nothing: all their keys are masked',
    )
  })

  test('is painted by strokes; an empty row is hatched and named, and has weights of 0', async ({
    page,
  }) => {
    const { mask, weights } = wantedFor('row_2_empty')
    await cell(page, 2, 0).scrollIntoViewIfNeeded()
    const middle = async (/** @type {number} */ row, /** @type {number} */ column) => {
      const box = await cell(page, row, column).boundingBox()
      if (!box) throw new Error('no such cell')
      return /** @type {const} */ ([box.x + box.width / 2, box.y + box.height / 2])
    }
    await page.mouse.move(...(await middle(2, 0)))
    await page.mouse.down()
    for (const column of [1, 2, 3, 4, 5]) await page.mouse.move(...(await middle(2, column)))
    await page.mouse.up()
    const result = await resultOf(page, 'mask-editor')
    expect(result.cells).toBe(cellsOf(mask))
    expect(result.empty).toEqual([2])
    expect(relativeError(result.weights.data, weights.data)).toBeLessThan(1e-6)
    expect(result.weights.data.slice(12, 18)).toEqual([0, 0, 0, 0, 0, 0])
    expect(result.output.data.slice(32, 48)).toEqual(new Array(16).fill(0))
    await expect(page.locator('mask-editor .weights .note')).toHaveText(
      'Query 3 “network” may attend to nothing: all its keys are masked.',
    )
    await expect(page.locator('mask-editor tr.empty th')).toHaveText('network')

    // What −10⁹ makes of the same row.
    await choose(page, 'mask-editor', 'fill', 'billion')
    const billion = await resultOf(page, 'mask-editor')
    const [name] = Object.keys(cases).filter((key) => key.startsWith('minus_1e9'))
    expect(relativeError(billion.weights.data.slice(12, 18), cases[name].data)).toBeLessThan(1e-6)
    await expect(page.locator('mask-editor .billion')).toContainText(
      'each key has the weight 0.167',
    )

    await page.locator('mask-editor').getByRole('button', { name: 'Undo painting' }).click()
    expect((await resultOf(page, 'mask-editor')).cells).toBe(cellsOf(wantedFor('causal').mask))
    await reset(page, 'mask-editor', {
      ...{ preset: 'causal', size: 2, length: 3, present: 4, head: 0, cells: '', fill: 'infinity' },
    })
  })

  test('is painted by keyboard', async ({ page }) => {
    await cell(page, 0, 0).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await expect(cell(page, 0, 1)).toHaveAttribute('aria-pressed', 'true')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(cell(page, 1, 1)).toHaveAttribute('aria-pressed', 'false')
    await expect(cell(page, 1, 1)).toBeFocused()
    const { weights } = await resultOf(page, 'mask-editor')
    expect(weights.data[6]).toBe(1)
    expect(weights.data[1]).toBeGreaterThan(0)
    // One stop for Tab.
    await page.keyboard.press('Tab')
    await expect(page.locator('mask-editor .mask button:focus')).toHaveCount(0)
    // Another mask starts afresh.
    await choose(page, 'mask-editor', 'preset', 'window')
    expect((await stateOf(page, 'mask-editor')).cells).toBe('')
  })
})
