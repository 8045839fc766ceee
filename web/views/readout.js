import { h } from './dom.js'
import { formatExact } from './numbers.js'
import { nameOf } from './tokens.js'

/**
 * @import { AttentionData } from './attention-data.js'
 * @import { TokenLabels } from './tokens.js'
 */

/**
 * What a cell holds, in words.
 *
 * @param {AttentionData} attention
 * @param {TokenLabels} tokens
 * @param {number} plane
 * @param {number} query
 * @param {number} key
 * @param {boolean} withHead
 * @returns {string}
 */
export function describeCell(attention, tokens, plane, query, key, withHead) {
  const head = withHead ? `${nameOfPlane(attention, plane)}, ` : ''
  const { axes } = tokens
  const ends = `${axes.query} ${nameOf(tokens.query, query, tokens.named)}, ${axes.key} ${nameOf(tokens.key, key, tokens.named)}`
  return `${head}${ends}: ${valueText(attention, plane, query, key)}`
}

/** @param {AttentionData} attention @param {number} plane */
export function nameOfPlane(attention, plane) {
  const head = `head ${(plane % attention.heads) + 1}`
  return attention.layers > 1 ? `layer ${Math.floor(plane / attention.heads) + 1}, ${head}` : head
}

/**
 * @param {AttentionData} attention
 * @param {number} plane
 * @param {number} query
 * @param {number} key
 */
export function valueText(attention, plane, query, key) {
  if (attention.isMasked(plane, query, key)) return 'masked'
  return formatExact(attention.value(plane, query, key))
}

/** Whether the reader points with a finger. */
export function touches() {
  return matchMedia('(pointer: coarse)').matches
}

/** What a figure says under it while no cell is looked at. @param {boolean} opens a selected cell does */
export function cellHint(opens) {
  if (touches()) return opens ? 'Tap a cell to open its value.' : 'Tap a cell for its value.'
  return opens
    ? 'Point at a cell for its value; click it, or press Enter, to open it.'
    : 'Point at a cell, or use the arrow keys, for its value.'
}

/**
 * The line under a figure that gives the exact value of the cell the reader looks at.
 */
export class Readout {
  #hint = h('span', { class: 'hint' })
  #value = h('strong', { class: 'value' })
  #ends = h('span', { class: 'ends' })

  constructor() {
    this.node = h('p', { class: 'readout' }, [this.#hint, this.#value, this.#ends])
  }

  /**
   * @param {AttentionData} attention
   * @param {TokenLabels} tokens
   * @param {{ plane: number, query: number, key: number } | null} cell
   * @param {{ withHead: boolean, hint: string }} options `hint`: shown while there is no cell
   */
  show(attention, tokens, cell, { withHead, hint }) {
    this.#hint.hidden = cell !== null
    this.#value.hidden = this.#ends.hidden = cell === null
    this.#hint.textContent = hint
    if (!cell) return
    const { plane, query, key } = cell
    const head = withHead ? `${nameOfPlane(attention, plane)}, ` : ''
    this.#value.textContent = valueText(attention, plane, query, key)
    const { axes } = tokens
    this.#ends.textContent = `${head}${axes.query} ${nameOf(tokens.query, query, tokens.named)} → ${axes.key} ${nameOf(tokens.key, key, tokens.named)}`
  }
}

export const readoutStyles = `
.legend {
  display: flex;
  flex-direction: column;
  gap: 6px;
  max-inline-size: 100%;
  container-type: inline-size;
}
.readout {
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  gap: 0 10px;
  min-block-size: 20px;
  line-height: 20px;
  max-inline-size: 100%;
  font-size: 13px;
}
/* Room for two lines where one may not do, so that nothing moves when the line is filled. */
@container (max-width: 420px) {
  .readout { min-block-size: 40px; align-content: flex-start; }
}
.hint { color: var(--soft); }
.value { font-weight: 650; font-size: 14px; }
.ends { overflow-wrap: anywhere; white-space: pre-wrap; }
`
