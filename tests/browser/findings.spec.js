/**
 * Each exhibit's text alternative: one sentence that says what its figure shows at the start, with the golden
 * figures in it.
 */
import { exhibitsOf, expect, figuresReady, golden, resultOf, test, written } from './site-page.js'

/** @import { Page } from '@playwright/test' */

const { scaled_dot_product: attention, causal, multi_head: heads } = golden('extra')
const { attention_cube: cube } = golden('extra')
const notebook = {
  ...{ attention: golden('scaled_dot_product'), causal: golden('causal') },
  ...{ heads: golden('multi_head'), cube: golden('attention_cube') },
}
const gradients = golden('backward').scaled_dot_product_unmasked

/** @param {{ data: number[] }} tensor @param {number} row @param {number} width */
const rowOf = ({ data }, row, width) => data.slice(row * width, (row + 1) * width)
/** @param {number[]} values @param {number} decimals */
const span = (values, decimals) =>
  `from ${written(Math.min(...values), decimals)} to ${written(Math.max(...values), decimals)}`
/** @param {number[]} values */
const total = (values) => values.reduce((sum, value) => sum + value)
/** @param {number} count in groups of three */
const grouped = (count) => count.toLocaleString('en')

/**
 * By lesson and exhibit: the sentence, or what makes it of the exhibit's own result where no golden figure is of
 * its numbers.
 * @type {Record<string, Record<string, string | ((result: any) => string)>>}
 */
