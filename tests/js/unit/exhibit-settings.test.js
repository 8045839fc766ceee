import { expect, test } from 'vitest'
import {
  attributeName,
  choice,
  fromAttribute,
  initialState,
  integer,
  permutation,
  readState,
  sameState,
} from '../../../web/exhibits/settings.js'

const settings = {
  numHeads: choice([1, 2, 4, 8], 4),
  head: integer(-1, 7, -1),
  order: permutation([2, 0, 1]),
  scale: choice(['common', 'own'], 'common'),
}

test('What a state leaves out has its initial value', () => {
  expect(readState(settings, { numHeads: 8 })).toEqual({
    numHeads: 8,
    head: -1,
    order: [2, 0, 1],
    scale: 'common',
  })
  expect(readState(settings, {})).toEqual(initialState(settings))
})

test.each([
  [{ numHeads: 3 }, /^numHeads must be one of 1, 2, 4, 8, not 3$/],
  [{ numHeads: '4' }, /not "4"$/],
  [{ head: 8 }, /^head must be a whole number from -1 to 7, not 8$/],
  [{ head: 1.5 }, /head must be/],
  [{ order: [0, 1] }, /^order must be the numbers 0 to 2 in any order/],
  [{ order: [0, 1, 1] }, /order must be/],
  [{ heads: 4 }, /^state has no setting 'heads'; there are numHeads, head, order, scale$/],
])('A wrong state is refused by name: %j', (state, message) => {
  expect(() => readState(settings, state)).toThrow(message)
})

test('A state that is no object is refused', () => {
  expect(() => readState(settings, /** @type {any} */ (null))).toThrow(TypeError)
})

test('States are the same when they hold the same values', () => {
  expect(sameState(initialState(settings), readState(settings, {}))).toBe(true)
  expect(sameState(initialState(settings), readState(settings, { order: [0, 1, 2] }))).toBe(false)
  expect(sameState({ a: 1 }, { a: 1, b: 2 })).toBe(false)
})

test('A setting is read from the attribute of its name', () => {
  expect(attributeName('numHeads')).toBe('num-heads')
  expect(fromAttribute(settings.numHeads, '8')).toBe(8)
  expect(fromAttribute(settings.order, '[0, 1, 2]')).toEqual([0, 1, 2])
  expect(fromAttribute(settings.scale, 'own')).toBe('own')
  expect(fromAttribute(settings.numHeads, null)).toBe(4)
  expect(fromAttribute(settings.numHeads, 'eight')).toBe('eight')
})
