import { describe, expect, test } from 'vitest'
import { clustersExample } from '../../../web/exhibits/clusters-example.js'
import { explainCells } from '../../../web/exhibits/inspection.js'
import { compare, withDrawn } from '../../../web/views/inspector/agreement.js'
import { golden } from '../golden.js'
import { randomLayer, randomTensor } from '../inputs.js'
import { engine } from './loaded.js'

/** @import { KeptStages } from '../../../web/exhibits/inspection.js' */

/**
 * A cell as a view hands it over.
 * @param {KeptStages} stages
 * @param {{ head?: number, query: number, key: number }} at
 * @param {number} [drawn] what the map has there, if it is not the stages' weight
 */
function cellOf({ weights }, { head = 0, query, key }, drawn) {
  const [n, m] = weights?.shape.slice(-2) ?? [0, 0]
  const value = drawn ?? weights?.data[(head * n + query) * m + key] ?? Number.NaN
  const tokens = { queryToken: `q${query + 1}`, keyToken: `k${key + 1}` }
  return { layer: 0, head, query, key, value, masked: false, ...tokens }
}

/**
 * An explanation's figures by their ids.
 * @param {ReturnType<ReturnType<typeof explainCells>>} explanation
 */
function figuresOf(explanation) {
  const figures = explanation?.parts.flatMap((part) => part.figures) ?? []
  return Object.fromEntries(figures.map((figure) => [figure.id, figure]))
}

/**
 * Everything that an inspector of the cell would call wrong.
 * @param {KeptStages} stages
 * @param {Parameters<typeof explainCells>[2]} options
 * @param {{ head?: number, query: number, key: number }} at
 * @param {number} [drawn]
 */
function wrongIn(stages, options, at, drawn) {
  const cell = cellOf(stages, at, drawn)
  const explanation = explainCells(engine, stages, options)(cell)
  return compare(withDrawn(/** @type {any} */ (explanation), cell.value)).wrong
}

/** @param {{ n: number, m: number, d: number, dV?: number, scale?: number }} sizes @param {object} [options] */
function attend({ n, m, d, dV = d, scale = 1 }, options = {}) {
  const query = randomTensor([n, d], 1, scale)
  const key = randomTensor([m, d], 2, scale)
  const value = randomTensor([m, dV], 3)
  const result = engine.scaledDotProductAttention(query, key, value, {
    ...options,
    needStages: true,
  })
  return { query, key, value, ...result }
}

describe('the reference’s numbers', () => {
  const { Q, K, V } = golden('causal').axioms
  const steps = golden('extra').causal.steps_row_3
  const stages = { query: Q, key: K, value: V }
  const explain = explainCells(engine, stages, { isCausal: true })

  test.each([0, 1, 2, 3, 4, 5, 6, 7])('are the golden ones for key %i of a causal row', (key) => {
    const figures = figuresOf(explain(cellOf(stages, { query: 3, key }, 0)))
    const wanted = {
      dot: steps.raw.data[key],
      scaled: steps.scaled.data[key],
      score: steps.masked.data[key] ?? -Infinity,
      rowMax: steps.row_max,
      exp: steps.exp.data[key],
      rowSum: steps.row_sum,
      weight: steps.weights.data[key],
      contribution: steps.contribution_norms.data[key],
      share: steps.share_along_output.data[key],
      outputNorm: Math.hypot(...steps.output.data),
    }
    for (const [id, value] of Object.entries(wanted)) {
      expect(figures[id].reference, id).toBeCloseTo(value, 12)
    }
    expect(figures.rank.reference).toBe(key <= 3 ? steps.rank_in_row[key] : null)
  })
})

