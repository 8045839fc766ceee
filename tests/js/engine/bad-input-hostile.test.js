import { afterEach, describe, expect, test } from 'vitest'
import { expectSame } from '../compare.js'
import { randomLayer, randomTensor } from '../inputs.js'
import { engine } from './loaded.js'

const q = randomTensor([3, 4], 1)
const k = randomTensor([5, 4], 2)
const v = randomTensor([5, 2], 3)
const x = randomTensor([3, 6], 4)
const parameters = randomLayer({ dModel: 6, numHeads: 2, dK: 3 })
const wanted = engine.scaledDotProductAttention(q, k, v)
const layerWanted = engine.multiHeadAttention(x, parameters, { numHeads: 2 })

// The next call works, whatever was wrong with the one before.
afterEach(() => {
  expectSame(engine.scaledDotProductAttention(q, k, v).output, wanted.output)
  const { output } = engine.multiHeadAttention(x, parameters, { numHeads: 2 })
  expectSame(output, layerWanted.output)
})

/** @type {any} What types would not let through. */
const untyped = engine
/** @param {any} query @param {any} [options] */
const attend = (query, options) => untyped.scaledDotProductAttention(query, k, v, options)

/** A view whose memory was handed over to somebody else. @param {any} Type @param {number} length */
function handedOver(Type, length) {
  const view = new Type(length)
  structuredClone(view.buffer, { transfer: [view.buffer] })
  return view
}

/** @param {number[]} shape */
function nothing(shape) {
  return { data: new Float32Array(0), shape }
}

/** @type {[string, any, ErrorConstructor, RegExp][]} */
const NO_TENSORS = [
  ['null', null, TypeError, /^query was null; it had to be a tensor \{ data, shape \} or nested/],
  ['a bigint', 3n, TypeError, /^query was the bigint 3n/],
  ['a symbol', Symbol('q'), TypeError, /^query was a symbol/],
  ['a function', () => q, TypeError, /^query was a function/],
  ['a date', new Date(), TypeError, /^query was a Date/],
  ['a map', new Map(), TypeError, /^query was a Map/],
  ['a buffer', new ArrayBuffer(48), TypeError, /^query was an ArrayBuffer/],
  ['a data view', new DataView(new ArrayBuffer(48)), TypeError, /^query was a DataView/],
  ['64-bit integers', new BigInt64Array(12), TypeError, /^query was a BigInt64Array of 12/],
  ['bigints in arrays', [[1n, 2n, 3n, 4n]], TypeError, /^query\[0\]\[0\] was the bigint 1n/],
  ['text in arrays', [['1', 2, 3, 4]], TypeError, /^query\[0\]\[0\] was the string "1"/],
  ['a hole', [[1, , 3, 4]], TypeError, /^query\[0\]\[1\] was undefined/], // eslint-disable-line no-sparse-arrays
  ['holes alone', new Array(4), TypeError, /^query\[0\] was undefined/],
  ['a missing row', [[1, 2, 3, 4], undefined], TypeError, /^query\[1\] was undefined/],
  ['null among numbers', [[1, 2, null, 4]], TypeError, /^query\[0\]\[2\] was null/],
  ['a row too deep', [[1, 2, [3], 4]], RangeError, /^query was ragged: query\[0\]\[2\] was an arr/],
  ['a row too short', [[1, 2, 3, 4], []], RangeError, /^query was ragged: query\[1\] was an array/],
  ['a number', { data: 1, shape: [1] }, TypeError, /^query\.data was 1/],
  ['no data', { data: null, shape: [0, 4] }, TypeError, /^query\.data was null/],
  ['data that is text', { data: 'abcd', shape: [1, 4] }, TypeError, /^query\.data was the string/],
  [
    'a shape that is text',
    { data: q.data, shape: '34' },
    TypeError,
    /^query\.shape was the string/,
  ],
  ['no shape', { data: q.data, shape: null }, TypeError, /^query\.shape was null/],
  [
    'a shape of text',
    { data: q.data, shape: ['3', 4] },
    TypeError,
    /^query\.shape\[0\] was the string "3"; it had to be a finite number/,
  ],
  ['a shape with NaN', { data: q.data, shape: [NaN, 4] }, TypeError, /^query\.shape\[0\] was NaN/],
  [
    'a shape with fractions',
    { data: q.data, shape: [2.4, 5] },
    RangeError,
    /^query\.shape\[0\] was 2\.4; it had to be a whole number from 0 to 2147483647/,
  ],
  ['a negative shape', { data: q.data, shape: [-3, -4] }, RangeError, /^query\.shape\[0\] was -3/],
  ['a shape with a hole', { data: q.data, shape: [, 4] }, TypeError, /^query\.shape\[0\] was unde/], // eslint-disable-line no-sparse-arrays
  ['a shape too large', { data: q.data, shape: [3, 5] }, RangeError, /^query held 12 numbers; its/],
  [
    'no dimensions',
    { data: [1], shape: [] },
    RangeError,
    /^query had shape \(\); it had to have at/,
  ],
  ['17 dimensions', nest(17), RangeError, /^query had more than 16 dimensions/],
  ['itself inside', endless(), RangeError, /^query had more than 16 dimensions/],
  ['memory handed over', handedOver(Float32Array, 12), TypeError, /without its memory/],
  [
    'data whose memory was handed over',
    { data: handedOver(Float64Array, 12), shape: [3, 4] },
    TypeError,
    /^query\.data was a Float64Array of 0 without its memory/,
  ],
  [
    'nothing, but with more rows than memory could hold',
    nothing([2 ** 31 - 1, 2 ** 31 - 1, 0, 4]),
    RangeError,
    /^query had shape \(2147483647, 2147483647, 0, 4\); its lengths had to multiply to at most 2³⁰/,
  ],
]

