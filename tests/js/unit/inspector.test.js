import { describe, expect, test } from 'vitest'
import { readAttention } from '../../../web/views/attention-data.js'
import { agrees, compare, withDrawn } from '../../../web/views/inspector/agreement.js'
import {
  explainByMap,
  rankInRow,
  rowSumTolerance,
  WEIGHT,
} from '../../../web/views/inspector/explanation.js'
import { alarm, finding, formatDifference } from '../../../web/views/inspector/wording.js'
import { detailOf } from '../../../web/views/options.js'
import { NO_LABELS } from '../../../web/views/tokens.js'

/** @import { Explanation } from '../../../web/views/inspector/explanation.js' */

const all = () => true

/**
 * What a map alone says of a cell.
 * @param {number[][]} rows
 * @param {{ query: number, key: number, mask?: boolean[][], valueLabel?: string }} options
 */
function byMap(rows, { query, key, mask, valueLabel = WEIGHT }) {
  const attention = readAttention(rows, { mask })
  const tokens = { query: rows.map((_, at) => `q${at}`), key: rows[0].map((_, at) => `k${at}`) }
  const cell = detailOf(attention, { ...NO_LABELS, ...tokens, named: true }, 0, query, key)
  return explainByMap(attention, 0, cell, valueLabel)
}

/** @param {Explanation} explanation @param {string} id */
const computed = (explanation, id) =>
  explanation.parts[0].figures.find((figure) => figure.id === id)?.computed

describe('a rank', () => {
  test('counts the larger ones, and equal ones that come before', () => {
    const values = [0.2, 0.5, 0.2, 0.1]
    expect(values.map((_, key) => rankInRow(values, all, key).rank)).toEqual([2, 1, 3, 4])
  })

  test('passes over what is masked, which has none itself', () => {
    const isOpen = (/** @type {number} */ key) => key !== 1
    expect(rankInRow([0.2, 9, 0.3], isOpen, 0)).toEqual({ rank: 2, of: 2 })
    expect(rankInRow([0.2, 9, 0.3], isOpen, 1)).toEqual({ rank: null, of: 2 })
  })

  test('is none for NaN, which stands behind all others', () => {
    expect(rankInRow([Number.NaN, 1], all, 0).rank).toBeNull()
    expect(rankInRow([Number.NaN, 1], all, 1).rank).toBe(1)
  })
})

describe('a map alone', () => {
  test('tells weight, rank and row sum, and what is missing', () => {
    const found = byMap([[0.25, 0.75]], { query: 0, key: 0 })
    expect(found.finding).toBe('q0 → k0: attention weight 0.25; rank 2 of 2 in its row.')
    expect(computed(found, 'value')).toBe(0.25)
    expect(computed(found, 'rank')).toBe(2)
    expect(computed(found, 'rowSum')).toBe(1)
    expect(found.notes).toHaveLength(1)
    expect(found.notes?.[0]).toMatch(/^q, k and v did not come with this map\./)
    expect(compare(found)).toEqual({ compared: 0, wrong: [] })
  })

  test('says so where a row of weights does not add up to 1', () => {
    expect(byMap([[0.25, 0.7]], { query: 0, key: 0 }).notes?.[0]).toMatch(/does not add up to 1/)
    const thirds = [[1, 1, 1].map(() => Math.fround(1 / 3))]
    expect(byMap(thirds, { query: 0, key: 0 }).notes).toHaveLength(1)
  })

  test('of other numbers says nothing of sums', () => {
    const found = byMap([[3, 4]], { query: 0, key: 1, valueLabel: 'logit' })
    expect(found.finding).toBe('q0 → k1: logit 4; rank 1 of 2 in its row.')
    expect(found.notes).toHaveLength(1)
  })

  test('explains a masked cell, and finds a weight where there must be none', () => {
    const at = { query: 0, key: 1, mask: [[true, false]] }
    const right = byMap([[1, 0]], at)
    expect(right.finding).toBe('q0 may not attend to k1.')
    expect(right.notes?.[0]).toBe(
      'Masked. It contributes exactly 0, whatever its key and value hold.',
    )
    expect(computed(right, 'rowSum')).toBe(1)
    expect(compare(right)).toEqual({ compared: 1, wrong: [] })
    expect(compare(byMap([[1, 0.25]], at)).wrong).toEqual([
      { name: 'weight', computed: 0.25, reference: 0, tolerance: 0 },
    ])
  })

  test('explains a row in which everything is masked', () => {
    const found = byMap([[0, 0]], { query: 0, key: 1, mask: [[false, false]] })
    expect(found.finding).toBe('q0 may attend to nothing.')
    expect(found.notes?.[0]).toMatch(/^Every key is masked for q0/)
  })

  test('explains NaN, in the cell and beside it', () => {
    const rows = [[Number.NaN, 1]]
    const own = byMap(rows, { query: 0, key: 0 })
    expect(own.finding).toBe('q0 → k0: attention weight NaN.')
    expect(own.notes?.[0]).toMatch(/not a number/)
    expect(byMap(rows, { query: 0, key: 1 }).notes?.[0]).toMatch(/^Another value of this row/)
  })
})

