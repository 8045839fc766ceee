import { describe, expect, test } from 'vitest'
import { expectSame } from '../compare.js'
import { randomLayer, randomTensor, slice } from '../inputs.js'
import { engine } from './loaded.js'

const SIZES = { dModel: 12, numHeads: 6, numKvHeads: 2, dK: 5, dV: 3, dOut: 7 }
const HEADS = { numHeads: 6, numKvHeads: 2 }
const parameters = randomLayer(SIZES)
const LENGTH = 40
const x = randomTensor([LENGTH, 12], 3)

/** Rows from … to of a matrix. @param {{ data: Float32Array, shape: number[] }} matrix @param {number} from @param {number} to */
function rows({ data, shape: [, width] }, from, to) {
  return { data: data.slice(from * width, to * width), shape: [to - from, width] }
}

/** One head's weights of rows from … to, as the cache gives them: without the closed keys. @param {any} weights @param {number} head @param {number} from @param {number} to */
function openWeights(weights, head, from, to) {
  const own = slice(weights, head)
  const open = Array.from({ length: to - from }, (_, i) =>
    own.data.slice((from + i) * LENGTH, (from + i) * LENGTH + to),
  )
  return { data: Float32Array.from(open.flatMap((row) => [...row])), shape: [to - from, to] }
}

describe.each([
  ['one row at a time', 1],
  ['three rows at a time', 3],
  ['17 rows at a time', 17],
  ['all rows at once', LENGTH],
])('a cache that takes %s', (_, step) => {
  const full = engine.multiHeadAttention(x, parameters, {
    ...HEADS,
    isCausal: true,
    needStages: true,
  })

  test('equals the full causal pass bit for bit', () => {
    const cache = engine.createKvCache(parameters, { ...HEADS, maxLength: LENGTH })
    for (let from = 0; from < LENGTH; from += step) {
      const to = Math.min(from + step, LENGTH)
      const { output, weights } = cache.step(rows(x, from, to))
      expectSame(output, rows(full.output, from, to), `output of rows ${from} to ${to}`)
      expect(weights.shape).toEqual([6, to - from, to])
      for (let head = 0; head < 6; head++) {
        const name = `weights of rows ${from} to ${to}, head ${head}`
        expectSame(slice(weights, head), openWeights(full.weights, head, from, to), name)
      }
      expect(cache.length).toBe(to)
    }
    expectSame(cache.keys, full.key)
    expectSame(cache.values, full.value)
    cache.dispose()
  })
})

test.each([
  ['no biases', { biases: false }],
  ['no output projection', { output: false }],
  ['one head', { numHeads: 1, numKvHeads: 1 }],
  ['heads of 64', { dK: 64, dV: 64 }],
  ['heads of 1', { dK: 1, dV: 1 }],
  ['all heads sharing keys and values', { numKvHeads: 1 }],
  ['more features than a block of a product takes', { dModel: 300, dOut: 270 }],
])('a layer with %s decodes bit for bit', (_, change) => {
  const sizes = { ...SIZES, ...change }
  const layer = randomLayer(sizes, 7)
  const x = randomTensor([LENGTH, sizes.dModel], 3)
  const heads = { numHeads: sizes.numHeads, numKvHeads: sizes.numKvHeads }
  const full = engine.multiHeadAttention(x, layer, { ...heads, isCausal: true })
  const cache = engine.createKvCache(layer, { ...heads, maxLength: LENGTH })
  for (let row = 0; row < LENGTH; row++) {
    const { output } = cache.step(rows(x, row, row + 1))
    expectSame(output, rows(full.output, row, row + 1), `output of row ${row}`)
  }
  cache.dispose()
})

test('a cache of 300 tokens decodes bit for bit, weights too', () => {
  const length = 300
  const tokens = randomTensor([length, 12], 5)
  const full = engine.multiHeadAttention(tokens, parameters, { ...HEADS, isCausal: true })
  const cache = engine.createKvCache(parameters, { ...HEADS, maxLength: length })
  for (let row = 0; row < length; row++) {
    const { output, weights } = cache.step(rows(tokens, row, row + 1))
    expectSame(output, rows(full.output, row, row + 1), `output of row ${row}`)
    for (let head = 0; head < 6; head++) {
      const start = (head * length + row) * length
      const wanted = { data: full.weights.data.slice(start, start + row + 1), shape: [1, row + 1] }
      expectSame(slice(weights, head), wanted, `weights of row ${row}, head ${head}`)
    }
  }
  cache.dispose()
})

