import { describe, expect, test } from 'vitest'
import { expectSame } from '../compare.js'
import { randomTensor } from '../inputs.js'
import { engine } from './loaded.js'

const q = randomTensor([3, 4], 1)
const k = randomTensor([5, 4], 2)
const v = randomTensor([5, 2], 3)
const mask = { data: new Uint8Array(15), shape: [3, 5] }
const wanted = engine.scaledDotProductAttention(q, k, v)

/** @type {any} What types would not let through. */
const untyped = engine
/** @param {any} query @param {any} [key] @param {any} [value] @param {any} [options] */
const attend = (query, key = k, value = v, options = undefined) =>
  untyped.scaledDotProductAttention(query, key, value, options)

/** @type {[string, () => unknown, ErrorConstructor, RegExp][]} */
const CASES = [
  [
    'a query that is missing',
    () => attend(undefined),
    TypeError,
    /^query was undefined; it had to be a tensor/,
  ],
  ['a key that is a number', () => attend(q, 3), TypeError, /^key was 3; it had to be a tensor/],
  ['a value that is a string', () => attend(q, k, 'v'), TypeError, /^value was the string "v"/],
  [
    'a value that is an object',
    () => attend(q, k, { rows: 1 }),
    TypeError,
    /^value was an object with keys \{ rows \}/,
  ],
  ['a query that is a mask', () => attend(mask), TypeError, /^query was a boolean mask/],
  [
    'a ragged query',
    () => attend([[1, 2, 3, 4], [5]]),
    RangeError,
    /^query was ragged: query\[1\] was an array of 1/,
  ],
  [
    'text among numbers',
    () => attend([[1, 2, 3, '4']]),
    TypeError,
    /^query\[0\]\[3\] was the string "4"/,
  ],
  [
    'a vector',
    () => attend([1, 2, 3, 4]),
    RangeError,
    /^query had shape \(4\); it had to have at least 2 dimensions/,
  ],
  [
    'keys of another width',
    () => attend(q, [[1, 2, 3]]),
    RangeError,
    /^key had shape \(1, 3\); its last dimension had to be 4/,
  ],
  [
    'fewer values than keys',
    () => attend(q, k, [[1]]),
    RangeError,
    /^value had shape \(1, 1\); it had to have 5 rows/,
  ],
  [
    'batches that do not broadcast',
    () => attend(randomTensor([2, 3, 4]), randomTensor([3, 5, 4])),
    RangeError,
    /^key had leading dimensions \(3\)/,
  ],
  [
    'data too short for its shape',
    () => attend({ data: new Float32Array(3), shape: [2, 2] }),
    RangeError,
    /^query held 3 numbers; its shape \(2, 2\) needed 4/,
  ],
  [
    'a scale that is NaN',
    () => attend(q, k, v, { scale: NaN }),
    TypeError,
    /^scale was NaN; it had to be a finite number/,
  ],
  [
    'an infinite scale',
    () => attend(q, k, v, { scale: Infinity }),
    TypeError,
    /^scale was Infinity/,
  ],
  [
    'a scale that is text',
    () => attend(q, k, v, { scale: '1' }),
    TypeError,
    /^scale was the string "1"/,
  ],
  [
    'isCausal that is 1',
    () => attend(q, k, v, { isCausal: 1 }),
    TypeError,
    /^isCausal was 1; it had to be true or false/,
  ],
  [
    'needWeights that is text',
    () => attend(q, k, v, { needWeights: 'no' }),
    TypeError,
    /^needWeights was the string "no"/,
  ],
  ['options that are an array', () => attend(q, k, v, []), TypeError, /^options was an array of 0/],
  [
    'a mask of another shape',
    () => attend(q, k, v, { attnMask: [[true, false]] }),
    RangeError,
    /^attnMask had shape \(1, 2\); it had to broadcast to the scores' shape \(3, 5\)/,
  ],
  [
    'a mask larger than the scores',
    () => attend(q, k, v, { attnMask: randomTensor([2, 3, 5]) }),
    RangeError,
    /^attnMask had shape \(2, 3, 5\)/,
  ],
  [
    'a mask that is true',
    () => attend(q, k, v, { attnMask: true }),
    TypeError,
    /^attnMask was true/,
  ],
  [
    'a gradient of another shape',
    () => engine.scaledDotProductAttentionBackward(q, k, v, q),
    RangeError,
    /^gradOutput had shape \(3, 4\); it had to have shape \(3, 2\)/,
  ],
  [
    'a forward that is no result',
    () =>
      untyped.scaledDotProductAttentionBackward(
        q,
        k,
        v,
        [
          [1, 1],
          [1, 1],
          [1, 1],
        ],
        { forward: 1 },
      ),
    TypeError,
    /^forward was 1/,
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

test('nested arrays, plain data and other typed arrays are as good as tensors', () => {
  const nested = (/** @type {any} */ { data, shape: [rows, columns] }) =>
    Array.from({ length: rows }, (_, i) => [...data.slice(i * columns, (i + 1) * columns)])
  const plain = (/** @type {any} */ { data, shape }) => ({ data: [...data], shape })
  const doubles = (/** @type {any} */ { data, shape }) => ({ data: Float64Array.from(data), shape })
  for (const as of [nested, plain, doubles]) {
    expectSame(engine.scaledDotProductAttention(as(q), as(k), as(v)).output, wanted.output)
  }
})
