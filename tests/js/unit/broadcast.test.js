import { describe, expect, test } from 'vitest'
import {
  broadcastShapes,
  isWhole,
  maskLayout,
  sliceOffsets,
  sumSlices,
} from '../../../web/engine/broadcast.js'

/** @param {...number[]} shapes */
function broadcast(...shapes) {
  return broadcastShapes(shapes.map((shape, i) => ({ name: 'abc'[i], shape })))
}

describe('broadcastShapes', () => {
  test('aligns at the last dimension and repeats lengths of 1', () => {
    expect(broadcast([2, 1], [3])).toEqual([2, 3])
    expect(broadcast([], [4, 1, 2], [5, 1])).toEqual([4, 5, 2])
    expect(broadcast([1], [0])).toEqual([0])
  })

  test('names the argument whose length does not fit', () => {
    expect(() => broadcast([2], [3])).toThrow(RangeError)
    expect(() => broadcast([2], [3])).toThrow(/^b had leading dimensions \(3\); .* a's \(2\)$/)
  })
})

describe('sliceOffsets', () => {
  test('count up where nothing repeats', () => {
    expect([...sliceOffsets([2, 3], [2, 3], 10)]).toEqual([0, 10, 20, 30, 40, 50])
  })

  test('stand still where a dimension repeats', () => {
    expect([...sliceOffsets([3], [2, 3], 10)]).toEqual([0, 10, 20, 0, 10, 20])
    expect([...sliceOffsets([2, 1], [2, 3], 10)]).toEqual([0, 0, 0, 10, 10, 10])
    expect([...sliceOffsets([], [2, 2], 10)]).toEqual([0, 0, 0, 0])
  })

  test('are none where a dimension has length 0', () => {
    expect(sliceOffsets([1], [0], 10)).toHaveLength(0)
  })
})

test('gradients of slices that were one slice are added up', () => {
  const into = new Float32Array(4)
  sumSlices(Float32Array.of(1, 2, 3, 4, 5, 6), sliceOffsets([1], [3], 2), 2, into.subarray(0, 2))
  expect([...into]).toEqual([9, 12, 0, 0])
  expect(isWhole([3, 1], [3])).toBe(true)
  expect(isWhole([1], [3])).toBe(false)
})

describe('maskLayout', () => {
  test('reads a full mask in rows and a row mask again and again', () => {
    expect(maskLayout([2, 3], [2, 3])).toMatchObject({ rowStride: 3, columnStride: 1 })
    expect(maskLayout([3], [2, 3])).toMatchObject({ rowStride: 0, columnStride: 1 })
    expect(maskLayout([2, 1], [2, 3])).toMatchObject({ rowStride: 1, columnStride: 0 })
    expect(maskLayout([], [2, 3])).toMatchObject({ rowStride: 0, columnStride: 0 })
  })

  test('gives every head of every sequence its own slice', () => {
    const { offsets } = maskLayout([2, 1, 1, 3], [2, 4, 5, 3])
    expect([...offsets]).toEqual([0, 0, 0, 0, 3, 3, 3, 3])
    expect([...maskLayout([4, 5, 3], [2, 4, 5, 3]).offsets]).toEqual([0, 15, 30, 45, 0, 15, 30, 45])
  })

  test('ignores further leading dimensions of length 1', () => {
    expect(maskLayout([1, 1, 3], [2, 3])).toMatchObject({ rowStride: 0, columnStride: 1 })
  })

  test.each([
    [
      [2, 2],
      [2, 3],
    ],
    [
      [3, 3],
      [2, 3],
    ],
    [
      [2, 2, 3],
      [2, 3],
    ],
    [
      [5, 2, 3],
      [4, 2, 3],
    ],
  ])('refuses %j for scores of %j', (mask, scores) => {
    expect(() => maskLayout(mask, scores)).toThrow(/^attnMask had shape .*the scores' shape/)
  })
})
