import { describe, expect, test } from 'vitest'
import { expectSame } from '../compare.js'
import { randomLayer, randomTensor } from '../inputs.js'
import { engine } from './loaded.js'

const parameters = randomLayer({ dModel: 10, numHeads: 4, numKvHeads: 2, dK: 3, dOut: 6 })
const HEADS = { numHeads: 4, numKvHeads: 2 }
const x = randomTensor([2, 9, 10], 1)
const gradOutput = randomTensor([2, 9, 6], 2)

describe('a prepared layer', () => {
  test('gives what the parameters themselves give, bit for bit', () => {
    const layer = engine.prepare(parameters, { ...HEADS, isCausal: true })
    const options = { ...HEADS, isCausal: true, needStages: true }
    const wanted = engine.multiHeadAttention(x, parameters, options)
    const found = layer.forward(x, { needStages: true })
    expect(Object.keys(found)).toEqual(Object.keys(wanted))
    for (const [name, tensor] of Object.entries(wanted)) {
      expectSame(/** @type {any} */ (found)[name], tensor, name)
    }
    layer.dispose()
  })

  test('gives the same gradients, with the forward result or without', () => {
    const layer = engine.prepare(parameters, HEADS)
    const wanted = engine.multiHeadAttentionBackward(x, parameters, gradOutput, HEADS)
    const forward = layer.forward(x, { needStages: true })
    for (const found of [
      layer.backward(x, gradOutput),
      layer.backward(x, gradOutput, { forward }),
    ]) {
      expect(Object.keys(found)).toEqual(Object.keys(wanted))
      for (const [name, tensor] of Object.entries(wanted)) {
        expectSame(/** @type {any} */ (found)[name], tensor, name)
      }
    }
    layer.dispose()
  })

  test('lets a call override what it was prepared with', () => {
    const layer = engine.prepare(parameters, { ...HEADS, isCausal: true })
    const open = layer.forward(x, { isCausal: false })
    expectSame(open.weights, engine.multiHeadAttention(x, parameters, HEADS).weights)
    const masked = layer.forward(x, { attnMask: engine.masks.window(9, 9, 2) })
    const window = { ...HEADS, isCausal: true, attnMask: engine.masks.window(9, 9, 2) }
    expectSame(masked.weights, engine.multiHeadAttention(x, parameters, window).weights)
    layer.dispose()
  })

  test('does not change when the parameters do', () => {
    const own = { ...parameters, wq: { ...parameters.wq, data: parameters.wq.data.slice() } }
    const layer = engine.prepare(own, HEADS)
    const before = layer.forward(x).output
    own.wq.data.fill(0)
    expectSame(layer.forward(x).output, before)
    layer.dispose()
  })

  test('attends to a context, without biases or output projection', () => {
    const sizes = { dModel: 10, dContext: 4, numHeads: 2, dK: 3 }
    const bare = randomLayer({ ...sizes, biases: false, output: false })
    const context = randomTensor([2, 5, 4], 6)
    const layer = engine.prepare(bare, { numHeads: 2 })
    const wanted = engine.multiHeadAttention(x, bare, { numHeads: 2, context })
    expectSame(layer.forward(x, { context }).output, wanted.output)
    expect(Object.keys(layer.backward(x, wanted.output, { context }))).toContain('gradContext')
    layer.dispose()
  })

  test('may be disposed twice, and says so when it is used afterwards', () => {
    const layer = engine.prepare(parameters, HEADS)
    layer.dispose()
    layer.dispose()
    expect(() => layer.forward(x)).toThrow(/^layer\.forward was called after layer\.dispose\(\)/)
    expect(() => layer.backward(x, gradOutput)).toThrow(/layer\.backward was called after/)
  })

  test('checks its input as any call does, and works on', () => {
    const layer = engine.prepare(parameters, HEADS)
    expect(() => layer.forward([[1, 2]])).toThrow(
      /^x had shape \(1, 2\); it had to be \(B, N, 10\)/,
    )
    expect(layer.forward(x).output.shape).toEqual([2, 9, 6])
    layer.dispose()
  })
})