describe('an honest row', () => {
  test.each([
    { n: 3, m: 5, d: 1 },
    { n: 4, m: 7, d: 2, dV: 3 },
    { n: 5, m: 17, d: 8 },
    { n: 3, m: 40, d: 64, dV: 16 },
    { n: 2, m: 300, d: 96, dV: 5 },
    { n: 3, m: 9, d: 16, scale: 6 },
    { n: 3, m: 9, d: 16, scale: 1e-12 },
  ])('raises no alarm: $n × $m, d = $d, inputs of size $scale', (sizes) => {
    // Of a long row not all: each cell looks at the whole row.
    const step = Math.ceil(sizes.m / 20)
    for (const options of [{}, { isCausal: true }, { scale: -0.7 }]) {
      const stages = attend(sizes, options)
      for (let query = 0; query < sizes.n; query++) {
        for (let key = query % step; key < sizes.m; key += step) {
          expect(wrongIn(stages, options, { query, key })).toEqual([])
        }
      }
    }
  })

  test.each([1, 2, 4, 8])('raises none in the worked example, h = %i', (numHeads) => {
    const { x, ...parameters } = clustersExample(engine)
    const stages = engine.multiHeadAttention(x, parameters, { numHeads, needStages: true })
    for (let head = 0; head < numHeads; head++) {
      for (let at = 0; at < 144; at++) {
        const cell = { head, query: Math.floor(at / 12), key: at % 12 }
        expect(wrongIn(stages, {}, cell)).toEqual([])
      }
    }
  })

  test('raises none when inputs in double precision are rounded on their way to the kernels', () => {
    const draw = engine.random.numpyGenerator(5)
    const [query, key, value] = [4, 6, 6].map((rows) => draw.normal(0, 3, [rows, 12]))
    const result = engine.scaledDotProductAttention(query, key, value, { needStages: true })
    const stages = { query, key, value, ...result }
    for (let at = 0; at < 24; at++) {
      expect(wrongIn(stages, {}, { query: Math.floor(at / 6), key: at % 6 })).toEqual([])
    }
  })

  test('raises none with biases, in layers whose heads share keys, and for batches', () => {
    const sizes = { dModel: 16, numHeads: 4, numKvHeads: 2, dK: 4 }
    const attnMask = engine.masks.alibi(4, 6, 6)
    const options = { attnMask, isCausal: true }
    const x = randomTensor([2, 6, 16])
    const stages = engine.multiHeadAttention(x, randomLayer(sizes), {
      ...options,
      numHeads: 4,
      numKvHeads: 2,
      needStages: true,
    })
    for (let head = 0; head < 8; head++) {
      for (let query = 0; query < 6; query++) {
        for (let key = 0; key < 6; key++) {
          expect(wrongIn(stages, options, { head, query, key })).toEqual([])
        }
      }
    }
    // A map of one slice alone: its only head is that slice.
    const own = figuresOf(
      explainCells(engine, stages, { ...options, slice: 7 })(cellOf(stages, { query: 5, key: 2 })),
    )
    const data = stages.weights.data.subarray((7 * 6 + 5) * 6, (7 * 6 + 6) * 6)
    expect(own.weight.computed).toBe(data[2])
  })
})

test('the bounds leave little room: at the worked example’s sizes, 1e-5 of a weight', () => {
  const stages = attend({ n: 12, m: 12, d: 8 })
  for (let key = 0; key < 12; key++) {
    const { weight } = figuresOf(explainCells(engine, stages)(cellOf(stages, { query: 0, key })))
    expect(Number(weight.tolerance) / Number(weight.reference)).toBeLessThan(1e-5)
  }
})

