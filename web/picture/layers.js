/**
 * The order in which a page is painted: boxes, then what is written on them, then what is placed above.
 *
 * @import { Box } from '../views/dom.js'
 * @import { Place } from './place.js'
 *
 * @typedef {object} Clip
 * @property {Box} box
 * @property {number} radius
 * @property {Clip | null} outer
 * @property {number | undefined} ellipsis  right edge of text that is cut by one, px of the window
 *
 * @typedef {object} Item
 * @property {Box} box  px from the pictured element's left top corner, as all boxes here
 * @property {boolean} isInk  not only the ground on which something else stands
 * @property {Clip | null} clip
 * @property {number} opacity
 * @property {(context: CanvasRenderingContext2D, place: Place) => void} paint
 *
 * @typedef {object} Layer  what is painted together: boxes, text on them, and what is placed above or below
 * @property {number} level
 * @property {Item[]} grounds
 * @property {Item[]} inks
 * @property {Layer[]} placed
 */

/** @param {Layer} layer @param {CSSStyleDeclaration} style of an element that has a layer of its own @returns {Layer} */
export function placedIn(layer, style) {
  const own = { level: Number.parseInt(style.zIndex, 10) || 0, grounds: [], inks: [], placed: [] }
  layer.placed.push(own)
  return own
}

/** @param {Layer} layer @returns {Item[]} */
export function flattened({ grounds, inks, placed }) {
  const sorted = [...placed].sort((a, b) => a.level - b.level)
  const below = sorted.filter(({ level }) => level < 0)
  const above = sorted.filter(({ level }) => level >= 0)
  return [...below.flatMap(flattened), ...grounds, ...inks, ...above.flatMap(flattened)]
}
