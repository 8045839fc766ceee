import { describe, expect, test } from 'vitest'
import { AttentionData } from '../../../web/views/attention-data.js'
import { strengthOf } from '../../../web/views/lines/line-scale.js'
import { pickLines } from '../../../web/views/lines/line-set.js'

/** @param {number} seed @returns {() => number} 0 to 1, Park and Miller's generator */
function stream(seed) {
  let state = seed
  return () => (state = (state * 16807) % 2147483647) / 2147483647
}

/**
 * @param {number} heads
 * @param {number} queries
 * @param {number} keys
 * @param {(index: number) => number} value
 * @param {Uint8Array | null} [masked]
 */
function weights(heads, queries, keys, value, masked = null) {
  const data = Float64Array.from({ length: heads * queries * keys }, (_, index) => value(index))
  return new AttentionData(data, { layers: 1, heads, queries, keys }, masked)
}

const all = { planes: [0, 1, 2], query: null, key: null }
const domain = /** @type {const} */ ([0, 1])
/** Squares are small more often than large, as weights are. @param {number} seed */
const squares = (seed) => {
  const random = stream(seed)
  return () => random() ** 2
}

describe('without a limit', () => {
  const data = weights(3, 5, 7, squares(1))

  test('every weight that can be seen has a line, the weakest first', () => {
    const { cells, thinned, pairs } = pickLines(data, all, { domain })
    const strengths = Array.from(cells, (index) => strengthOf(data.data[index], domain, false))
    expect(strengths).toEqual([...strengths].sort((a, b) => a - b))
    const seen = Array.from(data.data, (value, index) => (value > 1.5 / 255 ? index : -1))
    expect([...cells].sort((a, b) => a - b)).toEqual(seen.filter((index) => index >= 0))
    expect([thinned, pairs]).toEqual([false, 105])
  })

  test('a query has its own, and so has a key', () => {
    const query = pickLines(data, { planes: [0, 2], query: 3, key: null }, { domain })
    const ofQuery = [...query.cells].sort((a, b) => a - b)
    expect(ofQuery.map((index) => Math.floor(index / 7) % 5)).toEqual(ofQuery.map(() => 3))
    expect(query.pairs).toBe(14)
    const key = pickLines(data, { planes: [1], query: null, key: 6 }, { domain })
    expect([...key.cells].map((index) => index % 7)).toEqual([...key.cells].map(() => 6))
    expect(key.pairs).toBe(5)
  })

  test('sum and least are those of the lines', () => {
    const { cells, drawnSum, least } = pickLines(data, all, { domain, threshold: 0.25 })
    const drawn = Array.from(cells, (index) => data.data[index])
    expect(drawn.length).toBeGreaterThan(10)
    expect(least).toBe(Math.min(...drawn))
    expect(least).toBeGreaterThanOrEqual(0.25)
    expect(drawnSum).toBeCloseTo(
      drawn.reduce((sum, value) => sum + value, 0),
      12,
    )
  })
})

test('of more than there may be the strongest have a line', () => {
  const data = weights(3, 40, 50, squares(2))
  const { cells, thinned, sampled } = pickLines(data, all, { domain, most: 500 })
  expect([thinned, sampled]).toEqual([true, false])
  const sorted = Array.from(data.data).sort((a, b) => b - a)
  const least = Math.min(...Array.from(cells, (index) => data.data[index]))
  expect(cells.length).toBeGreaterThan(480)
  expect(cells.length).toBeLessThanOrEqual(500)
  // All within a step of the scale of the 500th.
  expect(least).toBeGreaterThan(sorted[499] - 1 / 255)
  const picked = new Set(cells)
  Array.from(data.data).forEach((value, index) => {
    if (value > sorted[499] + 1 / 255) expect(picked).toContain(index)
  })
})

test('exactly as many as there may be is not too many', () => {
  const data = weights(1, 4, 5, () => 0.5)
  const one = { planes: [0], query: null, key: null }
  expect(pickLines(data, one, { domain, most: 20 })).toMatchObject({ thinned: false })
  expect(pickLines(data, one, { domain, most: 20 }).cells).toHaveLength(20)
  expect(pickLines(data, one, { domain, most: 19 })).toMatchObject({
    thinned: true,
    sampled: true,
  })
})

test('equally strong weights are sampled evenly, over queries and over keys', () => {
  const data = weights(1, 128, 128, () => 1 / 128)
  const { cells } = pickLines(
    data,
    { planes: [0], query: null, key: null },
    { domain: [0, 1 / 128], most: 1024 },
  )
  expect(cells.length).toBeGreaterThan(1000)
  const [rows, columns] = [new Int32Array(128), new Int32Array(128)]
  for (const index of cells) {
    rows[Math.floor(index / 128)]++
    columns[index % 128]++
  }
  for (const count of [...rows, ...columns]) {
    expect(count).toBeGreaterThanOrEqual(4)
    expect(count).toBeLessThanOrEqual(13)
  }
})

test('masked weights and NaN have no line, and a masked NaN is no NaN', () => {
  const masked = Uint8Array.from([1, 0, 0, 1])
  const data = weights(1, 2, 2, (index) => [0.5, Number.NaN, 0.5, Number.NaN][index], masked)
  const set = pickLines(data, { planes: [0], query: null, key: null }, { domain })
  expect([...set.cells]).toEqual([2])
  expect([...set.nan]).toEqual([1])
  expect([set.pairs, set.nanPairs]).toEqual([1, 1])
})

test('on a diverging scale both ends are strong and the middle has no line', () => {
  const data = weights(1, 1, 5, (index) => [-1, -0.4, 0, 0.001, 0.8][index])
  const set = pickLines(
    data,
    { planes: [0], query: null, key: null },
    { domain: [-1, 1], diverging: true },
  )
  expect([...set.cells]).toEqual([1, 4, 0])
  expect(set.least).toBe(0.4)
})

test('infinite values stand at the ends of the scale', () => {
  const data = weights(1, 1, 3, (index) => [Infinity, -Infinity, 0.5][index])
  const set = pickLines(data, { planes: [0], query: null, key: null }, { domain })
  expect([...set.cells]).toEqual([2, 0])
})
