import { layoutMatrix } from './matrix-layout.js'
import { widestLabels } from './text-width.js'

/**
 * @import { AttentionData } from './attention-data.js'
 * @import { MatrixLayout } from './matrix-layout.js'
 * @import { TokenLabels } from './tokens.js'
 */

/** Room that a panel wants, and the least that one of a layer × head overview gets, px. */
const WANTED = 210
const LEAST = 22
const MOST = 340
/** Between panels; px. Narrow panels stand closer. */
const GAP = 18
const TIGHT_GAP = 4
/** Panels have labels where their cells come out at this size or larger, px. */
const LABELS_FROM = 11

/**
 * How many panels stand side by side, how wide they are, and what is in one of them.
 *
 * @param {AttentionData} attention
 * @param {TokenLabels} tokens
 * @param {number} width room, CSS pixels
 * @param {string} font
 * @returns {{ columns: number, width: number, gap: number, tight: boolean, layout: MatrixLayout }}
 */
export function arrangePanels(attention, tokens, width, font) {
  const columns =
    attention.layers > 1 ? perLayer(attention.heads, width) : balanced(attention.heads, width)
  const tight = (width + GAP) / columns - GAP < 60
  const gap = tight ? TIGHT_GAP : GAP
  const panel = Math.floor(Math.min(MOST, (width - gap * (columns - 1)) / columns))
  const wanted = {
    width: panel,
    maxHeight: panel * 1.6,
    queries: attention.queries,
    keys: attention.keys,
    named: tokens.named,
    widest: () => widestLabels(tokens, font),
    ratio: devicePixelRatio,
    mostCell: 60,
  }
  const labelled = layoutMatrix({ ...wanted, labels: true })
  const roomy = labelled.cellWidth >= LABELS_FROM && labelled.cellHeight >= LABELS_FROM
  return {
    columns,
    width: panel,
    gap,
    tight,
    layout: roomy ? labelled : layoutMatrix({ ...wanted, labels: false }),
  }
}

/** A colour bar's width, px: from here on it can be read, and further on it gains nothing. */
const LEAST_LEGEND = 200
const MOST_LEGEND = 420

/**
 * The legend begins where the first panel's cells do and ends with the last one's, or is centred under
 * panels that are too narrow for it.
 *
 * @param {{ columns: number, width: number, gap: number, layout: MatrixLayout }} panels
 * @param {number} room CSS pixels
 * @returns {{ outer: number, indent: number, bar: number }} widths of the legend with its indent, of the
 *   indent, and of the colour bar
 */
export function placeLegend({ columns, width, gap, layout }, room) {
  const outer = columns * width + gap * (columns - 1)
  // Panels are centred in their columns.
  const indent = (width - layout.width) / 2 + layout.plot.left
  const cells = outer - width + layout.plot.width
  if (cells < LEAST_LEGEND) {
    const bar = Math.min(room, MOST_LEGEND)
    return { outer: bar, indent: 0, bar }
  }
  return { outer, indent, bar: Math.min(cells, MOST_LEGEND) }
}

/** Equal rows as far as heads allow: 4 + 4 rather than 5 + 3. @param {number} heads @param {number} width */
function balanced(heads, width) {
  const most = Math.max(1, Math.min(heads, Math.floor((width + GAP) / (WANTED + GAP))))
  // On a phone two small panels compare better than one above the other.
  const columns = most === 1 && heads > 1 && width >= 230 ? 2 : most
  return Math.ceil(heads / Math.ceil(heads / columns))
}

/** A layer is a line of the overview, broken only where panels would be specks. @param {number} heads @param {number} width */
function perLayer(heads, width) {
  const most = Math.max(1, Math.floor((width + TIGHT_GAP) / (LEAST + TIGHT_GAP)))
  return most >= heads ? heads : Math.ceil(heads / Math.ceil(heads / most))
}
