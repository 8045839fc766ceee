import { describe, expect, test } from 'vitest'
import { expectClose } from '../compare.js'
import { randomLayer, randomTensor } from '../inputs.js'
import { oracleAttention, oracleLayer } from '../oracle.js'
import { engine } from './loaded.js'

const [N, M, H] = [6, 9, 4]

/** @param {number[]} shape */
function booleanMask(shape) {
  const { data } = randomTensor(shape, 11)
  return { data: Uint8Array.from(data, (x) => Number(x > -0.5)), shape }
}

/** Some of it closed by −∞. @param {number[]} shape */
function additiveMask(shape) {
  const { data } = randomTensor(shape, 12)
  return { data: data.map((x) => (x < -1 ? -Infinity : x)), shape }
}

/** Every kind of mask for heads of N queries and M keys, in every way to broadcast. */
const MASKS = {
  none: undefined,
  'one boolean for all': booleanMask([N, M]),
  'a boolean for each key': booleanMask([M]),
  'a boolean for each query': booleanMask([N, 1]),
  'a boolean for each sequence and key': booleanMask([2, 1, 1, M]),
  'numbers for each head': additiveMask([H, N, M]),
  'numbers for all': additiveMask([2, H, N, M]),
  'one number': { data: new Float32Array([0.5]), shape: [] },
}
const SCALES = [undefined, 0.3, -1, 0]

/** All combinations of the options that change the numbers. */
const COMBINATIONS = Object.entries(MASKS).flatMap(([name, attnMask]) =>
  [false, true].flatMap((isCausal) =>
    SCALES.map((scale) => ({ name, options: { attnMask, isCausal, scale } })),
  ),
)

/**
 * @param {any} found
 * @param {any} wanted
 * @param {string} name
 * @param {any} [beside]
 */
function expectAllClose(found, wanted, name, beside) {
  expect(Object.keys(found).sort(), name).toEqual(Object.keys(wanted).sort())
  for (const [part, tensor] of Object.entries(wanted)) {
    expectClose(found[part], tensor, { name: `${name}: ${part}`, beside })
  }
}

/** @typedef {{ data: ArrayLike<number>, shape: readonly number[] }} Numbers */

/** @param {Numbers} a @param {Numbers} b */
function dot(a, b) {
  let sum = 0
  for (let i = 0; i < a.data.length; i++) sum += a.data[i] * b.data[i]
  return sum
}

/**
 * Demands that a loss changes along a step in all inputs as their gradients say.
 * @param {string} name
 * @param {Numbers[]} inputs
 * @param {Numbers[]} steps
 * @param {Numbers[]} gradients
 * @param {(inputs: any[]) => number} loss
 */
function expectSlope(name, inputs, steps, gradients, loss) {
  const h = 1e-5
  /** @param {number} by */
  const at = (by) =>
    loss(
      inputs.map(({ data, shape }, i) => ({
        data: Float64Array.from(data, (x, at) => x + by * steps[i].data[at]),
        shape,
      })),
    )
  const parts = gradients.map((gradient, i) => dot(gradient, steps[i]))
  const slope = parts.reduce((sum, part) => sum + part, 0)
  // Losses near 100 round at 1e-14, a step of 1e-5 leaves out terms of its square.
  const allowed = 1e-7 * (1 + parts.reduce((sum, part) => sum + Math.abs(part), 0))
  expect(Math.abs((at(h) - at(-h)) / (2 * h) - slope), name).toBeLessThan(allowed)
}

/** @param {{ name: string, options: { isCausal: boolean, scale?: number } }} combination */
function title({ name, options: { isCausal, scale } }) {
  return `mask: ${name}, causal: ${isCausal}, scale: ${scale}`
}

describe('all combinations of mask, causality and scale give what the reference gives', () => {
  const query = randomTensor([2, H, N, 5], 1)
  const key = randomTensor([2, 1, M, 5], 2)
  const value = randomTensor([H, M, 3], 3)
  const gradOutput = randomTensor([2, H, N, 3], 4)

  test('which is what the formula says, and its gradients how its loss changes', () => {
    const inputs = [query, key, value]
    const steps = inputs.map(({ shape }, i) => randomTensor(shape, 20 + i))
    for (const combination of COMBINATIONS) {
      const { options } = combination
      const name = title(combination)
      const wanted = oracleAttention([2, H], query, key, value, options)
      const found = engine.reference.scaledDotProductAttention(query, key, value, options)
      expectClose(found.output, wanted.output, { tolerance: 1e-12, name: `${name}: output` })
      expectClose(found.weights, wanted.weights, { tolerance: 1e-12, name: `${name}: weights` })
      const gradients = engine.reference.scaledDotProductAttentionBackward(
        ...[query, key, value, gradOutput],
        options,
      )
      const { gradQuery, gradKey, gradValue } = gradients
      expectSlope(name, inputs, steps, [gradQuery, gradKey, gradValue], ([q, k, v]) =>
        dot(oracleAttention([2, H], q, k, v, options).output, gradOutput),
      )
    }
  })

  test('forward with all stages, and without weights', () => {
    for (const combination of COMBINATIONS) {
      const { options } = combination
      const name = title(combination)
      const all = { ...options, needStages: true }
      const wanted = engine.reference.scaledDotProductAttention(query, key, value, all)
      const found = engine.scaledDotProductAttention(query, key, value, all)
      expectAllClose(found, wanted, name)
      const few = { ...options, needWeights: false, needStages: true }
      const { output, rowMax, rowSum } = wanted
      const streamed = engine.scaledDotProductAttention(query, key, value, few)
      expectAllClose(streamed, { output, rowMax, rowSum }, `${name}, streamed`)
    }
  })

  test('backward, with the forward result and without', () => {
    for (const combination of COMBINATIONS) {
      const { options } = combination
      const name = title(combination)
      const inputs = /** @type {const} */ ([query, key, value, gradOutput])
      const wanted = engine.reference.scaledDotProductAttentionBackward(...inputs, options)
      const forward = engine.scaledDotProductAttention(query, key, value, options)
      for (const given of [options, { ...options, forward }]) {
        const found = engine.scaledDotProductAttentionBackward(...inputs, given)
        expectAllClose(found, wanted, name, gradOutput)
      }
    }
  })
})

