import { testLessonPage } from './lesson-page.js'
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

const path = 'lessons/subspaces-and-cost/'
const notebook = golden('multi_head')
const { multi_head: extra, attention_cube: cube } = golden('extra')

/** @param {number} value in groups of three */
const grouped = (value) => value.toLocaleString('en')

testLessonPage({
  path,
  figures: {
    'specialised-heads': 'Here the page shows four attention matrices',
    'fused-projection': 'Here the page draws the way from X',
    'attention-cost': 'Here the page counts operations',
    'head-ranks': 'Here the page computes singular values',
    'head-subspaces': 'Here the page computes cosines',
    'residual-norm': 'Here the page computes the lengths',
  },
  counts: { headings: 9, claims: 7, tries: 6, figures: 6 },
})

/**
 * @param {Page} page
 * @param {string} name of the exhibit
 * @param {string} legend part of the slider's name
 */
function slider(page, name, legend) {
  return page.locator(name).locator('label.slider').filter({ hasText: legend }).locator('input')
}

test.describe('The figures', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto(path)
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

  test('Costs are the golden counts, for each number of heads', async ({ page }) => {
    const wanted = extra.cost.filter((/** @type {any} */ { N }) => N === 6)
    expect(wanted.length).toBe(4)
    for (const cost of wanted) {
      const row = page.locator(`attention-cost tr[data-heads="${cost.heads}"]`)
      const softmax = Object.values(cost.softmax).reduce((a, b) => a + b)
      for (const [name, value] of Object.entries({
        ...{ projections: cost.projections, scores: cost.scores, values: cost.values },
        ...{ scale: cost.scale, softmax, bytes: cost.weights_bytes },
      })) {
        await expect(row.locator(`[data-count="${name}"]`)).toHaveText(grouped(value))
      }
    }
    // The golden formula is for one sequence.
    const { notebook_formula_multiply_adds: formula, batch } = wanted[0]
    const count = (/** @type {string} */ name) =>
      page.locator(`attention-cost .formula [data-count="${name}"]`)
    await expect(count('formula')).toHaveText(grouped(batch * formula))
    await expect(count('doubled')).toHaveText(grouped(2 * batch * formula))
    await expect(count('products')).toHaveText(grouped(2 * batch * formula))
  })

  test('Costs: sizes, heads and masks', async ({ page }) => {
    const count = (/** @type {string} */ name, heads = 4) =>
      page.locator(`attention-cost tr[data-heads="${heads}"] [data-count="${name}"]`)
    await choose(page, 'attention-cost', 'mask', 'added')
    // One addition for each of 2 · 4 · 6² scores.
    await expect(count('scale')).toHaveText(grouped(2 * 288))
    await choose(page, 'attention-cost', 'mask', 'causal')
    // 21 of 36 pairs are left.
    await expect(count('scores')).toHaveText(grouped((4608 * 21) / 36))
    await expect(count('bytes')).toHaveText('1,152')

    await choose(page, 'attention-cost', 'mask', 'none')
    await choose(page, 'attention-cost', 'heads', 32)
    await expect(page.locator('attention-cost tr.chosen')).toHaveAttribute('data-heads', '32')
    const share = page.locator('attention-cost [data-count="share"]')
    await expect(share).toHaveText('12.1 %')
    await slider(page, 'attention-cost', 'tokens').press('End')
    await expect(share).toHaveText('141.1 %')
    await choose(page, 'attention-cost', 'features', 1024)
    await expect(share).toHaveText('1.6 %')
    await slider(page, 'attention-cost', 'batch').press('Home')
    await expect(count('bytes', 32)).toHaveText(grouped(128 * 2 ** 20))
    await page.locator('attention-cost tr[data-heads="8"]').click()
    expect(await stateOf(page, 'attention-cost')).toEqual({
      ...{ tokens: 1024, features: 1024, batch: 1, numHeads: 8, mask: 'none' },
    })
    await reset(page, 'attention-cost', {
      ...{ tokens: 6, features: 32, batch: 2, numHeads: 4, mask: 'none' },
    })
  })

  test("Ranks start with the cube's case, and are the golden ones for every h", async ({
    page,
  }) => {
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
})
