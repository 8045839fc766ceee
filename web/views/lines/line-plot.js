import { CellCursor } from '../cell-cursor.js'
import { fitCanvas, h, pointOn } from '../dom.js'
import { LABEL_GAP } from '../matrix-layout.js'
import { setPaint } from '../repaint.js'
import { textWidth } from '../text-width.js'
import { paintColumns } from './column-paint.js'
import { middleOf } from './line-layout.js'
import { lineAt, paintLines, paintLooked } from './line-paint.js'
import { sameTarget } from './line-target.js'

/**
 * @import { Box } from '../dom.js'
 * @import { LinePicture } from './line-picture.js'
 * @import { Seen, Target } from './line-target.js'
 */

const QUERIES = 0
const KEYS = 1
/** What a tag has around its text, px: see the style sheet. */
const TAG_PADDING = 6

/**
 * Lines and columns on the page: two canvases, tags for the tokens that are looked at, and the keyboard's
 * cursor, which goes up and down in a column and across to the other one.
 */
export class LinePlot {
  #lines = h('canvas', { class: 'lines', 'aria-hidden': 'true' })
  #columns = h('canvas', { class: 'columns', 'aria-hidden': 'true' })
  #selectedTag = h('div', { class: 'tag chosen', hidden: '', 'aria-hidden': 'true' })
  #queryTag = h('div', { class: 'tag', hidden: '', 'aria-hidden': 'true' })
  #keyTag = h('div', { class: 'tag', hidden: '', 'aria-hidden': 'true' })
  /** @type {LinePicture | null} */
  #picture = null
  /** @type {Seen} */
  #seen = { query: null, key: null, selected: -1, cell: null }
  /** @type {Target | null} */
  #target = null
  /** The query whose keys the keyboard's cursor goes through. */
  #cursorQuery = 0
  /** Focus came by a click: it stays where it is, and says nothing of what is looked at. */
  #byPointer = false
  #onTarget
  #onClear

