import { expect, test } from 'vitest'
import { lengthsUpTo } from '../../../web/exhibits/decoding-cost.js'
import { embed, inputs, targets, toyModel, vocabulary } from '../../../web/exhibits/toy-model.js'

test('Lengths go from 1 to the most, each once, and never far from one to the next', () => {
  const lengths = lengthsUpTo(4096)
  expect(lengths[0]).toBe(1)
  expect(lengths.at(-1)).toBe(4096)
  lengths.slice(1).forEach((length, place) => {
    expect(length).toBeGreaterThan(lengths[place])
    expect(length).toBeLessThanOrEqual(Math.max(lengths[place] + 1, 1.25 * lengths[place]))
  })
})

test('Targets are the inputs, shifted by one', () => {
  expect(targets.slice(0, -1)).toEqual(inputs.slice(1))
  expect(vocabulary[targets[targets.length - 1]]).toBe('prose')
})

test('A token of the toy model is its word and its place', () => {
  const { data, shape } = embed([3], 2)
  expect(shape).toEqual([1, 13])
  expect([...data.entries()].filter(([, value]) => value !== 0)).toEqual([
    [3, 1],
    [9, 1],
  ])
})

test.each(/** @type {const} */ (['follows', 'peeks']))(
  'The model that %s asks for the right place, and says the right word',
  (name) => {
    const { wq, wk, wv } = toyModel(name)
    const entry = (
      /** @type {any} */ { data, shape },
      /** @type {number} */ row,
      /** @type {number} */ column,
    ) => data[row * shape[1] + column]
    const wanted = name === 'peeks' ? 3 : 2
    for (let place = 0; place < 6; place++) {
      expect(entry(wq, 9, place) > 0).toBe(place === wanted)
      expect(entry(wk, 9, place)).toBe(place === 2 ? 1 : 0)
    }
    // What word 2 says: itself, or what follows it.
    expect(entry(wv, 2, name === 'peeks' ? 2 : 3)).toBe(1)
  },
)
