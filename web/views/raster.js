/**
 * From numbers to pixels: one pixel a cell, or, where cells outnumber a screen's pixels, one pixel for
 * several cells. All drawing of cells, flat and in the cube, begins here.
 */
import { colorIndex } from './color-map.js'

/**
 * @import { AttentionData } from './attention-data.js'
 * @import { ColorMap } from './color-map.js'
 * @import { Rgb } from './color.js'
 * @import { Domain } from './domain.js'
 */

/** A table's colours as pixels, ABGR in a little-endian word. @type {WeakMap<ColorMap, Uint32Array>} */
const words = new WeakMap()

/** @param {Rgb} rgb */
export function toWord([red, green, blue]) {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0
}

/** @param {ColorMap} map */
function wordsOf(map) {
  const known = words.get(map)
  if (known) return known
  const built = Uint32Array.from(map.colors, toWord)
  words.set(map, built)
  return built
}

/**
 * Colours one plane.
 *
 * @param {AttentionData} attention (planes, N, M)
 * @param {number} plane
 * @param {ColorMap} map
 * @param {Domain} domain
 * @param {Uint32Array} pixels (N, M), written
 */
export function colorCells(attention, plane, map, domain, pixels) {
  const { data, masked } = attention
  const table = wordsOf(map)
  const nan = toWord(map.nan)
  const hidden = toWord(map.masked)
  const start = plane * pixels.length
  for (let cell = 0; cell < pixels.length; cell++) {
    const value = data[start + cell]
    if (masked !== null && masked[start + cell] === 1) pixels[cell] = hidden
    else pixels[cell] = value === value ? table[colorIndex(value, domain)] : nan
  }
}

/**
 * Colours one plane into fewer pixels than cells. A pixel shows the largest of its cells, since a lone
 * strong weight is what a reader looks for; a NaN among them is shown, and only a pixel all of whose
 * cells are masked is masked.
 *
 * @param {AttentionData} attention
 * @param {number} plane
 * @param {ColorMap} map
 * @param {Domain} domain
 * @param {Uint32Array} pixels (rows, columns), written
 * @param {number} rows at most N
 * @param {number} columns at most M
 */
export function colorPooled(attention, plane, map, domain, pixels, rows, columns) {
  const { data, masked, queries, keys } = attention
  const table = wordsOf(map)
  const nan = toWord(map.nan)
  const hidden = toWord(map.masked)
  const columnOf = Int32Array.from({ length: keys }, (_, key) => Math.floor((key * columns) / keys))
  const largest = new Float64Array(columns)
  const state = new Uint8Array(columns) // 0 all masked, 1 has a value, 2 has a NaN
  for (let row = 0, query = 0; row < rows; row++) {
    state.fill(0)
    const end = Math.floor(((row + 1) * queries) / rows)
    for (; query < end; query++) {
      let index = (plane * queries + query) * keys
      for (let key = 0; key < keys; key++, index++) {
        if (masked !== null && masked[index] === 1) continue
        const value = data[index]
        const column = columnOf[key]
        if (value !== value) {
          state[column] = 2
        } else if (state[column] === 0) {
          state[column] = 1
          largest[column] = value
        } else if (state[column] === 1 && value > largest[column]) {
          largest[column] = value
        }
      }
    }
    for (let column = 0; column < columns; column++) {
      pixels[row * columns + column] =
        state[column] === 0
          ? hidden
          : state[column] === 2
            ? nan
            : table[colorIndex(largest[column], domain)]
    }
  }
}

/**
 * One plane as an image of at most the given size.
 *
 * @param {AttentionData} attention
 * @param {number} plane
 * @param {ColorMap} map
 * @param {Domain} domain
 * @param {{ rows: number, columns: number }} most
 * @returns {ImageData}
 */
export function rasterize(attention, plane, map, domain, most) {
  const rows = Math.max(1, Math.min(attention.queries, most.rows))
  const columns = Math.max(1, Math.min(attention.keys, most.columns))
  const image = new ImageData(columns, rows)
  const pixels = new Uint32Array(image.data.buffer)
  if (attention.isEmpty) return image
  if (rows === attention.queries && columns === attention.keys) {
    colorCells(attention, plane, map, domain, pixels)
  } else {
    colorPooled(attention, plane, map, domain, pixels, rows, columns)
  }
  return image
}