test('a row of m float32 weights may miss 1 by m + 2 roundings', () => {
  expect(rowSumTolerance(12)).toBe(14 * 2 ** -24)
})

describe('two numbers', () => {
  test('agree up to the tolerance, and differ beyond it', () => {
    expect(agrees(1, 1 + 1e-7, 1.1e-7)).toBe(true)
    expect(agrees(1, 1 + 1e-7, 0.9e-7)).toBe(false)
    expect(agrees(0, 0, 0)).toBe(true)
    expect(agrees(1e-30, 0, 0)).toBe(false)
  })

  test('that are the same infinity, or both NaN, agree; other pairs with one do not', () => {
    expect(agrees(-Infinity, -Infinity, 0)).toBe(true)
    expect(agrees(Number.NaN, Number.NaN, 1)).toBe(true)
    expect(agrees(Infinity, 3e38, 1e38)).toBe(false)
    expect(agrees(0, Number.NaN, 1)).toBe(false)
    expect(agrees(Number.NaN, 0, Number.NaN)).toBe(false)
  })

  test('are not compared without a tolerance, or where one is missing', () => {
    expect(agrees(1, 2, undefined)).toBeNull()
    expect(agrees(null, 2, 1)).toBeNull()
    expect(agrees(1, undefined, 1)).toBeNull()
    expect(agrees(1, 2, Number.NaN)).toBeNull()
  })
})

describe('an explanation', () => {
  /** @type {Explanation} */
  const explanation = {
    finding: 'f',
    shows: 'weight',
    basis: 'b',
    parts: [
      {
        title: 't',
        product: {
          caption: 'c',
          name: 'q k',
          factors: [],
          computed: [1, 2, 3],
          reference: [1, 2.5, 4],
          tolerance: [0, 0, 0],
        },
        figures: [{ id: 'weight', name: 'weight', computed: 0.5, reference: 0.5, tolerance: 0.01 }],
      },
    ],
  }

  test('has one disagreement for all components of a product, the largest', () => {
    const { compared, wrong } = compare(explanation)
    expect(compared).toBe(4)
    expect(wrong).toEqual([{ name: 'component 3 of q k', computed: 3, reference: 4, tolerance: 0 }])
  })

  test('stays as it is where the map draws its number', () => {
    expect(withDrawn(explanation, 0.5)).toEqual(explanation)
  })

  test('gets a line for what the map draws instead, held against the reference', () => {
    const drawn = withDrawn(explanation, 0.7)
    expect(drawn.parts[0].figures[1]).toMatchObject({ name: 'weight on the map', computed: 0.7 })
    expect(compare(drawn).wrong.at(-1)).toMatchObject({ name: 'weight on the map', reference: 0.5 })
    // Rounded on the way to the map, it is within the tolerance.
    expect(compare(withDrawn(explanation, 0.505)).wrong).toHaveLength(1)
  })
})

describe('the words', () => {
  test('of an alarm name three numbers, and count the rest', () => {
    const wrong = { name: 'a', computed: 1, reference: 2, tolerance: 0.0000012 }
    expect(alarm([])).toEqual([])
    expect(alarm([wrong])).toEqual(['a: 1 instead of 2; rounding explains no more than 1.2e−6'])
    expect(alarm([{ ...wrong, tolerance: 0 }])[0]).toContain('exactly')
    expect(alarm([wrong, wrong, wrong, wrong, wrong]).at(-1)).toBe('and 2 numbers more')
  })

  test('of a finding have the share where there is one', () => {
    const cell = { queryToken: 'it', keyToken: 'animal' }
    const state = { masked: false, value: 0.5, open: 3, hasNaN: false, rank: 1, valueLabel: 'w' }
    expect(finding(cell, { ...state, share: -0.02346 })).toBe(
      'it → animal: w 0.5; rank 1 of 3 in its row, −2.35 % of the output.',
    )
  })

  test('of a difference have three digits, or two and a power of ten', () => {
    expect([0, 1.5e-9, -2.34e-8, 0.81234, Infinity].map(formatDifference)).toEqual([
      '0',
      '1.5e−9',
      '−2.3e−8',
      '0.812',
      '∞',
    ])
  })
})
