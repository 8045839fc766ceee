import { describe, expect, test } from 'vitest'
import { csvText, htmlTable, tsvText } from '../../../web/data/index.js'
import { numberText } from '../../../web/data/number-text.js'
import { normals } from '../inputs.js'

const matrix = {
  name: 'weights',
  data: Float32Array.of(0.1, 0.9, 1, 0),
  shape: [2, 2],
  axes: [
    { name: 'query', labels: ['The', 'cat'] },
    { name: 'key', labels: ['The', 'cat'] },
  ],
}

/** Cells of a file of comma-separated values, read by the letter of RFC 4180. @param {string} text */
function parseCsv(text) {
  /** @type {string[][]} */
  const rows = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  for (let match = cell.exec(text); match; match = cell.exec(text)) {
    rows[rows.length - 1].push(match[1]?.replaceAll('""', '"') ?? match[2])
    if (match[3] === '\r\n') rows.push([])
    if (cell.lastIndex === text.length) return rows.slice(0, -1)
  }
  throw new Error(`no CSV: ${JSON.stringify(text)}`)
}

test('a matrix has labels above and before it', () => {
  expect(csvText(matrix)).toBe('query,The,cat\r\nThe,0.1,0.9\r\ncat,1,0\r\n')
  expect(tsvText(matrix)).toBe('query\tThe\tcat\nThe\t0.1\t0.9\ncat\t1\t0\n')
})

test('each axis before the last has a column of its own', () => {
  const data = Float64Array.from({ length: 12 }, (_, i) => i)
  const axes = [{ name: 'head' }, { name: 'query', labels: ['a', 'b'] }, { name: 'key' }]
  expect(parseCsv(csvText({ name: '', data, shape: [2, 2, 3], axes }))).toEqual([
    ['head', 'query', '1', '2', '3'],
    ['1', 'a', '0', '1', '2'],
    ['1', 'b', '3', '4', '5'],
    ['2', 'a', '6', '7', '8'],
    ['2', 'b', '9', '10', '11'],
  ])
})

test('a vector is one row, a number one cell, and an empty table its header', () => {
  const axes = [{ name: 'key', labels: ['a', 'b'] }]
  expect(csvText({ name: '', data: [1, 2], shape: [2], axes })).toBe('a,b\r\n1,2\r\n')
  expect(csvText({ name: 'loss', data: [7], shape: [], axes: [] })).toBe('loss\r\n7\r\n')
  const empty = { name: '', data: [], shape: [0, 2], axes: [{ name: 'q' }, { name: 'k' }] }
  expect(csvText(empty)).toBe('q,1,2\r\n')
})

test('labels come out as they went in, whatever is in them', () => {
  const labels = ['a,b', 'say "x"', 'two\nlines', 'cr\r', ' space ', '', '😀', '\t', ';', '日本']
  const axes = [{ name: 'q,"k"' }, { name: 'k', labels }]
  const table = { name: '', data: labels.map(() => 0), shape: [1, labels.length], axes }
  const wanted = labels.map((label) => (label === '\t' ? "'\t" : label))
  expect(parseCsv(csvText(table))[0]).toEqual(['q,"k"', ...wanted])
  const plain = { ...table, axes: [{ name: 'q' }, { name: 'k', labels: labels.map(() => 'a\tb') }] }
  expect(tsvText(plain)).toContain('"a\tb"')
})

test('labels that a spreadsheet would run are made texts, numbers are left', () => {
  const labels = ['=1+1', '+cmd', '-x', '@sum', '-1', '+2', '-', '=', '-1e3', 'a=b', '##ing']
  const axes = [{ name: '=HYPERLINK("x")' }, { name: 'k', labels }]
  const table = { name: '', data: labels.map(() => -1), shape: [1, labels.length], axes }
  const wanted = ["'=1+1", "'+cmd", "'-x", "'@sum", '-1', '+2', "'-", "'=", '-1e3', 'a=b', '##ing']
  expect(parseCsv(csvText(table))).toEqual([
    [`'=HYPERLINK("x")`, ...wanted],
    ['1', ...labels.map(() => '-1')],
  ])
  expect(tsvText(table).split('\n')[0].split('\t')[1]).toBe("'=1+1")
})

test('HTML holds no tag but those of the table', () => {
  const labels = ['<script>alert(1)</script>', '"&amp;']
  const html = htmlTable({
    ...matrix,
    name: '<b>',
    axes: [{ name: '<i>', labels }, matrix.axes[1]],
  })
  const tags = [...html.matchAll(/<\/?([a-z]+)/g)].map(([, tag]) => tag)
  expect(new Set(tags)).toEqual(new Set(['table', 'caption', 'thead', 'tbody', 'tr', 'th', 'td']))
  expect(html).toContain('<th scope="row">&quot;&amp;amp;</th><td>1</td><td>0</td>')
})

describe('numbers', () => {
  test('have the fewest digits that read back as the same number', () => {
    for (const [value, text] of /** @type {[number, string][]} */ ([
      [Math.fround(0.1), '0.1'],
      [Math.fround(1 / 3), '0.33333334'],
      [2 ** 24, '16777216'],
      [Math.fround(1e-45), '1e-45'],
      [Math.fround(3.4028234e38), '3.4028235e+38'],
      [0, '0'],
      [-0, '-0'],
      [NaN, 'NaN'],
      [-Infinity, '-Infinity'],
    ])) {
      expect(numberText(value, true)).toBe(text)
    }
    expect(numberText(0.1 + 0.2)).toBe('0.30000000000000004')
  })

  test('read back as the same float32, and one digit less does not', () => {
    const next = normals(5)
    for (let i = 0; i < 20_000; i++) {
      const value = Math.fround(next() * 10 ** Math.round(10 * next()))
      const text = numberText(value, true)
      expect(Math.fround(Number(text))).toBe(value)
      const digits = text.replace(/e.*|[-.]/g, '').replace(/^0+|0+$/g, '').length
      if (digits > 1) expect(Math.fround(Number(value.toPrecision(digits - 1)))).not.toBe(value)
    }
  })

  test('of a table of float64 keep all their digits', () => {
    const data = Float64Array.of(0.1, 1 / 3)
    const axes = [{ name: 'key' }]
    expect(csvText({ name: '', data, shape: [2], axes })).toBe('1,2\r\n0.1,0.3333333333333333\r\n')
  })
})

test('a table whose parts do not fit is refused in words', () => {
  for (const [change, message] of /** @type {[object, string][]} */ ([
    [{ data: [1] }, 'held 1 numbers'],
    [{ axes: [{ name: 'q' }] }, 'expected one for each of 2 axes'],
    [{ axes: [{ name: 'q', labels: ['a'] }, { name: 'k' }] }, 'axes[0].labels: expected 2'],
  ])) {
    expect(() => csvText({ ...matrix, ...change })).toThrow(message)
  }
})

test('What is written already keeps its words, quoted and without formulas', () => {
  const table = {
    name: 'measures',
    rows: [
      ['head', 'from → to'],
      ['head 1', 'a, b'],
      ['=SUM(A1)', '-0.5'],
      ['', '<b>'],
    ],
  }
  expect(csvText(table)).toBe('head,from → to\r\nhead 1,"a, b"\r\n\'=SUM(A1),-0.5\r\n,<b>\r\n')
  expect(tsvText(table)).toContain('head 1\ta, b\n')
  expect(htmlTable(table)).toContain('<tr><th scope="row"></th><td>&lt;b&gt;</td></tr>')
})
