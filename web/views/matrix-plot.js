import { CellCursor } from './cell-cursor.js'
import { fitCanvas, h, placeIn, pointOn } from './dom.js'
import { paintMatrix } from './matrix-paint.js'
import { setPaint } from './repaint.js'
import { textWidth } from './text-width.js'

/**
 * @import { Box } from './dom.js'
 * @import { MatrixPicture } from './matrix-paint.js'
 * @typedef {{ query: number, key: number }} Cell
 */

/** The widest tag, and what a tag has beside its text, px. */
const MOST_TAG = 240
const TAG_PADDING = 12

/**
 * One matrix on the page: its canvas, the cell under the pointer, the keyboard's cursor and the cell that
 * was selected. A heatmap has one, a head grid many.
 */
export class MatrixPlot {
  #canvas = h('canvas', { class: 'matrix', 'aria-hidden': 'true' })
  #frame = h('div', { class: 'frame' })
  #hoverBox = h('div', { class: 'box', hidden: '' })
  #selectedBox = h('div', { class: 'box selected', hidden: '' })
  #rowTag = h('div', { class: 'tag row', hidden: '', 'aria-hidden': 'true' })
  #columnTag = h('div', { class: 'tag column', hidden: '', 'aria-hidden': 'true' })
  /** @type {MatrixPicture | null} */
  #picture = null
  /** @type {Cell | null} */
  #hovered = null
  /** @type {Cell | null} */
  #pointed = null
  /** @type {Cell | null} */
  #selected = null
  #onHover

