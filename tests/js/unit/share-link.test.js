import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { choice, initialState, integer, readState, vector } from '../../../web/exhibits/settings.js'
import * as exhibits from '../../../web/exhibits/index.js'
import { readFragment, stateOf, writeFragment } from '../../../web/share/link.js'

/** @import { Link } from '../../../web/share/link.js' */

const settings = {
  numHeads: choice([1, 2, 4, 8], 4),
  scale: choice(['common', 'own'], 'common'),
  river: vector(-1, 1, [0.5, -0.25]),
}
const options = { show: choice(['both', 'cube'], 'both') }
const exhibit = {
  ...{ name: 'Example', version: 1, settings, options },
  upgrade: (/** @type {Record<string, string>} */ values) => values,
}

/** @param {string} fragment @returns {Link} */
function read(fragment) {
  const link = readFragment(fragment)
  if (!link) throw new Error(`${fragment} is no link`)
  return link
}

const classes = Object.entries(exhibits).filter(
  ([, Class]) => 'settings' in Class && Object.keys(/** @type {any} */ (Class).settings).length > 0,
)

test.each(classes)('A link restores the state of %s exactly', (name, Class) => {
  const { settings, version } = /** @type {typeof exhibits.Exhibit} */ (Class)
  const state = initialState(settings)
  const link = read(writeFragment({ key: name, version, state }))
  expect(link.key).toBe(name)
  expect(readState(settings, stateOf(link, /** @type {any} */ (Class)))).toEqual(state)
})

/** Links as they were made by each version, element by element, and what they meant. */
const oldLinks = JSON.parse(
  readFileSync(new URL('../../golden/links.json', import.meta.url), 'utf8'),
)

test.each(Object.entries(oldLinks))('Old links to %s keep working', (name, links) => {
  const Class = /** @type {any} */ (exhibits)[name]
  for (const { fragment, state } of /** @type {any[]} */ (links)) {
    expect(readState(Class.settings, stateOf(read(fragment), Class))).toEqual(state)
  }
})

test('There is an old link to every exhibit', () => {
  expect(Object.keys(oldLinks).sort()).toEqual(classes.map(([name]) => name).sort())
})

test('A link names the figure, its version, all settings, what readers may do, and the theme', () => {
  const fragment = writeFragment({
    key: 'heads',
    state: { numHeads: 8, scale: 'own', river: [0.5, -0.25] },
    ...{ hide: ['reset'], fix: ['numHeads', 'scale'], theme: 'dark' },
  })
  expect(fragment).toBe(
    '#heads?v=1&numHeads=8&scale=own&river=[0.5,-0.25]&hide=reset&fix=numHeads+scale&theme=dark',
  )
  const link = read(fragment)
  expect(link).toMatchObject({ hide: ['reset'], fix: ['numHeads', 'scale'], theme: 'dark' })
  expect(stateOf(link, exhibit)).toEqual({ numHeads: 8, scale: 'own', river: [0.5, -0.25] })
})

test('Any key and any text survive', () => {
  for (const text of ['a b', 'x?y=z&v=9', '#', '100 %', 'ü😀', '+', '"<']) {
    const { key, values } = read(writeFragment({ key: text, state: { text } }))
    expect([key, values.text]).toEqual([text, text])
  }
})

test('What a page chooses is no part of the state', () => {
  expect(stateOf(read('#a?v=1&show=cube&numHeads=2'), exhibit)).toEqual({ numHeads: 2 })
})

test('A setting that is not there, or has a wrong value, is refused by name', () => {
  const refused = (/** @type {string} */ fragment) => () =>
    readState(settings, stateOf(read(fragment), exhibit))
  expect(refused('#a?v=1&heads=2')).toThrow("no setting 'heads'")
  expect(refused('#a?v=1&numHeads=3')).toThrow('numHeads must be one of 1, 2, 4, 8, not 3')
  expect(refused('#a?v=1&numHeads=')).toThrow('numHeads')
  expect(refused('#a?v=1&river=[1e999,0]')).toThrow('river')
})

test('A version that is not there yet is refused in words', () => {
  for (const version of ['2', '0', '-1', '1.5', 'x', '']) {
    expect(() => stateOf(read(`#a?v=${version}`), exhibit)).toThrow(/version/)
  }
})

test('An older version is read in its own words', () => {
  const second = {
    ...exhibit,
    version: 3,
    settings: { heads: integer(1, 8, 4) },
    upgrade: (/** @type {Record<string, string>} */ values, /** @type {number} */ version) =>
      version === 1 ? { heads: values.numHeads } : values,
  }
  expect(stateOf(read('#a?v=1&numHeads=2'), second)).toEqual({ heads: 2 })
  expect(stateOf(read('#a?v=2&heads=2'), second)).toEqual({ heads: 2 })
})

test("A page's own fragments are not links with settings", () => {
  expect(readFragment('')).toBeNull()
  expect(readFragment('#')).toBeNull()
  expect(readFragment('#section-2')).toMatchObject({ key: 'section-2', values: {} })
  expect(readFragment('#%')).toMatchObject({ key: '%' })
})
