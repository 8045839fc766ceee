import { expect, test } from 'vitest'
import { histogramSeries, sizes, varianceLines } from '../../../web/exhibits/product-variance.js'
import { isSaturated, uniformDiagonal } from '../../../web/exhibits/saturation-charts.js'

const counts = Float64Array.of(1, 4, 4, 1)
const statistics = {
  measured: { mean: 0, variance: 1 },
  theory: { mean: 0, variance: 1 },
  histogram: { limit: 2, counts, below: 0, above: 0 },
}

test('A histogram has shares of products over equal bins', () => {
  const { bars, x } = histogramSeries(statistics, 10, 0)
  expect(Array.from(bars[0].edges)).toEqual([-2, -1, 0, 1, 2])
  expect(Array.from(bars[0].heights)).toEqual([0.1, 0.4, 0.4, 0.1])
  expect(x).toEqual([-2, 2])
})

test("The normal curve is as high as a bin's share of it", () => {
  const [{ x, y }] = histogramSeries(statistics, 10, 0).lines
  const middle = Array.from(x).indexOf(0)
  expect(y[middle]).toBeCloseTo(1 / Math.sqrt(2 * Math.PI), 12)
  const moved = { ...statistics, theory: { mean: 1, variance: 4 } }
  const [curve] = histogramSeries(moved, 10, 0).lines
  expect(Array.from(curve.y).indexOf(Math.max(...Array.from(curve.y)))).toBe(
    Array.from(curve.x).indexOf(1),
  )
})

test('Theory has a variance for every width, measurements have one where there are any', () => {
  const raw = { ...statistics, measured: { mean: 0, variance: 7.9 } }
  const result = { trials: 100, raw, scaled: statistics, shareOver25: 0 }
  const [measured, theory] = varianceLines({ 8: result }, 0.5)
  expect([measured.x, measured.y]).toEqual([[8], [7.9]])
  expect(theory.y).toEqual(sizes.map((dK) => 1.25 * dK))
})

test("Saturation has the notebook's limit for ten keys, and from 33 keys on uniform attention is below it", () => {
  const saturation = { meanDiagonal: 0, jacobianNorm: 0, largestWeight: 1, entropy: 0 }
  const rowOf = (/** @type {number} */ meanDiagonal) => {
    const kind = { ...saturation, relativeToUniform: meanDiagonal / uniformDiagonal(10) }
    return {
      ...{ dK: 4, trials: 1, varianceRaw: 0, meanRaw: 0, varianceScaled: 0, shareOver25: 0 },
      ...{ unscaled: kind, scaled: kind },
    }
  }
  expect([0.0301, 0.0299].map((mean) => isSaturated(rowOf(mean)))).toEqual([false, true])
  expect([32, 33].map((keys) => uniformDiagonal(keys) < 0.03)).toEqual([false, true])
})
