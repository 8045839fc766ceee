/**
 * Where two columns of tokens, the lines between them and the weights beside the keys go in the room there
 * is. Pure arithmetic.
 */
import { LABEL_GAP, LABEL_SIZE, snap, thin } from '../matrix-layout.js'

/**
 * @typedef {object} LineLayout  CSS pixels
 * @property {number} width  of the whole drawing
 * @property {number} height
 * @property {number} top  of row 0
 * @property {number} pitch  from row to row; a token's row is its position, in both columns
 * @property {number} left  where lines begin
 * @property {number} right  where they end
 * @property {number} queryRoom  for labels
 * @property {number} keyRoom
 * @property {readonly number[]} queryLabels  which rows have one, where there is not room for all
 * @property {readonly number[]} keyLabels
 * @property {number} lane  between lines of neighbouring heads
 * @property {WeightColumns} weights
 * @property {number} widest  of lines
 *
 * @typedef {object} WeightColumns  one for each shown head
 * @property {'numbers' | 'bars' | 'none'} kind  numbers with bars; bars alone; nothing where there are too many
 * @property {number} left
 * @property {number} cell  width of one
 * @property {number} text  of that, what a number has to itself, before its bar
 */

/** Rows need not be higher to be read. */
const MOST_PITCH = 26
/** Few tokens still make a figure that can be pointed at. */
const LEAST_LINES = 70
const MOST_LINES = 400
/** Text in weights' columns: a digit, and what else a number has and what sets it apart. */
const DIGIT = 8
const AROUND_DIGITS = 24
const MOST_BAR = 84
const LEAST_BAR = 22
const BAR_COLUMN = 12
/** Rows of this height or more have room for a number; and for one with a bar below it. */
export const NUMBER_FROM = 13
export const NUMBER_ABOVE_BAR = 19
/** Between the keys' labels and their weights. */
const WEIGHTS_GAP = 10
const TITLE_STRIP = 24
/** A second strip with the heads' numbers. */
const HEADS_STRIP = 18

/**
 * @param {object} wanted
 * @param {number} wanted.width room, CSS pixels
 * @param {number} wanted.maxHeight
 * @param {number} wanted.queries
 * @param {number} wanted.keys
 * @param {number} wanted.shown how many heads
 * @param {boolean} wanted.named labels are words, not positions
 * @param {{ query: number, key: number, title: number }} wanted.widest labels, px
 * @param {number} wanted.ratio device pixels per CSS pixel
 * @param {number} wanted.decimals of the numbers beside the keys
 * @param {boolean} wanted.crowded so many lines that wide ones would hide each other
 * @returns {LineLayout}
 */
export function layoutLines({
  width,
  maxHeight,
  queries,
  keys,
  shown,
  named,
  widest,
  ratio,
  decimals,
  crowded,
}) {
  const top = TITLE_STRIP + (shown > 1 ? HEADS_STRIP : 0)
  const rows = Math.max(queries, keys, 1)
  const pitch = snap(Math.min(MOST_PITCH, Math.max(1, maxHeight - top) / rows), ratio)
  const labelRoom = (/** @type {number} */ text, /** @type {number} */ title) =>
    Math.ceil(Math.max(title, Math.min(text, width * 0.22, 150)))
  const queryRoom = labelRoom(widest.query, widest.title)
  // 'key' is half as long as 'query ↓'.
  const keyRoom = labelRoom(widest.key, widest.title / 2)
  const left = queryRoom + LABEL_GAP
  const free = width - left - LABEL_GAP - keyRoom
  const number = AROUND_DIGITS + DIGIT * decimals
  const weights = weightColumns(free, shown, pitch, number)
  const lines = Math.max(16, Math.min(MOST_LINES, free - weights.room))
  const right = Math.floor((left + lines) * ratio) / ratio
  const lane = shown > 1 ? Math.min(4, (pitch * 0.72) / shown) : 0
  const keysEnd = right + LABEL_GAP + keyRoom
  return {
    width: keysEnd + weights.room,
    height: top + pitch * rows + 1,
    ...{ top, pitch, left, right, queryRoom, keyRoom, lane },
    queryLabels: thin(queries, pitch, LABEL_SIZE, named),
    keyLabels: thin(keys, pitch, LABEL_SIZE, named),
    weights: {
      kind: weights.kind,
      cell: weights.cell,
      text: weights.text,
      left: keysEnd + WEIGHTS_GAP,
    },
    widest: (crowded ? 0.6 : 1) * (shown > 1 ? clamp(lane * 1.1, 2, 4) : clamp(pitch * 0.2, 2, 5)),
  }
}

/**
 * @param {number} free between the labels, for lines and weights
 * @param {number} shown
 * @param {number} pitch
 * @param {number} number room for one
 * @returns {{ kind: WeightColumns['kind'], cell: number, text: number, room: number }}
 */
function weightColumns(free, shown, pitch, number) {
  const none = /** @type {const} */ ({ kind: 'none', cell: 0, text: 0, room: 0 })
  if (shown === 1) {
    const text = pitch >= NUMBER_FROM ? number : 0
    const cell = text + Math.floor(clamp(free * 0.2, LEAST_BAR, MOST_BAR))
    const room = cell + WEIGHTS_GAP
    return free - room < LEAST_LINES ? none : { kind: 'numbers', cell, text, room }
  }
  const room = shown * number + WEIGHTS_GAP
  if (pitch >= NUMBER_ABOVE_BAR && free - room >= Math.max(LEAST_LINES, free * 0.4)) {
    return { kind: 'numbers', cell: number, text: 0, room }
  }
  const cell = Math.min(BAR_COLUMN, Math.floor((free - LEAST_LINES - WEIGHTS_GAP) / shown))
  return cell < 2 ? none : { kind: 'bars', cell, text: 0, room: shown * cell + WEIGHTS_GAP }
}

/** A colour bar's width: enough to be read, and where more gains nothing, px. */
const LEAST_LEGEND = 300
const MOST_LEGEND = 420

/**
 * The legend stands under the lines, or where they are short under the whole figure.
 *
 * @param {LineLayout} layout
 * @param {number} room CSS pixels
 */
export function placeLegend(layout, room) {
  const left = layout.width - layout.left >= LEAST_LEGEND ? layout.left : 0
  return { left, width: Math.min(room - left, MOST_LEGEND) }
}

/** The middle of a row. @param {LineLayout} layout @param {number} row */
export function middleOf({ top, pitch }, row) {
  return top + (row + 0.5) * pitch
}

/** How far a head's lines keep from the middle of their rows. @param {LineLayout} layout @param {number} slot @param {number} shown */
export function laneOf({ lane }, slot, shown) {
  return (slot - (shown - 1) / 2) * lane
}

/**
 * A line's height on its way: it leaves and arrives level. The cubic with control points at thirds, so
 * that `across` is the curve's own parameter.
 *
 * @param {number} from
 * @param {number} to
 * @param {number} across 0 at the query, 1 at the key
 */
export function heightAt(from, to, across) {
  return from + (to - from) * across * across * (3 - 2 * across)
}

/** @param {number} value @param {number} low @param {number} high */
function clamp(value, low, high) {
  return Math.max(low, Math.min(high, value))
}