  /**
   * @param {object} options
   * @param {AbortSignal} options.signal
   * @param {(target: Target) => string} options.describe
   * @param {(target: Target | null) => void} options.onTarget pointer or keyboard came to something, or left
   * @param {(target: Target, byPointer: boolean) => void} options.onChoose a click, Enter or Space
   * @param {(target: Target) => void} options.onStep the keyboard has moved the cursor
   * @param {() => void} options.onClear Escape
   * @param {(step: 1 | -1) => void} options.onPage
   */
  constructor({ signal, describe, onTarget, onChoose, onStep, onClear, onPage }) {
    this.#onTarget = onTarget
    this.#onClear = onClear
    this.cursor = new CellCursor({
      signal,
      describe: (row, column) => describe(this.#targetOf(row, column)),
      boxOf: (row, column) => this.#boxOf(row, column),
      onMove: (row, column) => this.#onCursor(row, column),
      onLeave: () => {
        this.#byPointer = false
        this.#aim(null)
      },
      onSelect: (row, column) => onChoose(this.#targetOf(row, column), false),
      onStep: (row, column) => onStep(this.#targetOf(row, column)),
      onPage,
      moves: (whole) => this.#moves(whole),
    })
    const tags = [this.#selectedTag, this.#queryTag, this.#keyTag]
    const children = [this.#lines, this.#columns, this.cursor.grid, ...tags]
    this.node = h('div', { class: 'plot' }, children)
    this.#listen(signal, onChoose)
    setPaint(this.#lines, (context) => this.#picture && paintLines(context, this.#picture))
    setPaint(this.#columns, (context) => this.#paintColumns(context))
  }

  /** @param {AbortSignal} signal @param {(target: Target, byPointer: boolean) => void} onChoose */
  #listen(signal, onChoose) {
    const canvas = this.#columns
    const track = (/** @type {PointerEvent} */ event) => this.#aim(this.#targetAt(event))
    canvas.addEventListener('pointermove', track, { signal })
    canvas.addEventListener('pointerdown', track, { signal })
    canvas.addEventListener('pointerleave', () => this.#aim(this.#keyboardTarget()), { signal })
    canvas.addEventListener(
      'click',
      (event) => {
        const target = this.#targetAt(event)
        if (!target) return
        this.#byPointer = true
        this.#putCursor(target)
        this.cursor.focus()
        onChoose(target, true)
      },
      { signal },
    )
    this.cursor.grid.addEventListener('keydown', () => (this.#byPointer = false), {
      signal,
      capture: true,
    })
  }

  /** What pointer or keyboard is at. */
  get target() {
    return this.#target
  }

  /**
   * Draws, and fits everything that lies on the drawing.
   *
   * @param {LinePicture} picture
   * @param {Seen} seen
   * @param {string} label names the figure
   */
  draw(picture, seen, label) {
    this.#picture = picture
    const { attention, layout, ratio } = picture
    this.node.style.width = `${layout.width}px`
    this.node.style.height = `${layout.height}px`
    paintLines(fitCanvas(this.#lines, layout.width, layout.height, ratio), picture)
    const { queries, keys } = attention
    this.#cursorQuery = Math.min(this.#cursorQuery, queries - 1)
    this.cursor.update(label, Math.max(queries, keys), 2)
    if (!this.cursor.hasFocus && seen.selected >= 0 && seen.selected !== this.#seen.selected) {
      // Tab leads to the query that was selected.
      this.#cursorQuery = seen.selected
      this.cursor.moveTo(seen.selected, QUERIES)
    }
    const last = (this.cursor.key === QUERIES ? queries : keys) - 1
    if (this.cursor.query > last) this.cursor.moveTo(last, this.cursor.key)
    this.mark(seen)
  }

  /** Draws the columns and what is looked at; the lines stay. @param {Seen} seen */
  mark(seen) {
    const picture = this.#picture
    if (!picture) return
    this.#seen = seen
    const { layout, ratio } = picture
    this.#paintColumns(fitCanvas(this.#columns, layout.width, layout.height, ratio))
    const query = seen.cell?.query ?? seen.query
    const selected = seen.selected
    this.#tagQuery(this.#queryTag, query === selected ? null : query)
    this.#tagQuery(this.#selectedTag, selected < 0 ? null : selected)
    this.#tagKey(seen.cell?.key ?? seen.key)
    this.cursor.selected = this.cursor.key === QUERIES && this.cursor.query === selected
  }

  /** @param {CanvasRenderingContext2D} context */
  #paintColumns(context) {
    if (!this.#picture) return
    paintColumns(context, this.#picture)
    if (this.#seen.cell) paintLooked(context, this.#picture, this.#seen.cell)
  }

  /** @param {Target | null} target */
  #aim(target) {
    if (sameTarget(target, this.#target)) return
    this.#target = target
    this.#onTarget(target)
  }

  /** @param {number} row @param {number} column @returns {Target} */
  #targetOf(row, column) {
    return column === QUERIES
      ? { kind: 'query', query: row }
      : { kind: 'pair', query: this.#cursorQuery, key: row }
  }

  #keyboardTarget() {
    const { cursor } = this
    return cursor.hasFocus && !this.#byPointer ? this.#targetOf(cursor.query, cursor.key) : null
  }

  /** @param {number} row @param {number} column */
  #onCursor(row, column) {
    if (column === QUERIES) this.#cursorQuery = row
    if (!this.#byPointer) this.#aim(this.#targetOf(row, column))
  }

  /** The cursor goes where a click was. @param {Target} target */
  #putCursor(target) {
    const { cursor } = this
    const row = target.kind === 'query' ? target.query : target.key
    const column = target.kind === 'query' ? QUERIES : KEYS
    const query = target.kind === 'key' ? this.#seen.query : target.query
    if (query !== null) this.#cursorQuery = query
    if (row === cursor.query && column === cursor.key) cursor.announce()
    else cursor.moveTo(row, column)
  }

  /** @param {boolean} whole @returns {Record<string, () => void>} */
  #moves(whole) {
    const { cursor } = this
    const { query: row, key: column } = cursor
    const { queries, keys } = this.#picture?.attention ?? { queries: 1, keys: 1 }
    const last = (column === QUERIES ? queries : keys) - 1
    const goTo = (/** @type {number} */ next) =>
      cursor.moveTo(Math.max(0, Math.min(next, last)), column)
    return {
      ArrowUp: () => goTo(whole ? 0 : row - 1),
      ArrowDown: () => goTo(whole ? last : row + 1),
      Home: () => goTo(0),
      End: () => goTo(last),
      // To the key beside it, and back to the query whose keys these are.
      ArrowRight: () => column === QUERIES && cursor.moveTo(Math.min(row, keys - 1), KEYS),
      ArrowLeft: () => column === KEYS && cursor.moveTo(this.#cursorQuery, QUERIES),
      Escape: () => this.#onClear(),
    }
  }

  /** @param {MouseEvent} event @returns {Target | null} */
  #targetAt(event) {
    const picture = this.#picture
    if (!picture) return null
    const { attention, layout } = picture
    const { x, y } = pointOn(event, this.#columns)
    const row = Math.floor((y - layout.top) / layout.pitch)
    if (x > layout.left && x < layout.right) {
      const line = lineAt(picture, x, y)
      return line && { kind: 'line', ...line }
    }
    const isQuery = x <= layout.left
    if (row < 0 || row >= (isQuery ? attention.queries : attention.keys)) return null
    if (isQuery) return { kind: 'query', query: row }
    const { left, cell } = layout.weights
    const plane = x < left ? undefined : picture.planes[Math.floor((x - left) / cell)]
    return { kind: 'key', key: row, plane }
  }

  /** @param {number} row @param {number} column @returns {Box | null} */
  #boxOf(row, column) {
    if (!this.#picture) return null
    const { layout } = this.#picture
    // Specks get a frame that can be seen around them.
    const height = Math.max(5, layout.pitch - 2)
    const top = middleOf(layout, row) - height / 2
    const left = column === QUERIES ? 0 : layout.right + 1
    const right = column === QUERIES ? layout.left - 1 : layout.width
    return { left, top, width: right - left, height }
  }

  /** Shows a token in full, where its label may be cut or left out. @param {HTMLElement} tag @param {number | null} query */
  #tagQuery(tag, query) {
    const picture = this.#picture
    tag.hidden = query === null || !picture
    if (query === null || !picture) return
    const { layout, tokens, theme } = picture
    const text = tokens.query[query]
    const isLong = textWidth(text, theme.font) + TAG_PADDING > layout.left - LABEL_GAP
    tag.textContent = text
    tag.style.top = `${middleOf(layout, query)}px`
    tag.style.maxInlineSize = `${layout.right}px`
    tag.style.left = isLong ? '0' : ''
    tag.style.right = isLong ? '' : `${layout.width - layout.left + LABEL_GAP - TAG_PADDING}px`
  }

  /** @param {number | null} key */
  #tagKey(key) {
    const picture = this.#picture
    this.#keyTag.hidden = key === null || !picture
    if (key === null || !picture) return
    const { layout, tokens, theme } = picture
    const text = tokens.key[key]
    const isLong = textWidth(text, theme.font) > layout.keyRoom
    const left = layout.right + LABEL_GAP
    const { style } = this.#keyTag
    this.#keyTag.textContent = text
    style.top = `${middleOf(layout, key)}px`
    // A long one reaches over the lines, not over the weights or the query.
    style.maxInlineSize = `${left + layout.keyRoom - layout.left}px`
    style.left = isLong ? '' : `${left - TAG_PADDING}px`
    style.right = isLong
      ? `${Math.max(0, layout.width - left - layout.keyRoom - TAG_PADDING)}px`
      : ''
  }
}

export const linePlotStyles = `
.plot .lines { display: block; forced-color-adjust: none; }
.plot .columns { position: absolute; inset: 0; forced-color-adjust: none; cursor: pointer; }
/* A long token is broken into lines: this is where it can be read in full. */
.plot .tag {
  translate: 0 -50%;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}
/* Here are no colours to be kept apart from the ring, but labels and bars that it must not hide. */
.plot .cell:focus { box-shadow: none; }
.plot .tag.chosen { background: var(--accent); }
@media (forced-colors: active) {
  .plot .tag { border: 1px solid; }
}
`
