import { describe, expect, test } from 'vitest'
import { expectClose, expectSame } from '../compare.js'
import { randomLayer, randomTensor, slice } from '../inputs.js'
import { engine } from './loaded.js'

/** @param {number[]} shape */
function empty(shape) {
  return { data: new Float32Array(shape.reduce((size, length) => size * length, 1)), shape }
}

describe('leading dimensions', () => {
  const query = randomTensor([2, 1, 4, 3], 1)
  const key = randomTensor([3, 5, 3], 2)
  const value = randomTensor([2, 1, 5, 6], 3)
  const attnMask = randomTensor([3, 4, 5], 5)
  const options = { attnMask, needStages: true }
  const found = engine.scaledDotProductAttention(query, key, value, options)

  test('broadcast, each slice being what it is alone', () => {
    expect(found.output.shape).toEqual([2, 3, 4, 6])
    expect(found.weights.shape).toEqual([2, 3, 4, 5])
    expect(found.rowMax.shape).toEqual([2, 3, 4])
    for (let i = 0; i < 2; i++) {
      for (let j = 0; j < 3; j++) {
        const q = slice(slice(query, i), 0)
        const v = slice(slice(value, i), 0)
        const own = { attnMask: slice(attnMask, j) }
        const alone = engine.scaledDotProductAttention(q, slice(key, j), v, own)
        expectSame(slice(slice(found.output, i), j), alone.output)
        expectSame(slice(slice(found.weights, i), j), alone.weights)
      }
    }
  })

  test('that were broadcast have the sum of their gradients', () => {
    const gradOutput = randomTensor([2, 3, 4, 6], 4)
    const inputs = /** @type {const} */ ([query, key, value, gradOutput])
    const gradients = engine.scaledDotProductAttentionBackward(...inputs, {
      attnMask,
      forward: found,
    })
    const wanted = engine.reference.scaledDotProductAttentionBackward(...inputs, { attnMask })
    for (const name of /** @type {const} */ (['gradQuery', 'gradKey', 'gradValue', 'gradScores'])) {
      expectClose(gradients[name], wanted[name], { name })
    }
    expect(gradients.gradKey.shape).toEqual(key.shape)
    let sum = 0
    for (let i = 0; i < 2; i++) {
      const q = slice(slice(query, i), 0)
      const v = slice(slice(value, i), 0)
      const own = { attnMask: slice(attnMask, 2) }
      const g = slice(slice(gradOutput, i), 2)
      sum += engine.scaledDotProductAttentionBackward(q, slice(key, 2), v, g, own).gradKey.data[0]
    }
    expect(gradients.gradKey.data[2 * 15]).toBeCloseTo(sum, 5)
  })

  test('are filled into kept buffers, summed ones too', () => {
    const gradOutput = randomTensor([2, 3, 4, 6], 4)
    const out = { gradKey: empty([3, 5, 3]), gradQuery: empty([2, 1, 4, 3]) }
    const given = { attnMask, out }
    const filled = engine.scaledDotProductAttentionBackward(query, key, value, gradOutput, given)
    const fresh = engine.scaledDotProductAttentionBackward(query, key, value, gradOutput, {
      attnMask,
    })
    expect(filled.gradKey).toBe(out.gradKey)
    expectSame(out.gradKey, fresh.gradKey)
    expectSame(out.gradQuery, fresh.gradQuery)
  })
})

describe('a layer', () => {
  const parameters = randomLayer({ dModel: 6, numHeads: 2, dK: 3 })
  const x = randomTensor([3, 4, 6], 1)
  const all = engine.multiHeadAttention(x, parameters, { numHeads: 2, needStages: true })

  test('gives a batch what it gives each sequence', () => {
    for (let b = 0; b < 3; b++) {
      const alone = engine.multiHeadAttention(slice(x, b), parameters, {
        numHeads: 2,
        needStages: true,
      })
      expect(alone.weights.shape).toEqual([2, 4, 4])
      for (const name of /** @type {const} */ (['output', 'weights', 'heads', 'rowSum'])) {
        expectSame(slice(all[name], b), alone[name], name)
      }
    }
  })

  test('has all its stages only when they are asked for', () => {
    const stages = ['logits', 'scores', 'exp', 'rowMax', 'rowSum', 'query', 'key', 'value', 'heads']
    expect(Object.keys(all).sort()).toEqual(['output', 'weights', ...stages].sort())
    const plain = engine.multiHeadAttention(x, parameters, { numHeads: 2 })
    expect(Object.keys(plain)).toEqual(['output', 'weights'])
    const streamed = engine.multiHeadAttention(x, parameters, {
      numHeads: 2,
      needWeights: false,
      needStages: true,
    })
    const small = ['output', 'rowMax', 'rowSum', 'query', 'key', 'value', 'heads']
    expect(Object.keys(streamed).sort()).toEqual(small.sort())
    expectClose(streamed.rowSum, all.rowSum)
    expectSame(streamed.rowMax, all.rowMax)
  })

  test('takes a mask for each head, and one for each sequence', () => {
    const perHead = engine.masks.alibi(2, 4)
    const padding = engine.masks.padding([4, 2, 1], 4)
    for (const attnMask of [perHead, padding]) {
      const options = { numHeads: 2, attnMask }
      const found = engine.multiHeadAttention(x, parameters, options)
      const wanted = engine.reference.multiHeadAttention(x, parameters, options)
      expectClose(found.output, wanted.output)
      expectClose(found.weights, wanted.weights)
    }
  })
})

