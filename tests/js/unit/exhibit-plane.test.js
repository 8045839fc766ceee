import { expect, test } from 'vitest'
import { convexHull, planeOf } from '../../../web/exhibits/plane.js'

test('In the plane of two vectors the first lies on the first axis, the second in the upper half', () => {
  const see = planeOf([3, 4, 0], [3, 4, 2])
  expect(see([3, 4, 0])).toEqual([5, 0])
  expect(see([3, 4, 2])).toEqual([5, 2])
  expect(see([0, 0, -1])).toEqual([0, -1])
})

test('Vectors on one line, or zero, leave an axis on which everything is 0', () => {
  expect(planeOf([1, 0], [2, 0])([3, 4])).toEqual([3, 0])
  expect(planeOf([0, 0], [0, 2])([3, 4])).toEqual([0, 4])
})

test('The hull has the outer points as corners, and none that lies within or on an edge', () => {
  const hull = convexHull([
    [0, 0],
    [1, 1],
    [2, 0],
    [1, 0],
    [2, 2],
    [0, 2],
  ])
  expect(hull).toEqual([
    [0, 0],
    [2, 0],
    [2, 2],
    [0, 2],
  ])
})

test('Points on a line have a hull of its ends, one point that of itself', () => {
  expect(
    convexHull([
      [0, 0],
      [2, 2],
      [1, 1],
    ]),
  ).toEqual([
    [0, 0],
    [2, 2],
  ])
  expect(convexHull([[1, 2]])).toEqual([[1, 2]])
})
