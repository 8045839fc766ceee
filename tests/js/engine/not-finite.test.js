import { describe, expect, test } from 'vitest'
import { expectClose, expectSame } from '../compare.js'
import { randomLayer, randomTensor } from '../inputs.js'
import { engine } from './loaded.js'

const [B, N, M, H] = [2, 6, 9, 4]
const HEADS = { numHeads: H, numKvHeads: 2 }
/** The key of the second sequence that is closed to all its queries. */
const CLOSED = 4
const sizes = { dModel: 5, dContext: 7, ...HEADS, dK: 3, dV: 4, dOut: 6 }
const parameters = randomLayer(sizes)
const x = randomTensor([B, N, 5], 1)
const context = randomTensor([B, M, 7], 2)
const gradOutput = randomTensor([B, N, 6], 3)

/** One row of a tensor full of `number`. @param {{ data: Float32Array, shape: number[] }} tensor @param {number} row counted through all leading dimensions @param {number} number */
function withRow({ data, shape }, row, number) {
  const width = /** @type {number} */ (shape.at(-1))
  return { data: data.slice().fill(number, row * width, (row + 1) * width), shape }
}

/** @param {{ data: ArrayLike<number>, shape: readonly number[] }} tensor @param {number} row */
function rowOf({ data, shape }, row) {
  const width = /** @type {number} */ (shape.at(-1))
  return Array.from(data).slice(row * width, (row + 1) * width)
}

/**
 * The loss's gradient by a weight is ∂y·v, also where the weight is held at 0; a value that is not
 * finite gives 0 there.
 * @param {{ data: ArrayLike<number>, shape: number[] }} gradWeights
 */
function withoutToken({ data, shape }) {
  const ofToken = (/** @type {number} */ i) => i >= data.length / B && i % M === CLOSED
  return { data: Float64Array.from(data, (g, i) => (ofToken(i) ? 0 : g)), shape }
}

const padding = {
  data: Uint8Array.from({ length: B * M }, (_, i) => Number(i !== M + CLOSED)),
  shape: [B, 1, 1, M],
}
const additive = {
  data: Float32Array.from(padding.data, (open) => (open ? 0 : -Infinity)),
  shape: padding.shape,
}

describe.each([
  ['the engine', engine],
  ['the reference', engine.reference],
])('in a layer of %s', (_, attention) => {
  describe.each([
    ['boolean', padding],
    ['additive', additive],
  ])('a token of the context that a %s mask closes', (__, attnMask) => {
    const options = { ...HEADS, context, attnMask }
    const clean = attention.multiHeadAttention(x, parameters, options)
    const inputs = /** @type {const} */ ([x, parameters, gradOutput])
    const cleanGradients = attention.multiHeadAttentionBackward(...inputs, options)

    test.each([NaN, Infinity, -Infinity])('keeps a %d to itself, forward', (number) => {
      const bad = { ...options, context: withRow(context, M + CLOSED, number) }
      for (const needWeights of [true, false]) {
        const found = attention.multiHeadAttention(x, parameters, { ...bad, needWeights })
        expectClose(found.output, clean.output)
        if (needWeights) expectSame(found.weights, clean.weights)
      }
    })

    test.each([NaN, Infinity, -Infinity])('keeps a %d to itself, backward', (number) => {
      const bad = { ...options, context: withRow(context, M + CLOSED, number) }
      const forward = attention.multiHeadAttention(x, parameters, { ...bad, needStages: true })
      for (const given of [bad, { ...bad, forward }]) {
        const found = attention.multiHeadAttentionBackward(...inputs, given)
        for (const [name, gradient] of Object.entries(cleanGradients)) {
          const wanted = name === 'gradWeights' ? withoutToken(gradient) : gradient
          const beside = name === 'gradBk' ? gradOutput : undefined
          expectClose(/** @type {any} */ (found)[name], wanted, { name, beside })
        }
        const ofToken = rowOf(/** @type {any} */ (found.gradContext), M + CLOSED)
        expect(ofToken).toEqual(new Array(7).fill(0))
      }
    })
  })

  test('a token that is NaN makes NaN of the rows that attend to it, and of no others', () => {
    const own = randomLayer({ ...sizes, dContext: undefined })
    const bad = withRow(x, N + 2, NaN)
    const clean = attention.multiHeadAttention(x, own, { ...HEADS, isCausal: true })
    for (const needWeights of [true, false]) {
      const options = { ...HEADS, isCausal: true, needWeights }
      const { output } = attention.multiHeadAttention(bad, own, options)
      for (let row = 0; row < B * N; row++) {
        if (row >= N + 2) expect(rowOf(output, row), `row ${row}`).toEqual(new Array(6).fill(NaN))
        else {
          const [found, wanted] = [rowOf(output, row), rowOf(clean.output, row)]
          expectClose({ data: found, shape: [6] }, { data: wanted, shape: [6] })
        }
      }
    }
  })

  test('a head that a mask closes is silent, and the others are as without it', () => {
    const attnMask = { data: Uint8Array.of(1, 1, 0, 1), shape: [H, 1, 1] }
    const options = { ...HEADS, context, attnMask, needStages: true }
    const { weights, heads } = attention.multiHeadAttention(x, parameters, options)
    const open = attention.multiHeadAttention(x, parameters, {
      ...HEADS,
      context,
      needStages: true,
    })
    for (let head = 0; head < B * H; head++) {
      const part = (/** @type {any} */ { data, shape }) => {
        const size = shape[2] * shape[3]
        return { data: data.slice(head * size, (head + 1) * size), shape: shape.slice(2) }
      }
      const [w, y] = [part(weights), part(heads)]
      if (head % H === 2) expect([...new Set([...w.data, ...y.data])]).toEqual([0])
      else {
        expectSame(w, part(open.weights))
        expectSame(y, part(open.heads))
      }
    }
  })
})

