import { describe, expect, test } from 'vitest'
import { expectClose, expectSame } from '../compare.js'
import { randomLayer, randomTensor } from '../inputs.js'
import { engine } from './loaded.js'

const [n, m, dK, dV] = [7, 21, 5, 6]
const query = randomTensor([n, dK], 1)
const key = randomTensor([m, dK], 2)
const value = randomTensor([m, dV], 3)

/** @param {(i: number, j: number) => boolean} isOpen */
function maskOf(isOpen) {
  const data = Uint8Array.from({ length: n * m }, (_, at) =>
    Number(isOpen(Math.floor(at / m), at % m)),
  )
  return { data, shape: [n, m] }
}

/** @param {{ data: Uint8Array, shape: number[] }} mask */
function additive({ data, shape }) {
  return { data: Float32Array.from(data, (open) => (open ? 0 : -Infinity)), shape }
}

/** A tensor with one row replaced. @param {{ data: Float32Array, shape: number[] }} tensor @param {number} row @param {number} x */
function poisoned({ data, shape }, row, x) {
  const copy = data.slice()
  copy.fill(x, row * shape[1], (row + 1) * shape[1])
  return { data: copy, shape }
}

const SOME = maskOf((i, j) => (i * 7 + j * 3) % 5 !== 0 && j !== 4)

describe.each([
  ['boolean', SOME],
  ['additive', additive(SOME)],
])('a position that a %s mask closes', (_, attnMask) => {
  test('has weight exactly 0, and the others the weights of the reference', () => {
    const { weights } = engine.scaledDotProductAttention(query, key, value, { attnMask })
    for (const [at, open] of SOME.data.entries()) expect(weights.data[at] > 0).toBe(open === 1)
    const wanted = engine.reference.scaledDotProductAttention(query, key, value, { attnMask })
    expectClose(weights, wanted.weights)
  })

  test.each([NaN, Infinity, -Infinity])('keeps a %d in its key and value to itself', (x) => {
    const clean = engine.scaledDotProductAttention(query, key, value, { attnMask })
    const [badKey, badValue] = [poisoned(key, 4, x), poisoned(value, 4, x)]
    for (const needWeights of [true, false]) {
      const options = { attnMask, needWeights }
      const found = engine.scaledDotProductAttention(query, badKey, badValue, options)
      expectClose(found.output, clean.output)
      if (needWeights) expectSame(found.weights, clean.weights)
    }
  })

  test('has no gradient, whatever its key and value hold', () => {
    const gradOutput = randomTensor([n, dV], 4)
    const inputs = [poisoned(key, 4, NaN), poisoned(value, 4, Infinity)]
    const found = engine.scaledDotProductAttentionBackward(
      query,
      inputs[0],
      inputs[1],
      gradOutput,
      {
        attnMask,
      },
    )
    const clean = engine.scaledDotProductAttentionBackward(query, key, value, gradOutput, {
      attnMask,
    })
    expectClose(found.gradQuery, clean.gradQuery)
    expectClose(found.gradKey, clean.gradKey)
    expectClose(found.gradValue, clean.gradValue)
    expectClose(found.gradScores, clean.gradScores)
    expect([...found.gradKey.data.slice(4 * dK, 5 * dK)]).toEqual(new Array(dK).fill(0))
    expect([...found.gradValue.data.slice(4 * dV, 5 * dV)]).toEqual(new Array(dV).fill(0))
  })
})

describe('a row in which nothing is open', () => {
  const attnMask = maskOf((i) => i !== 3)

  test('gives zero weights and a zero output, in both precisions and without weights', () => {
    for (const attention of [engine, engine.reference]) {
      const { output, weights } = attention.scaledDotProductAttention(query, key, value, {
        attnMask,
      })
      expect([...weights.data.slice(3 * m, 4 * m)]).toEqual(new Array(m).fill(0))
      expect([...output.data.slice(3 * dV, 4 * dV)]).toEqual(new Array(dV).fill(0))
      expect(Number.isFinite(output.data[0])).toBe(true)
    }
    const options = { attnMask, needWeights: false }
    const { output } = engine.scaledDotProductAttention(query, key, value, options)
    expect([...output.data.slice(3 * dV, 4 * dV)]).toEqual(new Array(dV).fill(0))
  })

  test("of a layer gives the output projection's bias alone", () => {
    const parameters = randomLayer({ dModel: dK, numHeads: 1, dK: 4 })
    const options = { numHeads: 1, attnMask: new Array(n).fill(false).map((_, i) => [i !== 3]) }
    const { output } = engine.multiHeadAttention(query, parameters, options)
    const row = output.data.slice(3 * dK, 4 * dK)
    expect([...row]).toEqual([.../** @type {any} */ (parameters.bo).data])
  })

  test('may be every row', () => {
    const none = { attnMask: [[false]] }
    const { output, weights } = engine.scaledDotProductAttention(query, key, value, none)
    expect([...new Set([...output.data, ...weights.data])]).toEqual([0])
  })
})

describe('NaN in a position that is attended', () => {
  test('shows in every row that attends to it, and only there', () => {
    const options = { isCausal: true }
    const attnMask = maskOf(() => true)
    const bad = poisoned(value, 2, NaN)
    for (const given of [options, { ...options, attnMask }, { ...options, needWeights: false }]) {
      const { output } = engine.scaledDotProductAttention(query, key, bad, given)
      for (let i = 0; i < n; i++) {
        const row = [...output.data.slice(i * dV, (i + 1) * dV)]
        expect(row.every(Number.isNaN), `row ${i}`).toBe(i >= 2)
        expect(row.some(Number.isNaN), `row ${i}`).toBe(i >= 2)
      }
    }
  })

  test('in a key makes the weights of its rows NaN where they are open', () => {
    const { weights } = engine.scaledDotProductAttention(query, poisoned(key, 2, NaN), value, {
      isCausal: true,
    })
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < m; j++) {
        const weight = weights.data[i * m + j]
        if (j > i) expect(weight).toBe(0)
        else expect(Number.isNaN(weight), `(${i}, ${j})`).toBe(i >= 2)
      }
    }
  })

  test('in a query stays in its row', () => {
    const { output } = engine.scaledDotProductAttention(poisoned(query, 1, NaN), key, value)
    for (let i = 0; i < n; i++) expect(Number.isNaN(output.data[i * dV])).toBe(i === 1)
  })
})

test('a mask and causality combine', () => {
  const both = engine.scaledDotProductAttention(query, key, value, {
    attnMask: SOME,
    isCausal: true,
  })
  const joined = maskOf((i, j) => j <= i && SOME.data[i * m + j] === 1)
  const one = engine.scaledDotProductAttention(query, key, value, { attnMask: joined })
  expectSame(both.weights, one.weights)
  expectClose(both.output, one.output)
})

test('a mask of zeros to add changes nothing', () => {
  const attnMask = { data: new Float64Array(m), shape: [m] }
  const plain = engine.scaledDotProductAttention(query, key, value)
  expectSame(
    engine.scaledDotProductAttention(query, key, value, { attnMask }).weights,
    plain.weights,
  )
})
