/**
 * All numbers that a figure shows: those of its views, with full precision, and those of its tables, as they
 * are written.
 *
 * @import { Table } from '../views/tables.js'
 * @typedef {{ name: string, rows: string[][] }} TextTable  the first row may be a heading
 * @typedef {Table | TextTable} ShownTable
 */

/**
 * @param {{ root: ShadowRoot, tables: () => Table[] }} figure
 * @returns {ShownTable[]} their names differ
 */
export function shownTables({ root, tables }) {
  const written = [...root.querySelectorAll('.exhibit table')].filter(isShown).map(textTable)
  return differently([...tables(), ...written])
}

/** @param {Element} node */
function isShown(node) {
  return node.checkVisibility()
}

/** @param {Element} node a table @returns {TextTable} */
function textTable(node) {
  const table = /** @type {HTMLTableElement} */ (node)
  const rows = [...table.rows].map((row) =>
    [...row.cells].flatMap((cell) => [
      wordsOf(cell),
      ...Array.from({ length: cell.colSpan - 1 }, () => ''),
    ]),
  )
  const name = table.caption ? wordsOf(table.caption) : (table.getAttribute('aria-label') ?? '')
  return { name: name || 'table', rows }
}

/** @param {Element} cell @returns {string} what it shows, or holds to be changed */
function wordsOf(cell) {
  const field = cell.querySelector('input')
  const text = field ? field.value : (cell.textContent ?? '')
  // Figures write a minus sign, which no spreadsheet takes for one.
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^−(?=[\d.])/, '-')
}

/** @param {ShownTable[]} tables */
function differently(tables) {
  /** @type {Map<string, number>} */
  const seen = new Map()
  for (const table of tables) {
    const count = (seen.get(table.name) ?? 0) + 1
    seen.set(table.name, count)
    if (count > 1) table.name += ` (${count})`
  }
  return tables
}
