import { describe, expect, test } from 'vitest'
import { expectSame } from '../compare.js'
import { randomLayer, randomTensor } from '../inputs.js'
import { engine } from './loaded.js'

const { reference, masks, random } = engine
const a = randomTensor([4, 4], 1)
const query = randomTensor([2, 1, 5, 4], 2)
const key = randomTensor([3, 7, 4], 3)
const value = randomTensor([3, 7, 3], 4)
const gradOutput = randomTensor([2, 3, 5, 3], 5)
const x = randomTensor([2, 5, 6], 6)
const context = randomTensor([2, 4, 3], 7)
const gradLayer = randomTensor([2, 5, 4], 8)
const parameters = randomLayer({ dModel: 6, dContext: 3, numHeads: 2, dK: 3, dOut: 4 })
const options = { numHeads: 2, context }
const layer = engine.prepare(parameters, { numHeads: 2 })

/** @param {object} given */
function stepOnce(given) {
  const own = randomLayer({ dModel: 6, numHeads: 2, dK: 3 })
  const cache = engine.createKvCache(own, { numHeads: 2, maxLength: 5 })
  const results = cache.step(x.data.subarray(0, 6), given)
  cache.dispose()
  return results
}

/**
 * Every call with several results, given further options.
 * @type {Record<string, (given: any) => any>}
 */
const SEVERAL = {
  scaledDotProductAttention: (given) =>
    engine.scaledDotProductAttention(query, key, value, { needStages: true, ...given }),
  scaledDotProductAttentionBackward: (given) =>
    engine.scaledDotProductAttentionBackward(query, key, value, gradOutput, given),
  multiHeadAttention: (given) =>
    engine.multiHeadAttention(x, parameters, { ...options, needStages: true, ...given }),
  multiHeadAttentionBackward: (given) =>
    engine.multiHeadAttentionBackward(x, parameters, gradLayer, { ...options, ...given }),
  'layer.forward': (given) => layer.forward(x, { context, needStages: true, ...given }),
  'layer.backward': (given) => layer.backward(x, gradLayer, { context, ...given }),
  'cache.step': stepOnce,
  layerNormBackward: (given) => engine.layerNormBackward(a, a, given),
  'reference.scaledDotProductAttention': (given) =>
    reference.scaledDotProductAttention(query, key, value, { needStages: true, ...given }),
  'reference.scaledDotProductAttentionBackward': (given) =>
    reference.scaledDotProductAttentionBackward(query, key, value, gradOutput, given),
  'reference.multiHeadAttention': (given) =>
    reference.multiHeadAttention(x, parameters, { ...options, needStages: true, ...given }),
  'reference.multiHeadAttentionBackward': (given) =>
    reference.multiHeadAttentionBackward(x, parameters, gradLayer, { ...options, ...given }),
  'torch.linear': (given) => random.torch(1).linear(3, 5, given),
}

/** Every call with one result. @type {Record<string, (given?: any) => any>} */
const ONE = {
  matmul: (given) => engine.matmul(a, a, given),
  softmax: (given) => engine.softmax(a, given),
  softmaxJacobian: (given) => engine.softmaxJacobian(a, given),
  softmaxBackward: (given) => engine.softmaxBackward(a, a, given),
  layerNorm: (given) => engine.layerNorm(a, given),
  'masks.causal': (given) => masks.causal(3, 4, given),
  'masks.window': (given) => masks.window(3, 4, 2, given),
  'masks.prefix': (given) => masks.prefix(3, 4, 2, given),
  'masks.padding': (given) => masks.padding([1, 2], 3, given),
  'masks.alibi': (given) => masks.alibi(2, 3, 4, given),
  'numpyLegacy.randn': (given) => random.numpyLegacy(1).randn([2, 3], given),
  'numpyLegacy.normal': (given) => random.numpyLegacy(1).normal(1, 2, [2, 3], given),
  'numpyGenerator.random': (given) => random.numpyGenerator(1).random([2, 3], given),
  'numpyGenerator.rand': (given) => random.numpyGenerator(1).rand([2, 3], given),
  'torch.randn': (given) => random.torch(1).randn([2, 3], given),
  'torch.normal': (given) => random.torch(1).normal(1, 2, [2, 3], given),
  'torch.rand': (given) => random.torch(1).rand([2, 3], given),
  'torch.random': (given) => random.torch(1).random([2, 3], given),
}

/** A tensor of the same kind, full of something else. @param {any} tensor */
function stale({ data, shape }) {
  return { data: new data.constructor(data.length).fill(7), shape: [...shape] }
}

