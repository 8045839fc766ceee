import { describe, expect, test } from 'vitest'
import { expectClose, expectSame } from '../compare.js'
import { golden } from '../golden.js'
import { engine } from './loaded.js'

/** NumPy's normal numbers agree to rounding, PyTorch's to 5e-7 of max(1, |x|). */
const ROUNDING = 1e-12
const { random } = engine
const cube = golden('attention_cube')
const causal = golden('causal')
const multiHead = golden('multi_head')
const { properties } = golden('scaled_dot_product')
const { scaled_dot_product_unmasked: gradients } = golden('backward')

/** @typedef {ReturnType<typeof random.numpyLegacy>} NumpyStream */

/**
 * Draws matrices one after another and compares each with its golden figures.
 * @param {NumpyStream} stream
 * @param {any[]} matrices
 * @param {number} [divisor]
 */
function expectDrawn(stream, matrices, divisor = 1) {
  for (const wanted of matrices) {
    const { data, shape } = stream.normal(0, 1, wanted.shape)
    expectClose({ data: data.map((z) => z / divisor), shape }, wanted, { tolerance: ROUNDING })
  }
}

describe('the golden inputs are drawn again from their seeds', () => {
  test('of the attention cube', () => {
    const stream = random.numpyGenerator(0)
    const centers = stream.normal(0, 1, [3, 8])
    const x = new Float64Array(96)
    for (let cluster = 0; cluster < 3; cluster++) {
      const center = centers.data.subarray(cluster * 8, cluster * 8 + 8)
      const norm = Math.hypot(...center)
      const noise = stream.normal(0, 1, [4, 8])
      for (let i = 0; i < 32; i++) x[cluster * 32 + i] = center[i % 8] / norm + 0.2 * noise.data[i]
    }
    expectClose({ data: x, shape: [12, 8] }, cube.X, { tolerance: ROUNDING })
    expectDrawn(stream, [cube.W_Q, cube.W_K, cube.W_V, cube.W_O], Math.sqrt(8))
  })

  test('of the causal and the bidirectional pass', () => {
    const { Q, K, d_k: dK, tokens } = causal.demo
    expect(Q.shape).toEqual([tokens.length, dK])
    expectDrawn(random.numpyLegacy(42), [Q, K])
  })

  test('of the causal properties', () => {
    const { Q, K, V } = causal.axioms
    expectDrawn(random.numpyLegacy(1337), [Q, K, V])
  })

  test('of the KV cache', () => {
    const { W_q, W_k, W_v, tokens } = causal.kv_cache
    expectDrawn(random.numpyLegacy(42), [W_q, W_k, W_v, tokens])
  })

  test('of the convexity case', () => {
    const { Q, K, V } = properties
    expectDrawn(random.numpyLegacy(42), [Q, K, V])
  })

  test('of the layer of four heads', () => {
    const { X, W_q, W_k, W_v, W_o } = multiHead.numpy_layer
    const stream = random.numpyLegacy(42)
    expectDrawn(stream, [X])
    expectDrawn(stream, [W_q, W_k, W_v, W_o], Math.sqrt(32))
  })

  test('of the gradients', () => {
    const { Q, K, V } = gradients
    expectDrawn(random.numpyLegacy(7), [Q, K, V])
  })

  test('of the PyTorch module, its parameters exactly', () => {
    const { q_proj, k_proj, v_proj, out_proj, x } = causal.torch_module
    const stream = random.torch(42)
    for (const projection of [q_proj, k_proj, v_proj, out_proj]) {
      const { weight, bias } = stream.linear(32, 32)
      expectSame(weight, projection.weight)
      expectSame(bias, projection.bias)
    }
    const drawn = stream.randn(x.shape)
    for (const [i, wanted] of x.data.entries()) {
      const allowed = 5e-7 * Math.max(1, Math.abs(wanted))
      expect(Math.abs(drawn.data[i] - wanted), `number ${i}`).toBeLessThanOrEqual(allowed)
    }
  })

  test('of the query blocks, exactly', () => {
    const { data } = multiHead.subspaces.W_q_heads
    expectSame(random.torch(42).linear(32, 32).weight, { data, shape: [32, 32] })
  })
})