test('a decoded token that is NaN is NaN for those after it, not for those before', () => {
  const own = randomLayer({ ...sizes, dContext: undefined })
  const cache = engine.createKvCache(own, { ...HEADS, maxLength: N })
  const rows = withRow({ data: x.data.slice(0, N * 5), shape: [N, 5] }, 3, NaN)
  for (let row = 0; row < N; row++) {
    const { output } = cache.step([rows.data.slice(row * 5, row * 5 + 5)])
    expect(output.data.every(Number.isNaN), `row ${row}`).toBe(row >= 3)
    expect(output.data.some(Number.isNaN), `row ${row}`).toBe(row >= 3)
  }
  cache.dispose()
})

describe('a row that is not finite stays alone', () => {
  const rows = randomTensor([5, 8], 4)
  /** @type {[string, (rows: any) => { data: Float32Array, shape: number[] }][]} */
  const calls = [
    ['softmax', (given) => engine.softmax(given)],
    ['softmaxJacobian', (given) => engine.softmaxJacobian(given)],
    ['softmaxBackward', (given) => engine.softmaxBackward(given, rows)],
    ['layerNorm', (given) => engine.layerNorm(given)],
    ['matmul', (given) => engine.matmul(given, randomTensor([8, 3], 5))],
    ['layerNormBackward', (given) => engine.layerNormBackward(given, rows).gradX],
  ]

  test.each(calls)('in %s', (_, call) => {
    const clean = call(rows)
    const found = call(withRow(rows, 2, NaN))
    const width = clean.data.length / 5
    for (let i = 0; i < found.data.length; i++) {
      if (Math.floor(i / width) === 2) expect(found.data[i]).toBeNaN()
      else expect(found.data[i]).toBe(clean.data[i])
    }
  })

  test('in softmax with infinities: a row of −∞ is zero, +∞ has no weight to give', () => {
    const { data } = engine.softmax([
      [-Infinity, -Infinity],
      [Infinity, 0],
      [-Infinity, 0],
    ])
    expect([...data]).toEqual([0, 0, NaN, NaN, 0, 1])
  })

  test('in measures', () => {
    const bad = withRow(engine.softmax(rows), 2, NaN)
    const { entropy, rowNorms, audit, singularValues, numericalRank } = {
      entropy: engine.analysis.entropy(bad).data,
      rowNorms: engine.analysis.rowNorms(bad).data,
      audit: engine.analysis.audit(bad),
      singularValues: engine.analysis.singularValues(bad).data,
      numericalRank: engine.analysis.numericalRank(bad),
    }
    for (let row = 0; row < 5; row++) {
      expect(Number.isNaN(entropy[row]), `entropy of row ${row}`).toBe(row === 2)
      expect(Number.isNaN(rowNorms[row]), `norm of row ${row}`).toBe(row === 2)
    }
    expect(audit.nanCount).toBe(8)
    expect(audit.rowSumError).toBeLessThan(1e-6)
    expect(singularValues.every(Number.isNaN)).toBe(true)
    expect(numericalRank).toBeNaN()
  })
})
