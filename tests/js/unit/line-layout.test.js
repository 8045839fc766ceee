import { describe, expect, test } from 'vitest'
import { layoutLines, laneOf, middleOf } from '../../../web/views/lines/line-layout.js'

const wanted = {
  ...{ width: 900, maxHeight: 720, queries: 12, keys: 12, shown: 1, named: true, ratio: 1 },
  ...{ widest: { query: 60, key: 60, title: 40 }, decimals: 2, crowded: false },
}

for (const width of [160, 320, 360, 768, 1280]) {
  for (const shown of [1, 2, 4, 12, 96]) {
    test(`${shown} heads fit in ${width} px`, () => {
      const widest = { query: 400, key: 400, title: 40 }
      const layout = layoutLines({ ...wanted, width, shown, widest })
      expect(layout.width).toBeLessThanOrEqual(width)
      expect(layout.right - layout.left).toBeGreaterThanOrEqual(16)
      const { kind, left, cell } = layout.weights
      if (kind !== 'none') expect(left + cell * shown).toBeLessThanOrEqual(layout.width)
    })
  }
}

test('A row is a position in both columns, whatever their lengths', () => {
  const layout = layoutLines({ ...wanted, queries: 3, keys: 30 })
  expect(middleOf(layout, 2) - middleOf(layout, 1)).toBe(layout.pitch)
  expect(layout.queryLabels).toEqual([0, 1, 2])
  expect(middleOf(layout, 29) + layout.pitch / 2).toBeLessThanOrEqual(layout.height)
})

test('Rows shrink to the height there is, and labels are thinned', () => {
  const layout = layoutLines({ ...wanted, queries: 512, keys: 512, named: false })
  expect(layout.height).toBeLessThanOrEqual(722)
  expect(layout.keyLabels.slice(0, 3)).toEqual([9, 19, 29])
})

test('Lanes of heads keep to their row', () => {
  for (const shown of [1, 2, 8, 16]) {
    const layout = layoutLines({ ...wanted, shown })
    expect(laneOf(layout, 0, shown) + laneOf(layout, shown - 1, shown)).toBe(0)
    expect(Math.abs(laneOf(layout, 0, shown))).toBeLessThanOrEqual(layout.pitch / 2)
  }
})

describe('numbers stand beside the keys', () => {
  test('of one head wherever there is any room', () => {
    expect(layoutLines({ ...wanted, width: 320 }).weights.kind).toBe('numbers')
  })
  test('of four heads on a screen; on a telephone bars do', () => {
    expect(layoutLines({ ...wanted, shown: 4 }).weights.kind).toBe('numbers')
    expect(layoutLines({ ...wanted, shown: 4, width: 336 }).weights.kind).toBe('bars')
  })
  test('of no head where rows are lower than digits', () => {
    const layout = layoutLines({ ...wanted, shown: 4, keys: 100 })
    expect(layout.weights.kind).toBe('bars')
  })
})