describe('kept buffers are filled and returned by', () => {
  test.each(Object.entries(SEVERAL))('%s, all its results', (_, call) => {
    const fresh = call({})
    const out = Object.fromEntries(Object.keys(fresh).map((name) => [name, stale(fresh[name])]))
    const filled = call({ out })
    expect(Object.keys(filled)).toEqual(Object.keys(fresh))
    for (const name of Object.keys(fresh)) {
      expect(filled[name], name).toBe(out[name])
      expectSame(filled[name], fresh[name], name)
    }
    const first = Object.keys(fresh)[0]
    const { data } = stale(fresh[first])
    const one = call({ out: { [first]: data } })
    expect(one[first].data).toBe(data)
    expectSame(one[first], fresh[first], `${first} as data alone`)
    for (const name of Object.keys(fresh)) expectSame(one[name], fresh[name], name)
  })

  test.each(Object.entries(ONE))('%s', (_, call) => {
    const fresh = call()
    const out = stale(fresh)
    expect(call({ out })).toBe(out)
    expectSame(out, fresh)
    const { data } = stale(fresh)
    expect(call({ out: data }).data).toBe(data)
    expectSame({ data, shape: fresh.shape }, fresh)
  })
})

describe('a kept buffer of another type, size or shape is refused by', () => {
  test.each(Object.entries(SEVERAL))('%s, for all its results', (_, call) => {
    const fresh = call({})
    for (const [name, { data, shape }] of Object.entries(fresh)) {
      const Other = data instanceof Float32Array ? Float64Array : Float32Array
      const type = () => call({ out: { [name]: new Other(data.length) } })
      expect(type, name).toThrow(TypeError)
      expect(type, name).toThrow(`out.${name} was a ${Other.name} of ${data.length}`)
      const size = () => call({ out: { [name]: new data.constructor(data.length + 1) } })
      expect(size, name).toThrow(RangeError)
      expect(size, name).toThrow(`out.${name} had shape (${data.length + 1})`)
      const flat = () => call({ out: { [name]: { data, shape: [1, ...shape] } } })
      expect(flat, name).toThrow(`out.${name} had shape (1, ${shape.join(', ')})`)
    }
  })

  test.each(Object.entries(ONE))('%s', (_, call) => {
    const { data, shape } = call()
    const size = () => call({ out: new data.constructor(data.length + 1) })
    expect(size).toThrow(/^out had shape \(\d+\); it had to have the result's shape \(/)
    const flat = () => call({ out: { data, shape: [1, ...shape] } })
    expect(flat).toThrow(RangeError)
    expect(() => call({ out: [1, 2] })).toThrow(/^out was an array of 2; it had to be a/)
    expect(() => call({ out: new Int16Array(data.length) })).toThrow(/^out was an Int16Array/)
  })
})

describe('results that share memory are refused, since one would overwrite the other:', () => {
  const square = randomTensor([4, 4], 9)
  /** @param {any} out */
  const attend = (out) => engine.scaledDotProductAttention(square, square, square, { out })

  test('one buffer for two results', () => {
    const shared = new Float32Array(16)
    const call = () => attend({ output: shared, weights: shared })
    expect(call).toThrow(RangeError)
    expect(call).toThrow(/^out\.weights shared memory with out\.output; it had to have its own/)
  })

  test('parts of one that overlap', () => {
    const memory = new Float32Array(31)
    const overlapping = { output: memory.subarray(0, 16), weights: memory.subarray(15) }
    expect(() => attend(overlapping)).toThrow(/shared memory/)
    const { buffer } = new Float32Array(32)
    const apart = {
      output: new Float32Array(buffer, 0, 16),
      weights: new Float32Array(buffer, 64, 16),
    }
    const fresh = engine.scaledDotProductAttention(square, square, square)
    const filled = attend(apart)
    expectSame(filled.output, fresh.output)
    expectSame(filled.weights, fresh.weights)
  })

  test('sums of gradients that were broadcast', () => {
    const one = randomTensor([2, 4, 4], 10)
    const shared = new Float32Array(16)
    const out = { gradQuery: shared, gradKey: shared }
    const call = () => engine.scaledDotProductAttentionBackward(square, square, one, one, { out })
    expect(call).toThrow(/^out\.gradKey shared memory with out\.gradQuery/)
  })
})

test('a buffer may lie in shared memory, or in one that can be resized', () => {
  const fresh = engine.softmax(a)
  for (const buffer of [
    new SharedArrayBuffer(64),
    /** @type {any} */ (new /** @type {any} */ (ArrayBuffer)(64, { maxByteLength: 128 })),
  ]) {
    const data = new Float32Array(buffer, 0, 16)
    expectSame(engine.softmax(a, { out: { data, shape: [4, 4] } }), fresh)
    data.set(a.data)
    expectSame(engine.softmax({ data, shape: [4, 4] }), fresh)
  }
})
