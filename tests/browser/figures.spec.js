import {
  attentionCube,
  choose,
  expect,
  extra,
  figuresReady,
  lesson,
  relativeError,
  resultOf,
  stateOf,
  test,
  written,
} from './site-page.js'

test.beforeEach(async ({ page }) => {
  await page.goto(lesson)
  await figuresReady(page)
})

test("For every h the worked example shows the notebook's numbers", async ({ page }) => {
  for (const heads of [1, 2, 4, 8]) {
    await choose(page, 'multi-head-example', 'heads', heads)
    const example = page.locator('multi-head-example')
    const rows = example.locator('.measures tbody tr')
    await expect(rows).toHaveCount(heads)

    const { attention, output } = attentionCube.heads[heads]
    const golden = extra.by_heads[heads]
    const cells = 12 * 12
    for (let head = 0; head < heads; head++) {
      const measure = (/** @type {string} */ name) =>
        rows.nth(head).locator(`[data-measure="${name}"]`)
      const weights = attention.data.slice(head * cells, (head + 1) * cells)
      const entropies = golden.entropy_nats[head]
      const entropy =
        entropies.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b) / 12
      await expect(measure('largest')).toHaveText(Math.max(...weights).toFixed(3))
      await expect(measure('entropy')).toHaveText(entropy.toFixed(3))
      await expect(measure('rank-of-logits')).toHaveText(
        `${golden.rank_logits[head]} of ${8 / heads}`,
      )
      await expect(measure('rank-of-weights')).toHaveText(String(golden.rank_weights[head]))
    }

    const result = await resultOf(page, 'multi-head-example')
    expect(relativeError(result.weights.data, attention.data)).toBeLessThan(1e-6)
    expect(relativeError(result.output.data, output.data)).toBeLessThan(1e-5)
  }
})

test('Changing h changes what is there: the views stay the same nodes', async ({ page }) => {
  const example = page.locator('multi-head-example')
  const canvases = await example.locator('canvas').evaluateAll((nodes) => {
    nodes.forEach((node) => node.setAttribute('data-seen', ''))
    return nodes.length
  })
  expect(canvases).toBeGreaterThan(1)
  const views = example.locator('.attention-view')
  await views.evaluateAll((nodes) => nodes.forEach((node) => node.setAttribute('data-seen', '')))
  for (const heads of [8, 1, 2, 4]) {
    await choose(page, 'multi-head-example', 'heads', heads)
    await expect(example.locator('.measures tbody tr')).toHaveCount(heads)
  }
  await expect(example.locator('.attention-view[data-seen]')).toHaveCount(2)
  await expect(example.locator('.attention-view')).toHaveCount(2)
  await expect(example.locator('.cube canvas[data-seen]').first()).toBeAttached()
  await expect(example.locator('.grid canvas[data-seen]').first()).toBeAttached()
})

test('The cube and the heatmaps choose heads in step, both ways', async ({ page }) => {
  const example = page.locator('multi-head-example')
  const state = () => stateOf(page, 'multi-head-example')
  await example.locator('.cube').getByRole('button', { name: 'head 2' }).click()
  expect((await state()).emphasizedHead).toBe(1)
  await expect(
    example.locator('.grid').getByRole('button', { name: /head 2/, pressed: true }),
  ).toBeVisible()
  await expect(example.locator('tr.chosen')).toContainText('head 2')

  await example
    .locator('.grid')
    .getByRole('button', { name: /head 3/ })
    .click()
  expect((await state()).emphasizedHead).toBe(2)
  await expect(
    example.locator('.cube').getByRole('button', { name: 'head 3', pressed: true }),
  ).toBeVisible()

  await example.locator('.cube').getByRole('button', { name: 'all heads' }).click()
  expect((await state()).emphasizedHead).toBe(-1)
  await expect(example.locator('tr.chosen')).toHaveCount(0)
})

test('On the common scale the bar ends where it did for every h, on its own scale it does not', async ({
  page,
}) => {
  const end = page.locator('multi-head-example .grid .ticks span').last()
  for (const heads of [1, 8]) {
    await choose(page, 'multi-head-example', 'heads', heads)
    await expect(end).toHaveText('0.164')
  }
  await choose(page, 'multi-head-example', 'scale', 'own')
  await choose(page, 'multi-head-example', 'heads', 1)
  await expect(end).toHaveText('0.118')
})

