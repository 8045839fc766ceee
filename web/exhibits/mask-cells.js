/**
 * Which cells of a square mask are open, as one text: a row of 1 (open) and 0 (closed) after the other.
 *
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @import { Setting, State } from './settings.js'
 */

/** How many heads ALiBi's slopes are for. */
export const alibiHeads = 4

/** What a mask can start from. @type {Record<string, string>} */
export const presets = {
  none: 'none',
  causal: 'causal',
  window: 'window',
  prefix: 'prefix',
  padding: 'padding',
  alibi: 'ALiBi',
}

/**
 * A mask painted by hand, or '' for the one that was chosen.
 * @param {number} count of queries, and of keys
 * @returns {Setting}
 */
export function maskCells(count) {
  return {
    initial: '',
    allows: (value) =>
      typeof value === 'string' &&
      (value === '' || (value.length === count * count && /^[01]+$/.test(value))),
    wanted: `empty, or ${count * count} times 0 or 1, row by row`,
  }
}

/**
 * The chosen mask before anything is painted on it.
 * @param {Engine} engine
 * @param {number} count of queries, and of keys
 * @param {State} state `preset`, and `size`, `length` or `present`
 * @returns {string}
 */
export function presetCells(engine, count, { preset, size, length, present }) {
  const { masks } = engine
  if (preset === 'none') return '1'.repeat(count * count)
  const { data } =
    preset === 'window'
      ? masks.window(count, count, size)
      : preset === 'prefix'
        ? masks.prefix(count, count, length)
        : preset === 'padding'
          ? masks.padding([present], count)
          : // ALiBi closes nothing by itself.
            masks.causal(count)
  // Of padding there is one row for all queries.
  return Array.from({ length: count * count }, (_, cell) => data[cell % data.length]).join('')
}

/**
 * What is added to the scores.
 * @param {string} cells
 * @param {number} closed −∞, or what stands for it
 * @param {ArrayLike<number> | null} bias of open cells
 * @returns {Tensor} (count, count), float32
 */
export function additiveMask(cells, closed, bias) {
  const count = Math.sqrt(cells.length)
  const data = Float32Array.from(cells, (cell, index) =>
    cell === '1' ? (bias ? bias[index] : 0) : closed,
  )
  return { data, shape: [count, count] }
}

/**
 * @param {string} cells
 * @returns {number[]} rows in which nothing is open
 */
export function emptyRows(cells) {
  const count = Math.sqrt(cells.length)
  return Array.from({ length: count }, (_, row) => row).filter(
    (row) => !cells.slice(row * count, (row + 1) * count).includes('1'),
  )
}

/**
 * @param {string} cells
 * @param {number} cell
 * @param {boolean} open
 * @returns {string} with one cell as it is wanted
 */
export function withCell(cells, cell, open) {
  return cells.slice(0, cell) + (open ? '1' : '0') + cells.slice(cell + 1)
}