/** @param {number} depth @returns {any} */
function nest(depth) {
  return depth === 0 ? 1 : [nest(depth - 1)]
}

function endless() {
  /** @type {any[]} */
  const inside = []
  inside.push(inside)
  return inside
}

describe('a query is refused that is', () => {
  test.each(NO_TENSORS)('%s', (_, query, type, message) => {
    expect(() => attend(query)).toThrow(type)
    expect(() => attend(query)).toThrow(message)
  })
})

describe('an error of the caller’s own objects passes through', () => {
  const trap = () => {
    throw new Error('mine')
  }
  const hostile = new Proxy({}, { get: trap, has: trap, ownKeys: trap })

  test.each([
    ['data', () => attend(throwing('data', { shape: [3, 4] }))],
    ['shape', () => attend(throwing('shape', { data: q.data }))],
    ['a proxy for a tensor', () => attend(hostile)],
    ['a proxy for options', () => attend(q, hostile)],
    ['an option', () => attend(q, throwing('isCausal'))],
    ['out', () => attend(q, { out: throwing('output') })],
    ['a kept buffer', () => attend(q, { out: { output: throwing('data') } })],
    ['parameters', () => untyped.multiHeadAttention(x, throwing('wq'), { numHeads: 2 })],
    ['a result of a forward pass', () => backward({ forward: throwing('weights') })],
  ])('in %s', (_, call) => {
    expect(call).toThrow('mine')
  })

  /** @param {string} name @param {object} [rest] */
  function throwing(name, rest = {}) {
    return Object.defineProperty({ ...rest }, name, { get: trap, enumerable: true })
  }

  /** @param {any} options */
  function backward(options) {
    return engine.scaledDotProductAttentionBackward(q, k, v, randomTensor([3, 2]), options)
  }

  test('a proxy for nested arrays is as good as they are', () => {
    const rows = [[...q.data.slice(0, 4)]]
    expectSame(attend(new Proxy(rows, {})).output, attend(rows).output)
  })
})

