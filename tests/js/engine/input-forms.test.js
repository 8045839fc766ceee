import { describe, expect, test } from 'vitest'
import { randomLayer, randomTensor } from '../inputs.js'
import { engine } from './loaded.js'

const { analysis, reference } = engine
const x = randomTensor([4, 6], 1)
const y = randomTensor([4, 6], 2)
const batch = randomTensor([2, 4, 6], 3)
const square = engine.softmax(randomTensor([2, 4, 4], 4))
const vector = randomTensor([6], 5)
const layer = randomLayer({ dModel: 6, numHeads: 2, dK: 3 })

/** Every call that takes tensors, given a way to write each of them. @type {Record<string, (as: (tensor: any) => any) => any>} */
const CALLS = {
  scaledDotProductAttention: (as) =>
    engine.scaledDotProductAttention(as(batch), as(y), as(y), { attnMask: as(square) }),
  scaledDotProductAttentionBackward: (as) =>
    engine.scaledDotProductAttentionBackward(as(x), as(y), as(y), as(x), {
      forward: { weights: as(engine.scaledDotProductAttention(x, y, y).weights) },
    }),
  multiHeadAttention: (as) =>
    engine.multiHeadAttention(as(batch), parametersAs(as), { numHeads: 2, context: as(batch) }),
  multiHeadAttentionBackward: (as) =>
    engine.multiHeadAttentionBackward(as(batch), parametersAs(as), as(batch), { numHeads: 2 }),
  prepare: (as) => {
    const prepared = engine.prepare(parametersAs(as), { numHeads: 2 })
    const results = [prepared.forward(as(x)), prepared.backward(as(x), as(y))]
    prepared.dispose()
    return results
  },
  createKvCache: (as) => {
    const cache = engine.createKvCache(parametersAs(as), { numHeads: 2, maxLength: 9 })
    const results = [cache.step(as(x)), cache.step(as(vector)), cache.keys, cache.values]
    cache.dispose()
    return results
  },
  matmul: (as) => engine.matmul(as(x), as(y), { transposeB: true }),
  softmax: (as) => engine.softmax(as(batch)),
  softmaxJacobian: (as) => engine.softmaxJacobian(as(square)),
  softmaxBackward: (as) => engine.softmaxBackward(as(square), as(square)),
  layerNorm: (as) => engine.layerNorm(as(x), { weight: as(vector), bias: as(vector) }),
  layerNormBackward: (as) => engine.layerNormBackward(as(x), as(y), { weight: as(vector) }),
  audit: (as) => analysis.audit(as(square), { output: as(x), value: as(y) }),
  entropy: (as) => analysis.entropy(as(square)),
  rowNorms: (as) => analysis.rowNorms(as(batch)),
  rollout: (as) => analysis.rollout(as(square)),
  frobeniusCosine: (as) => analysis.frobeniusCosine(as(x), as(y)),
  principalAngles: (as) => analysis.principalAngles(as(x), as(y)),
  singularValues: (as) => analysis.singularValues(as(batch)),
  numericalRank: (as) => analysis.numericalRank(as(x)),
  'reference.scaledDotProductAttention': (as) =>
    reference.scaledDotProductAttention(as(x), as(y), as(y)),
  'reference.multiHeadAttention': (as) =>
    reference.multiHeadAttention(as(x), parametersAs(as), { numHeads: 2 }),
  explain: (as) => reference.explain(as(x), as(y), as(y), { row: 1, column: 2 }),
}

/** @param {(tensor: any) => any} as @returns {any} */
function parametersAs(as) {
  return Object.fromEntries(Object.entries(layer).map(([name, tensor]) => [name, as(tensor)]))
}

/** @param {{ data: Float32Array, shape: number[] }} tensor @returns {any} */
function nested({ data, shape: [length, ...rest] }) {
  if (rest.length === 0) return [...data]
  const size = data.length / length
  return Array.from({ length }, (_, i) =>
    nested({ data: data.slice(i * size, (i + 1) * size), shape: rest }),
  )
}

/** @param {any} rows */
function withTypedRows(rows) {
  return Array.isArray(rows[0]) ? rows.map(withTypedRows) : Float32Array.from(rows)
}

/** Ways to write a tensor. @type {Record<string, (tensor: any) => any>} */
const FORMS = {
  'nested arrays': nested,
  'nested arrays of typed rows': (tensor) => withTypedRows(nested(tensor)),
  'float64 numbers': ({ data, shape }) => ({ data: Float64Array.from(data), shape }),
  'plain arrays with a shape': ({ data, shape }) => ({ data: [...data], shape }),
  'frozen objects': ({ data, shape }) => Object.freeze({ data, shape: Object.freeze([...shape]) }),
  'parts of a larger buffer': ({ data, shape }) => {
    const larger = new Float32Array(data.length + 5)
    larger.set(data, 3)
    return { data: larger.subarray(3, 3 + data.length), shape }
  },
}

describe.each(Object.entries(CALLS))('%s gives the same numbers', (_, call) => {
  test.each(Object.entries(FORMS))('for %s', (__, as) => {
    expect(call(as)).toEqual(call((tensor) => tensor))
  })

  test('and leaves its inputs as they were', () => {
    const before = structuredClone([x, y, batch, square, vector, layer])
    call((tensor) => tensor)
    expect([x, y, batch, square, vector, layer]).toEqual(before)
  })
})
