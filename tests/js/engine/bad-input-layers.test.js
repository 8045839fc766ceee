import { describe, expect, test } from 'vitest'
import { expectSame } from '../compare.js'
import { randomLayer, randomTensor } from '../inputs.js'
import { engine } from './loaded.js'

const q = randomTensor([3, 4], 1)
const k = randomTensor([5, 4], 2)
const v = randomTensor([5, 2], 3)
const x = randomTensor([2, 3, 6], 4)
const parameters = randomLayer({ dModel: 6, numHeads: 2, dK: 3 })
const wanted = engine.scaledDotProductAttention(q, k, v)

/** @type {any} What types would not let through. */
const untyped = engine
/** @param {any} change @param {any} [options] */
const layer = (change, options = { numHeads: 2 }) =>
  untyped.multiHeadAttention(x, { ...parameters, ...change }, options)

/** @type {[string, () => unknown, ErrorConstructor, RegExp][]} */
const CASES = [
  ['no parameters', () => untyped.multiHeadAttention(x), TypeError, /^parameters was undefined/],
  ['no wq', () => layer({ wq: undefined }), TypeError, /^parameters\.wq was undefined/],
  [
    'no numHeads',
    () => layer({}, {}),
    TypeError,
    /^numHeads was undefined; it had to be a finite number/,
  ],
  [
    'no heads at all',
    () => layer({}, { numHeads: 0 }),
    RangeError,
    /^numHeads was 0; it had to be a whole number from 1/,
  ],
  ['half a head', () => layer({}, { numHeads: 1.5 }), RangeError, /^numHeads was 1\.5/],
  [
    'heads that do not divide the columns',
    () => layer({}, { numHeads: 4 }),
    RangeError,
    /^parameters\.wq had shape \(6, 6\); numHeads = 4 had to divide its 6 columns/,
  ],
  [
    'key heads that do not divide the heads',
    () => layer({}, { numHeads: 3, numKvHeads: 2 }),
    RangeError,
    /^numKvHeads was 2; it had to divide numHeads, 3/,
  ],
  [
    'more key heads than heads',
    () => layer({}, { numHeads: 2, numKvHeads: 4 }),
    RangeError,
    /^numKvHeads was 4/,
  ],
  [
    'a wk of another width',
    () => layer({ wk: randomTensor([6, 4]) }),
    RangeError,
    /^parameters\.wk had shape \(6, 4\); it had to have shape \(6, 6\)/,
  ],
  [
    'a wv of other rows',
    () => layer({ wv: randomTensor([5, 6]) }),
    RangeError,
    /^parameters\.wv had shape \(5, 6\)/,
  ],
  [
    'a wo of other rows',
    () => layer({ wo: randomTensor([5, 6]) }),
    RangeError,
    /^parameters\.wo had shape \(5, 6\); it had to have numHeads · d_v = 6 rows/,
  ],
  [
    'a bias of another length',
    () => layer({ bq: [1, 2] }),
    RangeError,
    /^parameters\.bq had shape \(2\); it had to have shape \(6\)/,
  ],
  [
    'a bias that is a matrix',
    () => layer({ bv: [[1]] }),
    RangeError,
    /^parameters\.bv had shape \(1, 1\); it had to have 1 dimensions/,
  ],
  [
    'a bo without wo',
    () => layer({ wo: undefined }),
    RangeError,
    /^parameters\.bo was given without parameters\.wo/,
  ],
  [
    'an x of another width',
    () => untyped.multiHeadAttention([[1, 2]], parameters, { numHeads: 2 }),
    RangeError,
    /^x had shape \(1, 2\); it had to be \(B, N, 6\) or \(N, 6\)/,
  ],
  [
    'an x of four dimensions',
    () => untyped.multiHeadAttention(randomTensor([1, 1, 1, 6]), parameters, { numHeads: 2 }),
    RangeError,
    /^x had shape/,
  ],
  [
    'a context of another batch',
    () => layer({}, { numHeads: 2, context: randomTensor([3, 4, 6]) }),
    RangeError,
    /^context had shape \(3, 4, 6\); it had to be \(2, M, 6\)/,
  ],
  [
    'a context of another width',
    () => layer({}, { numHeads: 2, context: randomTensor([2, 4, 5]) }),
    RangeError,
    /^context had shape/,
  ],
  [
    'no context where wk needs one',
    () => layer({ wk: randomTensor([5, 6]), wv: randomTensor([5, 6]) }),
    RangeError,
    /^context was left out; parameters\.wk has 5 rows/,
  ],
  [
    'a stage of another shape',
    () =>
      untyped.multiHeadAttentionBackward(x, parameters, x, { numHeads: 2, forward: { heads: x } }),
    RangeError,
    /^forward\.heads had shape \(2, 3, 6\)/,
  ],

  [
    'a layer norm weight of another length',
    () => engine.layerNorm([[1, 2]], { weight: [1] }),
    RangeError,
    /^weight had shape \(1\)/,
  ],
  [
    'a negative eps',
    () => engine.layerNorm([[1, 2]], { eps: -1 }),
    RangeError,
    /^eps was -1; it had to be at least 0/,
  ],
  ['softmax of a number', () => untyped.softmax(1), TypeError, /^scores was 1/],
  [
    'a row to explain that is not there',
    () => engine.reference.explain(q, k, v, { row: 3 }),
    RangeError,
    /^row was 3; it had to be a whole number from 0 to 2/,
  ],
  [
    'a matrix of three dimensions',
    () => engine.analysis.numericalRank(x),
    RangeError,
    /^a had shape \(2, 3, 6\); it had to have 2 dimensions/,
  ],
  [
    'subspaces of other spaces',
    () => engine.analysis.principalAngles(q, k),
    RangeError,
    /^b had shape \(5, 4\); it had to have 3 rows/,
  ],
  [
    'a rollout of no squares',
    () => engine.analysis.rollout(randomTensor([2, 3, 4])),
    RangeError,
    /^weights had shape \(2, 3, 4\)/,
  ],
  [
    'matrices of other shapes',
    () => engine.analysis.frobeniusCosine(q, k),
    RangeError,
    /^b had shape \(5, 4\)/,
  ],
  [
    'counts of no heads',
    () => engine.analysis.flops({ n: 3, dModel: 4, numHeads: 3 }),
    RangeError,
    /^numHeads was 3; it had to divide dModel, 4/,
  ],
]

describe('a message names the argument, what it was and what it had to be, for', () => {
  test.each(CASES)('%s', (_, call, type, message) => {
    expect(call).toThrow(type)
    expect(call).toThrow(message)
  })
})

test('after every error the engine works on', () => {
  for (const [name, call] of CASES) {
    expect(call, name).toThrow()
    expectSame(engine.scaledDotProductAttention(q, k, v).output, wanted.output, `after ${name}`)
  }
})