test('A state can be read, set and compared; reset returns to the notebook', async ({ page }) => {
  const example = page.locator('multi-head-example')
  const initial = { numHeads: 4, emphasizedHead: -1, scale: 'common' }
  const state = () => stateOf(page, 'multi-head-example')
  expect(await state()).toEqual(initial)
  const reset = example.getByRole('button', { name: 'Reset' })
  await expect(reset).toBeDisabled()

  await example.evaluate((element) =>
    Object.assign(element, { state: { numHeads: 2, emphasizedHead: 1 } }),
  )
  expect(await state()).toEqual({ numHeads: 2, emphasizedHead: 1, scale: 'common' })
  // A head that there is no longer is no longer chosen.
  await choose(page, 'multi-head-example', 'heads', 1)
  expect((await state()).emphasizedHead).toBe(-1)
  await reset.click()
  expect(await state()).toEqual(initial)

  const message = await example.evaluate((element) => {
    try {
      Object.assign(element, { state: { numHeads: 3 } })
      return ''
    } catch (error) {
      return String(error)
    }
  })
  expect(message).toBe('RangeError: numHeads must be one of 1, 2, 4, 8, not 3')
  expect(await state()).toEqual(initial)
})

test('One row, step by step, shows the weights of the single head', async ({ page }) => {
  const weights = attentionCube.heads[1].attention.data
  const row = page.locator('attention-row')
  await expect(row.locator('tr.chosen')).toContainText('c1')
  for (const query of [4, 11]) {
    await row.locator('select').selectOption({ index: query })
    const shown = await row.locator('td[data-weight]').allTextContents()
    expect(shown).toEqual(
      weights
        .slice(12 * query, 12 * query + 12)
        .map((/** @type {number} */ weight) => weight.toFixed(4)),
    )
  }
  const output = extra.single_head_A_X_W_V.data.slice(8 * 11, 8 * 12)
  await expect(row.locator('.output')).toContainText(
    output.map((/** @type {number} */ value) => written(value, 3)).join(', '),
  )
})

test('A logit is the same from the bilinear form and from query and key', async ({ page }) => {
  const form = page.locator('bilinear-form')
  const number = (/** @type {string} */ name) => form.locator(`[data-number="${name}"]`)
  await expect(number('form')).toHaveText('0.5501')
  await expect(number('logit')).toHaveText('0.5501')
  await expect(number('mirror')).toHaveText('−0.7490')
  await form.getByRole('button', { name: /Swap/ }).click()
  await expect(number('logit')).toHaveText('−0.7490')
  await expect(number('mirror')).toHaveText('0.5501')
  // The sum over heads is the single head's logit, for every h.
  const single = written(extra.by_heads[1].logits.data[8 * 12 + 4], 4)
  for (const heads of [1, 2, 4, 8]) {
    await choose(page, 'bilinear-form', 'heads', heads)
    await expect(number('sum')).toHaveText(single)
  }
})

test('A product is the same for every h; only the frame moves', async ({ page }) => {
  const blocks = page.locator('column-blocks')
  const product = blocks.locator('table').nth(2)
  const before = await product.locator('tbody td').allInnerTexts()
  expect(before.slice(0, 8)).toEqual(
    extra.Q.data.slice(0, 8).map((/** @type {number} */ value) => written(value, 2)),
  )
  await choose(page, 'column-blocks', 'heads', 8)
  await expect(product.locator('tbody tr').first().locator('td.framed')).toHaveCount(1)
  expect(await product.locator('tbody td').allInnerTexts()).toEqual(before)
})

test('One head and several differ by the norms of the reference, for every h', async ({ page }) => {
  for (const heads of [1, 2, 4, 8]) {
    await choose(page, 'feature-mixing', 'heads', heads)
    await expect(page.locator('feature-mixing tfoot td')).toHaveCount(heads)
    const { norms } = await resultOf(page, 'feature-mixing')
    extra.by_heads[heads].single_minus_multi_per_block.forEach(
      (/** @type {number} */ norm, /** @type {number} */ head) =>
        expect(norms[head]).toBeCloseTo(norm, 6),
    )
    const shown = await page.locator('feature-mixing tfoot td').allTextContents()
    const digits = heads > 4 ? 2 : 3
    expect(shown.map((text) => text.trim())).toEqual(
      norms.map((/** @type {number} */ norm) => norm.toFixed(digits)),
    )
  }
})

