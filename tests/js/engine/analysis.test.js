import { describe, expect, test } from 'vitest'
import { expectClose } from '../compare.js'
import { randomTensor } from '../inputs.js'
import { engine } from './loaded.js'

const { analysis } = engine

/** @param {number} n */
function identity(n) {
  const data = new Float64Array(n * n)
  for (let i = 0; i < n; i++) data[i * (n + 1)] = 1
  return { data, shape: [n, n] }
}

describe('an audit', () => {
  test('finds nothing to complain of in weights of a causal pass', () => {
    const x = randomTensor([3, 7, 4])
    const { weights, output } = engine.scaledDotProductAttention(x, x, x, { isCausal: true })
    const found = analysis.audit(weights, { output, value: x })
    expect(found.rowSumError).toBeLessThan(1e-6)
    expect(found).toMatchObject({
      negativeCount: 0,
      nanCount: 0,
      emptyRowCount: 0,
      aboveDiagonalCount: 0,
      aboveDiagonalLargest: 0,
      outputNanCount: 0,
    })
    expect(found.largest).toBe(1)
    expect(found.smallest).toBe(0)
  })

  test('finds what is wrong, and where', () => {
    const weights = [
      [
        [0.75, 0.125, 0.125],
        [0.5, 0.25, 0.125],
        [0, 0, 0],
      ],
      [
        [0.75, 0.25, 0],
        [NaN, NaN, NaN],
        [2, -0.5, -0.5],
      ],
    ]
    expect(analysis.audit(weights)).toEqual({
      rowSumError: 0.125,
      rowSumErrorRow: 1,
      smallest: -0.5,
      largest: 2,
      negativeCount: 2,
      nanCount: 3,
      emptyRowCount: 1,
      aboveDiagonalCount: 5,
      aboveDiagonalLargest: 0.25,
    })
  })

  test('measures outputs against values, rows with NaN apart', () => {
    const output = [
      [3, 4],
      [NaN, 1],
      [0, 1],
    ]
    const value = [
      [6, 8],
      [0, 2],
    ]
    const found = analysis.audit([[1]], { output, value })
    expect(found).toMatchObject({
      largestOutputNorm: 5,
      largestOutputNormRow: 0,
      smallestOutputNorm: 1,
      largestValueNorm: 10,
      largestValueNormRow: 0,
      smallestValueNorm: 2,
      outputNanCount: 1,
    })
  })

  test('wants output and value both, of one width', () => {
    const [weights, output] = [[[1]], [[1, 2]]]
    expect(() => analysis.audit(weights, { output })).toThrow(/^value was undefined/)
    expect(() => analysis.audit(weights, { value: output })).toThrow(/^output was undefined/)
    const call = () => analysis.audit(weights, { output, value: [[1]] })
    expect(call).toThrow(/^value had shape \(1, 1\); its last dimension had to be 2, as output's/)
  })
})

test('entropy is in nats: ln n of a uniform row, 0 of a one-hot and of an empty one', () => {
  const rows = [
    [0.25, 0.25, 0.25, 0.25],
    [0, 1, 0, 0],
    [0, 0, 0, 0],
    [0.5, 0.5, 0, 0],
  ]
  const found = analysis.entropy(rows)
  expect(found.shape).toEqual([4])
  expectClose(found, { data: [Math.log(4), 0, 0, Math.LN2], shape: [4] }, { tolerance: 1e-15 })
  expect(analysis.entropy(randomTensor([2, 3, 4])).shape).toEqual([2, 3])
})

test('norms of rows neither overflow nor vanish', () => {
  const { data } = analysis.rowNorms([
    [3e200, 4e200],
    [3e-200, 4e-200],
    [0, 0],
    [Infinity, 1],
  ])
  expect([...data].map((norm, i) => norm / [1e200, 1e-200, 1, 1][i])).toEqual([5, 5, 0, Infinity])
})

describe('rollout', () => {
  const [first, second] = [
    [
      [1, 0],
      [0.5, 0.5],
    ],
    [
      [1, 0],
      [1, 0],
    ],
  ]

  test('multiplies from the last layer down to the first', () => {
    // (½I + ½·second)·(½I + ½·first)
    const wanted = [1, 0, 0.5 + 0.5 * 0.25, 0.5 * 0.75]
    const found = analysis.rollout([first, second])
    expect(found.shape).toEqual([2, 2])
    expect([...found.data]).toEqual(wanted)
  })

  test('takes the mean over heads', () => {
    const heads = [[first, second]]
    const mean = [
      [1, 0],
      [0.75, 0.25],
    ]
    expect(analysis.rollout(heads)).toEqual(analysis.rollout([mean]))
  })

  test('shares as much with the residual connection as it is told', () => {
    expect([...analysis.rollout([first], { residual: 0 }).data]).toEqual(first.flat())
    expect([...analysis.rollout([first], { residual: 1 }).data]).toEqual([1, 0, 0, 1])
    expect(() => analysis.rollout([first], { residual: 1.5 })).toThrow(
      /^residual was 1\.5; it had to be a share, from 0 to 1/,
    )
  })
})

describe('linear algebra', () => {
  test('the Frobenius cosine is 1 for a multiple, 0 across, NaN for nothing', () => {
    const a = randomTensor([3, 5])
    const scaled = { ...a, data: a.data.map((x) => -2 * x) }
    expect(analysis.frobeniusCosine(a, a)).toBeCloseTo(1, 14)
    expect(analysis.frobeniusCosine(a, scaled)).toBeCloseTo(-1, 14)
    expect(analysis.frobeniusCosine([[1, 0]], [[0, 1]])).toBe(0)
    expect(analysis.frobeniusCosine([[0, 0]], [[0, 1]])).toBeNaN()
  })

  test('principal angles are in radians between column spaces, smallest first', () => {
    const turned = (/** @type {number} */ angle) => [
      [1, 0],
      [0, Math.cos(angle)],
      [0, Math.sin(angle)],
    ]
    const { data, shape } = analysis.principalAngles(turned(0), turned(Math.PI / 5))
    expect(shape).toEqual([2])
    expect(data[0]).toBeCloseTo(0, 14)
    expect(data[1]).toBeCloseTo(Math.PI / 5, 14)
  })

  test('principal angles are as many as the smaller rank, the rest NaN', () => {
    const line = [
      [1, 2],
      [1, 2],
      [0, 0],
    ]
    const { data } = analysis.principalAngles(line, [
      [1, 0],
      [0, 1],
      [0, 0],
    ])
    expect(data[0]).toBeCloseTo(0, 14)
    expect(data[1]).toBeNaN()
  })

  test('singular values of each matrix come largest first', () => {
    const diagonal = [
      [0, 3],
      [-4, 0],
      [0, 0],
    ]
    const { data, shape } = analysis.singularValues([diagonal, diagonal])
    expect(shape).toEqual([2, 2])
    for (const [i, wanted] of [4, 3, 4, 3].entries()) expect(data[i]).toBeCloseTo(wanted, 14)
  })

  test("the rank counts singular values above the larger size times float32's ε times σ₁", () => {
    const threshold = 4 * 2 ** -23
    /** @param {number} last */
    const rank = (last) => {
      const matrix = { data: new Float64Array(12), shape: [4, 3] }
      matrix.data.set([1, 0, 0, 0, 0.5, 0, 0, 0, last])
      return analysis.numericalRank(matrix)
    }
    expect([rank(1.01 * threshold), rank(0.99 * threshold), rank(0)]).toEqual([3, 2, 2])
    expect(analysis.numericalRank([[0, 0]])).toBe(0)
    expect(analysis.numericalRank(identity(5))).toBe(5)
  })

  test('matrices without rows or columns have no values, no rank and no angles', () => {
    const none = { data: new Float32Array(0), shape: [0, 3] }
    expect(analysis.singularValues(none).shape).toEqual([0])
    expect(analysis.numericalRank(none)).toBe(0)
    const noColumns = { data: new Float32Array(0), shape: [3, 0] }
    expect(analysis.principalAngles(noColumns, identity(3)).shape).toEqual([0])
  })
})

describe('counts', () => {
  test('of attention alone are those of its formula', () => {
    const [batch, n, m, dK, dV] = [3, 5, 7, 4, 6]
    const pairs = batch * n * m
    const { operations, bytes } = analysis.flops({ batch, n, m, dK, dV, mask: 'additive' })
    expect(operations).toEqual({
      query: 0,
      key: 0,
      value: 0,
      output: 0,
      bias: 0,
      scores: 2 * pairs * dK,
      scale: pairs,
      mask: pairs,
      softmax: {
        max: pairs - batch * n,
        subtract: pairs,
        exp: pairs,
        add: pairs - batch * n,
        divide: pairs,
      },
      values: 2 * pairs * dV,
      total: pairs * (2 * dK + 2 * dV + 7) - 2 * batch * n,
    })
    expect(bytes.weights).toBe(4 * pairs)
    expect(bytes.output).toBe(4 * batch * n * dV)
  })

  test('of a layer count its projections, biases, shared heads and context', () => {
    const sizes = { n: 5, m: 7, dModel: 8, dContext: 6, numHeads: 4, numKvHeads: 2, dK: 3, dV: 2 }
    const { operations, bytes } = analysis.flops({ ...sizes, dOut: 9, hasBias: true })
    expect(operations).toMatchObject({
      query: 2 * 5 * 8 * 12,
      key: 2 * 7 * 6 * 6,
      value: 2 * 7 * 6 * 4,
      output: 2 * 5 * 8 * 9,
      bias: 5 * 12 + 7 * 6 + 7 * 4 + 5 * 9,
      scores: 2 * 4 * 5 * 7 * 3,
      values: 2 * 4 * 5 * 7 * 2,
      mask: 0,
    })
    expect(bytes).toEqual({
      input: 4 * (5 * 8 + 7 * 6),
      parameters: 4 * (8 * 12 + 6 * 6 + 6 * 4 + 8 * 9 + 12 + 6 + 4 + 9),
      projected: 4 * (5 * 12 + 7 * 6 + 7 * 4),
      weights: 4 * 4 * 5 * 7,
      output: 4 * 5 * 9,
      cache: 4 * 7 * (6 + 4),
    })
  })

  test('of a causal pass are those of the pairs that are open', () => {
    const { operations } = analysis.flops({ n: 5, dK: 4, dV: 4, isCausal: true })
    expect(operations.scores).toBe(2 * 15 * 4)
    expect(operations.softmax.exp).toBe(15)
    expect(operations.softmax.max).toBe(15 - 5)
  })

  test('of a decoding step, with a cache and without', () => {
    const sizes = { length: 10, dModel: 8, numHeads: 4, numKvHeads: 2, dK: 3, dV: 2, dOut: 9 }
    const found = analysis.kvStepFlops(sizes)
    const [ofOne, ofKeysAndValues] = [2 * 8 * 12 + 2 * 8 * 9, 2 * 8 * (6 + 4)]
    const attention = 2 * 4 * 10 * (3 + 2)
    expect(found).toEqual({
      cached: ofOne + ofKeysAndValues + attention,
      lastRowRecomputed: ofOne + 10 * ofKeysAndValues + attention,
      fullPass: 10 * (ofOne + ofKeysAndValues + attention),
      cacheBytes: 4 * 10 * (6 + 4),
      softmax: 4 * (5 * 10 - 2),
    })
  })

  test.each([
    ['a length that is NaN', { n: NaN }, TypeError, /^n was NaN/],
    ['half a head', { n: 1, numHeads: 1.5 }, RangeError, /^numHeads was 1\.5/],
    [
      'key heads that do not divide the heads',
      { n: 1, dModel: 4, numHeads: 4, numKvHeads: 3 },
      RangeError,
      /^numKvHeads was 3; it had to divide numHeads, 4/,
    ],
    [
      'an unknown mask',
      { n: 1, mask: 'window' },
      RangeError,
      /^mask was the string "window"; it had to be one of none, boolean, additive/,
    ],
    ['a mask that is no word', { n: 1, mask: 1 }, TypeError, /^mask was 1/],
    ['causality that is a number', { n: 1, isCausal: 1 }, TypeError, /^isCausal was 1/],
    ['sizes that are a list', [1, 2], TypeError, /^sizes was an array of 2/],
  ])('refuse %s', (_, sizes, type, message) => {
    const call = () => analysis.flops(/** @type {any} */ (sizes))
    expect(call).toThrow(type)
    expect(call).toThrow(message)
  })
})