describe('a wrong number', () => {
  const stages = attend({ n: 4, m: 6, d: 8 })
  const at = { query: 2, key: 3 }
  const place = 2 * 6 + 3

  test.each([
    ['logits', place, 'dot product'],
    ['scores', place, 'score s'],
    ['exp', place, 'exponential'],
    ['weights', place, 'weight a'],
    ['rowMax', 2, 'row’s maximum m'],
    ['rowSum', 2, 'row’s sum'],
  ])('among the %s is named', (stage, index, name) => {
    const planted = structuredClone(stages)
    const { data } = /** @type {any} */ (planted)[stage]
    // A ten-thousandth is far below what is seen, and far above rounding.
    data[index] *= 1.0001
    expect(wrongIn(planted, {}, at).map((wrong) => wrong.name)).toContain(name)
    // The row beside it is right.
    expect(wrongIn(planted, {}, { query: 1, key: 3 })).toEqual([])
  })

  test('in the output is named', () => {
    const planted = structuredClone(stages)
    planted.output.data[2 * 8] += 0.01
    const names = wrongIn(planted, {}, at).map(({ name }) => name)
    expect(names).toContain('length ‖y‖ of the output')
  })

  test('on the map alone is named, with what it had to be', () => {
    const wrong = wrongIn(stages, {}, at, 0.9)
    expect(wrong).toHaveLength(1)
    expect(wrong[0]).toMatchObject({ name: 'weight a on the map', computed: 0.9 })
    expect(wrong[0].reference).toBeCloseTo(stages.weights.data[place], 6)
  })

  test('is found when the explanation is given another mask than the engine had', () => {
    expect(wrongIn(stages, { isCausal: true }, at).length).toBeGreaterThan(0)
  })

  test('is found where a masked key has a weight', () => {
    const causal = attend({ n: 4, m: 6, d: 8 }, { isCausal: true })
    causal.weights.data[place] = 1e-30
    const [wrong] = wrongIn(causal, { isCausal: true }, at)
    expect(wrong).toMatchObject({ name: 'weight a', reference: 0, tolerance: 0 })
  })
})

describe('what is masked', () => {
  test('is said to contribute exactly 0, also where its key and value hold no numbers', () => {
    const query = randomTensor([3, 4], 1)
    const key = randomTensor([3, 4], 2)
    const value = randomTensor([3, 4], 3)
    key.data.fill(Number.NaN, 8)
    value.data.fill(Number.NaN, 8)
    const options = { isCausal: true, needStages: true }
    const result = engine.scaledDotProductAttention(query, key, value, options)
    const stages = { query, key, value, ...result }
    const explanation = explainCells(engine, stages, { isCausal: true })(
      cellOf(stages, { query: 1, key: 2 }),
    )
    expect(explanation?.finding).toBe('q2 may not attend to k3.')
    expect(explanation?.notes).toEqual([
      'Masked: a causal mask closes the keys after a query. It contributes exactly 0, whatever its key and value hold.',
    ])
    const { mask, score, exp, weight, rank, contribution, share } = figuresOf(explanation)
    expect([mask.computed, score.computed]).toEqual([-Infinity, -Infinity])
    expect([exp.computed, weight.computed, contribution.computed, share.computed]).toEqual([
      0, 0, 0, 0,
    ])
    expect([exp.reference, weight.reference, contribution.reference, share.reference]).toEqual([
      0, 0, 0, 0,
    ])
    expect(rank.computed).toBeNull()
    expect(wrongIn(stages, { isCausal: true }, { query: 1, key: 2 })).toEqual([])
    expect(wrongIn(stages, { isCausal: true }, { query: 1, key: 1 })).toEqual([])
  })

  test('as a whole row has zeros, and the words for it', () => {
    const attnMask = [
      [true, true],
      [false, false],
    ]
    const stages = attend({ n: 2, m: 2, d: 4 }, { attnMask })
    const at = { query: 1, key: 0 }
    const explanation = explainCells(engine, stages, { attnMask })(cellOf(stages, at))
    expect(explanation?.finding).toBe('q2 may attend to nothing.')
    expect(explanation?.notes).toEqual([
      'Every key is masked for q2: all weights of the row are exactly 0, and so is what they average.',
    ])
    const { rowMax, rowSum, outputNorm, share } = figuresOf(explanation)
    expect([rowMax.computed, rowMax.reference]).toEqual([-Infinity, -Infinity])
    expect([rowSum.computed, outputNorm.computed, share.computed]).toEqual([0, 0, 0])
    expect(wrongIn(stages, { attnMask }, at)).toEqual([])
  })
})

