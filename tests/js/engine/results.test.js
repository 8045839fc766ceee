import { describe, expect, test } from 'vitest'
import { expectClose, expectSame } from '../compare.js'
import { randomLayer, randomTensor } from '../inputs.js'
import { engine } from './loaded.js'

const query = randomTensor([5, 4], 1)
const key = randomTensor([7, 4], 2)
const value = randomTensor([7, 3], 3)
const gradOutput = randomTensor([5, 3], 4)

/** @param {number[]} shape */
function empty(shape) {
  return { data: new Float32Array(shape.reduce((size, length) => size * length, 1)), shape }
}

describe('results', () => {
  test('belong to JavaScript: later calls leave them alone', () => {
    const first = engine.scaledDotProductAttention(query, key, value)
    const copy = first.weights.data.slice()
    for (let i = 0; i < 50; i++) engine.scaledDotProductAttention(key, query, query)
    engine.matmul(randomTensor([300, 300]), randomTensor([300, 300]))
    expect(first.weights.data).toEqual(copy)
    expect(first.output.data.buffer.byteLength).toBeLessThan(1000)
  })

  test('hold output and weights alone unless stages are asked for', () => {
    expect(Object.keys(engine.scaledDotProductAttention(query, key, value))).toEqual([
      'output',
      'weights',
    ])
    const stages = engine.scaledDotProductAttention(query, key, value, { needStages: true })
    const names = ['output', 'weights', 'logits', 'scores', 'exp', 'rowMax', 'rowSum']
    expect(Object.keys(stages).sort()).toEqual(names.sort())
  })

  test('come as stages that fit one another', () => {
    const options = { needStages: true, isCausal: true, scale: 0.3 }
    const { logits, scores, rowMax, exp, rowSum, weights } = engine.scaledDotProductAttention(
      query,
      key,
      value,
      options,
    )
    const wanted = engine.reference.scaledDotProductAttention(query, key, value, options)
    expectClose(logits, wanted.logits)
    expectClose(scores, wanted.scores)
    expectClose(exp, wanted.exp)
    for (let i = 0; i < 5; i++) {
      const row = (/** @type {any} */ { data }) => [...data.slice(i * 7, (i + 1) * 7)]
      expect(Math.max(...row(scores))).toBe(rowMax.data[i])
      expect(row(exp).reduce((sum, x) => sum + x, 0)).toBeCloseTo(rowSum.data[i], 5)
      expect(row(scores).slice(i + 1)).toEqual(new Array(6 - i).fill(-Infinity))
      for (const [j, weight] of row(weights).entries()) {
        expect(weight).toBeCloseTo(row(exp)[j] / rowSum.data[i], 6)
      }
    }
  })

  test('are large ones without a shared buffer', () => {
    const x = randomTensor([600, 4])
    const { output, weights } = engine.scaledDotProductAttention(x, x, x)
    expect(output.data.buffer).not.toBe(weights.data.buffer)
    expect(weights.data.buffer.byteLength).toBe(600 * 600 * 4)
  })
})

describe('kept buffers', () => {
  test('are filled, all or some, and returned', () => {
    const fresh = engine.scaledDotProductAttention(query, key, value)
    const output = empty([5, 3])
    const some = engine.scaledDotProductAttention(query, key, value, { out: { output } })
    expect(some.output).toBe(output)
    expectSame(output, fresh.output)
    expectSame(some.weights, fresh.weights)
    const weights = new Float32Array(35)
    const all = engine.scaledDotProductAttention(query, key, value, { out: { output, weights } })
    expect(all.weights.data).toBe(weights)
    expectSame(all.weights, fresh.weights)
  })

  test('may be the result of an earlier call, and the inputs themselves', () => {
    const square = randomTensor([4, 4], 5)
    const wanted = engine.scaledDotProductAttention(square, square, square)
    const again = engine.scaledDotProductAttention(square, square, square, { out: wanted })
    expect(again.weights).toBe(wanted.weights)
    const fresh = engine.scaledDotProductAttention(square, square, square)
    const inPlace = engine.scaledDotProductAttention(square, square, square, {
      out: { output: square },
    })
    expectSame(inPlace.output, fresh.output)
    expect(inPlace.output.data).toBe(square.data)
  })

  test('of the reference are doubles', () => {
    const output = new Float64Array(15)
    const { reference } = engine
    const found = reference.scaledDotProductAttention(query, key, value, { out: { output } })
    expect(found.output.data).toBe(output)
  })

  test('serve every call', () => {
    const out = empty([3, 3])
    const a = randomTensor([3, 3], 6)
    expect(engine.matmul(a, a, { out })).toBe(out)
    expect(engine.softmax(a, { out })).toBe(out)
    expect(engine.layerNorm(a, { out })).toBe(out)
    expect(engine.softmaxBackward(a, a, { out })).toBe(out)
    expect(engine.softmaxJacobian(a, { out: empty([3, 3, 3]) }).shape).toEqual([3, 3, 3])
    const parameters = randomLayer({ dModel: 3, numHeads: 1, dK: 2 })
    const layer = engine.multiHeadAttention(a, parameters, { numHeads: 1, out: { output: out } })
    expect(layer.output).toBe(out)
    const gradX = empty([3, 3])
    const options = { numHeads: 1, out: { gradX } }
    expect(engine.multiHeadAttentionBackward(a, parameters, a, options).gradX).toBe(gradX)
  })

  test.each([
    [
      'of another shape',
      { output: empty([3, 5]) },
      RangeError,
      /^out\.output had shape \(3, 5\); .*\(5, 3\)/,
    ],
    [
      'of another size',
      { weights: new Float32Array(3) },
      RangeError,
      /^out\.weights had shape \(3\)/,
    ],
    [
      'of another type',
      { output: new Float64Array(15) },
      TypeError,
      /^out\.output was a Float64Array of 15/,
    ],
    ['that are nested arrays', { output: [[1]] }, TypeError, /^out\.output was an array of 1/],
    ['that are not there', 5, TypeError, /^out was 5/],
  ])('%s are refused', (_, out, type, message) => {
    const call = () =>
      engine.scaledDotProductAttention(query, key, value, { out: /** @type {any} */ (out) })
    expect(call).toThrow(type)
    expect(call).toThrow(message)
  })
})