const findings = {
  'scaled-dot-product-attention': {
    'token-projections': ({ x, weights }) =>
      `Q, row it, column 1: ${written(total([0, 1, 2, 3].map((k) => x.data[k] * weights.query.data[3 * k])), 2)}.`,
    'coreference-example': `“it” listens most to “animal”, with weight ${written(notebook.attention.coreference.weights.data[7 * 11 + 1], 4)}.`,
    'attention-steps': `Stage 1 of 6, compare: for the query “it” the key “animal” has ${written(attention.coreference.steps_it.raw.data[1], 3)}.`,
    'attention-properties': `Outputs have norms ${span(attention.hull.y_norms.data, 2)}, values ${span(attention.hull.v_norms.data, 2)}.`,
    'dot-product-variance': ({ sizes: { 64: at } }) =>
      `d_k 64: the variance of q·k is ${written(at.raw.measured.variance, 2)}, scaled ${written(at.scaled.measured.variance, 3)}.`,
    'softmax-saturation': `Without scaling the softmax is saturated from d_k ${
      notebook.attention.gradient_vs_dk.table.find(
        (/** @type {{ Regime: string }} */ { Regime }) => Regime === 'Severe Softmax Saturation',
      ).Projection_Dimension_dk
    } on; the Jacobian of “it” has norm ${Math.hypot(...attention.jacobian_row_it_score_multiplier[1].data).toPrecision(2)}.`,
    'attention-gradients': ({ numbers }) =>
      `Norms of the gradients: values ${written(Math.hypot(...gradients.grad_value.data), 3)}, scores ${written(Math.hypot(...gradients.grad_scores.data), 3)}; furthest from a difference quotient: ${Math.max(
        ...Object.values(numbers).map(({ kernelError }) => kernelError),
      ).toExponential(1)}.`,
    'polysemy-example': `The two banks have cosine ${written(notebook.attention.disambiguation.cosines.contextual, 4)}; with river ${written(notebook.attention.disambiguation.cosines.river, 4)}, with investment ${written(notebook.attention.disambiguation.cosines.investment, 4)}.`,
  },
  'causal-attention': {
    'teacher-forcing': ({ training: { loss } }) =>
      `One pass predicts all 6 next tokens. Its loss is ${written(loss, 2)}, from prefixes alone it is ${written(loss, 2)}: every prediction is the same bit for bit.`,
    'two-masks': `Without a mask “generates” gives ${written(total(rowOf(notebook.causal.demo.bidirectional, 3, 6).slice(4)), 3)} of its weight to later tokens, with it exactly 0.`,
    'future-leakage': `Token 4 is disturbed: without a mask 3 of 3 earlier outputs move, by up to ${written(Math.max(...causal.leakage_axioms_case['key_and_value_3 (key+1, value-1)'].unmasked.data.slice(0, 3)), 2)}; with it 0.`,
    'mask-editor': 'mask causal: 21 of 36 cells are open.',
    'causal-axioms':
      'With the mask no weight above the diagonal differs from 0, and the first output is the first value, bit for bit.',
    'kv-cache':
      'Token 5: the cache holds 5 keys and values. All outputs so far are those of the full pass, bit for bit.',
  },
  'subspaces-and-cost': {
    'specialised-heads': 'Heads 2 and 4 look ahead; 4 weights exceed 0.8.',
    'fused-projection':
      '12 separate products give 1152 numbers, of which 0 differ from those of the fused products.',
    'attention-cost': costs(),
    'head-ranks': `Each head’s output has at most rank ${Math.max(...cube.by_heads[4].rank_heads)}, all side by side rank ${cube.by_heads[4].rank_concat}.`,
    'head-subspaces': `Heads 1 and 2: Frobenius cosine ${written(notebook.heads.subspaces.frobenius_cosine.data[1], 4)}, smallest principal angle ${written(heads.subspace_facts.smallest_principal_angle_deg['1-2'], 1)}°.`,
    'residual-norm': `The tokens have norms ${span(rowOf(heads.post_norm.norm_x, 0, 6), 3)}, what attention adds to them ${span(rowOf(heads.post_norm.norm_attention, 0, 6), 3)}, the outputs ${span(rowOf(heads.post_norm.norm_output, 0, 6), 3)}.`,
  },
  'multi-head-attention': {
    'attention-row': `b1 gives c1 the weight ${written(notebook.cube.heads[1].attention.data[4 * 12 + 8], 4)}.`,
    'column-blocks': 'Head 2 of 4 owns columns 3 to 4 of Q.',
    'bilinear-form': `Head 2: b1 with c1 ${logit(4, 8)}, the other way ${logit(8, 4)}.`,
    'multi-head-example': `4 heads, showing all heads; the largest weight is ${written(Math.max(...notebook.cube.heads[4].attention.data), 3)}.`,
    'feature-mixing': `With 4 heads, head 4 departs furthest from the single head: ${written(cube.by_heads[4].single_minus_multi_per_block[3], 3)}.`,
    'permutation-equivariance': ({ plain }) =>
      `Deviation: plain ${plain.norm.toExponential(1)}, with positions ${written(cube.equivariance.deviation_with_sinusoidal_positions, 2)}, with a causal mask ${written(cube.equivariance.deviation_causal, 2)}.`,
  },
}

/** The notebook's layer: 2 sequences of 6 tokens, d = 32, 4 heads. */
function costs() {
  const { projections, scores, values, scale, softmax, weights_bytes } = heads.cost.find(
    (/** @type {any} */ cost) => cost.N === 6 && cost.heads === 4,
  )
  const onScores = scale + total(Object.values(softmax))
  return `4 heads: ${grouped(projections + scores + values)} operations in products, ${grouped(onScores)} on single scores, ${grouped(weights_bytes)} bytes of weights.`
}

/** @param {number} row @param {number} column of head 2 of four */
function logit(row, column) {
  return written(cube.by_heads[4].logits.data[(12 + row) * 12 + column], 4)
}

for (const [lesson, sentences] of Object.entries(findings)) {
  test(`In words: what the figures of ${lesson} show`, async ({ page }) => {
    await page.goto(`lessons/${lesson}/`)
    await figuresReady(page)
    const names = await exhibitsOf(page)
    expect(Object.keys(sentences).sort()).toEqual(names.sort())
    for (const [name, sentence] of Object.entries(sentences)) {
      const news = page.locator(`${name} .news[role=status]`)
      // What is measured in a worker comes when it comes.
      await expect(news).not.toContainText('Measuring')
      await expect(news).toHaveText(
        typeof sentence === 'string' ? sentence : sentence(await resultOf(page, name)),
      )
    }
  })
}
