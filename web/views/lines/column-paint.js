/**
 * Drawing what stands beside the lines: both columns of tokens, their titles, and the weights of each shown
 * head beside the keys.
 */
import { formatColor } from '../color.js'
import { addCross, hatch } from '../marks.js'
import { LABEL_GAP, LABEL_SIZE, thin } from '../matrix-layout.js'
import { formatInCell } from '../numbers.js'
import { elide } from '../tokens.js'
import { middleOf, NUMBER_FROM } from './line-layout.js'
import { MOST_STRENGTH } from './line-scale.js'

/**
 * @import { Box } from '../dom.js'
 * @import { LineLayout } from './line-layout.js'
 * @import { LinePicture } from './line-picture.js'
 */

/** Rows of this height or more have room for upright bars; lower ones have their colour only, px. */
const UPRIGHT_FROM = 10
const BAR_HEIGHT = 12
const TITLE_RISE = 9

/**
 * @param {CanvasRenderingContext2D} context cleared, in CSS pixels
 * @param {LinePicture} picture
 */
export function paintColumns(context, picture) {
  writeTokens(context, picture)
  writeTitles(context, picture)
  if (picture.layout.weights.kind === 'none') return
  writeCaption(context, picture)
  if (picture.planes.length > 1) writeHeads(context, picture)
  paintWeights(context, picture)
}

/** @param {CanvasRenderingContext2D} context @param {LinePicture} picture */
function writeTokens(context, { tokens, theme, layout, idle }) {
  const measure = (/** @type {string} */ text) => context.measureText(text).width
  context.font = `${LABEL_SIZE}px ${theme.font}`
  context.textBaseline = 'middle'
  context.textAlign = 'right'
  for (const query of layout.queryLabels) {
    // A query that may attend to nothing is set back, as the note under the figure says.
    context.fillStyle = formatColor(idle.has(query) ? theme.soft : theme.ink)
    const label = elide(tokens.query[query], layout.queryRoom, measure)
    context.fillText(label, layout.left - LABEL_GAP, middleOf(layout, query) + 0.5)
  }
  context.textAlign = 'left'
  context.fillStyle = formatColor(theme.ink)
  for (const key of layout.keyLabels) {
    const label = elide(tokens.key[key], layout.keyRoom, measure)
    context.fillText(label, layout.right + LABEL_GAP, middleOf(layout, key) + 0.5)
  }
}

/** @param {CanvasRenderingContext2D} context @param {LinePicture} picture */
function writeTitles(context, { theme, layout }) {
  const baseline = layout.top - TITLE_RISE
  context.font = `600 ${LABEL_SIZE}px ${theme.font}`
  context.fillStyle = formatColor(theme.soft)
  context.textBaseline = 'alphabetic'
  context.textAlign = 'right'
  context.fillText('query', layout.left - LABEL_GAP, baseline)
  context.textAlign = 'left'
  context.fillText('key', layout.right + LABEL_GAP, baseline)
}

/** What the weights are, in as many words as there is room for. @param {CanvasRenderingContext2D} context @param {LinePicture} picture */
function writeCaption(context, { captions, planes, layout }) {
  const room = layout.width - layout.weights.left
  const caption = captions.find((text) => context.measureText(text).width <= room)
  if (!caption) return
  const baseline = planes.length > 1 ? LABEL_SIZE : layout.top - TITLE_RISE
  context.fillText(caption, layout.weights.left, baseline)
}

/** Each head's number above its column, on its colour. @param {CanvasRenderingContext2D} context @param {LinePicture} picture */
function writeHeads(context, { planes, scale, theme, layout }) {
  const { left, cell } = layout.weights
  planes.forEach((_, slot) => {
    const color = scale.ramps[slot][MOST_STRENGTH]
    context.fillStyle = formatColor(color)
    context.fillRect(left + slot * cell, layout.top - 6, cell - (cell > 4 ? 2 : 0), 3)
  })
  context.font = `${LABEL_SIZE}px ${theme.font}`
  context.fillStyle = formatColor(theme.ink)
  context.textAlign = 'center'
  for (const slot of thin(planes.length, cell, planes.length > 9 ? 17 : 10, false)) {
    const x = left + (slot + 0.5) * cell - (cell > 4 ? 1 : 0)
    context.fillText(String(planes[slot] + 1), x, layout.top - TITLE_RISE - 1)
  }
}

