import { h } from './dom.js'

/** @import { Rgb } from './color.js' */

/** Colours as computed styles write most of them: `rgb(1, 2, 3)`, `rgba(1, 2, 3, 0.5)`, `color(srgb 0 0.5 1 / 0.5)`. */
const RGB = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/
const SRGB = /^color\(srgb ([\d.e+-]+) ([\d.e+-]+) ([\d.e+-]+)(?: \/ ([\d.]+))?\)$/

/** @type {Map<string, [Rgb, number]>} */
const painted = new Map()
/** @type {CanvasRenderingContext2D | null} */
let pixel = null

/**
 * Any colour that CSS knows, as bytes.
 *
 * @param {string} css of a computed style
 * @returns {[Rgb, opacity: number]}
 */
export function resolveColor(css) {
  const rgb = RGB.exec(css)
  if (rgb) return fromChannels(rgb, 1)
  const srgb = SRGB.exec(css)
  if (srgb) return fromChannels(srgb, 255)
  const known = painted.get(css)
  if (known) return known
  const result = paint(css)
  painted.set(css, result)
  return result
}

/**
 * @param {RegExpExecArray} match
 * @param {number} scale
 * @returns {[Rgb, opacity: number]}
 */
function fromChannels([, red, green, blue, alpha = '1'], scale) {
  const byte = (/** @type {string} */ channel) =>
    Math.round(Math.min(255, Math.max(0, Number(channel) * scale)))
  return [[byte(red), byte(green), byte(blue)], Number(alpha)]
}

/**
 * One pixel of a canvas, which knows every colour. For others than the above only: browsers that guard against
 * fingerprinting hand out false pixels, and labels in a false ink cannot be read.
 *
 * @param {string} css
 * @returns {[Rgb, opacity: number]}
 */
function paint(css) {
  pixel ??= h('canvas', { width: '1', height: '1' }).getContext('2d', { willReadFrequently: true })
  if (!pixel) return [[0, 0, 0], 1]
  pixel.clearRect(0, 0, 1, 1)
  pixel.fillStyle = css
  pixel.fillRect(0, 0, 1, 1)
  const [red, green, blue, alpha] = pixel.getImageData(0, 0, 1, 1).data
  return [[red, green, blue], alpha / 255]
}
