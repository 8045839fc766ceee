import { describe, expect, test } from 'vitest'
import { expectClose, expectSame } from '../compare.js'
import { randomLayer, randomTensor } from '../inputs.js'
import { engine } from './loaded.js'

const SIZES = Array.from({ length: 17 }, (_, i) => i + 1)
const USUAL = { batch: 2, n: 5, m: 4, dModel: 6, dContext: 3, numHeads: 3, dK: 2, dV: 4, dOut: 7 }

/** @param {typeof USUAL} sizes @param {number} [numKvHeads] */
function layerOf(sizes, numKvHeads = sizes.numHeads) {
  return {
    x: randomTensor([sizes.batch, sizes.n, sizes.dModel], 9),
    context: randomTensor([sizes.batch, sizes.m, sizes.dContext], 8),
    parameters: randomLayer({ ...sizes, dContext: undefined, numKvHeads }),
    crossParameters: randomLayer({ ...sizes, numKvHeads }),
    options: { numHeads: sizes.numHeads, numKvHeads, isCausal: sizes.n % 2 === 0 },
  }
}

describe.each(/** @type {(keyof typeof USUAL)[]} */ (Object.keys(USUAL)))(
  'for each %s to 17',
  (name) => {
    test.each(['self-attention', 'cross-attention'])('%s is that of the reference', (kind) => {
      for (const size of SIZES) {
        const {
          x,
          context,
          parameters: own,
          crossParameters,
          options: heads,
        } = layerOf({
          ...USUAL,
          [name]: size,
        })
        const isCross = kind === 'cross-attention'
        const parameters = isCross ? crossParameters : own
        const options = isCross ? { ...heads, context } : heads
        const found = engine.multiHeadAttention(x, parameters, options)
        const wanted = engine.reference.multiHeadAttention(x, parameters, options)
        const label = `${name} = ${size}:`
        expectClose(found.output, wanted.output, { name: `${label} output` })
        expectClose(found.weights, wanted.weights, { name: `${label} weights` })

        const gradOutput = randomTensor(found.output.shape, 5)
        const gradients = /** @type {any} */ (
          engine.multiHeadAttentionBackward(x, parameters, gradOutput, options)
        )
        const expected = engine.reference.multiHeadAttentionBackward(
          x,
          parameters,
          gradOutput,
          options,
        )
        for (const [gradient, tensor] of Object.entries(expected)) {
          const name = `${label} ${gradient}`
          expectClose(gradients[gradient], tensor, { beside: gradOutput, name })
        }
      }
    })
  },
)

describe('heads that share keys and values', () => {
  test.each([
    [1, 8],
    [2, 8],
    [4, 8],
    [3, 6],
  ])('%i of %i give what repeated ones give', (numKvHeads, numHeads) => {
    const sizes = { ...USUAL, numHeads }
    const { x, parameters, options } = layerOf(sizes, numKvHeads)
    const grouped = engine.multiHeadAttention(x, parameters, options)
    const repeated = { ...parameters }
    for (const name of /** @type {const} */ (['wk', 'wv', 'bk', 'bv'])) {
      repeated[name] = repeatBlocks(/** @type {any} */ (parameters[name]), numKvHeads, numHeads)
    }
    const whole = engine.multiHeadAttention(x, repeated, { ...options, numKvHeads: numHeads })
    expectSame(grouped.output, whole.output)
    expectSame(grouped.weights, whole.weights)
  })
})

/**
 * Each column block as often as heads share it.
 * @param {{ data: Float32Array, shape: number[] }} matrix
 * @param {number} blocks
 * @param {number} heads
 */
function repeatBlocks({ data, shape }, blocks, heads) {
  const columns = /** @type {number} */ (shape.at(-1))
  const width = columns / blocks
  const rows = data.length / columns
  const wide = new Float32Array(rows * width * heads)
  for (let row = 0; row < rows; row++) {
    for (let head = 0; head < heads; head++) {
      const block = Math.floor((head * blocks) / heads)
      const from = row * columns + block * width
      wide.set(data.subarray(from, from + width), (row * heads + head) * width)
    }
  }
  return { data: wide, shape: [...shape.slice(0, -1), width * heads] }
}

describe('cross-attention', () => {
  test('takes keys and values from a context of another length and width', () => {
    const x = randomTensor([2, 4, 6], 1)
    const context = randomTensor([2, 9, 5], 2)
    const parameters = randomLayer({ dModel: 6, dContext: 5, numHeads: 2, dK: 3 })
    const options = { numHeads: 2, context, needStages: true }
    const found = engine.multiHeadAttention(x, parameters, options)
    expect(found.weights.shape).toEqual([2, 2, 4, 9])
    const wanted = engine.reference.multiHeadAttention(x, parameters, options)
    expectClose(found.output, wanted.output)
    const gradOutput = randomTensor([2, 4, 6], 3)
    const kept = { ...options, forward: found }
    const gradients = engine.multiHeadAttentionBackward(x, parameters, gradOutput, kept)
    const expected = engine.reference.multiHeadAttentionBackward(x, parameters, gradOutput, options)
    expectClose(
      /** @type {any} */ (gradients.gradContext),
      /** @type {any} */ (expected.gradContext),
    )
    expectClose(gradients.gradWk, expected.gradWk)
    expectClose(gradients.gradX, expected.gradX)
  })

  test('with the input itself as context is self-attention', () => {
    const { x, parameters, options } = layerOf(USUAL)
    const own = engine.multiHeadAttention(x, parameters, options)
    const cross = engine.multiHeadAttention(x, parameters, { ...options, context: x })
    expectSame(cross.output, own.output)
  })
})
