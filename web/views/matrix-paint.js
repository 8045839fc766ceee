/**
 * Drawing one matrix on a canvas: cells, what lies on them, labels and axis titles.
 */
import { colorOf } from './color-map.js'
import { formatColor, inkOn } from './color.js'
import { LABEL_GAP, LABEL_SIZE } from './matrix-layout.js'
import { addCross, hatch } from './marks.js'
import { formatInCell } from './numbers.js'
import { drawPixels } from './pixels.js'
import { rasterize } from './raster.js'
import { elide, keyTitle, queryTitle } from './tokens.js'

/**
 * @import { AttentionData } from './attention-data.js'
 * @import { ColorMap } from './color-map.js'
 * @import { Domain } from './domain.js'
 * @import { MatrixLayout } from './matrix-layout.js'
 * @import { Theme } from './theme.js'
 * @import { TokenLabels } from './tokens.js'
 * @typedef {object} MatrixPicture
 * @property {AttentionData} attention
 * @property {number} plane
 * @property {ColorMap} map
 * @property {Domain} domain
 * @property {TokenLabels} tokens
 * @property {boolean} showValues
 * @property {number} [decimals]  of values in cells, where there is room for them; 2
 * @property {Theme} theme
 * @property {MatrixLayout} layout
 * @property {number} ratio
 */

/** Cells of this size or more are set apart by hairlines, px. */
const HAIRLINES_FROM = 12
/** From this size a NaN cell has a cross; smaller ones only their colour, px. */
const CROSS_FROM = 7
/** Hatching is left out where masked runs are so many that it would be slow and unreadable anyway. */
const MOST_HATCHED_RUNS = 20000

/**
 * @param {CanvasRenderingContext2D} context cleared, in CSS pixels
 * @param {MatrixPicture} picture
 */
export function paintMatrix(context, picture) {
  const { attention, layout, theme } = picture
  paintCells(context, picture)
  if (attention.masked) hatchMasked(context, picture)
  paintHairlines(context, picture)
  if (attention.extent().hasNaN) crossNaN(context, picture)
  if (picture.showValues) writeValues(context, picture)
  const { left, top, width, height } = layout.plot
  const hair = 1 / picture.ratio
  context.strokeStyle = formatColor(theme.line)
  context.lineWidth = hair
  context.strokeRect(left - hair / 2, top - hair / 2, width + hair, height + hair)
  if (layout.labelRoom > 0) writeLabels(context, picture)
}

/** One pixel a cell, then stretched without smoothing. @param {CanvasRenderingContext2D} context @param {MatrixPicture} picture */
function paintCells(context, { attention, plane, map, domain, layout, ratio }) {
  const { width, height } = layout.plot
  const most = { rows: Math.round(height * ratio), columns: Math.round(width * ratio) }
  const image = rasterize(attention, plane, map, domain, most)
  drawPixels(context, image, layout.plot)
}

/** @param {CanvasRenderingContext2D} context @param {MatrixPicture} picture */
function paintHairlines(context, { attention, layout, theme, ratio }) {
  const { plot, cellWidth, cellHeight } = layout
  if (Math.min(cellWidth, cellHeight) < HAIRLINES_FROM) return
  const hair = 1 / ratio
  context.fillStyle = formatColor(theme.surface)
  for (let key = 1; key < attention.keys; key++) {
    context.fillRect(plot.left + key * cellWidth, plot.top, hair, plot.height)
  }
  for (let query = 1; query < attention.queries; query++) {
    context.fillRect(plot.left, plot.top + query * cellHeight, plot.width, hair)
  }
}

/** @param {CanvasRenderingContext2D} context @param {MatrixPicture} picture */
function hatchMasked(context, { attention, plane, map, layout, ratio }) {
  const { plot, cellWidth, cellHeight } = layout
  context.beginPath()
  let runs = 0
  for (let query = 0; query < attention.queries; query++) {
    for (let key = 0; key < attention.keys; key++) {
      if (!attention.isMasked(plane, query, key)) continue
      const start = key
      while (key + 1 < attention.keys && attention.isMasked(plane, query, key + 1)) key++
      context.rect(
        plot.left + start * cellWidth,
        plot.top + query * cellHeight,
        (key + 1 - start) * cellWidth,
        cellHeight,
      )
      if (++runs > MOST_HATCHED_RUNS) return
    }
  }
  if (runs > 0) hatch(context, plot, map.maskedMark, ratio)
}