describe('NaN and infinities', () => {
  test('are traced to the component that they come from, or to the key', () => {
    const query = randomTensor([2, 4], 1)
    const key = randomTensor([3, 4], 2)
    key.data[4 + 2] = Number.NaN
    const result = engine.scaledDotProductAttention(query, key, key, { needStages: true })
    const stages = { query, key, value: key, ...result }
    const explain = explainCells(engine, stages)
    expect(explain(cellOf(stages, { query: 0, key: 1 }))?.notes).toEqual([
      'In k, component 3 is not a finite number: the score is NaN, so the row’s sum is NaN, and with it every weight of the row.',
    ])
    expect(explain(cellOf(stages, { query: 0, key: 0 }))?.notes).toEqual([
      'The score of key 2 is NaN, so the row’s sum is NaN, and with it every weight of the row.',
    ])
    for (const column of [0, 1, 2]) {
      expect(wrongIn(stages, {}, { query: 1, key: column })).toEqual([])
    }
  })

  test('in the query, as +∞ in a score, are no disagreement', () => {
    const query = randomTensor([1, 4], 1)
    const key = { data: Float32Array.from([1, 1, 1, 1, -1, 1, 1, 1]), shape: [2, 4] }
    query.data[0] = Infinity
    const result = engine.scaledDotProductAttention(query, key, key, { needStages: true })
    const stages = { query, key, value: key, ...result }
    for (const column of [0, 1]) expect(wrongIn(stages, {}, { query: 0, key: column })).toEqual([])
  })

  test('that only one of the two has are a disagreement', () => {
    const stages = attend({ n: 2, m: 3, d: 4 })
    stages.weights.data[1] = Number.NaN
    const names = wrongIn(stages, {}, { query: 0, key: 1 }).map(({ name }) => name)
    expect(names).toContain('weight a')
  })
})

describe('what did not come along', () => {
  const { query, key, value, weights, output } = attend({ n: 2, m: 3, d: 4 })

  test('is left out: stages have no computed number', () => {
    const stages = { query, key, value, weights, output }
    const figures = figuresOf(explainCells(engine, stages)(cellOf(stages, { query: 0, key: 1 })))
    expect(figures.dot.computed).toBeNull()
    expect(figures.exp.computed).toBeNull()
    expect(figures.weight.computed).toBe(weights.data[1])
    expect(figures.share.computed).toBeCloseTo(Number(figures.share.reference), 5)
    expect(wrongIn(stages, {}, { query: 0, key: 1 })).toEqual([])
  })

  test('is named where it is v', () => {
    const stages = { query, key, weights }
    const explanation = explainCells(engine, stages)(cellOf(stages, { query: 0, key: 1 }))
    expect(explanation?.parts).toHaveLength(2)
    expect(explanation?.notes).toEqual([
      'v did not come with this map, so there is no share of the output to show.',
    ])
  })
})

test('a map of logits says so, and has its logit compared', () => {
  const stages = attend({ n: 2, m: 3, d: 4 })
  const cell = cellOf(stages, { query: 1, key: 2 }, stages.logits.data[5])
  const explanation = explainCells(engine, stages, { shows: 'logits' })(cell)
  expect(explanation?.shows).toBe('dot')
  expect(explanation?.finding).toContain('logit')
  expect(explanation?.notes?.[0]).toContain('This map shows logits')
})

test('stages that do not fit one another, and cells that they do not have, are refused', () => {
  const { query, key, value } = attend({ n: 2, m: 3, d: 4 })
  expect(() => explainCells(engine, { query, key: randomTensor([3, 5]) })).toThrow(RangeError)
  expect(() => explainCells(engine, { query, key, value: randomTensor([4, 4]) })).toThrow(
    RangeError,
  )
  expect(() => explainCells(engine, { query, key }, { attnMask: [[true, false]] })).toThrow(
    'attnMask',
  )
  const explain = explainCells(engine, { query, key, value })
  expect(() => explain(cellOf({ query, key }, { query: 2, key: 0 }))).toThrow(RangeError)
  expect(() => explain(cellOf({ query, key }, { head: 1, query: 0, key: 0 }))).toThrow(RangeError)
})