/** @param {CanvasRenderingContext2D} context @param {LinePicture} picture */
function paintWeights(context, picture) {
  const { attention, planes, theme, layout, ratio } = picture
  context.font = `${LABEL_SIZE}px ${theme.font}`
  context.textBaseline = 'middle'
  context.textAlign = 'left'
  // Where rows are lower than a pixel several share one.
  const rows = Math.max(1, Math.ceil(1 / (layout.pitch * ratio)))
  planes.forEach((_, slot) => {
    for (let key = 0; key < attention.keys; key += rows) {
      const value = largestOf(picture, slot, key, Math.min(rows, attention.keys - key))
      paintBar(context, picture, barOf(layout, planes.length, slot, key, rows), slot, value)
      if (layout.weights.kind === 'numbers') writeNumber(context, picture, slot, key, value)
    }
  })
  if (layout.weights.kind === 'numbers' && planes.length === 1) {
    // Where bars begin.
    const { left, top } = barOf(layout, 1, 0, 0, 1)
    const last = barOf(layout, 1, 0, attention.keys - 1, 1)
    context.fillStyle = formatColor(theme.line)
    context.fillRect(left - 1 / ratio, top, 1 / ratio, last.top + last.height - top)
  }
}

/**
 * @param {LinePicture} picture
 * @param {number} slot
 * @param {number} key
 * @param {number} count of keys from there on
 * @returns {number | null} NaN if one of them is, null if all are masked
 */
function largestOf({ weights, attention }, slot, key, count) {
  /** @type {number | null} */
  let largest = null
  const first = slot * attention.keys + key
  for (let index = first; index < first + count; index++) {
    if (weights.masked[index] === 1) continue
    const value = weights.values[index]
    if (Number.isNaN(value)) return value
    if (largest === null || value > largest) largest = value
  }
  return largest
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {LinePicture} picture
 * @param {Box} box its room
 * @param {number} slot
 * @param {number | null} value null where it is masked
 */
function paintBar(context, { scale, theme, layout, ratio }, box, slot, value) {
  const { left, top, width, height } = box
  if (value === null) {
    context.beginPath()
    context.rect(left, top, width, height)
    context.fillStyle = formatColor(scale.marks.masked)
    context.fill()
    if (layout.pitch >= UPRIGHT_FROM) hatch(context, box, scale.marks.maskedMark, ratio)
    return
  }
  context.fillStyle = scale.color(slot, value)
  const isNaN = Number.isNaN(value)
  const share = isNaN ? 1 : scale.strength(value) / MOST_STRENGTH
  if (layout.weights.kind === 'numbers') {
    context.fillRect(left, top, share * width, height)
  } else if (layout.pitch >= UPRIGHT_FROM) {
    context.fillRect(left, top + (1 - share) * height, width, share * height)
    context.fillStyle = formatColor(theme.line)
    context.fillRect(left, top + height, width, 1 / ratio)
  } else {
    context.fillRect(left, top, width, height)
  }
  const reach = Math.min(width, height) * 0.3
  if (!isNaN || reach < 1.2) return
  context.strokeStyle = formatColor(scale.marks.nanMark)
  context.lineWidth = 1.5
  context.beginPath()
  addCross(context, left + width / 2, top + height / 2, reach)
  context.stroke()
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {LinePicture} picture
 * @param {number} slot
 * @param {number} key
 * @param {number | null} value
 */
function writeNumber(context, { theme, layout, decimals }, slot, key, value) {
  const { left, cell, text } = layout.weights
  if (layout.pitch < NUMBER_FROM) return
  context.fillStyle = formatColor(value === null ? theme.soft : theme.ink)
  const y = middleOf(layout, key) + (text === 0 ? -2.5 : 0.5)
  context.fillText(value === null ? '–' : formatInCell(value, decimals), left + slot * cell, y)
}

/**
 * The room of a weight's bar.
 *
 * @param {LineLayout} layout
 * @param {number} shown heads
 * @param {number} slot
 * @param {number} key
 * @param {number} rows that it stands for
 * @returns {Box}
 */
function barOf(layout, shown, slot, key, rows) {
  const { pitch, weights } = layout
  const left = weights.left + slot * weights.cell
  const row = middleOf(layout, key) - pitch / 2
  if (weights.kind === 'bars') {
    const width = weights.cell - (weights.cell > 4 ? 2 : 0)
    return pitch >= UPRIGHT_FROM
      ? { left, top: row + 3, width, height: pitch - 6 }
      : { left, top: row, width, height: pitch * rows }
  }
  if (shown > 1) return { left, top: row + pitch - 7, width: weights.cell - 8, height: 4 }
  const height = Math.min(BAR_HEIGHT, Math.max(pitch * rows - 2, Math.min(pitch * rows, 1)))
  const top = row + (pitch * rows - height) / 2
  return { left: left + weights.text, top, width: weights.cell - weights.text, height }
}
