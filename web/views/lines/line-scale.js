/**
 * From a weight to the colour and the width of its line. Values fall on 256 steps, the legend's, so that
 * a line has exactly the colour that the legend has for its value.
 */
import { colorIndex, COLORS_PER_MAP } from '../color-map.js'
import { composite, formatColor } from '../color.js'
import { headColor } from './head-colors.js'

/**
 * @import { ColorMap } from '../color-map.js'
 * @import { Rgb } from '../color.js'
 * @import { Domain } from '../domain.js'
 * @import { Theme } from '../theme.js'
 */

/** The strongest step; step 0 has no line. */
export const MOST_STRENGTH = COLORS_PER_MAP - 1
/** Weaker lines differ from the paper by a byte or two: nobody sees them. */
export const LEAST_SEEN = 2

/**
 * How strong a line is: its value's step on the scale, or, where the middle of the scale means zero, its
 * distance from there.
 *
 * @param {number} value not NaN
 * @param {Domain} domain
 * @param {boolean} diverging
 * @returns {number} a whole number, 0 to 255
 */
export function strengthOf(value, domain, diverging) {
  const index = colorIndex(value, domain)
  return diverging ? Math.abs(2 * index - MOST_STRENGTH) : index
}

/**
 * The scale of one drawing. Where the data have several heads each has a colour of its own, which fades
 * into the paper towards the low end; a lone head has the colour map's colours.
 */
export class LineScale {
  #map
  /** What canvases are told, made once for each colour. @type {(string | undefined)[][]} */
  #texts

  /**
   * @param {object} options
   * @param {number} options.heads how many the data have
   * @param {readonly number[]} options.planes which of them are shown
   * @param {ColorMap} options.map
   * @param {Domain} options.domain
   * @param {Theme} options.theme
   */
  constructor({ heads, planes, map, domain, theme }) {
    this.#map = map
    this.domain = domain
    this.diverging = heads === 1 && map.diverging
    /** 256 colours for each shown head, from the low end to the high end @type {(readonly Rgb[])[]} */
    this.ramps =
      heads === 1 ? [map.colors] : planes.map((head) => ramp(headColor(head, theme.dark), theme))
    this.#texts = this.ramps.map(() => [])
  }

  /** @param {number} value not NaN @returns {number} 0 to 255 */
  strength(value) {
    return strengthOf(value, this.domain, this.diverging)
  }

  /**
   * @param {number} slot place among the shown heads
   * @param {number} value
   * @returns {string} a colour for CSS
   */
  color(slot, value) {
    if (Number.isNaN(value)) return formatColor(this.#map.nan)
    const index = colorIndex(value, this.domain)
    return (this.#texts[slot][index] ??= formatColor(this.ramps[slot][index]))
  }

  /** What stands for a value that is not a number, and for a masked pair. */
  get marks() {
    const { nan, nanMark, masked, maskedMark } = this.#map
    return { nan, nanMark, masked, maskedMark }
  }
}

/** @param {Rgb} color @param {Theme} theme @returns {readonly Rgb[]} */
function ramp(color, { surface }) {
  return Array.from({ length: COLORS_PER_MAP }, (_, index) =>
    composite(color, surface, index / MOST_STRENGTH),
  )
}
