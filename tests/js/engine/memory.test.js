import { describe, expect, test } from 'vitest'
import { expectClose } from '../compare.js'
import { randomLayer, randomTensor } from '../inputs.js'
import { engine } from './loaded.js'

const CALLS = 10_000

describe(`${CALLS} calls leave the memory as large as it was`, () => {
  const x = randomTensor([12, 8], 1)
  const parameters = randomLayer({ dModel: 8, numHeads: 4, dK: 2 })
  const HEADS = { numHeads: 4 }
  const layer = engine.prepare(parameters, HEADS)
  const gradOutput = randomTensor([12, 8], 2)
  const batch = randomTensor([3, 12, 8], 3)
  const STREAMED = { needWeights: false, isCausal: true }
  const attnMask = engine.masks.window(12, 12, 3)
  const out = engine.scaledDotProductAttention(x, x, x)

  test.each([
    ['attention', () => engine.scaledDotProductAttention(x, x, x, { needStages: true })],
    ['gradients', () => engine.scaledDotProductAttentionBackward(x, x, x, gradOutput)],
    ['a layer', () => engine.multiHeadAttention(x, parameters, HEADS)],
    [
      "a layer's gradients",
      () => engine.multiHeadAttentionBackward(x, parameters, gradOutput, HEADS),
    ],
    ['attention without weights', () => engine.scaledDotProductAttention(x, x, x, STREAMED)],
    ['attention with masks', () => engine.scaledDotProductAttention(x, x, x, { attnMask })],
    ['attention of broadcast slices', () => engine.scaledDotProductAttention(batch, x, batch)],
    ['attention into kept buffers', () => engine.scaledDotProductAttention(x, x, x, { out })],
    ['a prepared layer', () => layer.forward(x)],
    ["a prepared layer's gradients", () => layer.backward(x, gradOutput)],
    ['products', () => engine.matmul(x, x, { transposeB: true })],
    [
      'softmax and its gradients',
      () => {
        const p = engine.softmax(x)
        engine.softmaxJacobian(p)
        engine.softmaxBackward(p, x)
      },
    ],
    [
      'layer norm and its gradients',
      () => {
        engine.layerNorm(x)
        engine.layerNormBackward(x, x)
      },
    ],
    ['masks', () => engine.masks.alibi(4, 12)],
    ['layers made and disposed of', () => engine.prepare(parameters, HEADS).dispose()],
    [
      'caches made and disposed of',
      () => {
        const cache = engine.createKvCache(parameters, { ...HEADS, maxLength: 16 })
        cache.step(x)
        cache.dispose()
      },
    ],
    ['random streams, never disposed of', () => engine.random.torch(1).randn(20)],
    ['measures', () => engine.analysis.singularValues(x)],
    ['counts', () => engine.analysis.flops({ n: 12, dModel: 8, numHeads: 4 })],
    ['explanations', () => engine.reference.explain(x, x, x)],
    ['the reference', () => engine.reference.multiHeadAttention(x, parameters, HEADS)],
    ["NumPy's streams", () => engine.random.numpyLegacy(1).normal(0, 1, 20)],
    ['errors', () => expect(() => engine.matmul(x, x)).toThrow(RangeError)],
    [
      'work too large',
      () => expect(() => engine.random.torch(0).rand([2 ** 30, 2])).toThrow(RangeError),
    ],
    [
      'layers and caches too large',
      () => {
        const columns = { data: new Float32Array(0), shape: [0, 2 ** 30] }
        const wide = { wq: columns, wk: columns, wv: columns, bq: null }
        const cache = () => engine.createKvCache(wide, { numHeads: 1, maxLength: 2 })
        expect(cache).toThrow(RangeError)
      },
    ],
  ])('%s', (_, call) => {
    for (let i = 0; i < 10; i++) call()
    const before = engine.memoryBytes
    for (let i = 0; i < CALLS; i++) call()
    expect(engine.memoryBytes).toBe(before)
  })
})

describe('work too large for memory', () => {
  const long = { data: new Float32Array(200_000), shape: [200_000, 1] }

  test('is refused before it starts, with its size and what to do', () => {
    const before = engine.memoryBytes
    const call = () => engine.scaledDotProductAttention(long, long, long)
    expect(call).toThrow(RangeError)
    expect(call).toThrow(
      /^scaledDotProductAttention would need 149\.\d GB of WebAssembly memory.*needWeights: false/,
    )
    expect(engine.memoryBytes).toBe(before)
  })

  test('of a layer too, and of a backward pass', () => {
    const parameters = { wq: [[1]], wk: [[1]], wv: [[1]] }
    const options = { numHeads: 1 }
    const forward = () => engine.multiHeadAttention(long, parameters, options)
    expect(forward).toThrow(/^multiHeadAttention would need 149\.\d GB.*needWeights: false/)
    const backward = () => engine.scaledDotProductAttentionBackward(long, long, long, long)
    expect(backward).toThrow(/^scaledDotProductAttentionBackward would need \d+\.\d GB/)
    const mask = () => engine.masks.causal(2 ** 20)
    expect(mask).toThrow(/^the mask would need 1\.0 TB/)
    const jacobian = () => engine.softmaxJacobian({ data: long.data, shape: [200_000] })
    expect(jacobian).toThrow(/^softmaxJacobian would need 149\.\d GB/)
  })

  test('does not keep the next call from working', () => {
    expect(() => engine.scaledDotProductAttention(long, long, long)).toThrow(RangeError)
    const { weights } = engine.scaledDotProductAttention([[1]], [[1]], [[1]])
    expect(weights.data[0]).toBe(1)
  })

  test('runs without weights, in memory that does not hold an N×M buffer', () => {
    const n = 20_000
    const query = randomTensor([n, 4], 1)
    const before = engine.memoryBytes
    const value = randomTensor([n, 2], 2)
    const { output } = engine.scaledDotProductAttention(query, query, value, {
      needWeights: false,
      isCausal: true,
    })
    expect(engine.memoryBytes - before).toBeLessThan(100 * n * 4)
    const head = { data: query.data.slice(0, 4 * 50), shape: [50, 4] }
    const first = { data: value.data.slice(0, 2 * 50), shape: [50, 2] }
    const wanted = engine.scaledDotProductAttention(head, head, first, { isCausal: true })
    expectClose({ data: output.data.slice(0, 100), shape: [50, 2] }, wanted.output)
  })
})

test('memory that grows during a call does not lose inputs or results', () => {
  const before = engine.memoryBytes
  const n = 1700
  const a = randomTensor([n, 1], 1)
  const { weights } = engine.scaledDotProductAttention(a, a, a, { needStages: true })
  expect(engine.memoryBytes).toBeGreaterThan(before)
  const sum = weights.data.subarray(0, n).reduce((total, weight) => total + weight, 0)
  expect(sum).toBeCloseTo(1, 5)
})
