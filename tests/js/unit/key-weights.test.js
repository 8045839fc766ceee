import { expect, test } from 'vitest'
import { readAttention } from '../../../web/views/attention-data.js'
import {
  meanWeights,
  strongestPlane,
  sumOf,
  weightsOfQuery,
} from '../../../web/views/lines/key-weights.js'

const attention = readAttention(
  [
    [
      [0.5, 0.5, 0],
      [0.25, 0.75, 0],
    ],
    [
      [0, 1, Number.NaN],
      [0.5, 0.5, 0],
    ],
  ],
  { mask: [[true, true, false]] },
)

test('The mean is over all queries, and a key that is masked for all is masked', () => {
  const { values, masked } = meanWeights(attention, [0, 1])
  expect([...values.slice(0, 2), ...values.slice(3, 5)]).toEqual([0.375, 0.625, 0.25, 0.75])
  expect([...masked]).toEqual([0, 0, 1, 0, 0, 1])
})

test('A weight that only some queries may give counts as 0 for the others', () => {
  const causal = readAttention(
    [
      [1, 9],
      [0.5, 0.5],
    ],
    { causal: true },
  )
  const { values, masked } = meanWeights(causal, [0])
  expect([...values]).toEqual([0.75, 0.25])
  expect([...masked]).toEqual([0, 0])
})

test('A NaN makes its key’s mean NaN, and no other', () => {
  const data = readAttention([
    [Number.NaN, 1],
    [0.5, 0.5],
  ])
  expect([...meanWeights(data, [0]).values]).toEqual([Number.NaN, 0.75])
})

test('A query’s weights are those of the shown heads, in their order', () => {
  const { values, masked } = weightsOfQuery(attention, [1], 1)
  expect([...values]).toEqual([0.5, 0.5, 0])
  expect([...masked]).toEqual([0, 0, 1])
})

test('Sums leave out what is masked', () => {
  expect(sumOf(weightsOfQuery(attention, [0, 1], 0), 3, null)).toBe(2)
  expect(sumOf(weightsOfQuery(attention, [0, 1], 0), 3, 1)).toBe(1.5)
})

test('The strongest head of a pair is one that may attend to it', () => {
  expect(strongestPlane(attention, [0, 1], 0, 0)).toBe(0)
  expect(strongestPlane(attention, [0, 1], 1, 0)).toBe(1)
  expect(strongestPlane(attention, [1], 0, 0)).toBe(1)
})
