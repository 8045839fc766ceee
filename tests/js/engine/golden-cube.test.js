import { describe, expect, test } from 'vitest'
import { expectClose, expectSame, float32Tolerance } from '../compare.js'
import { figures, golden } from '../golden.js'
import { engine } from './loaded.js'

const cube = golden('attention_cube')
const extra = golden('extra').attention_cube
const bare = { wq: cube.W_Q, wk: cube.W_K, wv: cube.W_V }
const parameters = { ...bare, wo: cube.W_O }
const tolerance = float32Tolerance(8, 2, 12, 8)

describe.each([1, 2, 4, 8])('the cube with %i heads', (numHeads) => {
  const options = { numHeads, needStages: true }
  const found = engine.multiHeadAttention(cube.X, parameters, options)
  const more = extra.by_heads[numHeads]

  test('has the golden output and weights', () => {
    expectClose(found.output, cube.heads[numHeads].output, { tolerance })
    expectClose(found.weights, cube.heads[numHeads].attention, { tolerance })
  })

  test('has the golden logits and heads', () => {
    expectClose(found.logits, more.logits, { tolerance })
    expectClose(found.heads, more.heads, { tolerance })
  })

  test('has the golden largest weight, entropy, ranks and singular values', () => {
    const { analysis } = engine
    const largest = Math.max(...found.weights.data)
    expect(largest).toBeCloseTo(more.weights_max, 6)
    expect(largest.toFixed(2)).toBe(more.colour_bar_label)
    const entropy = analysis.entropy(found.weights)
    expectClose(entropy, { data: more.entropy_nats.flat(), shape: [numHeads, 12] })
    for (let head = 0; head < numHeads; head++) {
      const of = (/** @type {any} */ tensor) => {
        const size = tensor.data.length / numHeads
        const data = tensor.data.subarray(head * size, (head + 1) * size)
        return { data, shape: tensor.shape.slice(1) }
      }
      expect(analysis.numericalRank(of(found.logits))).toBe(more.rank_logits[head])
      expect(analysis.numericalRank(of(found.weights))).toBe(more.rank_weights[head])
      expect(analysis.numericalRank(of(found.heads))).toBe(more.rank_heads[head])
    }
    const values = analysis.singularValues(found.heads)
    const wanted = more.singular_values_heads
    expectClose(values, { data: wanted.flat(), shape: [numHeads, wanted[0].length] })
  })

  test('has the golden rank and singular values of its concatenated heads', () => {
    const { output } = engine.multiHeadAttention(cube.X, bare, { numHeads })
    expectClose(engine.analysis.singularValues(output), figures(more.singular_values_concat))
    expect(engine.analysis.numericalRank(output)).toBe(more.rank_concat)
  })

  test('differs from the single head by the golden norm in each column block', () => {
    const single = engine.multiHeadAttention(cube.X, bare, { numHeads: 1 }).output
    const multi = engine.multiHeadAttention(cube.X, bare, { numHeads }).output
    const squares = new Array(numHeads).fill(0)
    for (const [i, y] of single.data.entries()) {
      squares[Math.floor(((i % 8) * numHeads) / 8)] += (y - multi.data[i]) ** 2
    }
    for (const [block, wanted] of more.single_minus_multi_per_block.entries()) {
      // The difference of two outputs is as exact as they are, not as its own norm would have it.
      const allowed = 2 * tolerance * Math.hypot(...single.data)
      expect(Math.abs(Math.sqrt(squares[block]) - wanted)).toBeLessThan(allowed)
    }
  })
})

describe('a permutation of the tokens', () => {
  const { permutation, output_of_PX: wanted, ...deviations } = extra.equivariance

  /** P·X: row i is row permutation[i] of X. @param {{ data: ArrayLike<number> }} matrix */
  function permuted({ data }) {
    const order = permutation.flatMap((/** @type {number} */ from) =>
      Array.from({ length: 8 }, (_, k) => data[from * 8 + k]),
    )
    return { data: Float64Array.from(order), shape: [12, 8] }
  }

  /** Sine and cosine in turns, at wavelengths of 2π … 2π·10000. @param {{ data: ArrayLike<number> }} x */
  function withPositions({ data }) {
    const placed = Float64Array.from(data, (x, i) => {
      const [position, feature] = [Math.floor(i / 8), i % 8]
      const angle = position / 10000 ** ((feature - (feature % 2)) / 8)
      return x + (feature % 2 === 0 ? Math.sin(angle) : Math.cos(angle))
    })
    return { data: placed, shape: [12, 8] }
  }

  /**
   * ‖MultiHead(PX) − P·MultiHead(X)‖
   * @param {typeof engine | typeof engine.reference} attention
   * @param {boolean} isCausal
   * @param {(x: { data: ArrayLike<number>, shape: number[] }) => any} place
   */
  function deviation(attention, isCausal, place) {
    const options = { numHeads: 4, isCausal }
    const output = (/** @type {any} */ x) =>
      attention.multiHeadAttention(place(x), parameters, options).output
    const [left, right] = [output(permuted(cube.X)), permuted(output(cube.X))]
    return Math.hypot(...left.data.map((/** @type {number} */ y, i) => y - right.data[i]))
  }

  test('permutes the output', () => {
    const { output } = engine.multiHeadAttention(permuted(cube.X), parameters, { numHeads: 4 })
    expectClose(output, wanted, { tolerance })
    const scale = Math.hypot(...wanted.data)
    expect(deviation(engine, false, (x) => x)).toBeLessThan(2 * tolerance * scale)
    // In float64 it is rounding too; both runs round in another order.
    const exact = deviation(engine.reference, false, (x) => x)
    expect(Math.abs(exact - deviations.deviation)).toBeLessThan(16 * Number.EPSILON)
  })

  test.each([
    ['sinusoidal positions', false, withPositions, deviations.deviation_with_sinusoidal_positions],
    ['a causal mask', true, (/** @type {any} */ x) => x, deviations.deviation_causal],
  ])('with %s has the golden deviation', (_, isCausal, place, wanted) => {
    expect(deviation(engine, isCausal, place)).toBeCloseTo(wanted, 5)
    expect(deviation(engine.reference, isCausal, place)).toBeCloseTo(wanted, 12)
  })
})

test('one head without an output projection is A·X·W_V', () => {
  const { wq, wk, wv } = bare
  const query = engine.matmul(cube.X, wq)
  const key = engine.matmul(cube.X, wk)
  const value = engine.matmul(cube.X, wv)
  expectClose(query, extra.Q, { tolerance })
  expectClose(key, extra.K, { tolerance })
  expectClose(value, extra.V, { tolerance })
  const { output } = engine.multiHeadAttention(cube.X, bare, { numHeads: 1 })
  expectClose(output, extra.single_head_A_X_W_V, { tolerance })
  expectSame(output, engine.scaledDotProductAttention(query, key, value).output)
})
