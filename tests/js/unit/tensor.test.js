import { describe, expect, test } from 'vitest'
import { tensor } from '../../../web/engine/tensor.js'

describe('tensor', () => {
  test('nested arrays keep every digit and have the shape of their nesting', () => {
    const made = tensor([
      [0.1, 2, 3],
      [4, 5, 6],
    ])
    expect(made.shape).toEqual([2, 3])
    expect(made.data).toEqual(Float64Array.of(0.1, 2, 3, 4, 5, 6))
  })

  test('a typed array is kept, not copied', () => {
    for (const data of [new Float32Array(6), new Float64Array(6), new Uint8Array(6)]) {
      expect(tensor(data, [2, 3]).data).toBe(data)
    }
    expect(tensor(new Float32Array(6)).shape).toEqual([6])
  })

  test('nested booleans become a mask', () => {
    const mask = tensor([
      [true, false],
      [false, true],
    ])
    expect(mask).toEqual({ data: Uint8Array.of(1, 0, 0, 1), shape: [2, 2] })
  })

  test('a flat array takes the shape that is given', () => {
    expect(tensor([1, 2, 3, 4], [2, 2])).toEqual({
      data: Float64Array.of(1, 2, 3, 4),
      shape: [2, 2],
    })
  })

  test('rows may be typed arrays', () => {
    const rows = [Float32Array.of(1, 2), Float32Array.of(3, 4)]
    expect(tensor(rows)).toEqual({ data: Float64Array.of(1, 2, 3, 4), shape: [2, 2] })
  })

  test('integers become doubles', () => {
    expect(tensor(Int32Array.of(-1, 2 ** 30)).data).toEqual(Float64Array.of(-1, 2 ** 30))
  })

  test('a tensor may hold a plain array, as JSON gives it, and takes another shape', () => {
    const parsed = { shape: [2, 2], data: [1, 2, 3, 4] }
    expect(tensor(parsed).data).toEqual(Float64Array.of(1, 2, 3, 4))
    expect(tensor(parsed, [4]).shape).toEqual([4])
  })

  test('NaN and infinities pass', () => {
    expect(tensor([NaN, -Infinity]).data).toEqual(Float64Array.of(NaN, -Infinity))
  })

  test('dimensions of length 0 are kept', () => {
    expect(tensor([]).shape).toEqual([0])
    expect(tensor([[], []]).shape).toEqual([2, 0])
    expect(tensor(new Float32Array(0), [3, 0, 2]).shape).toEqual([3, 0, 2])
  })
})

describe('tensor refuses', () => {
  /** @type {[string, any, any, any, RegExp][]} */
  const cases = [
    [
      'a short row',
      [[1, 2], [3]],
      undefined,
      RangeError,
      /data was ragged: data\[1\] was an array of 1; .* of 2 entries/,
    ],
    ['a long row', [[1], [2, 3]], undefined, RangeError, /data\[1\] was an array of 2/],
    [
      'a number among rows',
      [[1], 2],
      undefined,
      RangeError,
      /data\[1\] was 2; it had to be an array of 1/,
    ],
    [
      'a row among numbers',
      [[1, [2]]],
      undefined,
      RangeError,
      /data\[0\]\[1\] was an array of 1; it had to be a number/,
    ],
    [
      'a string',
      [[1, 'x']],
      undefined,
      TypeError,
      /data\[0\]\[1\] was the string "x"; it had to be a number/,
    ],
    ['a hole', [1, , 3], undefined, TypeError, /data\[1\] was undefined/], // eslint-disable-line no-sparse-arrays
    ['null', [null], undefined, TypeError, /data\[0\] was null/],
    [
      'a boolean among numbers',
      [1, true],
      undefined,
      TypeError,
      /data\[1\] was true; it had to be a number/,
    ],
    ['no array at all', 5, undefined, TypeError, /data was 5; it had to be a tensor/],
    ['nothing', undefined, undefined, TypeError, /data was undefined/],
    ['a string for the whole', '12', undefined, TypeError, /data was the string "12"/],
    ['64-bit integers', new BigInt64Array(2), undefined, TypeError, /BigInt64Array/],
    [
      'a shape that does not fit',
      new Float32Array(5),
      [2, 3],
      RangeError,
      /held 5 numbers; its shape \(2, 3\) needed 6/,
    ],
    ['a negative length', new Float32Array(0), [-1, 0], RangeError, /shape\[0\] was -1/],
    ['half a length', new Float32Array(0), [0.5], RangeError, /shape\[0\] was 0\.5/],
    ['a shape that is no array', new Float32Array(1), 1, TypeError, /shape was 1/],
    [
      'a tensor without a shape',
      { data: new Float32Array(1) },
      undefined,
      TypeError,
      /object with keys \{ data \}/,
    ],
    [
      'a tensor with another shape than data',
      { data: new Float32Array(1), shape: [2] },
      undefined,
      RangeError,
      /needed 2/,
    ],
  ]
  test.each(cases)('%s', (_, data, shape, type, message) => {
    expect(() => tensor(data, shape)).toThrow(type)
    expect(() => tensor(data, shape)).toThrow(message)
  })
})
