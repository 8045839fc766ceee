import {
  choose,
  expect,
  figuresReady,
  golden,
  relativeError,
  reset,
  resultOf,
  slider,
  stateOf,
  test,
  written,
} from './site-page.js'

const notebook = golden('multi_head')
const { multi_head: extra, attention_cube: cube } = golden('extra')

test.beforeEach(async ({ page }) => {
  await page.goto('lessons/subspaces-and-cost/')
  await figuresReady(page)
})

test("Specialised heads are the notebook's, and their measures the golden ones", async ({
  page,
}) => {
  const names = ['local', 'syntactic', 'global', 'modifier']
  const { weights } = await resultOf(page, 'specialised-heads')
  for (const [head, name] of names.entries()) {
    const own = weights.data.slice(49 * head, 49 * head + 49)
    expect(relativeError(own, notebook.specialised_heads[name].data)).toBeLessThan(1e-14)
    const wanted = extra.specialised[name]
    const entropy =
      wanted.entropy_nats.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b) / 7
    const row = page.locator(`specialised-heads tr[data-head="${head}"]`)
    const measure = (/** @type {string} */ key) => row.locator(`[data-measure="${key}"]`)
    await expect(measure('entropy')).toHaveText(entropy.toFixed(3))
    await expect(measure('largest')).toHaveText(wanted.max.toFixed(3))
    await expect(measure('beyond')).toHaveText(String(wanted.cells_over_colour_limit_0_8))
    await expect(measure('ahead')).toHaveText(wanted.causal ? '0' : '1')
    const end = page.locator(`specialised-heads .map-${head} .ticks span`).last()
    await expect(end).toHaveText('1')
  }
  await expect(page.locator('specialised-heads [role=status].news')).toContainText(
    'Heads 2 and 4 look ahead; 4 weights exceed 0.8.',
  )
})

test('Specialised heads: colours, a head and a query can be chosen', async ({ page }) => {
  const exhibit = page.locator('specialised-heads')
  await choose(page, 'specialised-heads', 'colors', 'notebook')
  await expect(exhibit.locator('.map-0 .ticks span').last()).toHaveText('0.8')

  await exhibit.getByRole('button', { name: 'head 2', exact: true }).click()
  await expect(exhibit.locator('tr.chosen')).toContainText('head 2')

  const cell = exhibit.locator('.map-1 [role=gridcell]')
  await cell.focus()
  await page.keyboard.press('Control+Home')
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
  expect(await stateOf(page, 'specialised-heads')).toEqual({
    emphasizedHead: 1,
    query: 2,
    colors: 'notebook',
  })
  const cursor = exhibit.locator('.lines [role=gridcell][tabindex="0"]')
  // It follows the chosen query in a frame to come.
  await expect(cursor).toContainText('query 3')
  await cursor.focus()
  for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key)
  await expect.poll(async () => (await stateOf(page, 'specialised-heads')).query).toBe(3)
  await reset(page, 'specialised-heads', { emphasizedHead: -1, query: -1, colors: 'one' })
})

test("Fused projections have the notebook's shapes, and the bits of separate ones", async ({
  page,
}) => {
  const exhibit = page.locator('fused-projection')
  const shape = (/** @type {string} */ key) => exhibit.locator(`td[data-shape="${key}"]`)
  const [input, weights, output] = notebook.numpy_layer.table.map(
    (/** @type {{ Tensor_Shape: string }} */ row) => row.Tensor_Shape,
  )
  await expect(shape('x')).toHaveText(input)
  await expect(shape('weights')).toHaveText(weights)
  await expect(shape('output')).toHaveText(output)
  await expect(exhibit.locator('.verdict.breaks')).toHaveCount(0)
  await expect(exhibit.locator('[data-measure="different"]')).toHaveText('0')

  const { stages } = await resultOf(page, 'fused-projection')
  const { numpy_layer: layer } = notebook
  expect(relativeError(stages.weights.data, layer.weights.data)).toBeLessThan(1e-5)
  expect(relativeError(stages.output.data, layer.out.data)).toBeLessThan(1e-5)
})

