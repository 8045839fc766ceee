import { describe, expect, test } from 'vitest'
import { expectClose, expectSame } from '../compare.js'
import { randomLayer, randomTensor, slice } from '../inputs.js'
import { engine } from './loaded.js'

const SIZES = Array.from({ length: 17 }, (_, i) => i + 1)

describe('a causal pass', () => {
  test.each(SIZES)(
    'over %i queries has exact zeros above its diagonal and begins with the first value',
    (n) => {
      for (const m of SIZES) {
        const [query, key] = [randomTensor([n, 7], 1, 3), randomTensor([m, 7], 2, 3)]
        const value = randomTensor([m, 5], 3)
        for (const needWeights of [true, false]) {
          const options = { isCausal: true, needWeights }
          const { output, weights } = engine.scaledDotProductAttention(query, key, value, options)
          expect([...output.data.slice(0, 5)]).toEqual([...value.data.slice(0, 5)])
          if (!needWeights) continue
          for (const [at, weight] of weights.data.entries()) {
            const [i, j] = [Math.floor(at / m), at % m]
            if (j > i) expect(Object.is(weight, 0), `(${i}, ${j}) of ${n} × ${m}`).toBe(true)
          }
        }
      }
    },
  )

  test('of a layer without wo begins with the first values of all heads, kept or streamed', () => {
    for (const numKvHeads of [4, 2, 1]) {
      const sizes = { dModel: 8, numHeads: 4, numKvHeads, dK: 3, dV: 2, output: false }
      const options = { numHeads: 4, numKvHeads, isCausal: true, needStages: true }
      const x = randomTensor([9, 8], numKvHeads)
      for (const needWeights of [true, false]) {
        const given = { ...options, needWeights }
        const { output, value } = engine.multiHeadAttention(x, randomLayer(sizes), given)
        const first = [0, 1, 2, 3].flatMap((head) => {
          const group = Math.floor((head * numKvHeads) / 4)
          return [...slice(value, group).data.slice(0, 2)]
        })
        expect([...output.data.slice(0, 8)]).toEqual(first)
      }
    }
  })
})

describe('rows of weights sum to 1 within 1e-6', () => {
  test.each([1, 2, 255, 256, 257, 4096, 65_536, 262_144])('over %i keys', (m) => {
    const query = randomTensor([3, 4], 1)
    const key = randomTensor([m, 4], 2)
    const value = randomTensor([m, 1], 3)
    // Nearly equal weights are the hardest: all of them round the same way.
    for (const scale of [1e-6, 1e-3, 0.5, 10]) {
      const { weights } = engine.scaledDotProductAttention(query, key, value, { scale })
      expect(engine.analysis.audit(weights).rowSumError, `scale ${scale}`).toBeLessThan(1e-6)
    }
  })
})

describe('results of many tokens are within 1e-5 of the reference', () => {
  const x = randomTensor([200, 96], 4)
  const parameters = randomLayer({ dModel: 96, numHeads: 6, numKvHeads: 3, dK: 16 })
  const options = { numHeads: 6, numKvHeads: 3, isCausal: true, needStages: true }

  test('forward, with all stages', () => {
    const found = engine.multiHeadAttention(x, parameters, options)
    const wanted = engine.reference.multiHeadAttention(x, parameters, options)
    for (const name of /** @type {(keyof typeof wanted)[]} */ (Object.keys(wanted))) {
      expectClose(found[name], wanted[name], { tolerance: 1e-5, name })
    }
    const streamed = engine.multiHeadAttention(x, parameters, { ...options, needWeights: false })
    expectClose(streamed.output, wanted.output, { tolerance: 1e-5 })
  })

  test('backward', () => {
    const gradOutput = randomTensor([200, 96], 5)
    const inputs = /** @type {const} */ ([x, parameters, gradOutput, options])
    const found = /** @type {any} */ (engine.multiHeadAttentionBackward(...inputs))
    const wanted = engine.reference.multiHeadAttentionBackward(...inputs)
    for (const [name, gradient] of Object.entries(wanted)) {
      const beside = name === 'gradBk' ? wanted.gradBq : undefined
      expectClose(found[name], gradient, { tolerance: 1e-5, name, beside })
    }
  })
})

test('head i owns column block i: each is attention of its own blocks', () => {
  const [h, dK, dV] = [3, 4, 2]
  const parameters = randomLayer({ dModel: 6, numHeads: h, dK, dV, output: false })
  const x = randomTensor([7, 6], 6)
  const { heads, output } = engine.multiHeadAttention(x, parameters, {
    numHeads: h,
    needStages: true,
  })
  /** Columns head·width … of x·w + b. @param {any} w @param {any} b @param {number} head @param {number} width */
  const block = (w, b, head, width) => {
    const { data } = engine.matmul(x, w)
    const rows = Array.from({ length: 7 }, (_, i) =>
      Array.from({ length: width }, (_, k) => {
        const column = head * width + k
        return Math.fround(data[i * h * width + column] + b.data[column])
      }),
    )
    return rows
  }
  for (let head = 0; head < h; head++) {
    const { wq, wk, wv, bq, bk, bv } = parameters
    const own = engine.scaledDotProductAttention(
      block(wq, bq, head, dK),
      block(wk, bk, head, dK),
      block(wv, bv, head, dV),
    )
    expectSame(slice(heads, head), own.output, `head ${head}`)
    for (let i = 0; i < 7; i++) {
      const columns = output.data.slice(i * h * dV + head * dV, i * h * dV + (head + 1) * dV)
      expect([...columns]).toEqual([...own.output.data.slice(i * dV, (i + 1) * dV)])
    }
  }
})
