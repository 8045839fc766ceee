import { describe, expect, test } from 'vitest'
import { expectClose, expectSame, float32Tolerance } from '../compare.js'
import { golden } from '../golden.js'
import { engine } from './loaded.js'

const cube = golden('attention_cube')
const extra = golden('extra').attention_cube
const parameters = { wq: cube.W_Q, wk: cube.W_K, wv: cube.W_V, wo: cube.W_O }
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
    // Golden heads are side by side, (12, 8) for each head padded to its own columns or (h, n, d_v).
    expectClose(found.heads, more.heads, { tolerance })
  })

  test('has the golden largest weight, entropy, ranks and singular values', () => {
    const { analysis } = engine
    expect(Math.max(...found.weights.data)).toBeCloseTo(more.weights_max, 6)
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
})

test('the cube can be drawn again from its seed', () => {
  const stream = engine.random.numpyGenerator(0)
  const centers = stream.normal(0, 1, [3, 8])
  const x = new Float64Array(96)
  for (let cluster = 0; cluster < 3; cluster++) {
    const center = centers.data.subarray(cluster * 8, cluster * 8 + 8)
    const norm = Math.hypot(...center)
    const noise = stream.normal(0, 1, [4, 8])
    for (let i = 0; i < 32; i++) x[cluster * 32 + i] = center[i % 8] / norm + 0.2 * noise.data[i]
  }
  expectClose({ data: x, shape: [12, 8] }, cube.X, { tolerance: 1e-12 })
  for (const name of ['W_Q', 'W_K', 'W_V', 'W_O']) {
    const { data, shape } = stream.normal(0, 1, [8, 8])
    expectClose({ data: data.map((z) => z / Math.sqrt(8)), shape }, cube[name], {
      tolerance: 1e-12,
    })
  }
})

test('a permutation of the tokens permutes the output', () => {
  const { permutation, output_of_PX: wanted } = extra.equivariance
  const permuted = { data: new Float64Array(96), shape: [12, 8] }
  for (const [to, from] of permutation.entries()) {
    permuted.data.set(cube.X.data.slice(from * 8, from * 8 + 8), to * 8)
  }
  const { output } = engine.multiHeadAttention(permuted, parameters, { numHeads: 4 })
  expectClose(output, wanted, { tolerance })
})

test('one head without an output projection is A·X·W_V', () => {
  const { wq, wk, wv } = parameters
  const query = engine.matmul(cube.X, wq)
  const key = engine.matmul(cube.X, wk)
  const value = engine.matmul(cube.X, wv)
  expectClose(query, extra.Q, { tolerance })
  expectClose(key, extra.K, { tolerance })
  expectClose(value, extra.V, { tolerance })
  const { output } = engine.multiHeadAttention(cube.X, { wq, wk, wv }, { numHeads: 1 })
  expectClose(output, extra.single_head_A_X_W_V, { tolerance })
  expectSame(output, engine.scaledDotProductAttention(query, key, value).output)
})
