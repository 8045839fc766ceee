import { describe, expect, test } from 'vitest'
import { expectClose, float32Tolerance } from '../compare.js'
import { figures, golden } from '../golden.js'
import { engine } from './loaded.js'

const { properties, disambiguation } = golden('scaled_dot_product')
const extra = golden('extra').scaled_dot_product
const tolerance = float32Tolerance(16, 6)

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

  test("has the barycentric coordinates of the outputs among V's rows as its weights", () => {
    const { barycentric, barycentric_equals_A: difference } = extra.hull
    expectClose(weights, barycentric, { tolerance })
    expectClose(engine.matmul(barycentric, V), Y, { tolerance })
    const exact = engine.reference.scaledDotProductAttention(Q, K, V).weights.data
    const largest = Math.max(...exact.map((a, i) => Math.abs(a - barycentric.data[i])))
    expect(largest).toBeLessThanOrEqual(difference + 4 * Number.EPSILON)
  })
})

describe('the two meanings of bank', () => {
  const { vectors, cosines } = disambiguation
  /** @param {'river' | 'investment'} meaning */
  const attend = (meaning) => {
    const x = disambiguation[`sentence_${meaning}`].map(
      (/** @type {string} */ word) => vectors[word],
    )
    return engine.scaledDotProductAttention(x, x, x)
  }
  const river = attend('river')
  const investment = attend('investment')
  /** The row of 'bank', the last word. @param {{ data: Float32Array, shape: number[] }} matrix */
  const bank = ({ data, shape: [, width] }) => figures([...data.slice(-width)])

  test('have the golden outputs', () => {
    expectClose(river.output, disambiguation.Y_river, { tolerance })
    expectClose(investment.output, disambiguation.Y_investment, { tolerance })
  })

  test.each([
    ['river', river],
    ['investment', investment],
  ])('have the golden weights beside %s', (meaning, { weights }) => {
    const wanted = extra.polysemy_baselines[`weights_${meaning}`]
    expect(Object.keys(wanted)).toEqual(disambiguation[`sentence_${meaning}`])
    const values = /** @type {number[]} */ (Object.values(wanted))
    expectClose(bank(weights), figures(values), { tolerance })
  })

  test.each([
    ['bank by the river', 'bank of investment', cosines.contextual],
    ['bank by the river', 'river', cosines.river],
    ['bank of investment', 'investment', cosines.investment],
    ['bank', 'river', extra.polysemy_baselines.bank_river_static],
    ['bank', 'investment', extra.polysemy_baselines.bank_investment_static],
    ['bank by the river', 'bank', extra.polysemy_baselines.bankA_static_bank],
    ['bank of investment', 'bank', extra.polysemy_baselines.bankB_static_bank],
    ['bank by the river', 'investment', extra.polysemy_baselines.bankA_investment],
    ['bank of investment', 'river', extra.polysemy_baselines.bankB_river],
  ])('have the golden cosine of "%s" and "%s"', (a, b, wanted) => {
    /** @type {Record<string, any>} */
    const words = {
      ...vectors,
      'bank by the river': bank(river.output),
      'bank of investment': bank(investment.output),
    }
    expect(engine.analysis.frobeniusCosine(words[a], words[b])).toBeCloseTo(wanted, 6)
  })
})
