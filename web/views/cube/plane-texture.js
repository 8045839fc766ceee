import { colorCells, rasterize, toWord } from '../raster.js'

/**
 * @import { AttentionData } from '../attention-data.js'
 * @import { ColorMap } from '../color-map.js'
 * @import { Domain } from '../domain.js'
 */

/** Texels on a side of a cell that has to hold hatching or a cross. */
const MARKED = 12
/** Planes larger than this have no room for marks: there the colour alone tells. */
const MOST_MARKED = 96

/**
 * The texels of one plane: one for each cell, or, where masked cells and NaN have to be marked, a square
 * of them.
 *
 * @param {AttentionData} attention
 * @param {number} head
 * @param {ColorMap} map
 * @param {Domain} domain
 * @param {number} most texels on a side
 * @param {Uint8Array} [reuse] is written again if it has the right size
 * @returns {{ data: Uint8Array<ArrayBuffer>, width: number, height: number }}
 */
export function textureOf(attention, head, map, domain, most, reuse) {
  const { queries, keys } = attention
  if (queries > most || keys > most) {
    const image = rasterize(attention, head, map, domain, { rows: most, columns: most })
    return { data: new Uint8Array(image.data.buffer), width: image.width, height: image.height }
  }
  const { hasNaN, hasMasked } = attention.extent()
  const marked = (hasNaN || hasMasked) && Math.max(queries, keys) <= MOST_MARKED
  const scale = marked ? MARKED : 1
  const length = 4 * scale * scale * queries * keys
  const data = /** @type {Uint8Array<ArrayBuffer>} */ (
    reuse?.length === length ? reuse : new Uint8Array(length)
  )
  if (!marked) {
    colorCells(attention, head, map, domain, new Uint32Array(data.buffer))
  } else {
    const cells = new Uint32Array(queries * keys)
    colorCells(attention, head, map, domain, cells)
    enlarge(attention, head, map, cells, new Uint32Array(data.buffer))
  }
  return { data, width: keys * scale, height: queries * scale }
}

/**
 * @param {AttentionData} attention
 * @param {number} head
 * @param {ColorMap} map
 * @param {Uint32Array} cells (N, M)
 * @param {Uint32Array} texels (MARKED·N, MARKED·M), written
 */
function enlarge(attention, head, map, cells, texels) {
  const { queries, keys } = attention
  const hatch = toWord(map.maskedMark)
  const cross = toWord(map.nanMark)
  for (let query = 0; query < queries; query++) {
    for (let key = 0; key < keys; key++) {
      const color = cells[query * keys + key]
      const masked = attention.isMasked(head, query, key)
      const nan = !masked && Number.isNaN(attention.value(head, query, key))
      for (let y = 0; y < MARKED; y++) {
        const start = (query * MARKED + y) * keys * MARKED + key * MARKED
        for (let x = 0; x < MARKED; x++) {
          const onHatch = masked && (x + y) % 6 === 0
          const onCross = nan && onDiagonal(x, y)
          texels[start + x] = onHatch ? hatch : onCross ? cross : color
        }
      }
    }
  }
}

/** @param {number} x @param {number} y */
function onDiagonal(x, y) {
  const inside = x > 2 && x < MARKED - 3 && y > 2 && y < MARKED - 3
  return inside && (x === y || x + y === MARKED - 1)
}
