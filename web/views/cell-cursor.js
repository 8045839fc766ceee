import { h, isActive, place } from './dom.js'

/** @import { Box } from './dom.js' */

/**
 * A matrix for keyboard and screen reader: an ARIA grid of which only the cell under the cursor is in
 * the page, at its place over the drawing. Moving the cursor moves real focus to a new cell, which every
 * screen reader announces, however large the matrix; and the focus ring is where the eye expects it.
 *
 * Keys: arrows; Home and End in a row, with Ctrl in the whole matrix; Enter or Space selects. Page Up
 * and Page Down are the owner's (another head). Keys with Shift or Alt are left alone.
 */
export class CellCursor {
  /** @type {HTMLElement | null} */
  #cell = null
  #options
  #queries = 0
  #keys = 0
  #tabbable = true
  query = 0
  key = 0

  /**
   * @param {object} options
   * @param {AbortSignal} options.signal
   * @param {(query: number, key: number) => string} options.describe one cell in words
   * @param {(query: number, key: number) => Box | null} options.boxOf null where it cannot be seen
   * @param {(query: number, key: number) => void} options.onMove also when focus arrives
   * @param {() => void} options.onLeave focus is gone
   * @param {(query: number, key: number) => void} options.onSelect
   * @param {(query: number, key: number) => void} [options.onStep] the keyboard has moved the cursor
   * @param {(step: 1 | -1) => void} [options.onPage]
   * @param {(whole: boolean) => Record<string, () => void>} [options.moves] what keys do where they do
   *   something else than in a matrix; `whole`: with Ctrl
   */
  constructor(options) {
    this.#options = options
    const { signal } = options
    this.grid = h('div', { role: 'grid', class: 'cells' })
    this.grid.addEventListener('keydown', (event) => this.#onKey(event), { signal })
    this.grid.addEventListener(
      'focusin',
      ({ relatedTarget }) => {
        if (!this.#holds(relatedTarget)) options.onMove(this.query, this.key)
      },
      { signal },
    )
    this.grid.addEventListener(
      'focusout',
      ({ relatedTarget }) => {
        // Between two cells the old one loses focus before it is taken out.
        if (!this.#holds(relatedTarget)) options.onLeave()
      },
      { signal },
    )
  }

  /** @param {EventTarget | null} target */
  #holds(target) {
    return target instanceof Node && this.grid.contains(target)
  }

  get hasFocus() {
    return this.#cell !== null && isActive(this.#cell)
  }

  /** Whether Tab reaches the matrix: in a grid of matrices only one is. @param {boolean} tabbable */
  set tabbable(tabbable) {
    this.#tabbable = tabbable
    if (this.#cell) this.#cell.tabIndex = tabbable ? 0 : -1
  }

  /**
   * Names the matrix and fits the cursor into its size. Call it whenever the numbers or the layout
   * have changed.
   *
   * @param {string} label
   * @param {number} queries
   * @param {number} keys
   */
  update(label, queries, keys) {
    this.#queries = queries
    this.#keys = keys
    this.grid.hidden = queries * keys === 0
    if (this.grid.hidden) return
    this.grid.setAttribute('aria-label', label)
    this.grid.setAttribute('aria-rowcount', String(queries))
    this.grid.setAttribute('aria-colcount', String(keys))
    this.query = Math.min(this.query, queries - 1)
    this.key = Math.min(this.key, keys - 1)
    if (!this.#cell) this.#show()
    else this.#fill(this.#cell)
  }

  /** @param {boolean} selected marks the cell under the cursor */
  set selected(selected) {
    this.#cell?.setAttribute('aria-selected', String(selected))
  }

  /**
   * Moves the cursor, as far as the matrix goes, and focus with it if focus is there.
   *
   * @param {number} query
   * @param {number} key
   */
  moveTo(query, key) {
    const nextQuery = Math.max(0, Math.min(query, this.#queries - 1))
    const nextKey = Math.max(0, Math.min(key, this.#keys - 1))
    if (nextQuery === this.query && nextKey === this.key) return
    this.query = nextQuery
    this.key = nextKey
    this.announce()
  }

  focus() {
    this.#cell?.focus({ preventScroll: true })
  }

  /** Says the cell under the cursor anew, as when the head behind it has changed. */
  announce() {
    const old = this.#cell
    const focused = this.hasFocus
    this.#show()
    if (focused) this.#cell?.focus()
    old?.parentElement?.remove()
    if (focused) this.#options.onMove(this.query, this.key)
  }

  /** A new node for each cell: focus that moves to it is announced, a text that changes may not be. */
  #show() {
    this.#cell = h('div', {
      role: 'gridcell',
      class: 'cell',
      tabindex: this.#tabbable ? '0' : '-1',
    })
    this.#cell.append(h('span', { class: 'spoken' }))
    const row = h('div', { role: 'row' }, [this.#cell])
    this.#fill(this.#cell)
    this.grid.append(row)
  }

  /** @param {HTMLElement} cell */
  #fill(cell) {
    const text = this.#options.describe(this.query, this.key)
    const spoken = /** @type {HTMLElement} */ (cell.firstElementChild)
    if (spoken.textContent !== text) spoken.textContent = text
    cell.setAttribute('aria-colindex', String(this.key + 1))
    cell.parentElement?.setAttribute('aria-rowindex', String(this.query + 1))
    this.reposition(cell)
  }

  /** Puts the cell where it is drawn. */
  reposition(cell = this.#cell) {
    const box = this.#options.boxOf(this.query, this.key)
    if (cell && box) place(cell, box)
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.shiftKey || event.altKey || event.metaKey) return
    const { query, key } = this
    const whole = event.ctrlKey
    /** @type {Record<string, () => void>} */
    const moves = {
      ArrowUp: () => this.moveTo(whole ? 0 : query - 1, key),
      ArrowDown: () => this.moveTo(whole ? this.#queries - 1 : query + 1, key),
      ArrowLeft: () => this.moveTo(query, whole ? 0 : key - 1),
      ArrowRight: () => this.moveTo(query, whole ? this.#keys - 1 : key + 1),
      Home: () => this.moveTo(whole ? 0 : query, 0),
      End: () => this.moveTo(whole ? this.#queries - 1 : query, this.#keys - 1),
      Enter: () => this.#options.onSelect(query, key),
      ' ': () => this.#options.onSelect(query, key),
      PageUp: () => this.#options.onPage?.(-1),
      PageDown: () => this.#options.onPage?.(1),
      ...this.#options.moves?.(whole),
    }
    const move = moves[event.key]
    if (!move || (event.key.startsWith('Page') && !this.#options.onPage)) return
    event.preventDefault()
    move()
    if (this.query !== query || this.key !== key) this.#options.onStep?.(this.query, this.key)
  }
}