describe('a cache', () => {
  const make = (maxLength = 4) => engine.createKvCache(parameters, { ...HEADS, maxLength })

  test('takes a row without the dimension of rows and answers alike', () => {
    const cache = make()
    const row = { data: x.data.slice(0, 12), shape: [12] }
    const { output, weights } = cache.step(row)
    expect(output.shape).toEqual([7])
    expect(weights).toEqual({ data: new Float32Array(6).fill(1), shape: [6, 1] })
    cache.dispose()
  })

  test('takes no rows, and changes nothing by it', () => {
    const cache = make()
    expect(cache.step(rows(x, 0, 0)).output.shape).toEqual([0, 7])
    expect(cache.length).toBe(0)
    expect(cache.keys.shape).toEqual([2, 0, 5])
    cache.dispose()
  })

  test('leaves weights out when they are not needed, and fills kept buffers', () => {
    const cache = make()
    const out = { output: { data: new Float32Array(7), shape: [1, 7] } }
    const found = cache.step(rows(x, 0, 1), { needWeights: false, out })
    expect(Object.keys(found)).toEqual(['output'])
    expect(found.output).toBe(out.output)
    const again = make()
    expectSame(found.output, again.step(rows(x, 0, 1)).output)
    cache.dispose()
    again.dispose()
  })

  test('refuses to go past maxLength, and is as before', () => {
    const cache = make(4)
    cache.step(rows(x, 0, 3))
    const keys = cache.keys
    expect(() => cache.step(rows(x, 3, 5))).toThrow(RangeError)
    expect(() => cache.step(rows(x, 3, 5))).toThrow(
      /^x had 2 rows; with the 3 cached .* maxLength = 4/,
    )
    expect(cache.length).toBe(3)
    expectSame(cache.keys, keys)
    cache.step(rows(x, 3, 4))
    expect(() => cache.step(rows(x, 4, 5))).toThrow(RangeError)
    cache.dispose()
  })

  test('gives copies of keys and values', () => {
    const cache = make()
    cache.step(rows(x, 0, 2))
    cache.keys.data.fill(7)
    expect(cache.keys.data).not.toContain(7)
    cache.dispose()
  })

  test('forgets by reset and begins again', () => {
    const cache = make()
    const first = cache.step(rows(x, 0, 2))
    cache.reset()
    expect(cache.length).toBe(0)
    expectSame(cache.step(rows(x, 0, 2)).output, first.output)
    cache.dispose()
  })

  test('may be disposed twice, and says so when it is used afterwards', () => {
    const cache = make()
    cache.dispose()
    cache.dispose()
    const uses = [
      () => cache.step(rows(x, 0, 1)),
      () => cache.reset(),
      () => cache.length,
      () => cache.keys,
      () => cache.values,
    ]
    for (const use of uses) expect(use).toThrow(/was used after cache\.dispose\(\)/)
    expect(cache.maxLength).toBe(4)
  })

  test('does not know of another', () => {
    const [left, right] = [make(), make()]
    left.step(rows(x, 0, 3))
    const alone = right.step(rows(x, 5, 6))
    expect(alone.weights.shape).toEqual([6, 1, 1])
    left.dispose()
    expect(right.length).toBe(1)
    right.dispose()
  })

  test('scales as it is told', () => {
    const cache = engine.createKvCache(parameters, { ...HEADS, maxLength: 4, scale: 0 })
    const { weights } = cache.step(rows(x, 0, 2))
    expect(weights.data[2]).toBeCloseTo(0.5, 6)
    cache.dispose()
  })

  test.each([
    ['no maxLength', {}, TypeError, /^maxLength was undefined/],
    ['a maxLength of 0', { maxLength: 0 }, RangeError, /^maxLength was 0/],
    ['half a position', { maxLength: 1.5 }, RangeError, /^maxLength was 1\.5/],
    ['an infinite one', { maxLength: Infinity }, TypeError, /^maxLength was Infinity/],
    ['more than there is memory', { maxLength: 2 ** 30 }, RangeError, /make maxLength smaller/],
  ])('is not made with %s', (_, options, type, message) => {
    const create = () =>
      engine.createKvCache(parameters, { ...HEADS, .../** @type {any} */ (options) })
    expect(create).toThrow(type)
    expect(create).toThrow(message)
  })
})