/** @param {CanvasRenderingContext2D} context @param {MatrixPicture} picture */
function crossNaN(context, { attention, plane, map, layout }) {
  const { plot, cellWidth, cellHeight } = layout
  const reach = Math.min(cellWidth, cellHeight, 18) * 0.28
  if (Math.min(cellWidth, cellHeight) < CROSS_FROM) return
  context.strokeStyle = formatColor(map.nanMark)
  context.lineWidth = 1.5
  context.beginPath()
  for (let query = 0; query < attention.queries; query++) {
    for (let key = 0; key < attention.keys; key++) {
      if (attention.isMasked(plane, query, key)) continue
      if (!Number.isNaN(attention.value(plane, query, key))) continue
      const x = plot.left + (key + 0.5) * cellWidth
      const y = plot.top + (query + 0.5) * cellHeight
      addCross(context, x, y, reach)
    }
  }
  context.stroke()
}

/** Numbers in cells, black or white, where they fit. @param {CanvasRenderingContext2D} context @param {MatrixPicture} picture */
function writeValues(context, { attention, plane, map, domain, theme, layout, decimals = 2 }) {
  const { plot, cellWidth, cellHeight } = layout
  const size = Math.min(12, cellHeight - 4, cellWidth / 2.6)
  if (size < 8) return
  context.font = `${size}px ${theme.font}`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  const widest = context.measureText((0).toFixed(decimals)).width
  const digits = widest <= cellWidth - 4 ? decimals : Math.min(2, decimals)
  for (let query = 0; query < attention.queries; query++) {
    for (let key = 0; key < attention.keys; key++) {
      if (attention.isMasked(plane, query, key)) continue
      const value = attention.value(plane, query, key)
      if (Number.isNaN(value)) continue
      context.fillStyle = formatColor(inkOn(colorOf(map, value, domain)))
      context.fillText(
        formatInCell(value, digits),
        plot.left + (key + 0.5) * cellWidth,
        plot.top + (query + 0.5) * cellHeight + size * 0.06,
        cellWidth - 2,
      )
    }
  }
}

/** @param {CanvasRenderingContext2D} context @param {MatrixPicture} picture */
function writeLabels(context, { attention, plane, tokens, theme, layout }) {
  const { plot, cellWidth, cellHeight, labelRoom, headRoom } = layout
  const measure = (/** @type {string} */ text) => context.measureText(text).width
  const masked = new Set(attention.maskedRows(plane))
  context.font = `${LABEL_SIZE}px ${theme.font}`
  context.textBaseline = 'middle'
  context.textAlign = 'right'
  for (const query of layout.rowLabels) {
    // A row that may attend to nothing is set back, as the note under the figure says.
    context.fillStyle = formatColor(masked.has(query) ? theme.soft : theme.ink)
    const label = elide(tokens.query[query], labelRoom - LABEL_GAP, measure)
    context.fillText(label, plot.left - LABEL_GAP, plot.top + (query + 0.5) * cellHeight + 0.5)
  }
  context.fillStyle = formatColor(theme.ink)
  for (const key of layout.columnLabels) {
    const x = plot.left + (key + 0.5) * cellWidth
    if (layout.upright) {
      context.save()
      context.translate(x, plot.top - LABEL_GAP)
      context.rotate(-Math.PI / 2)
      context.textAlign = 'left'
      context.fillText(elide(tokens.key[key], headRoom - LABEL_GAP, measure), 0, 0.5)
      context.restore()
    } else {
      context.textAlign = 'center'
      context.textBaseline = 'alphabetic'
      // The last of very narrow columns has more to say than it is wide.
      const end = layout.width - measure(tokens.key[key]) / 2 - 1
      context.fillText(tokens.key[key], Math.min(x, end), plot.top - LABEL_GAP - 1)
    }
  }
  writeTitles(context, tokens, theme, layout)
}

/**
 * The corner says which axis is which.
 * @param {CanvasRenderingContext2D} context
 * @param {TokenLabels} tokens
 * @param {Theme} theme
 * @param {MatrixLayout} layout
 */
function writeTitles(context, tokens, theme, { plot, headRoom }) {
  context.font = `600 ${LABEL_SIZE}px ${theme.font}`
  context.fillStyle = formatColor(theme.soft)
  context.textBaseline = 'alphabetic'
  context.textAlign = 'left'
  context.fillText(keyTitle(tokens), plot.left, plot.top - headRoom - LABEL_GAP)
  context.textAlign = 'right'
  context.fillText(queryTitle(tokens), plot.left - LABEL_GAP, plot.top - LABEL_GAP)
}
