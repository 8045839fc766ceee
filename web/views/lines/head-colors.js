import { fromOklab } from '../color.js'

/** @import { Rgb } from '../color.js' */

/** Hues (OKLab, degrees) in an order in which neighbours are far apart. */
const HUES = [297, 55, 190, 358, 250, 140, 95, 222]
/** Later heads have the hues between, a little lighter or darker. */
const TURN = 20
const CHROMA = 0.15
/** Lightness of even and odd heads, so that neighbours differ in more than hue. */
const LIGHTNESS = { light: [0.46, 0.56], dark: [0.74, 0.83] }

/** @type {Map<string, Rgb>} */
const known = new Map()

/**
 * A head's colour: the same however many heads there are. Beyond some eight no eye tells colours apart for
 * certain, so nothing rests on colour alone.
 *
 * @param {number} head
 * @param {boolean} dark for a dark page
 * @returns {Rgb}
 */
export function headColor(head, dark) {
  const key = `${head}/${dark}`
  const found = known.get(key)
  if (found) return found
  const round = Math.floor(head / HUES.length)
  const hue = ((HUES[head % HUES.length] + TURN * round) * Math.PI) / 180
  const lightness = LIGHTNESS[dark ? 'dark' : 'light'][(head + round) % 2]
  const color = fromOklab([lightness, CHROMA * Math.cos(hue), CHROMA * Math.sin(hue)])
  known.set(key, color)
  return color
}
