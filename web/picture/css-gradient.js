import { pixels, splitList } from './css-values.js'

/**
 * @import { Box } from '../views/dom.js'
 * @typedef {{ color: string, at: number }} Stop  px along the line
 */

const GRADIENT = /^(repeating-)?linear-gradient\((.*)\)$/s
/** More stops make a file large, and what they draw is too fine to be seen. */
const MOST_STOPS = 2000

/** @type {Record<string, number>} degrees */
const SIDES = { 'to top': 0, 'to right': 90, 'to bottom': 180, 'to left': 270 }

/**
 * A linear gradient of a computed style, as a canvas has it.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {string} css one layer of `background-image`
 * @param {Box} box that it fills
 * @returns {CanvasGradient | null} null for images of other kinds
 */
export function linearGradient(context, css, { left, top, width, height }) {
  const [, isRepeating, content] = GRADIENT.exec(css) ?? []
  if (content === undefined) return null
  const [first, ...others] = splitList(content)
  const degrees = first.endsWith('deg') ? parseFloat(first) : SIDES[first]
  const angle = ((degrees ?? 180) * Math.PI) / 180
  const [dx, dy] = [Math.sin(angle), -Math.cos(angle)]
  // CSS lays the line through the middle, so long that the corners get the colours of its ends.
  const length = Math.abs(width * dx) + Math.abs(height * dy)
  if (length === 0) return null
  const [x, y] = [left + width / 2, top + height / 2]
  const stops = readStops(degrees === undefined ? [first, ...others] : others, length)
  const all = isRepeating ? repeated(stops, length) : stops
  const gradient = context.createLinearGradient(
    x - (dx * length) / 2,
    y - (dy * length) / 2,
    x + (dx * length) / 2,
    y + (dy * length) / 2,
  )
  for (const { color, at } of all) {
    gradient.addColorStop(Math.min(1, Math.max(0, at / length)), color)
  }
  return gradient
}

/** @param {string[]} parts `rgb(…) 0px 1px` @param {number} length @returns {Stop[]} */
function readStops(parts, length) {
  /** @type {{ color: string, at: number | null }[]} */
  const stops = parts.flatMap((part) => {
    const [color, ...places] = splitList(part, / /)
    const at = places.map((place) => pixels(place, length))
    return (at.length > 0 ? at : [null]).map((place) => ({ color, at: place }))
  })
  stops[0].at ??= 0
  stops[stops.length - 1].at ??= length
  // Those without a place stand evenly between those that have one.
  return stops.map(({ color, at }, index) => {
    if (at !== null) return { color, at }
    const before = stops
      .slice(0, index)
      .reduce((last, stop, other) => (stop.at === null ? last : other), 0)
    const after = stops.findIndex((stop, other) => other > index && stop.at !== null)
    const [from, to] = [stops[before].at ?? 0, stops[after].at ?? length]
    return { color, at: from + ((to - from) * (index - before)) / (after - before) }
  })
}

/** @param {Stop[]} stops @param {number} length @returns {Stop[]} */
function repeated(stops, length) {
  const start = stops[0].at
  const period = stops[stops.length - 1].at - start
  if (period <= 0 || (stops.length * length) / period > MOST_STOPS) return stops
  const all = []
  for (let shift = -Math.ceil(start / period) * period; start + shift < length; shift += period) {
    all.push(...stops.map(({ color, at }) => ({ color, at: at + shift })))
  }
  return all
}
