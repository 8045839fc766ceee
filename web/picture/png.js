import { paintItems } from './paint-items.js'

/**
 * @import { Drawing } from './index.js'
 * @import { Slices } from './slices.js'
 */

/** What browsers' canvases hold at most, px. Some hold less, which shows only when it is tried. */
const MOST_SIDE = 16384
const MOST_AREA = 268_435_456
/** Smaller pictures cannot be read, pixels to a CSS pixel. */
const LEAST_SCALE = 0.1

/**
 * @param {Drawing} drawing
 * @param {{ scale: number, ground: string | null, slices: Slices }} options
 * @returns {Promise<Blob>}
 * @throws {Error} in words
 */
export async function toPng(drawing, { scale, ground, slices }) {
  const { width, height } = drawing.placed(scale)
  const most = Math.min(MOST_SIDE / Math.max(width, height), Math.sqrt(MOST_AREA / width / height))
  for (let fit = Math.min(scale, most); fit >= LEAST_SCALE; fit /= 2) {
    const context = openCanvas(width, height, fit)
    if (!context) continue
    const { canvas } = context
    if (ground !== null) {
      context.fillStyle = ground
      context.fillRect(0, 0, canvas.width, canvas.height)
    }
    context.scale(fit, fit)
    await paintItems(context, drawing.items, drawing.placed(fit), slices)
    const blob = await new Promise((/** @type {(blob: Blob | null) => void} */ done) =>
      canvas.toBlob(done, 'image/png'),
    )
    if (blob) return blob
  }
  throw new Error(
    `this browser gives no canvas for a picture of ${width} × ${height} pixels; an SVG has no such limit`,
  )
}

/**
 * A canvas that is too large stays empty without a word: hence one pixel is painted and read.
 *
 * @param {number} width
 * @param {number} height CSS pixels
 * @param {number} scale
 * @returns {CanvasRenderingContext2D | null}
 */
function openCanvas(width, height, scale) {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.floor(width * scale + 1e-6))
  canvas.height = Math.max(1, Math.floor(height * scale + 1e-6))
  const context = canvas.getContext('2d')
  if (!context) return null
  try {
    const corner = /** @type {const} */ ([canvas.width - 1, canvas.height - 1, 1, 1])
    context.fillRect(...corner)
    if (context.getImageData(...corner).data[3] === 0) return null
    context.clearRect(...corner)
    return context
  } catch {
    return null
  }
}
