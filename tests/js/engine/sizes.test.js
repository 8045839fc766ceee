import { describe, expect, test } from 'vitest'
import { expectClose, float32Tolerance } from '../compare.js'
import { randomTensor } from '../inputs.js'
import { engine } from './loaded.js'

const SIZES = Array.from({ length: 17 }, (_, i) => i + 1)
const { reference } = engine

describe.each(SIZES)('with %i queries', (n) => {
  test('attention is that of the reference for all numbers of keys and widths up to 17', () => {
    for (const m of SIZES) {
      for (const dK of SIZES) {
        const dV = 1 + ((n + 3 * m + 5 * dK) % 17)
        const query = randomTensor([n, dK], 1)
        const key = randomTensor([m, dK], 2)
        const value = randomTensor([m, dV], 3)
        const options = { isCausal: (n + m + dK) % 2 === 0 }
        const found = engine.scaledDotProductAttention(query, key, value, options)
        const wanted = reference.scaledDotProductAttention(query, key, value, options)
        const name = `n = ${n}, m = ${m}, dK = ${dK}, dV = ${dV}:`
        const tolerance = float32Tolerance(dK, m)
        expectClose(found.output, wanted.output, { tolerance, name: `${name} output` })
        expectClose(found.weights, wanted.weights, { tolerance, name: `${name} weights` })
      }
    }
  })

  test('gradients are those of the reference', () => {
    for (const m of SIZES) {
      const [dK, dV] = [1 + ((n * m) % 17), 1 + ((n + 7 * m) % 17)]
      const query = randomTensor([n, dK], 1)
      const key = randomTensor([m, dK], 2)
      const value = randomTensor([m, dV], 3)
      const gradOutput = randomTensor([n, dV], 4)
      const options = { isCausal: m % 2 === 0 }
      const inputs = /** @type {const} */ ([query, key, value, gradOutput, options])
      const found = engine.scaledDotProductAttentionBackward(...inputs)
      const wanted = reference.scaledDotProductAttentionBackward(...inputs)
      for (const name of /** @type {const} */ ([
        'gradQuery',
        'gradKey',
        'gradValue',
        'gradWeights',
      ])) {
        expectClose(found[name], wanted[name], {
          beside: gradOutput,
          name: `n = ${n}, m = ${m}: ${name}`,
        })
      }
    }
  })

  test('streaming without weights gives the same output', () => {
    for (const m of SIZES) {
      const inputs = /** @type {const} */ ([
        [n, 5],
        [m, 5],
        [m, 9],
      ])
      const [query, key, value] = inputs.map((shape, i) => randomTensor([...shape], i))
      const options = { isCausal: m % 3 === 0 }
      const kept = engine.scaledDotProductAttention(query, key, value, options)
      const streamed = engine.scaledDotProductAttention(query, key, value, {
        ...options,
        needWeights: false,
      })
      expect(streamed).not.toHaveProperty('weights')
      expectClose(streamed.output, kept.output, { tolerance: float32Tolerance(5, m) })
    }
  })
})