test('Shuffled tokens: equal up to rounding, unless positions or a causal mask tell them apart', async ({
  page,
}) => {
  const golden = extra.equivariance
  const shuffle = page.locator('permutation-equivariance')
  const row = (/** @type {number} */ index) => shuffle.locator('.norms tbody tr').nth(index)
  await expect(row(0)).toContainText('up to rounding')
  await expect(row(1)).toContainText(golden.deviation_with_sinusoidal_positions.toFixed(2))
  await expect(row(2)).toContainText(golden.deviation_causal.toFixed(2))

  const { plain, positions, causal } = await resultOf(page, 'permutation-equivariance')
  expect(relativeError(plain.left.data, golden.output_of_PX.data)).toBeLessThan(1e-5)
  expect(plain.norm).toBeLessThan(5e-6)
  expect(plain.norm).toBeGreaterThan(0)
  expect(plain.referenceNorm).toBeLessThan(1e-14)
  expect(positions.referenceNorm).toBeCloseTo(golden.deviation_with_sinusoidal_positions, 12)
  expect(causal.referenceNorm).toBeCloseTo(golden.deviation_causal, 12)

  for (let time = 0; time < 5; time++) {
    await shuffle.getByRole('button', { name: 'Shuffle' }).click()
    await expect(row(0)).toContainText('up to rounding')
  }
  await shuffle.getByRole('button', { name: 'Swap two neighbours' }).click()
  const swapped = await resultOf(page, 'permutation-equivariance')
  expect(swapped.plain.norm).toBeLessThan(5e-6)
  expect(swapped.positions.norm).toBeGreaterThan(0.01)
  expect(swapped.causal.norm).toBeGreaterThan(0.01)
  await shuffle.getByRole('button', { name: 'In order' }).click()
  const inOrder = await resultOf(page, 'permutation-equivariance')
  expect(inOrder.causal.norm).toBe(0)
})

test('An exhibit stands on any page: attributes, a state set early, moving, and what is wrong in words', async ({
  page,
}) => {
  await page.evaluate(() => {
    const mixing = document.createElement('feature-mixing')
    mixing.setAttribute('num-heads', '2')
    document.querySelector('main')?.append(mixing)
    const early = document.createElement('column-blocks')
    Object.assign(early, { state: { numHeads: 8, head: 7 } })
    document.querySelector('main')?.append(early)
  })
  const mixing = page.locator('feature-mixing').last()
  await expect(mixing.locator('tfoot td')).toHaveCount(2)
  const early = page.locator('column-blocks').last()
  await expect(early.locator('input[name="head"]:checked')).toHaveValue('7')

  await mixing.evaluate((element) => element.setAttribute('num-heads', '3'))
  await expect(mixing.getByRole('alert')).toContainText('numHeads must be one of 1, 2, 4, 8, not 3')
  await mixing.evaluate((element) => element.setAttribute('num-heads', '8'))
  await expect(mixing.getByRole('alert')).toBeHidden()
  await expect(mixing.locator('tfoot td')).toHaveCount(8)

  // Moved to another place it is drawn anew, in the state that it had.
  await mixing.evaluate((element) => element.parentElement?.prepend(element))
  await expect(page.locator('feature-mixing').first().locator('tfoot td')).toHaveCount(8)
})

test('A change by the reader is told to the page, once', async ({ page }) => {
  const states = await page.evaluate(async () => {
    /** @type {unknown[]} */
    const seen = []
    document.addEventListener('statechange', (event) =>
      seen.push([
        /** @type {Element} */ (event.target).localName,
        /** @type {CustomEvent} */ (event).detail.numHeads,
      ]),
    )
    const shadow = (/** @type {Element | null | undefined} */ node) => node?.shadowRoot
    const exhibit = document.querySelector('feature-mixing')
    const input = /** @type {HTMLInputElement} */ (
      shadow(shadow(exhibit)?.querySelector('.attention-exhibit'))?.querySelector('[value="8"]')
    )
    input.click()
    Object.assign(exhibit ?? {}, { state: { numHeads: 2 } })
    return seen
  })
  expect(states).toEqual([['feature-mixing', 8]])
})

test('An exhibit that leaves the page leaves nothing behind', async ({ page }) => {
  const left = await page.locator('multi-head-example').evaluate((element) => {
    const exhibit = /** @type {any} */ (element).exhibit
    element.remove()
    return {
      exhibit: /** @type {any} */ (element).exhibit,
      nodes: element.shadowRoot?.querySelectorAll('.attention-exhibit').length,
      disposedTwice: exhibit.dispose(),
    }
  })
  expect(left).toEqual({ exhibit: null, nodes: 0, disposedTwice: undefined })
})
