import { describe, expect, test } from 'vitest'
import { expectClose } from '../compare.js'
import { golden } from '../golden.js'
import { engine } from './loaded.js'

const backward = golden('backward')
const extra = golden('extra').backward
/** Backward passes go through twice as many sums. */
const tolerance = 1e-5

describe.each(['scaled_dot_product', 'scaled_dot_product_unmasked'])('%s', (name) => {
  const { Q, K, V, mask, grad_output: gradOutput, ...wanted } = backward[name]
  const options = { attnMask: mask }

  test('has the golden output and weights', () => {
    const { output, weights } = engine.scaledDotProductAttention(Q, K, V, options)
    expectClose(output, wanted.output)
    expectClose(weights, wanted.weights)
  })

  test.each([
    ['recomputed', undefined],
    ['kept', engine.scaledDotProductAttention(Q, K, V, { ...options, needStages: true })],
  ])('has the golden gradients, its weights %s', (_, forward) => {
    const found = engine.scaledDotProductAttentionBackward(Q, K, V, gradOutput, {
      ...options,
      forward,
    })
    expectClose(found.gradQuery, wanted.grad_query, { tolerance })
    expectClose(found.gradKey, wanted.grad_key, { tolerance })
    expectClose(found.gradValue, wanted.grad_value, { tolerance })
    expectClose(found.gradScores, wanted.grad_scores, { tolerance })
    expectClose(found.gradWeights, extra[name].grad_weights, { tolerance })
  })
})

describe.each(['scaled_dot_product', 'scaled_dot_product_unmasked'])('a step in %s', (name) => {
  const { Q, K, V, mask, grad_output: gradOutput } = backward[name]
  const { step, entry, central, analytic } = extra[name].finite_difference

  test('changes the loss as the golden difference and gradient say', () => {
    expect(entry).toBe('Q[0,3]')
    /** The loss Σ ∂y·y at a query moved by `by`. @param {number} by */
    const loss = (by) => {
      const moved = { ...Q, data: Float64Array.from(Q.data) }
      moved.data[3] += by
      const options = { attnMask: mask }
      const { output } = engine.reference.scaledDotProductAttention(moved, K, V, options)
      return output.data.reduce((sum, y, i) => sum + y * gradOutput.data[i], 0)
    }
    // A loss near 10 rounds at 1e-15, which the division by the step makes 1e-10.
    expect((loss(step) - loss(-step)) / (2 * step)).toBeCloseTo(central, 9)
    const inputs = /** @type {const} */ ([Q, K, V, gradOutput, { attnMask: mask }])
    const exact = engine.reference.scaledDotProductAttentionBackward(...inputs)
    expect(exact.gradQuery.data[3]).toBeCloseTo(analytic, 13)
    const { gradQuery } = engine.scaledDotProductAttentionBackward(...inputs)
    expect(gradQuery.data[3]).toBeCloseTo(analytic, 5)
  })
})

test('an empty row has no gradient and gives none', () => {
  const { Q, K, V, grad_output: gradOutput } = backward.scaled_dot_product
  const { mask, ...wanted } = extra.row_1_empty
  const options = { attnMask: mask }
  const { output, weights } = engine.scaledDotProductAttention(Q, K, V, options)
  expectClose(output, wanted.output)
  expectClose(weights, wanted.weights)
  const found = engine.scaledDotProductAttentionBackward(Q, K, V, gradOutput, options)
  expectClose(found.gradQuery, wanted.grad_query, { tolerance })
  expectClose(found.gradKey, wanted.grad_key, { tolerance })
  expectClose(found.gradValue, wanted.grad_value, { tolerance })
})

const layers = {
  multi_head: backward.multi_head,
  multi_head_causal: backward.multi_head_causal,
  grouped_query_causal: backward.grouped_query_causal,
  grouped_query_biased_alibi_causal: extra.grouped_query_biased_alibi_causal,
}
const PARAMETERS = ['wq', 'wk', 'wv', 'wo', 'bq', 'bk', 'bv', 'bo']

describe.each(Object.keys(layers))('%s', (name) => {
  const wanted = /** @type {any} */ (layers)[name]
  const given = PARAMETERS.filter((parameter) => wanted[parameter])
  const parameters = Object.fromEntries(given.map((parameter) => [parameter, wanted[parameter]]))
  const options = {
    numHeads: wanted.num_heads,
    numKvHeads: wanted.num_kv_heads,
    isCausal: wanted.causal ?? wanted.is_causal,
    attnMask: wanted.bias,
  }
  const forward = engine.multiHeadAttention(wanted.x, /** @type {any} */ (parameters), {
    ...options,
    needStages: true,
  })

  test('has the golden output and weights', () => {
    expectClose(forward.output, wanted.output)
    expectClose(forward.weights, wanted.weights)
  })

  test.each([
    ['recomputed', undefined],
    ['kept', forward],
  ])('has the golden gradients, its stages %s', (_, kept) => {
    const found = /** @type {any} */ (
      engine.multiHeadAttentionBackward(
        wanted.x,
        /** @type {any} */ (parameters),
        wanted.grad_output,
        { ...options, forward: kept },
      )
    )
    expectClose(found.gradX, wanted.grad_x, { tolerance })
    for (const parameter of given) {
      const gradient = found[`grad${parameter[0].toUpperCase()}${parameter[1]}`]
      // A softmax does not change when all keys move by the same: bk's gradient is rounding alone.
      const beside = parameter === 'bk' ? wanted.grad_bq : undefined
      expectClose(gradient, wanted[`grad_${parameter}`], { tolerance, name: parameter, beside })
    }
    if (wanted.grad_bias) {
      const summed = { data: new Float64Array(wanted.bias.data.length), shape: wanted.bias.shape }
      for (const [i, g] of found.gradScores.data.entries()) {
        summed.data[i % summed.data.length] += g
      }
      expectClose(summed, wanted.grad_bias, { tolerance })
    }
  })
})

test('layer norm has the golden output and gradients', () => {
  const { x, weight, bias, eps, grad_output: gradOutput, ...wanted } = extra.layer_norm
  expectClose(engine.layerNorm(x, { weight, bias, eps }), wanted.output)
  const found = engine.layerNormBackward(x, gradOutput, { weight, eps })
  expectClose(found.gradX, wanted.grad_x, { tolerance })
  expectClose(found.gradWeight, wanted.grad_weight, { tolerance })
  expectClose(found.gradBias, wanted.grad_bias, { tolerance })
})
