/**
 * Painting a grid of buttons: pressing one turns it over, and what the pointer is drawn over takes the same
 * state. Keyboard and assistive technology press the buttons as they press any.
 */
export class MaskBrush {
  #cellAt
  #paint
  /** What cells become while the pointer is down; null when it is not. @type {boolean | null} */
  #open = null
  /** A click that ends a stroke has done its work already. */
  #drawn = false
  #last = -1

  /**
   * @param {object} options
   * @param {(x: number, y: number) => number} options.cellAt in client coordinates; −1 where there is none
   * @param {(cell: number, open: boolean) => void} options.paint
   */
  constructor({ cellAt, paint }) {
    this.#cellAt = cellAt
    this.#paint = paint
  }

  /** @param {PointerEvent} event @param {(cell: number) => boolean} isOpen */
  start(event, isOpen) {
    const cell = this.#cellAt(event.clientX, event.clientY)
    this.#drawn = false
    if (event.button !== 0 || cell < 0) return
    const target = /** @type {Element} */ (event.currentTarget)
    // Moves are wanted from outside of the grid too, where a stroke may end.
    target.setPointerCapture(event.pointerId)
    this.#open = !isOpen(cell)
    this.#drawn = true
    this.#stroke(cell)
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (this.#open === null) return
    // A quick stroke passes over cells between two events.
    const passed = event.getCoalescedEvents?.() ?? []
    for (const { clientX, clientY } of [...passed, event]) {
      this.#stroke(this.#cellAt(clientX, clientY))
    }
  }

  end() {
    this.#open = null
    this.#last = -1
  }

  /** @param {number} cell @param {boolean} isOpen */
  press(cell, isOpen) {
    if (!this.#drawn) this.#paint(cell, !isOpen)
    this.#drawn = false
  }

  /** @param {number} cell */
  #stroke(cell) {
    if (cell < 0 || cell === this.#last || this.#open === null) return
    this.#last = cell
    this.#paint(cell, this.#open)
  }
}