describe('dimensions of length 0', () => {
  test('of queries, keys and widths give empty or zero results', () => {
    const q = randomTensor([3, 2])
    const none = engine.scaledDotProductAttention(empty([0, 2]), q, q)
    expect(none.output).toEqual({ data: new Float32Array(0), shape: [0, 2] })
    expect(none.weights.shape).toEqual([0, 3])
    const noKeys = engine.scaledDotProductAttention(q, empty([0, 2]), empty([0, 4]))
    expect(noKeys.output).toEqual({ data: new Float32Array(12), shape: [3, 4] })
    const noWidth = engine.scaledDotProductAttention(
      empty([2, 0]),
      empty([4, 0]),
      randomTensor([4, 1]),
    )
    expect([...noWidth.weights.data]).toEqual(new Array(8).fill(0.25))
    const noValue = engine.scaledDotProductAttention(q, q, empty([3, 0]))
    expect(noValue.output.shape).toEqual([3, 0])
    const streamed = engine.scaledDotProductAttention(q, empty([0, 2]), empty([0, 4]), {
      needWeights: false,
    })
    expect([...streamed.output.data]).toEqual(new Array(12).fill(0))
  })

  test('of the batch give empty results, with gradients of zero', () => {
    const batch = empty([0, 3, 2])
    const found = engine.scaledDotProductAttention(batch, batch, randomTensor([3, 2]))
    expect(found.output.shape).toEqual([0, 3, 2])
    const gradients = engine.scaledDotProductAttentionBackward(
      batch,
      batch,
      randomTensor([3, 2]),
      batch,
    )
    expect([...gradients.gradValue.data]).toEqual(new Array(6).fill(0))
  })

  test('of a layer give empty results, with gradients of zero for its weights', () => {
    const parameters = randomLayer({ dModel: 4, numHeads: 2, dK: 2 })
    for (const shape of [
      [0, 4],
      [2, 0, 4],
      [0, 3, 4],
    ]) {
      const found = engine.multiHeadAttention(empty(shape), parameters, { numHeads: 2 })
      expect(found.output.shape).toEqual(shape)
      const gradients = engine.multiHeadAttentionBackward(empty(shape), parameters, empty(shape), {
        numHeads: 2,
      })
      expect([...new Set(gradients.gradWq.data)]).toEqual([0])
    }
  })

  test('of rows and columns pass through softmax and layer norm', () => {
    for (const shape of [[0, 3], [3, 0], [0]]) {
      expect(engine.softmax(empty(shape)).shape).toEqual(shape)
      expect(engine.layerNorm(empty(shape)).shape).toEqual(shape)
      expect(engine.softmaxJacobian(empty(shape)).shape).toEqual([...shape, shape.at(-1)])
    }
  })
})

test('one query and one key give the value itself', () => {
  const { output, weights } = engine.scaledDotProductAttention([[3]], [[-2]], [[7]])
  expect([output.data[0], weights.data[0]]).toEqual([7, 1])
})

test('the first output of a causal pass without wo is the first value exactly', () => {
  const parameters = randomLayer({ dModel: 8, numHeads: 2, dK: 4, output: false })
  const options = { numHeads: 2, isCausal: true, needStages: true }
  const { output, value } = engine.multiHeadAttention(randomTensor([9, 8]), parameters, options)
  const [first, second] = [slice(slice(value, 0), 0), slice(slice(value, 1), 0)]
  expect([...output.data.slice(0, 8)]).toEqual([...first.data, ...second.data])
})

test('the scale is 1/√d_k unless given', () => {
  const q = randomTensor([3, 16])
  const plain = engine.scaledDotProductAttention(q, q, q)
  expectSame(engine.scaledDotProductAttention(q, q, q, { scale: 0.25 }).weights, plain.weights)
  const { weights } = engine.scaledDotProductAttention(q, q, q, { scale: 0 })
  for (const weight of weights.data) expect(weight).toBeCloseTo(1 / 3, 6)
})