/** @type {Record<string, { biases?: boolean, output?: boolean, numKvHeads?: number }>} */
const LAYERS = {
  'with all parameters': {},
  'without biases': { biases: false },
  'without an output projection': { output: false },
  'with keys and values shared by two heads': { numKvHeads: 2 },
  'with keys and values shared by all heads': { numKvHeads: 1 },
}

describe.each(Object.entries(LAYERS))('a layer %s gives what the reference gives', (_, change) => {
  const sizes = { dModel: 7, numHeads: H, dK: 3, dV: 5, dOut: 6, ...change }
  const heads = { numHeads: H, numKvHeads: sizes.numKvHeads }
  const parameters = randomLayer({ ...sizes, dContext: 8 })
  const x = randomTensor([2, N, 7], 5)
  const context = randomTensor([2, M, 8], 6)

  test('which is what the formula says, and its gradients how its loss changes', () => {
    const names = ['x', 'context', ...Object.keys(parameters)]
    const inputs = [x, context, .../** @type {any[]} */ (Object.values(parameters))]
    const steps = inputs.map(({ shape }, i) => randomTensor(shape, 30 + i))
    for (const combination of COMBINATIONS) {
      const name = title(combination)
      const options = { ...heads, ...combination.options }
      const given = { ...options, context }
      const wanted = oracleLayer(x, /** @type {any} */ (parameters), given)
      const found = engine.reference.multiHeadAttention(x, parameters, given)
      expectClose(found.output, wanted.output, { tolerance: 1e-12, name: `${name}: output` })
      expectClose(found.weights, wanted.weights, { tolerance: 1e-12, name: `${name}: weights` })
      const gradOutput = randomTensor(wanted.output.shape, 7)
      const backward = /** @type {any} */ (
        engine.reference.multiHeadAttentionBackward(x, parameters, gradOutput, given)
      )
      const gradients = names.map(
        (each) => backward[`grad${each[0].toUpperCase()}${each.slice(1)}`],
      )
      expectSlope(name, inputs, steps, gradients, ([x, context, ...moved]) => {
        const own = Object.fromEntries(moved.map((tensor, i) => [names[i + 2], tensor]))
        return dot(oracleLayer(x, own, { ...options, context }).output, gradOutput)
      })
    }
  })

  test('for all combinations of mask, causality and scale, forward and backward', () => {
    for (const combination of COMBINATIONS) {
      const name = title(combination)
      const options = { ...heads, ...combination.options, context, needStages: true }
      const wanted = engine.reference.multiHeadAttention(x, parameters, options)
      const forward = engine.multiHeadAttention(x, parameters, options)
      expectAllClose(forward, wanted, name)
      const small = engine.multiHeadAttention(x, parameters, { ...options, needWeights: false })
      expectClose(small.output, wanted.output, { name: `${name}, streamed` })
      expect(small).not.toHaveProperty('weights')

      const gradOutput = randomTensor(wanted.output.shape, 7)
      const inputs = /** @type {const} */ ([x, parameters, gradOutput])
      const gradients = engine.reference.multiHeadAttentionBackward(...inputs, options)
      for (const given of [options, { ...options, forward }]) {
        const found = engine.multiHeadAttentionBackward(...inputs, given)
        expectAllClose(found, gradients, name, gradOutput)
      }
    }
  })
})

test('options that are null or undefined are left out', () => {
  const x = randomTensor([3, 4])
  const plain = engine.scaledDotProductAttention(x, x, x)
  const unset = { attnMask: null, isCausal: null, scale: null, needWeights: null, out: null }
  const untyped = /** @type {any} */ (unset)
  expect(engine.scaledDotProductAttention(x, x, x, untyped)).toEqual(plain)
  expect(engine.scaledDotProductAttention(x, x, x, /** @type {any} */ (null))).toEqual(plain)
  const { wq, wk, wv } = randomLayer({ dModel: 4, numHeads: 2, dK: 2 })
  const nothing = { wo: null, bq: null, bk: undefined, bv: null, bo: null }
  expect(
    engine.multiHeadAttention(x, { wq, wk, wv, ...nothing }, { numHeads: 2, context: null }),
  ).toEqual(engine.multiHeadAttention(x, { wq, wk, wv }, { numHeads: 2 }))
})
