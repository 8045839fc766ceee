import { describe, expect, test } from 'vitest'
import { expectClose, float32Tolerance } from '../compare.js'
import { figures, golden } from '../golden.js'
import { expectExplained, expectStages } from './golden-steps.js'
import { engine } from './loaded.js'

const { coreference } = golden('scaled_dot_product')
const extra = golden('extra').scaled_dot_product
const tolerance = float32Tolerance(32, 11)
const [ANIMAL, IT, TIRED] = ['animal', 'it', 'tired'].map((word) =>
  coreference.tokens.indexOf(word),
)
const COUNT = coreference.tokens.length

/**
 * The example's embeddings, drawn again: 'it' is a mixture of 'animal' and 'tired' with some noise.
 * @param {number} dK
 * @param {{ animal: number, tired: number }} [mixture]
 */
function drawEmbeddings(dK, { animal, tired } = { animal: 0.7, tired: 0.3 }) {
  const stream = engine.random.numpyLegacy(1337)
  const { data, shape } = stream.normal(0, 0.5, [COUNT, dK])
  const noise = stream.randn(dK).data
  for (let k = 0; k < dK; k++) {
    const [a, t] = [data[ANIMAL * dK + k], data[TIRED * dK + k]]
    data[IT * dK + k] = animal * a + tired * t + 0.1 * noise[k]
    data[TIRED * dK + k] += 0.4 * a
  }
  return { data, shape }
}

/** @param {{ data: Float32Array }} matrix @param {number} row @param {number} [width] */
function rowOf({ data }, row, width = COUNT) {
  return figures([...data.slice(row * width, (row + 1) * width)])
}

describe('the pronoun example', () => {
  const { embeddings: x } = coreference
  const options = { needStages: true }
  const found = engine.scaledDotProductAttention(x, x, x, options)

  test('has the golden scores and weights', () => {
    expectClose(found.scores, coreference.scores, { tolerance })
    expectClose(found.weights, coreference.weights, { tolerance })
  })

  test('is drawn again from its seed', () => {
    expect(x.shape).toEqual([COUNT, coreference.d_k])
    expectClose(drawEmbeddings(32), x, { tolerance: 1e-12 })
  })

  test('has the golden mean on the diagonal of its scores, and deviation beside it', () => {
    const scores = [...found.scores.data]
    const beside = scores.filter((_, i) => i % (COUNT + 1) !== 0)
    const mean = (/** @type {number[]} */ xs) => xs.reduce((sum, x) => sum + x, 0) / xs.length
    const center = mean(beside)
    const onDiagonal = scores.filter((_, i) => i % (COUNT + 1) === 0)
    expect(mean(onDiagonal)).toBeCloseTo(extra.coreference.diag_mean, 5)
    const deviation = Math.sqrt(mean(beside.map((s) => (s - center) ** 2)))
    expect(deviation).toBeCloseTo(extra.coreference.offdiag_std, 5)
  })

  test("has the golden stages in the pronoun's row, in float32", () => {
    expectStages(found, extra.coreference.steps_it, tolerance)
  })

  test('is explained in float64 as the golden figures have it', () => {
    const wanted = extra.coreference.steps_it
    const row = engine.reference.explain(x, x, x, { row: wanted.query_row, column: ANIMAL })
    expectExplained(row, wanted)
    const sum = row.terms.reduce((total, term) => total + term, 0)
    expect(sum).toBeCloseTo(row.raw[ANIMAL], 12)
  })

  test.each(['1', '4', '16'])('has the golden Jacobian with scores times %s', (multiplier) => {
    const row = engine.reference.explain(x, x, x, { row: 7 }).scaled
    const weights = engine.softmax(figures([...row.map((s) => s * Number(multiplier))]))
    const wanted = extra.jacobian_row_it_score_multiplier[multiplier]
    expectClose(engine.softmaxJacobian(weights), wanted, { tolerance: 1e-5 })
  })
})

describe.each(['8', '16', '32', '64', '128', '256'])(
  'the pronoun example in %s dimensions',
  (dK) => {
    const wanted = extra.coreference.by_dk[dK]
    const x = drawEmbeddings(Number(dK))
    const { weights } = engine.scaledDotProductAttention(x, x, x)
    const it = rowOf(weights, IT)

    test("has the golden weights in the pronoun's row, the largest for the golden word", () => {
      expectClose(it, wanted.it, { tolerance: float32Tolerance(Number(dK), COUNT) })
      expect(coreference.tokens[it.data.indexOf(Math.max(...it.data))]).toBe(wanted.argmax_it)
    })

    test('has the golden mean weight of words for themselves', () => {
      let sum = 0
      for (let i = 0; i < COUNT; i++) sum += weights.data[i * (COUNT + 1)]
      expect(sum / COUNT).toBeCloseTo(wanted.self_weight_mean, 6)
    })
  },
)

test.each(Object.keys(extra.coreference.by_mix))(
  'the pronoun as %s has the golden weights',
  (mix) => {
    const [, animal, , tired] = mix.split(' ').map(Number)
    const x = drawEmbeddings(32, { animal, tired })
    const { weights } = engine.scaledDotProductAttention(x, x, x)
    expectClose(rowOf(weights, IT), extra.coreference.by_mix[mix], { tolerance })
  },
)
