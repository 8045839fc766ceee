import { describe, expect, test } from 'vitest'
import { expectClose, float32Tolerance } from '../compare.js'
import { figures, golden } from '../golden.js'
import { engine } from './loaded.js'

const { coreference, properties, disambiguation } = golden('scaled_dot_product')
const extra = golden('extra').scaled_dot_product
const tolerance = float32Tolerance(32, 11)

describe('the pronoun example', () => {
  const { embeddings: x } = coreference
  const options = { needStages: true }
  const found = engine.scaledDotProductAttention(x, x, x, options)

  test('has the golden scores and weights', () => {
    expectClose(found.scores, coreference.scores, { tolerance })
    expectClose(found.weights, coreference.weights, { tolerance })
  })

  test("has the golden stages in the pronoun's row, in float32", () => {
    const wanted = extra.coreference.steps_it
    const row = (/** @type {any} */ { data }, width = 11) =>
      figures([...data.slice(wanted.query_row * width, (wanted.query_row + 1) * width)])
    expectClose(row(found.logits), wanted.raw, { tolerance })
    expectClose(row(found.scores), wanted.scaled, { tolerance })
    expectClose(row(found.exp), wanted.exp, { tolerance })
    expectClose(row(found.weights), wanted.weights, { tolerance })
    expectClose(row(found.output, 32), wanted.output, { tolerance })
    expectClose(row(found.rowMax, 1), figures([wanted.row_max]), { tolerance })
    expectClose(row(found.rowSum, 1), figures([wanted.row_sum]), { tolerance })
  })

  test('is explained in float64 as the golden figures have it', () => {
    const wanted = extra.coreference.steps_it
    const row = engine.reference.explain(x, x, x, { row: wanted.query_row, column: 1 })
    const close = { tolerance: 1e-12 }
    expectClose(figures([...row.raw]), wanted.raw, close)
    expectClose(figures([...row.scaled]), wanted.scaled, close)
    expectClose(figures([...row.masked]), wanted.masked, close)
    expectClose(figures([...row.exp]), wanted.exp, close)
    expectClose(figures([...row.weights]), wanted.weights, close)
    expectClose(figures([...row.contributionNorms]), wanted.contribution_norms, close)
    expectClose(figures([...row.shareAlongOutput]), wanted.share_along_output, close)
    expectClose(figures([...row.output]), wanted.output, close)
    expect([...row.rankInRow]).toEqual(wanted.rank_in_row)
    expect(row.rowMax).toBeCloseTo(wanted.row_max, 12)
    expect(row.rowSum).toBeCloseTo(wanted.row_sum, 12)
    const sum = row.terms.reduce((total, term) => total + term, 0)
    expect(sum).toBeCloseTo(row.raw[1], 12)
  })

  test.each(['1', '4', '16'])('has the golden Jacobian with scores times %s', (multiplier) => {
    const row = engine.reference.explain(x, x, x, { row: 7 }).scaled
    const weights = engine.softmax(figures([...row.map((s) => s * Number(multiplier))]))
    const wanted = extra.jacobian_row_it_score_multiplier[multiplier]
    expectClose(engine.softmaxJacobian(weights), wanted, { tolerance: 1e-5 })
  })
})

describe('the convexity case', () => {
  const { Q, K, V, Y, A } = properties
  const { output, weights } = engine.scaledDotProductAttention(Q, K, V)

  test('has the golden output and weights', () => {
    expectClose(output, Y, { tolerance })
    expectClose(weights, A, { tolerance })
  })

  test('has rows that sum to 1 and outputs no longer than the longest value', () => {
    const found = engine.analysis.audit(weights, { output, value: V })
    expect(found.rowSumError).toBeLessThan(1e-6)
    expect(found).toMatchObject({
      negativeCount: 0,
      nanCount: 0,
      emptyRowCount: 0,
      outputNanCount: 0,
    })
    expect(found.largestOutputNorm).toBeLessThanOrEqual(
      /** @type {number} */ (found.largestValueNorm),
    )
  })

  test('has the golden norms', () => {
    expectClose(engine.analysis.rowNorms(output), extra.hull.y_norms, { tolerance })
    expectClose(engine.analysis.rowNorms(V), extra.hull.v_norms, { tolerance: 1e-12 })
  })
})

describe('the two meanings of bank', () => {
  const { vectors, cosines } = disambiguation
  /** @param {'river' | 'investment'} meaning */
  const attend = (meaning) => {
    const x = disambiguation[`sentence_${meaning}`].map(
      (/** @type {string} */ word) => vectors[word],
    )
    return engine.scaledDotProductAttention(x, x, x).output
  }
  const river = attend('river')
  const investment = attend('investment')

  test('have the golden outputs', () => {
    expectClose(river, disambiguation.Y_river, { tolerance })
    expectClose(investment, disambiguation.Y_investment, { tolerance })
  })

  test('have the golden cosines', () => {
    const bank = (/** @type {any} */ { data }) => figures([...data.slice(32, 40)])
    const { frobeniusCosine } = {
      frobeniusCosine: (/** @type {any} */ a, /** @type {any} */ b) =>
        engine.analysis.frobeniusCosine(a, b),
    }
    expect(frobeniusCosine(bank(river), bank(investment))).toBeCloseTo(cosines.contextual, 6)
    expect(frobeniusCosine(bank(river), vectors.river)).toBeCloseTo(cosines.river, 6)
    expect(frobeniusCosine(bank(investment), vectors.investment)).toBeCloseTo(cosines.investment, 6)
    expect(frobeniusCosine(bank(river), vectors.bank)).toBeCloseTo(
      extra.polysemy_baselines.bankA_static_bank,
      6,
    )
  })
})
