/**
 * Where the small maps of an overview go, and how they are drawn: as one image, since a thousand would take the page
 * too long.
 */
import { formatColor } from './color.js'
import { LABEL_SIZE } from './matrix-layout.js'
import { drawPixels } from './pixels.js'
import { colorPooled, toWord } from './raster.js'

/**
 * @import { AttentionData } from './attention-data.js'
 * @import { ColorMap } from './color-map.js'
 * @import { Box } from './dom.js'
 * @import { Domain } from './domain.js'
 * @import { Theme } from './theme.js'
 * @typedef {object} OverviewLayout
 * @property {number} width of the drawing, CSS pixels
 * @property {number} height
 * @property {number} left room for the layers' numbers
 * @property {number} top room for the heads' numbers
 * @property {number} side of a small map with its gap
 * @property {number} gap
 * @property {(layer: number, head: number) => Box} boxOf
 * @property {(point: { x: number, y: number }) => { layer: number, head: number } | null} headAt
 */

/** Small maps need not be larger, px; the layers' and heads' titles and numbers. */
const MOST_SIDE = 60
const LEFT = 46
const TOP = 38

/** @param {AttentionData} attention @param {number} room CSS pixels @returns {OverviewLayout} */
export function layoutOverview({ layers, heads }, room) {
  const side = Math.max(4, Math.min(MOST_SIDE, Math.floor((room - LEFT) / heads)))
  const gap = side < 14 ? 1 : side < 30 ? 2 : 4
  return {
    ...{ width: LEFT + heads * side, height: TOP + layers * side, left: LEFT, top: TOP, side, gap },
    boxOf: (layer, head) => ({
      left: LEFT + head * side,
      top: TOP + layer * side,
      width: side - gap,
      height: side - gap,
    }),
    headAt: ({ x, y }) => {
      const [layer, head] = [Math.floor((y - TOP) / side), Math.floor((x - LEFT) / side)]
      const isInside = layer >= 0 && head >= 0 && layer < layers && head < heads
      return isInside ? { layer, head } : null
    },
  }
}

/**
 * @param {CanvasRenderingContext2D} context cleared, in CSS pixels
 * @param {{ attention: AttentionData, map: ColorMap, domain: Domain, theme: Theme, layout: OverviewLayout, ratio: number }} picture
 */
export function paintOverview(context, { attention, map, domain, theme, layout, ratio }) {
  const { layers, heads } = attention
  const { left, top, side, gap } = layout
  const step = Math.round(side * ratio)
  const inner = Math.max(1, Math.round((side - gap) * ratio))
  const image = new ImageData(heads * step, layers * step)
  const pixels = new Uint32Array(image.data.buffer)
  pixels.fill(toWord(theme.surface))
  const rows = Math.min(inner, attention.queries)
  const columns = Math.min(inner, attention.keys)
  const own = new Uint32Array(rows * columns)
  for (let plane = 0; plane < layers * heads; plane++) {
    colorPooled(attention, plane, map, domain, own, rows, columns)
    const start = Math.floor(plane / heads) * step * image.width + (plane % heads) * step
    for (let y = 0; y < inner; y++) {
      const row = Math.floor((y * rows) / inner) * columns
      const line = start + y * image.width
      for (let x = 0; x < inner; x++) {
        pixels[line + x] = own[row + Math.floor((x * columns) / inner)]
      }
    }
  }
  drawPixels(context, image, { left, top, width: heads * side, height: layers * side })
  frame(context, { layers, heads, theme, layout, ratio })
  write(context, { layers, heads, theme, layout })
}

/** @param {CanvasRenderingContext2D} context @param {{ layers: number, heads: number, theme: Theme, layout: OverviewLayout, ratio: number }} picture */
function frame(context, { layers, heads, theme, layout, ratio }) {
  if (layout.gap < 2) return
  const hair = 1 / ratio
  context.strokeStyle = formatColor(theme.line)
  context.lineWidth = hair
  for (let plane = 0; plane < layers * heads; plane++) {
    const { left, top, width, height } = layout.boxOf(Math.floor(plane / heads), plane % heads)
    context.strokeRect(left - hair / 2, top - hair / 2, width + hair, height + hair)
  }
}

/** Numbers as far as there is room, and what they count. @param {CanvasRenderingContext2D} context @param {{ layers: number, heads: number, theme: Theme, layout: OverviewLayout }} picture */
function write(context, { layers, heads, theme, layout: { left, top, side, gap } }) {
  context.fillStyle = formatColor(theme.ink)
  context.font = `${LABEL_SIZE}px ${theme.font}`
  context.textBaseline = 'middle'
  context.textAlign = 'center'
  const middle = (side - gap) / 2
  const stride = (/** @type {number} */ least) => Math.max(1, Math.ceil(least / side))
  for (let head = 0; head < heads; head += stride(18)) {
    context.fillText(String(head + 1), left + head * side + middle, top - 9)
  }
  context.textAlign = 'right'
  for (let layer = 0; layer < layers; layer += stride(13)) {
    context.fillText(String(layer + 1), left - 7, top + layer * side + middle)
  }
  context.fillStyle = formatColor(theme.soft)
  context.fillText('layer ↓', left - 7, top - 9)
  context.textAlign = 'left'
  context.fillText('head →', left, top - 28)
}