describe('a backward pass', () => {
  test('takes over what the forward result holds', () => {
    const forward = engine.scaledDotProductAttention(query, key, value)
    const changed = { ...forward, weights: { ...forward.weights, data: new Float32Array(35) } }
    const inputs = /** @type {const} */ ([query, key, value, gradOutput])
    const own = engine.scaledDotProductAttentionBackward(...inputs)
    expectSame(
      engine.scaledDotProductAttentionBackward(...inputs, { forward }).gradQuery,
      own.gradQuery,
    )
    // Weights of zero show that they were used: no gradient comes through them.
    const through = engine.scaledDotProductAttentionBackward(...inputs, { forward: changed })
    expect([...new Set(through.gradValue.data)]).toEqual([0])
  })

  test("of a layer takes over all the forward result's stages", () => {
    const x = randomTensor([3, 4], 5)
    const parameters = randomLayer({ dModel: 4, numHeads: 2, dK: 2 })
    const options = { numHeads: 2, needStages: true }
    const forward = engine.multiHeadAttention(x, parameters, options)
    /** @param {object} change */
    const backward = (change) =>
      engine.multiHeadAttentionBackward(x, parameters, x, {
        numHeads: 2,
        forward: { ...forward, ...change },
      })
    const own = backward({})
    // Stages of zero show that they were used: what is made of them vanishes.
    const zeros = (/** @type {any} */ { data, shape }) => ({ data: data.map(() => 0), shape })
    const vanishing = /** @type {const} */ ([
      ['query', 'gradWk'],
      ['key', 'gradWq'],
      ['value', 'gradWeights'],
      ['weights', 'gradWv'],
      ['heads', 'gradWo'],
    ])
    for (const [stage, gradient] of vanishing) {
      expect([...new Set(own[gradient]?.data)].length, gradient).toBeGreaterThan(1)
      const changed = backward({ [stage]: zeros(forward[stage]) })
      const entries = [.../** @type {any} */ (changed[gradient]).data]
      expect(Math.max(...entries.map(Math.abs)), `${gradient} with ${stage} of zeros`).toBe(0)
    }
    const incomplete = backward({ heads: undefined })
    for (const name of ['gradX', 'gradWo', 'gradBo']) {
      expectSame(/** @type {any} */ (incomplete)[name], /** @type {any} */ (own)[name], name)
    }
  })

  test('leaves out what is N×M when weights are not needed', () => {
    const inputs = /** @type {const} */ ([query, key, value, gradOutput])
    const found = engine.scaledDotProductAttentionBackward(...inputs, { needWeights: false })
    expect(Object.keys(found)).toEqual(['gradQuery', 'gradKey', 'gradValue'])
    expectSame(found.gradKey, engine.scaledDotProductAttentionBackward(...inputs).gradKey)
  })

  test('refuses a forward result of other shapes', () => {
    const forward = engine.scaledDotProductAttention(key, key, value)
    const call = () =>
      engine.scaledDotProductAttentionBackward(query, key, value, gradOutput, { forward })
    expect(call).toThrow(/^forward\.weights had shape \(7, 7\); it had to have shape \(5, 7\)/)
  })
})
