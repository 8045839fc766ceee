import { describe, expect, test } from 'vitest'
import { expectClose, expectSame, float32Tolerance } from '../compare.js'
import { figures, golden } from '../golden.js'
import { transpose } from '../inputs.js'
import { expectExplained, expectStages } from './golden-steps.js'
import { engine } from './loaded.js'

const causal = golden('causal')
const extra = golden('extra').causal
const tolerance = float32Tolerance(16, 8)

test('a causal and a bidirectional pass have the golden weights', () => {
  const { Q, K, ...wanted } = causal.demo
  const all = engine.scaledDotProductAttention(Q, K, Q)
  expectClose(all.weights, wanted.bidirectional, { tolerance })
  const masked = engine.scaledDotProductAttention(Q, K, Q, { isCausal: true })
  expectClose(masked.weights, wanted.causal, { tolerance })
})

describe('the causal properties', () => {
  const { Q, K, V, Y, A } = causal.axioms
  const { output, weights } = engine.scaledDotProductAttention(Q, K, V, { isCausal: true })

  test('come with the golden output and weights', () => {
    expectClose(output, Y, { tolerance })
    expectClose(weights, A, { tolerance })
  })

  test('hold exactly: nothing above the diagonal, and the first output is the first value', () => {
    const { aboveDiagonalCount, rowSumError } = engine.analysis.audit(weights)
    expect(aboveDiagonalCount).toBe(0)
    expect(rowSumError).toBeLessThan(1e-6)
    expect([...output.data.slice(0, 8)]).toEqual([...Float32Array.from(V.data.slice(0, 8))])
  })

  test('have the golden steps in row 3, in float32 and explained in float64', () => {
    const wanted = extra.steps_row_3
    const options = { isCausal: true, needStages: true }
    expectStages(engine.scaledDotProductAttention(Q, K, V, options), wanted, tolerance)
    const row = engine.reference.explain(Q, K, V, { isCausal: true, row: wanted.query_row })
    expectExplained(row, wanted)
  })

  test.each([3, 7])('let what token %i becomes leak only to those that see it', (token) => {
    const [name] = Object.keys(extra.leakage_axioms_case).filter((key) =>
      key.includes(`_${token} `),
    )
    const wanted = extra.leakage_axioms_case[name]
    const moved = (/** @type {any} */ { data, shape }, /** @type {number} */ by) => {
      const width = shape[1]
      const change = (/** @type {number} */ x, /** @type {number} */ i) =>
        Math.floor(i / width) === token ? x + by : x
      return { data: data.map(change), shape }
    }
    const rows = (/** @type {boolean} */ isCausal) => {
      const before = engine.scaledDotProductAttention(Q, K, V, { isCausal }).output
      const after = engine.scaledDotProductAttention(Q, moved(K, 1), moved(V, -1), {
        isCausal,
      }).output
      const change = before.data.map((y, i) => after.data[i] - y)
      return engine.analysis.rowNorms({ data: change, shape: before.shape })
    }
    const masked = rows(true)
    expectClose(masked, wanted.masked, { tolerance: 1e-5 })
    expectClose(rows(false), wanted.unmasked, { tolerance: 1e-5 })
    expect([...masked.data.slice(0, token)]).toEqual(new Array(token).fill(0))
  })
})

test('the PyTorch module of four heads has the golden output and weights', () => {
  const { x, q_proj, k_proj, v_proj, out_proj, out, weights: wanted } = causal.torch_module
  const parameters = {
    wq: transpose(q_proj.weight),
    wk: transpose(k_proj.weight),
    wv: transpose(v_proj.weight),
    wo: transpose(out_proj.weight),
    bq: q_proj.bias,
    bk: k_proj.bias,
    bv: v_proj.bias,
    bo: out_proj.bias,
  }
  const found = engine.multiHeadAttention(x, parameters, { numHeads: 4, isCausal: true })
  expectClose(found.output, out)
  expectClose(found.weights, wanted)
  const rollout = golden('extra').multi_head
  const [name] = Object.keys(rollout).filter((key) => key.startsWith('rollout'))
  expectClose(engine.analysis.rollout(found.weights), rollout[name])
})

describe('the KV cache', () => {
  const { W_q: wq, W_k: wk, W_v: wv, tokens, Y_full, Y_incremental } = causal.kv_cache
  const [stepsName] = Object.keys(extra).filter((key) => key.startsWith('kv_steps'))
  const steps = extra[stepsName]

  test('gives the golden output, weights, keys, values and counts step by step', () => {
    const cache = engine.createKvCache({ wq, wk, wv }, { numHeads: 1, maxLength: 5 })
    for (const [token, wanted] of steps.entries()) {
      const { output, weights } = cache.step([tokens.data.slice(token * 16, token * 16 + 16)])
      expectClose(output, { data: wanted.output.data, shape: [1, 16] })
      expectClose(output, {
        data: Y_incremental.data.slice(token * 16, token * 16 + 16),
        shape: [1, 16],
      })
      expectClose(weights, { data: wanted.weights.data, shape: [1, 1, token + 1] })
      const last = (/** @type {any} */ { data }) => figures([...data.slice(-16)])
      expectClose(last(cache.keys), wanted.key)
      expectClose(last(cache.values), wanted.value)
      const cost = engine.analysis.kvStepFlops({ length: token + 1, dModel: 16, dOut: 0 })
      expect(cost).toMatchObject({
        cached: wanted.flops.cached,
        lastRowRecomputed: wanted.flops.last_row_recomputed,
        fullPass: wanted.flops.full_pass,
        cacheBytes: wanted.cache_bytes_float32,
      })
    }
    cache.dispose()
  })

  test('equals the full pass, which is golden too, bit for bit', () => {
    const full = engine.multiHeadAttention(tokens, { wq, wk, wv }, { numHeads: 1, isCausal: true })
    expectClose(full.output, Y_full)
    const cache = engine.createKvCache({ wq, wk, wv }, { numHeads: 1, maxLength: 5 })
    expectSame(cache.step(tokens).output, full.output)
    cache.dispose()
  })
})

describe('with fewer queries than keys', () => {
  const { Q, K, V } = golden('backward').scaled_dot_product
  const { top_left, bottom_right } = extra.rectangular_5x6

  test('causality aligns top left, with the golden weights', () => {
    const { weights } = engine.scaledDotProductAttention(Q, K, V, { isCausal: true })
    expectClose(weights, top_left, { tolerance })
    for (let i = 0; i < 5; i++) {
      for (let j = 0; j < 6; j++) expect(weights.data[i * 6 + j] > 0).toBe(j <= i)
    }
  })

  test('a mask that aligns bottom right has the golden weights', () => {
    const attnMask = Array.from({ length: 5 }, (_, i) =>
      Array.from({ length: 6 }, (_, j) => j <= i + 1),
    )
    const { weights } = engine.scaledDotProductAttention(Q, K, V, { attnMask })
    expectClose(weights, bottom_right, { tolerance })
  })
})
