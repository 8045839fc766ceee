/**
 * The numbers that a view draws, for those who take them elsewhere.
 *
 * @import { AttentionData } from './attention-data.js'
 * @import { Numbers } from './tensor-input.js'
 * @import { TokenLabels } from './tokens.js'
 * @typedef {{ name: string, labels?: readonly string[] }} TableAxis
 * @typedef {object} Table  a tensor that knows what its axes are
 * @property {string} name
 * @property {Float32Array | Float64Array} data  row by row
 * @property {number[]} shape
 * @property {TableAxis[]} axes  one for each of the shape's lengths
 */

/**
 * @param {{ attention: AttentionData | null, tokens: TokenLabels, label: string }} content of a view
 * @param {{ axes?: { query: string, key: string } | null, plane?: number }} [options] what rows and columns are
 *   called; `plane`: that head alone
 * @returns {Table[]} none where nothing is drawn
 */
export function attentionTables({ attention, tokens, label }, { axes, plane } = {}) {
  if (!attention || attention.isEmpty) return []
  const { data, layers, heads, queries, keys } = attention
  const cells = queries * keys
  const isOne = plane !== undefined || attention.planes === 1
  const start = plane ?? 0
  const leading = isOne
    ? []
    : [
        ...(layers > 1
          ? [{ length: layers, axis: { name: 'layer', labels: counted(layers) } }]
          : []),
        { length: heads, axis: { name: 'head', labels: counted(heads) } },
      ]
  return [
    {
      name: label,
      // Copied when it is asked for: a menu that is open asks for names at every change of a figure.
      get data() {
        return copied(data, isOne ? start * cells : 0, isOne ? (start + 1) * cells : data.length)
      },
      shape: [...leading.map(({ length }) => length), queries, keys],
      axes: [
        ...leading.map(({ axis }) => axis),
        { name: axes?.query ?? 'query', labels: tokens.query },
        { name: axes?.key ?? 'key', labels: tokens.key },
      ],
    },
  ]
}

/** @param {Numbers} data @param {number} start @param {number} end not inclusive @returns {Float32Array | Float64Array} */
function copied(data, start, end) {
  if (data instanceof Float32Array) return data.slice(start, end)
  return Float64Array.from({ length: end - start }, (_, index) => data[start + index])
}

/** Heads and layers as figures name them, from 1. @param {number} count */
function counted(count) {
  return Array.from({ length: count }, (_, index) => String(index + 1))
}

/**
 * Series over the same places side by side; others each in a table of its own.
 *
 * @param {string} name
 * @param {string} along what the places are
 * @param {readonly { name: string, x: ArrayLike<number>, y: ArrayLike<number> }[]} series
 * @returns {Table[]}
 */
export function seriesTables(name, along, series) {
  if (series.length === 0) return []
  const [first] = series
  const share = series.every(
    ({ x }) =>
      x.length === first.x.length && Array.from(x).every((at, index) => at === first.x[index]),
  )
  const groups = share ? [series] : series.map((one) => [one])
  return groups.map((group) => {
    const columns = [group[0].x, ...group.map(({ y }) => y)]
    const length = group[0].x.length
    const data = new Float64Array(length * columns.length)
    columns.forEach((values, column) => {
      for (let row = 0; row < length; row++) data[row * columns.length + column] = values[row]
    })
    return {
      name: share ? name : `${name}: ${group[0].name}`,
      data,
      shape: [length, columns.length],
      axes: [
        { name: 'point' },
        { name: 'series', labels: [along, ...group.map((one) => one.name)] },
      ],
    }
  })
}
