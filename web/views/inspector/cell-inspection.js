import { problemOf } from '../../problem.js'
import { activeIn } from '../dom.js'
import { detailOf } from '../options.js'
import { nameOfPlane } from '../readout.js'
import { nameOf } from '../tokens.js'
import { compare, withDrawn } from './agreement.js'
import { explainByMap } from './explanation.js'
import { Inspector } from './inspector.js'

/**
 * @import { CellDetail, ViewContent } from '../options.js'
 * @import { Explain, Explanation } from './explanation.js'
 * @typedef {{ plane: number, query: number, key: number }} InspectedCell
 */

/**
 * The inspector of a view: which cell is open, and what there is to say of it. The view tells which cell was
 * selected and calls `draw` whenever it draws; Escape and the close button are seen to here.
 */
export class CellInspection {
  #inspector
  #figure
  #onClose
  /** @type {InspectedCell | null} */
  #cell = null
  /** What was last shown, to be compared by identity. @type {readonly unknown[]} */
  #shown = []
  #isNew = false

  /**
   * @param {object} options
   * @param {HTMLElement} options.figure that holds the view and this
   * @param {AbortSignal} options.signal
   * @param {(cell: InspectedCell, hadFocus: boolean) => void} options.onClose focus that was in the
   *   inspector has to go to the cell
   */
  constructor({ figure, signal, onClose }) {
    this.#figure = figure
    this.#onClose = onClose
    this.#inspector = new Inspector(signal, () => this.close())
    figure.append(this.node, this.#inspector.status)
    figure.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape' || !this.#cell) return
        // What the figure stands in, such as a dialog, is not meant.
        event.preventDefault()
        event.stopPropagation()
        this.close()
      },
      { signal },
    )
  }

  get node() {
    return this.#inspector.node
  }

  /** The open cell. */
  get cell() {
    return this.#cell
  }

  /** Opens a cell, or moves to it, by the next drawing. @param {InspectedCell} cell */
  open(cell) {
    this.#isNew ||= this.#cell === null
    this.#cell = { plane: cell.plane, query: cell.query, key: cell.key }
  }

  close() {
    const cell = this.#cell
    if (!cell) return
    this.#cell = null
    this.#isNew = false
    this.#shown = []
    const hadFocus = activeIn(this.node) !== null
    this.#onClose(cell, hadFocus)
    this.#inspector.hide()
    if (hadFocus) activeIn(this.#figure)?.scrollIntoView({ block: 'nearest' })
  }

  /**
   * Where it stands; focus in it stays.
   *
   * @param {HTMLElement} before
   */
  placeAfter(before) {
    if (this.node.previousElementSibling === before) return
    const focused = activeIn(this.node)
    before.after(this.node)
    focused?.focus({ preventScroll: true })
  }

  /**
   * Shows the open cell as it is now.
   *
   * @param {ViewContent} content
   * @param {boolean} withHead the cell's head is named
   */
  draw(content, withHead) {
    const { attention, tokens, explain, valueLabel, inspector } = content
    if (!this.#cell) return
    if (!attention || attention.isEmpty || !inspector) return this.close()
    // There may be fewer heads or tokens than before.
    const plane = Math.min(this.#cell.plane, attention.planes - 1)
    const query = Math.min(this.#cell.query, attention.queries - 1)
    const key = Math.min(this.#cell.key, attention.keys - 1)
    this.#cell = { plane, query, key }
    const wanted = [attention, tokens, explain, valueLabel, withHead, plane, query, key]
    if (this.#shown.length > 0 && wanted.every((part, at) => part === this.#shown[at])) return
    this.#shown = wanted
    const detail = detailOf(attention, tokens, plane, query, key)
    const byMap = () => explainByMap(attention, plane, detail, valueLabel)
    const explanation = withDrawn(explained(explain, detail, byMap), detail.value)
    const head = withHead ? `${nameOfPlane(attention, plane)}, ` : ''
    const [from, to] = [
      nameOf(tokens.query, query, tokens.named),
      nameOf(tokens.key, key, tokens.named),
    ]
    this.#inspector.show({
      title: `${head}${tokens.axes.query} ${from} → ${tokens.axes.key} ${to}`,
      explanation,
      comparison: compare(explanation),
    })
    if (this.#isNew) this.#inspector.reveal()
    this.#isNew = false
  }
}

/**
 * @param {Explain | null} explain
 * @param {CellDetail} cell
 * @param {() => Explanation} byMap
 * @returns {Explanation}
 */
function explained(explain, cell, byMap) {
  try {
    return explain?.(cell) ?? byMap()
  } catch (error) {
    console.error(error)
    const why = problemOf(error)
    const map = byMap()
    return {
      ...map,
      notes: [...(map.notes ?? []), `What stands behind it could not be computed: ${why}`],
    }
  }
}