test('Fused projections: sizes, steps and timing', async ({ page }) => {
  const exhibit = page.locator('fused-projection')
  const drawn = (/** @type {string} */ step) => exhibit.locator(`code[data-shape="${step}"]`)
  await expect(drawn('permute')).toHaveText('(2, 4, 6, 8)')
  await exhibit.getByRole('button', { name: 'Previous step' }).click()
  await expect(drawn('permute')).toBeHidden()
  await expect(drawn('reshape')).toBeVisible()
  await page.keyboard.press('Home')
  await expect(drawn('X·W')).toBeHidden()
  await exhibit.getByRole('button', { name: 'Next step' }).click()
  await expect(drawn('X·W')).toBeVisible()
  await page.keyboard.press('End')
  await expect(drawn('permute')).toBeVisible()

  await slider(page, 'fused-projection', 'batch').press('End')
  await slider(page, 'fused-projection', 'tokens').press('End')
  await choose(page, 'fused-projection', 'features', 64)
  await choose(page, 'fused-projection', 'heads', 8)
  await expect(drawn('permute')).toHaveText('(4, 8, 12, 8)')
  await expect(exhibit.locator('td[data-shape="scores"]')).toHaveText('(4, 8, 12, 12)')
  await expect(exhibit.locator('.same')).toContainText('24 separate products')
  await expect(exhibit.locator('[data-measure="different"]')).toHaveText('0')

  await exhibit.getByRole('button', { name: 'Time both' }).click()
  for (const way of ['fused', 'separate']) {
    const time = exhibit.locator(`[data-time="${way}"]`)
    expect(Number(await time.textContent())).toBeGreaterThan(0)
  }
  await reset(page, 'fused-projection', {
    ...{ batch: 2, tokens: 6, features: 32, numHeads: 4, step: 3 },
  })
  await expect(exhibit.locator('[data-time]')).toHaveCount(0)
})

test("Ranks start with the cube's case, and are the golden ones for every h", async ({ page }) => {
  expect(await stateOf(page, 'head-ranks')).toEqual({ which: 'cube', numHeads: 4 })
  const column = (/** @type {string} */ name) =>
    page.locator(`head-ranks tr:not([data-head="all"]) [data-rank="${name}"]`)
  const all = page.locator('head-ranks tr[data-head="all"]')
  for (const heads of [4, 1, 2, 8]) {
    await choose(page, 'head-ranks', 'heads', heads)
    const wanted = cube.by_heads[heads]
    await expect(column('logits')).toHaveText(wanted.rank_logits.map(String))
    await expect(column('weights')).toHaveText(wanted.rank_weights.map(String))
    await expect(column('output')).toHaveText(wanted.rank_heads.map(String))
    await expect(column('bound').first()).toContainText(`${8 / heads}`)
    await expect(all.locator('[data-rank="output"]')).toHaveText(String(wanted.rank_concat))
  }
  await choose(page, 'head-ranks', 'heads', 4)
  const { heads, concatenation } = await resultOf(page, 'head-ranks')
  const wanted = cube.by_heads[4]
  for (const [head, { output }] of heads.entries()) {
    const values = wanted.singular_values_heads[head]
    expect(relativeError(output.values.slice(0, values.length), values)).toBeLessThan(1e-5)
  }
  expect(relativeError(concatenation.values, wanted.singular_values_concat)).toBeLessThan(1e-5)

  await choose(page, 'head-ranks', 'which', 'layer')
  await expect(column('output')).toHaveText(extra.ranks_batch_0.rank_heads.map(String))
  await expect(column('bound').first()).toContainText('6 = min(6, 8)')
  await expect(all.locator('[data-rank="bound"]')).toContainText('6 = min(6, 32)')
  await reset(page, 'head-ranks', { which: 'cube', numHeads: 4 })
})

