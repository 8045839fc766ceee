import { LABEL_SIZE } from './matrix-layout.js'
import { queryTitle } from './tokens.js'

/** @import { TokenLabels } from './tokens.js' */

/** Tokens measured of a long axis: enough to know how wide they are. */
const MOST_MEASURED = 400

/** @type {CanvasRenderingContext2D | null} */
let context = null

/**
 * The width of a text in a label's size.
 *
 * @param {string} text
 * @param {string} font families
 * @param {number} [weight]
 * @returns {number} CSS pixels
 */
export function textWidth(text, font, weight = 400) {
  context ??= document.createElement('canvas').getContext('2d')
  if (!context) return 7 * text.length
  context.font = `${weight} ${LABEL_SIZE}px ${font}`
  return context.measureText(text.length > 40 ? text.slice(0, 40) : text).width
}

/**
 * The widest label of each axis, and the width of the title that shares a margin with the queries.
 *
 * @param {TokenLabels} tokens
 * @param {string} font families
 * @returns {{ query: number, key: number, title: number }} CSS pixels
 */
export function widestLabels(tokens, font) {
  const widest = (/** @type {readonly string[]} */ labels) => {
    const step = Math.max(1, Math.ceil(labels.length / MOST_MEASURED))
    let most = 0
    for (let index = labels.length - 1; index >= 0; index -= step) {
      most = Math.max(most, textWidth(labels[index], font))
    }
    return most
  }
  return {
    query: widest(tokens.query),
    key: widest(tokens.key),
    title: textWidth(queryTitle(tokens), font, 600),
  }
}
