/**
 * Where a matrix's cells, labels and axis titles go in the room there is. Pure arithmetic: text is
 * measured by the caller's function.
 *
 * @import { Box } from './dom.js'
 * @typedef {object} MatrixLayout
 * @property {number} width  of the whole drawing, CSS pixels
 * @property {number} height
 * @property {Box} plot
 * @property {number} cellWidth
 * @property {number} cellHeight
 * @property {number} labelRoom  for query labels, left of the plot; 0 without labels
 * @property {number} headRoom  for key labels, above the plot; 0 without labels
 * @property {boolean} upright  key labels read upwards
 * @property {readonly number[]} rowLabels  which rows have one, where there is not room for all
 * @property {readonly number[]} columnLabels
 */

/** Font size of labels and the least distance between two of them, px. */
export const LABEL_SIZE = 12
const LABEL_PITCH = 12
/** Between labels and plot. */
export const LABEL_GAP = 6
/** The axes' titles stand in the corner; the keys' has a strip to itself above their labels. */
const TITLE_STRIP = 20
/** Every browser's canvas can have sides of 16384 device pixels; cells stay a little below. */
const MOST_CANVAS = 16000
/** Cells need not be larger to be read. */
const MOST_CELL = 46
/** A few rows of very many keys would be a hair's breadth high if cells were square. */
const LEAST_PLOT = 48

/**
 * @param {object} wanted
 * @param {number} wanted.width room, CSS pixels
 * @param {number} wanted.maxHeight
 * @param {number} wanted.queries
 * @param {number} wanted.keys
 * @param {boolean} wanted.labels false: nothing but cells
 * @param {boolean} wanted.named labels are words, not positions: short ones are rather turned than left out
 * @param {() => { query: number, key: number, title: number }} wanted.widest the widest label of each
 *   axis, and the queries' title, px
 * @param {number} wanted.ratio device pixels per CSS pixel
 * @param {number} [wanted.mostCell] cells grow no larger, CSS pixels
 * @returns {MatrixLayout}
 */
export function layoutMatrix({
  width: room,
  maxHeight: mostHeight,
  queries,
  keys,
  labels,
  named,
  widest,
  ratio,
  mostCell = MOST_CELL,
}) {
  const width = Math.min(room, MOST_CANVAS / ratio)
  const maxHeight = Math.min(mostHeight, MOST_CANVAS / ratio)
  const text = labels ? widest() : { query: 0, key: 0, title: 0 }
  const longest = Math.ceil(Math.min(text.query, width * 0.28, 150)) + LABEL_GAP
  const labelRoom = labels ? Math.max(longest, Math.ceil(text.title) + LABEL_GAP) : 0
  const left = labelRoom
  // The last key's label, when it is centred on its cell, may stand out a little on the right.
  const roomWidth = Math.max(16, width - left - (labels ? 2 : 0))
  const widthOfCell = Math.min(mostCell, roomWidth / Math.max(1, keys))
  const upright = named && text.key + 6 > widthOfCell
  const headRoom = labels
    ? (upright ? Math.ceil(Math.min(text.key, 110)) : LABEL_SIZE) + LABEL_GAP
    : 0
  const top = labels ? TITLE_STRIP + headRoom : 0

  const least = labels ? LEAST_PLOT : Math.min(LEAST_PLOT, width / 3)
  const most = Math.max(least, maxHeight - top)
  let cellWidth = widthOfCell
  let cellHeight = Math.min(cellWidth, most / Math.max(1, queries))
  // Square cells where that is possible at all.
  if (cellHeight < cellWidth && cellHeight * keys >= least * 2) cellWidth = cellHeight
  if (cellHeight * queries < least) cellHeight = Math.min(24, least / Math.max(1, queries))
  cellWidth = snap(cellWidth, ratio)
  cellHeight = snap(cellHeight, ratio)
  const plot = {
    left: round(left, ratio),
    top: round(top, ratio),
    width: Math.max(1 / ratio, round(cellWidth * keys, ratio)),
    height: Math.max(1 / ratio, round(cellHeight * queries, ratio)),
  }
  return {
    width: plot.left + plot.width + (labels ? 2 : 0),
    height: plot.top + plot.height + 1,
    plot,
    cellWidth: plot.width / Math.max(1, keys),
    cellHeight: plot.height / Math.max(1, queries),
    labelRoom,
    headRoom,
    upright,
    rowLabels: labels ? thin(queries, cellHeight, LABEL_PITCH, named) : [],
    columnLabels: labels ? thin(keys, cellWidth, upright ? LABEL_PITCH : text.key + 6, named) : [],
  }
}

/**
 * The labels that fit on an axis: all, or every 2nd, 5th, 10th … Positions are counted in round numbers.
 *
 * @param {number} count
 * @param {number} cell size, px
 * @param {number} pitch the least distance of two labels, px
 * @param {boolean} named
 */
export function thin(count, cell, pitch, named) {
  const step = stepFor(cell, pitch)
  const shown = (/** @type {number} */ index) => (named ? index : index + 1) % step === 0
  const indices = Array.from({ length: count }, (_, index) => index).filter(shown)
  return indices.length > 0 ? indices : [0].slice(0, count)
}

/**
 * 1, 2, 5, 10, 20, … cells from label to label.
 *
 * @param {number} cell
 * @param {number} pitch
 */
function stepFor(cell, pitch) {
  const least = pitch / Math.max(cell, 1e-6)
  for (let decade = 1; ; decade *= 10) {
    for (const factor of [1, 2, 5]) if (decade * factor >= least) return decade * factor
  }
}

/** Cells of some size are whole device pixels, so that all are equal. @param {number} size @param {number} ratio */
export function snap(size, ratio) {
  return size * ratio >= 4 ? Math.floor(size * ratio) / ratio : size
}

/** @param {number} size @param {number} ratio */
function round(size, ratio) {
  return Math.round(size * ratio) / ratio
}