test("Subspaces have the notebook's cosines, and the golden angles beside them", async ({
  page,
}) => {
  const { subspaces } = notebook
  const { cosines } = await resultOf(page, 'head-subspaces')
  expect(relativeError(cosines.data, subspaces.frobenius_cosine.data)).toBeLessThan(1e-6)
  const shown = page.locator('head-subspaces tr[data-first] [data-measure="cosine"]')
  await expect(shown).toHaveText(
    subspaces.table.map((/** @type {{ Frobenius_Cosine_Correlation: string }} */ row) =>
      row.Frobenius_Cosine_Correlation.replace('-', '−'),
    ),
  )
  const { smallest_principal_angle_deg: smallest } = extra.subspace_facts
  for (const [pair, degrees] of Object.entries(smallest)) {
    const [a, b] = pair.split('-').map((head) => Number(head) - 1)
    await expect(
      page.locator(
        `head-subspaces tr[data-first="${a}"][data-second="${b}"] [data-measure="smallest"]`,
      ),
    ).toHaveText(`${Number(degrees).toFixed(1)}°`)
  }
  const angles = subspaces.principal_angles_rad.data.slice(8, 16)
  await expect(page.locator('head-subspaces [data-measure="angles"]')).toHaveText(
    angles
      .map((/** @type {number} */ angle) => `${((180 * angle) / Math.PI).toFixed(1)}°`)
      .join(', '),
  )
})

test('Subspaces: pairs, projections, and a basis that turns', async ({ page }) => {
  const exhibit = page.locator('head-subspaces')
  const angles = exhibit.locator('[data-measure="angles"]')
  await choose(page, 'head-subspaces', 'first', 1)
  await choose(page, 'head-subspaces', 'second', 3)
  await expect(angles).toContainText('26.8°')
  await expect(exhibit.locator('tr.chosen')).toContainText('2 with 4')
  await exhibit.locator('tr[data-first="2"][data-second="3"]').click()
  await expect(angles).toContainText('45.8°')
  await exhibit.locator('.angles [role=gridcell]').focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Enter')
  await expect(exhibit.locator('tr.chosen')).toContainText('1 with 1')

  const turned = exhibit.locator('tr[data-pair="turned"]')
  const cosine = turned.locator('[data-measure="cosine"]')
  const before = String(await cosine.textContent())
  await exhibit.getByRole('button', { name: 'Turn the basis' }).click()
  await expect(cosine).not.toHaveText(before)
  await expect(turned.locator('[data-measure="largest"]')).toHaveText('at most 0.0°')
  await expect(exhibit.locator('[data-measure="beyond"]')).toHaveText('0 beyond ±0.25')

  const before12 = await resultOf(page, 'head-subspaces')
  await choose(page, 'head-subspaces', 'projection', 'wv')
  const after = await resultOf(page, 'head-subspaces')
  expect(after.cosines.data[1]).not.toBe(before12.cosines.data[1])
  await reset(page, 'head-subspaces', { projection: 'wq', first: 0, second: 1, basis: 0 })
})

test('Norms around the operator are the golden ones, after and before', async ({ page }) => {
  const cells = (/** @type {string} */ norm) =>
    page.locator(`residual-norm tr[data-norm="${norm}"] td`)
  const { post_norm: post, pre_norm: pre } = extra
  const row = (/** @type {{ data: number[] }} */ norms, sequence = 0) =>
    norms.data.slice(6 * sequence, 6 * sequence + 6).map((norm) => written(norm, 3))
  const { output } = await resultOf(page, 'residual-norm')
  expect(relativeError(output.data, post.output.data)).toBeLessThan(1e-5)
  for (const sequence of [0, 1]) {
    await choose(page, 'residual-norm', 'sequence', sequence)
    await expect(cells('x')).toHaveText(row(post.norm_x, sequence))
    await expect(cells('attention')).toHaveText(row(post.norm_attention, sequence))
    await expect(cells('residual')).toHaveText(row(post.norm_residual, sequence))
    await expect(cells('output')).toHaveText(row(post.norm_output, sequence))
  }
  await choose(page, 'residual-norm', 'order', 'pre')
  await expect(cells('output')).toHaveText(row(pre.norm_output, 1))
  const before = await resultOf(page, 'residual-norm')
  expect(relativeError(before.output.data, pre.output.data)).toBeLessThan(1e-5)

  // What the operator sees is a norm's output: longer rows change it by no more than the norm's ε does.
  await slider(page, 'residual-norm', 'times').press('End')
  const { norms } = await resultOf(page, 'residual-norm')
  expect(relativeError(norms.attention.data, before.norms.attention.data)).toBeLessThan(1e-4)
  expect(norms.x.data[0] / before.norms.x.data[0]).toBeCloseTo(10, 5)
  await reset(page, 'residual-norm', { order: 'post', sequence: 0, size: 1 })
})
