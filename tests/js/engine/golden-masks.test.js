import { describe, expect, test } from 'vitest'
import { expectClose, expectSame, float32Tolerance } from '../compare.js'
import { golden } from '../golden.js'
import { tensor } from '../../../web/index.js'
import { engine } from './loaded.js'

const { Q, K } = golden('causal').demo
const cases = golden('extra').causal.masks_on_demo
const { masks } = engine
const tolerance = float32Tolerance(16, 6)

/** @param {string} start */
function wantedFor(start) {
  const [name] = Object.keys(cases).filter((key) => key.startsWith(start))
  return cases[name]
}

describe.each([
  ['causal', masks.causal(6)],
  ['window', masks.window(6, 6, 2)],
  ['prefix', masks.prefix(6, 6, 3)],
  ['padding', masks.padding([4], 6)],
])('the %s mask', (name, built) => {
  const { mask, weights } = wantedFor(name)

  test('is open where the golden one is', () => {
    const golden = tensor(mask)
    const shape = built.shape.slice(-2)
    for (const [i, open] of golden.data.entries()) {
      const row = shape[0] === 1 ? 0 : Math.floor(i / 6)
      expect(built.data[row * 6 + (i % 6)]).toBe(open)
    }
  })

  test('gives the golden weights, as bytes, booleans or −∞ to add', () => {
    const { data, shape } = tensor(mask)
    const additive = { data: Float32Array.from(data, (open) => (open ? 0 : -Infinity)), shape }
    for (const attnMask of [built, mask, additive]) {
      const found = engine.scaledDotProductAttention(Q, K, Q, { attnMask })
      expectClose(found.weights, weights, { tolerance })
    }
  })
})

test('the causal mask and isCausal are the same', () => {
  const flag = engine.scaledDotProductAttention(Q, K, Q, { isCausal: true })
  const mask = engine.scaledDotProductAttention(Q, K, Q, { attnMask: masks.causal(6) })
  expectSame(mask.weights, flag.weights)
  expectSame(mask.output, flag.output)
})

test('a row in which nothing is open has weights and output zero', () => {
  const { mask, weights } = wantedFor('row_2_empty')
  const found = engine.scaledDotProductAttention(Q, K, Q, { attnMask: mask })
  expectClose(found.weights, weights, { tolerance })
  expect([...found.output.data.slice(32, 48)]).toEqual(new Array(16).fill(0))
})

test('−10⁹ instead of a mask spreads an empty row evenly over forbidden keys', () => {
  const { data, shape } = tensor(wantedFor('row_2_empty').mask)
  const attnMask = { data: Float32Array.from(data, (open) => (open ? 0 : -1e9)), shape }
  const { weights } = engine.scaledDotProductAttention(Q, K, Q, { attnMask })
  const row = { data: weights.data.slice(12, 18), shape: [6] }
  expectClose(row, wantedFor('minus_1e9'), { tolerance })
})

test('ALiBi has the golden slopes and biases, and weights together with causality', () => {
  const { slopes, bias, weights } = wantedFor('alibi')
  const built = masks.alibi(4, 6)
  expectSame(built, bias)
  // Head h, query 1, key 0: one step to the left.
  expect([0, 1, 2, 3].map((head) => -built.data[head * 36 + 6])).toEqual(slopes)
  const query = { data: new Float64Array(4 * 96), shape: [4, 6, 16] }
  for (let head = 0; head < 4; head++) query.data.set(Q.data, head * 96)
  const found = engine.scaledDotProductAttention(query, K, Q, { attnMask: built, isCausal: true })
  expectClose(found.weights, weights, { tolerance })
})

describe('masks of other sizes', () => {
  test('have more columns than rows, or fewer', () => {
    expect([...masks.causal(2, 3).data]).toEqual([1, 0, 0, 1, 1, 0])
    expect([...masks.window(3, 2, 1).data]).toEqual([1, 0, 0, 1, 0, 0])
    expect([...masks.prefix(1, 3, 2).data]).toEqual([1, 1, 0])
    expect(masks.padding([0, 2], 2)).toEqual({
      data: Uint8Array.of(0, 0, 1, 1),
      shape: [2, 1, 1, 2],
    })
    expect(masks.causal(0, 3)).toEqual({ data: new Uint8Array(0), shape: [0, 3] })
  })

  test('open what they say, for every size up to 17', () => {
    for (let n = 0; n <= 17; n++) {
      for (let m = 0; m <= 17; m++) {
        /** @param {(i: number, j: number) => boolean} isOpen */
        const maskOf = (isOpen) => ({
          data: Uint8Array.from({ length: n * m }, (_, at) =>
            Number(isOpen(Math.floor(at / m), at % m)),
          ),
          shape: [n, m],
        })
        const size = (n + 2 * m) % 6
        expect(masks.causal(n, m)).toEqual(maskOf((i, j) => j <= i))
        expect(masks.window(n, m, size)).toEqual(maskOf((i, j) => j <= i && i - j < size))
        expect(masks.prefix(n, m, size)).toEqual(maskOf((i, j) => j < size || j <= i))
        const lengths = Array.from({ length: n }, (_, i) => (i * 5) % (m + 1))
        const padding = maskOf((i, j) => j < lengths[i])
        expect(masks.padding(lengths, m)).toEqual({ data: padding.data, shape: [n, 1, 1, m] })
      }
    }
    expect(masks.causal(3)).toEqual(masks.causal(3, 3))
  })

  test.each([
    [1, [2 ** -8]],
    [2, [2 ** -4, 2 ** -8]],
    [3, [2 ** -4, 2 ** -8, 2 ** -2]],
    [6, [2 ** -2, 2 ** -4, 2 ** -6, 2 ** -8, 2 ** -1, 2 ** -3]],
    [8, [1, 2, 3, 4, 5, 6, 7, 8].map((k) => 2 ** -k)],
  ])('of ALiBi for %i heads have the slopes of its paper and code', (heads, slopes) => {
    const { data, shape } = masks.alibi(heads, 4, 3)
    expect(shape).toEqual([heads, 4, 3])
    for (let h = 0; h < heads; h++) {
      for (let i = 0; i < 4; i++) {
        for (let j = 0; j < 3; j++) {
          expect(data[(h * 4 + i) * 3 + j]).toBeCloseTo(-slopes[h] * (i - j), 12)
        }
      }
    }
  })

  test.each([
    ['a negative size', () => masks.causal(-1), RangeError, /^n was -1/],
    ['half a window', () => masks.window(2, 2, 0.5), RangeError, /^size was 0\.5/],
    ['a sequence longer than m', () => masks.padding([3], 2), RangeError, /^lengths\[0\] was 3/],
    [
      'a length that is no list',
      () => masks.padding(/** @type {any} */ (3), 2),
      TypeError,
      /^lengths was 3/,
    ],
    ['no heads', () => masks.alibi(0, 2), RangeError, /^heads was 0/],
    [
      'a buffer of another size',
      () => masks.causal(2, 2, { out: new Uint8Array(3) }),
      RangeError,
      /^out had shape/,
    ],
    [
      'a buffer of another type',
      () => masks.alibi(1, 2, 2, { out: new Float64Array(4) }),
      TypeError,
      /^out was a Float64Array/,
    ],
  ])('refuse %s', (_, build, type, message) => {
    expect(build).toThrow(type)
    expect(build).toThrow(message)
  })
})