  /**
   * @param {object} options
   * @param {AbortSignal} options.signal
   * @param {(query: number, key: number) => string} options.describe
   * @param {(cell: Cell | null) => void} options.onHover pointer or keyboard came to a cell, or left
   * @param {(cell: Cell) => void} options.onSelect
   * @param {(cell: Cell) => void} options.onStep the keyboard has moved to a cell
   * @param {(step: 1 | -1) => void} [options.onPage]
   */
  constructor({ signal, describe, onHover, onSelect, onStep, onPage }) {
    this.#onHover = onHover
    this.cursor = new CellCursor({
      signal,
      describe,
      boxOf: (query, key) => this.#boxOf({ query, key }),
      onMove: (query, key) => this.#hover({ query, key }),
      onLeave: () => this.#hover(null),
      onSelect: (query, key) => onSelect({ query, key }),
      onStep: (query, key) => onStep({ query, key }),
      onPage,
    })
    const children = [
      this.#canvas,
      this.#frame,
      this.#selectedBox,
      this.#hoverBox,
      this.cursor.grid,
    ]
    this.node = h('div', { class: 'plot' }, [...children, this.#rowTag, this.#columnTag])
    this.#listen(signal, onSelect)
    setPaint(this.#canvas, (context) => this.#picture && paintMatrix(context, this.#picture))
  }

  /** @param {AbortSignal} signal @param {(cell: Cell) => void} onSelect */
  #listen(signal, onSelect) {
    const canvas = this.#canvas
    const track = (/** @type {PointerEvent} */ event) => this.#hover(this.#cellAt(event))
    canvas.addEventListener('pointermove', track, { signal })
    canvas.addEventListener('pointerdown', track, { signal })
    canvas.addEventListener('pointerleave', () => this.#hover(null), { signal })
    canvas.addEventListener(
      'click',
      (event) => {
        const cell = this.#cellAt(event)
        if (!cell) return
        this.cursor.moveTo(cell.query, cell.key)
        this.cursor.focus()
        onSelect(cell)
      },
      { signal },
    )
  }

  /** The cell that the reader looks at, by pointer or keyboard. */
  get hovered() {
    return this.#hovered
  }

  /** A cell that is framed as if the reader looked at it, while he looks at no other. @param {Cell | null} cell */
  set pointed(cell) {
    this.#pointed = cell
    this.#markHovered()
  }

  /** @param {Cell | null} cell */
  set selected(cell) {
    this.#selected = cell
    this.#mark(this.#selectedBox, cell)
  }

  /**
   * Draws, and fits everything that lies on the drawing.
   *
   * @param {MatrixPicture} picture
   * @param {string} label names the matrix
   */
  draw(picture, label) {
    this.#picture = picture
    const { attention, layout, ratio } = picture
    this.node.style.width = `${layout.width}px`
    this.node.style.height = `${layout.height}px`
    placeIn(this.#frame, layout.plot, layout)
    paintMatrix(fitCanvas(this.#canvas, layout.width, layout.height, ratio), picture)
    this.cursor.update(label, attention.queries, attention.keys)
    if (this.#hovered && !this.#contains(this.#hovered)) this.#hovered = null
    this.#markHovered()
    this.#mark(this.#selectedBox, this.#selected)
  }

  /** @param {Cell | null} cell */
  #hover(cell) {
    const old = this.#hovered
    // Where the pointer leaves, the keyboard's cursor is what the reader looks at.
    const next =
      cell ?? (this.cursor.hasFocus ? { query: this.cursor.query, key: this.cursor.key } : null)
    if (old?.query === next?.query && old?.key === next?.key) return
    this.#hovered = next
    this.#markHovered()
    this.#onHover(next)
  }

  /** @param {MouseEvent} event @returns {Cell | null} */
  #cellAt(event) {
    if (!this.#picture || this.#picture.attention.isEmpty) return null
    const { attention, layout } = this.#picture
    const point = pointOn(event, this.#canvas)
    const x = point.x - layout.plot.left
    const y = point.y - layout.plot.top
    if (x < 0 || y < 0 || x >= layout.plot.width || y >= layout.plot.height) return null
    return {
      query: Math.min(attention.queries - 1, Math.floor(y / layout.cellHeight)),
      key: Math.min(attention.keys - 1, Math.floor(x / layout.cellWidth)),
    }
  }

  /** @param {Cell} cell */
  #contains(cell) {
    return this.#picture?.attention.holds(cell) ?? false
  }

  /** @param {Cell} cell @returns {Box | null} */
  #boxOf({ query, key }) {
    if (!this.#picture) return null
    const { plot, cellWidth, cellHeight } = this.#picture.layout
    // Specks get a frame that can be seen around them.
    const width = Math.max(cellWidth, 5)
    const height = Math.max(cellHeight, 5)
    return {
      left: plot.left + (key + 0.5) * cellWidth - width / 2,
      top: plot.top + (query + 0.5) * cellHeight - height / 2,
      width,
      height,
    }
  }

  /** @param {HTMLElement} box @param {Cell | null} cell */
  #mark(box, cell) {
    const bounds = cell && this.#contains(cell) ? this.#boxOf(cell) : null
    box.hidden = !bounds
    if (bounds && this.#picture) placeIn(box, bounds, this.#picture.layout)
  }

  /** Frames the cell and repeats its tokens on the axes, where thinned or cut labels may lack them. */
  #markHovered() {
    const cell = this.#hovered ?? this.#pointed
    this.#mark(this.#hoverBox, cell)
    const picture = this.#picture
    const shown =
      cell !== null && this.#contains(cell) && picture !== null && picture.layout.labelRoom > 0
    this.#rowTag.hidden = !shown
    this.#columnTag.hidden = !shown
    if (!shown) return
    const { layout, tokens, theme } = picture
    const { plot, cellWidth, cellHeight } = layout
    this.#rowTag.textContent = tokens.query[cell.query]
    this.#columnTag.textContent = tokens.key[cell.key]
    this.#rowTag.style.right = `${layout.width - plot.left + 2}px`
    this.#rowTag.style.top = `${plot.top + (cell.query + 0.5) * cellHeight}px`
    const x = plot.left + (cell.key + 0.5) * cellWidth
    this.#columnTag.classList.toggle('upright', layout.upright)
    this.#columnTag.style.bottom = `${layout.height - plot.top + 2}px`
    // Over the middle of its column, but for a long token, which stays in the figure.
    const text = textWidth(tokens.key[cell.key], theme.font) + TAG_PADDING
    const half = Math.min(MOST_TAG, layout.width, text) / 2
    const middle = layout.upright ? x : Math.max(half, Math.min(x, layout.width - half))
    this.#columnTag.style.left = `${middle}px`
  }
}

export const matrixPlotStyles = `
.plot { position: relative; max-inline-size: 100%; }
.matrix { display: block; forced-color-adjust: none; cursor: crosshair; }
.frame { position: absolute; pointer-events: none; }
.cells { position: absolute; inset: 0; pointer-events: none; }
.cells [role='row'] { display: contents; }
.cell { position: absolute; outline: none; border-radius: 1px; }
.cell:focus {
  z-index: 2;
  outline: 2px solid var(--accent);
  outline-offset: 1px;
  box-shadow: 0 0 0 1px var(--surface), 0 0 0 5px var(--surface);
}
.box {
  position: absolute;
  pointer-events: none;
  outline: 2px solid var(--ink);
  outline-offset: -1px;
  box-shadow: 0 0 0 2px var(--surface);
}
.box.selected { outline-color: var(--accent); }
.tag {
  position: absolute;
  z-index: 3;
  max-inline-size: min(${MOST_TAG}px, 100%);
  padding: 1px ${TAG_PADDING / 2}px;
  border-radius: 4px;
  overflow: hidden;
  background: var(--ink);
  color: var(--surface);
  font-size: 12px;
  line-height: 18px;
  white-space: pre;
  text-overflow: ellipsis;
  pointer-events: none;
}
.tag.row { translate: 0 -50%; max-inline-size: 160px; }
.tag.column { translate: -50%; }
.tag.upright {
  max-inline-size: none;
  max-block-size: 160px;
  padding: 6px 1px;
  writing-mode: vertical-rl;
  rotate: 180deg;
}
@media (forced-colors: active) {
  .tag { outline: 1px solid CanvasText; }
}
@media print {
  .plot { block-size: auto !important; }
  .plot canvas { inline-size: 100% !important; block-size: auto !important; }
}
`