describe('an option is refused that is', () => {
  /** @type {[string, any, ErrorConstructor, RegExp][]} */
  const cases = [
    ['a bigint for a scale', { scale: 1n }, TypeError, /^scale was the bigint 1n/],
    ['an object for a scale', { scale: {} }, TypeError, /^scale was an object with keys/],
    [
      'a scale beyond float32',
      { scale: 1e39 },
      RangeError,
      /^scale was 1e\+39; it had to be within float32's range/,
    ],
    ['text for a flag', { isCausal: 'yes' }, TypeError, /^isCausal was the string "yes"/],
    ['a number for a flag', { needStages: 1 }, TypeError, /^needStages was 1/],
    ['text for a mask', { attnMask: 'causal' }, TypeError, /^attnMask was the string "causal"/],
    [
      'integers for a mask',
      { attnMask: { data: new Int32Array(15), shape: [3, 5] } },
      TypeError,
      /^attnMask was an Int32Array of 15; it had to be booleans .* or floats to add/,
    ],
    [
      'clamped bytes for a mask',
      { attnMask: new Uint8ClampedArray(5) },
      TypeError,
      /^attnMask was a Uint8ClampedArray of 5/,
    ],
    [
      'rows of bytes for a mask',
      { attnMask: [new Uint8Array(5)] },
      TypeError,
      /^attnMask was a Uint8Array of 5/,
    ],
    [
      'a mask of numbers and booleans',
      { attnMask: [[true, 1, 0, 0, 0]] },
      TypeError,
      /^attnMask\[0\]\[1\] was 1; it had to be a boolean, like its neighbours/,
    ],
    [
      'a mask whose memory was handed over',
      { attnMask: { data: handedOver(Uint8Array, 15), shape: [3, 5] } },
      TypeError,
      /^attnMask\.data was a Uint8Array of 0 without its memory/,
    ],
    ['a list for out', { out: [] }, TypeError, /^out was an array of 0; it had to be an object/],
    ['text for out', { out: 'here' }, TypeError, /^out was the string "here"/],
    [
      'a buffer without memory',
      { out: { output: handedOver(Float32Array, 6) } },
      TypeError,
      /^out\.output was a Float32Array of 0 without its memory/,
    ],
    [
      'a buffer without a shape',
      { out: { output: { data: new Float32Array(6) } } },
      TypeError,
      /^out\.output\.shape was undefined/,
    ],
    ['text', 'causal', TypeError, /^options was the string "causal"/],
    ['a function', () => 1, TypeError, /^options was a function/],
  ]

  test.each(cases)('%s', (_, options, type, message) => {
    expect(() => attend(q, options)).toThrow(type)
    expect(() => attend(q, options)).toThrow(message)
  })
})

describe('a layer is refused with', () => {
  /** @param {any} given @param {any} [options] */
  const layer = (given, options = { numHeads: 2 }) => untyped.multiHeadAttention(x, given, options)

  /** @type {[string, () => unknown, ErrorConstructor, RegExp][]} */
  const cases = [
    ['a list of parameters', () => layer([]), TypeError, /^parameters was an array of 0/],
    ['text for parameters', () => layer('w'), TypeError, /^parameters was the string "w"/],
    ['no options', () => layer(parameters, null), TypeError, /^numHeads was undefined/],
    ['text for heads', () => layer(parameters, { numHeads: '2' }), TypeError, /^numHeads was the/],
    [
      'endless heads',
      () => layer(parameters, { numHeads: Infinity }),
      TypeError,
      /^numHeads was Infinity/,
    ],
    [
      'more heads than there are numbers',
      () => layer(parameters, { numHeads: 2 ** 31 }),
      RangeError,
      /^numHeads was 2147483648; it had to be a whole number from 1 to 2147483647/,
    ],
    [
      'more sequences and heads than memory could hold',
      () =>
        engine.multiHeadAttention(
          nothing([2 ** 29, 0, 1]),
          { wq: [[1, 1]], wk: [[1, 1]], wv: [[1, 1]] },
          { numHeads: 2 },
        ),
      RangeError,
      /^x had shape \(536870912, 0, 1\); times numHeads = 2, its batch had to be at most 2²⁸/,
    ],
    [
      'a default of its calls that is wrong',
      () => engine.prepare(parameters, { numHeads: 2, isCausal: /** @type {any} */ ('yes') }),
      TypeError,
      /^isCausal was the string "yes"/,
    ],
    [
      'a scale of its calls that is none',
      () => engine.prepare(parameters, { numHeads: 2, scale: NaN }),
      TypeError,
      /^scale was NaN/,
    ],
  ]

  test.each(cases)('%s', (_, call, type, message) => {
    expect(call).toThrow(type)
    expect(call).toThrow(message)
  })
})

describe('slices without numbers', () => {
  test('that broadcast to more than memory could hold are refused', () => {
    const [left, right] = [nothing([2 ** 20, 1, 0, 4]), nothing([2 ** 20, 0, 4])]
    const call = () => engine.scaledDotProductAttention(left, right, nothing([0, 2]))
    expect(call).toThrow(RangeError)
    expect(call).toThrow(
      /^query, key, value had leading dimensions that broadcast to \(1048576, 1048576\)/,
    )
  })

  test('however many end at once', () => {
    const many = nothing([2 ** 24, 0, 4])
    expect(engine.matmul(many, randomTensor([4, 2])).shape).toEqual([2 ** 24, 0, 2])
    expect(engine.analysis.singularValues(many).shape).toEqual([2 ** 24, 0])
  })
})
