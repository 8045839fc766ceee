/**
 * Tables of numbers as text: for spreadsheets, and as HTML.
 *
 * A tensor with labelled axes becomes one table: the last axis goes across, each axis before it has a column of
 * its own with its labels.
 */
import { describe } from '../engine/errors.js'
import { toTensor } from '../engine/tensor.js'
import { numberText } from './number-text.js'

/**
 * @import { MaskLike } from '../engine/tensor.js'
 * @typedef {object} Axis
 * @property {string} name such as 'query'
 * @property {readonly string[]} [labels] 1, 2, … when left out
 *
 * @typedef {object} Table
 * @property {string} name
 * @property {ArrayLike<number>} data row-major
 * @property {readonly number[]} shape
 * @property {readonly Axis[]} axes one for each of the shape's
 *
 * @typedef {object} TextTable  what is written already
 * @property {string} name
 * @property {readonly (readonly string[])[]} rows the first is the header
 */

/**
 * A table as comma-separated values (RFC 4180). Numbers have the fewest digits that read back as the same
 * float32 or float64. Labels that a spreadsheet would run as a formula get an apostrophe before them.
 *
 * @param {Table | TextTable} table
 * @returns {string} lines end with CR LF
 * @throws {TypeError | RangeError} if data, shape, axes and labels do not fit
 */
export function csvText(table) {
  return separated(table, ',', '\r\n')
}

/**
 * A table as spreadsheets take it from the clipboard: with tabs, otherwise like `csvText`.
 *
 * @param {Table | TextTable} table
 * @returns {string} lines end with LF
 * @throws {TypeError | RangeError} if data, shape, axes and labels do not fit
 */
export function tsvText(table) {
  return separated(table, '\t', '\n')
}

/**
 * A table as HTML, for documents that take rich text. All text in it is escaped.
 *
 * @param {Table | TextTable} table
 * @returns {string} a `<table>` without styles
 * @throws {TypeError | RangeError} if data, shape, axes and labels do not fit
 */
export function htmlTable(table) {
  const { header, rows } = cellsOf(table)
  const head = header.map((text) => `<th scope="col">${escaped(text)}</th>`).join('')
  const body = Array.from(rows, ({ labels, numbers = [], texts = [] }) => {
    const titles = labels.map((text) => `<th scope="row">${escaped(text)}</th>`).join('')
    const cells = [...numbers, ...texts.map(escaped)].map((text) => `<td>${text}</td>`)
    return `<tr>${titles}${cells.join('')}</tr>`
  }).join('')
  const caption = table.name ? `<caption>${escaped(table.name)}</caption>` : ''
  return `<table>${caption}<thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`
}

/** @param {Table | TextTable} table @param {string} separator @param {string} lineEnd */
function separated(table, separator, lineEnd) {
  const { header, rows } = cellsOf(table)
  const lines = [header.map((text) => labelCell(text, separator)).join(separator)]
  const quoted = (/** @type {string} */ text) => labelCell(text, separator)
  for (const { labels, numbers = [], texts = [] } of rows) {
    lines.push([...labels.map(quoted), ...numbers, ...texts.map(quoted)].join(separator))
  }
  return lines.join(lineEnd) + lineEnd
}

/**
 * @param {Table | TextTable} table
 * @returns {{ header: readonly string[], rows: Iterable<{ labels: string[], numbers?: string[], texts?: string[] }> }}
 */
function cellsOf(table) {
  if ('rows' in table) {
    const [header = [], ...rows] = table.rows
    return { header, rows: rows.map(([label = '', ...texts]) => ({ labels: [label], texts })) }
  }
  const { name, data, shape, axes } = table
  const tensor = toTensor(/** @type {MaskLike} */ ({ data, shape }), 'table')
  const isFloat32 = Object.prototype.toString.call(data) === '[object Float32Array]'
  const labels = readAxes(axes, tensor.shape)
  const across = labels.length - 1
  const columns = across >= 0 ? labels[across] : [name]
  const leading = labels.slice(0, Math.max(0, across))
  return {
    header: [...leading.map((_, axis) => axes[axis].name), ...columns],
    rows: rowsOf(tensor.data, leading, columns.length, isFloat32),
  }
}

/** @param {readonly Axis[]} axes @param {readonly number[]} shape @returns {string[][]} */
function readAxes(axes, shape) {
  if (!Array.isArray(axes) || axes.length !== shape.length) {
    throw new RangeError(
      `table.axes: expected one for each of ${shape.length} axes, got ${describe(axes)}`,
    )
  }
  return axes.map(({ labels }, axis) => {
    if (labels === undefined || labels === null) {
      return Array.from({ length: shape[axis] }, (_, i) => String(i + 1))
    }
    if (labels.length === shape[axis]) return Array.from(labels, String)
    throw new RangeError(
      `table.axes[${axis}].labels: expected ${shape[axis]} of them, got ${labels.length}`,
    )
  })
}

/**
 * @param {ArrayLike<number>} data
 * @param {string[][]} leading labels of the axes before the last
 * @param {number} width
 * @param {boolean} isFloat32
 */
function* rowsOf(data, leading, width, isFloat32) {
  const count = leading.reduce((product, { length }) => product * length, 1)
  for (let row = 0; row < count; row++) {
    let rest = row
    const labels = leading.map(() => '')
    for (let axis = leading.length - 1; axis >= 0; axis--) {
      labels[axis] = leading[axis][rest % leading[axis].length]
      rest = Math.floor(rest / leading[axis].length)
    }
    const numbers = Array.from({ length: width }, (_, column) =>
      numberText(data[row * width + column], isFloat32),
    )
    yield { labels, numbers }
  }
}

/** What spreadsheets take for a formula at the beginning of a cell. */
const FORMULA = /^[=+\-@\t\r]/

/** @param {string} text @param {string} separator */
function labelCell(text, separator) {
  const isNumber = text.trim() !== '' && Number.isFinite(Number(text))
  const safe = FORMULA.test(text) && !isNumber ? `'${text}` : text
  const isPlain = !safe.includes(separator) && !/["\r\n]/.test(safe) && safe.trim() === safe
  return isPlain ? safe : `"${safe.replaceAll('"', '""')}"`
}

/** @param {string} text */
function escaped(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
