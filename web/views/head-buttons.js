import { h, isActive } from './dom.js'
import { LABEL_SIZE } from './matrix-layout.js'
import { rove, setStop } from './roving.js'
import { textWidth } from './text-width.js'

/** Of a button's text, and what it has around it, px. */
const FONT_SIZE = 14
const AROUND = 24
const GAP = 6
/** A head's colour before its name. */
const CHIP = 16

/**
 * 'all', 'head 1', 'head 2', …: a toolbar whose pressed button is the emphasised head.
 */
export class HeadButtons {
  /** @type {HTMLButtonElement[]} */
  #buttons = []
  /** Stands for the word on each button where there is no room for it. */
  #word = h('span', { class: 'word', 'aria-hidden': 'true', text: 'head', hidden: '' })
  #signal
  #onChoose

  /**
   * @param {AbortSignal} signal
   * @param {(head: number) => void} onChoose −1 = all
   */
  constructor(signal, onChoose) {
    this.#signal = signal
    this.#onChoose = onChoose
    this.node = h(
      'div',
      { role: 'toolbar', class: 'heads', 'aria-label': 'Heads', 'data-picture': 'none' },
      [this.#word],
    )
    rove(this.node, () => this.#buttons, signal)
  }

  /**
   * @param {number} heads
   * @param {number} chosen −1 = all
   * @param {{ width: number, font: string }} room where the buttons need more than one line, they have
   *   numbers only
   * @param {readonly string[]} [colors] of the heads, where each has one of its own
   */
  update(heads, chosen, { width, font }, colors) {
    const focused = this.#buttons.some(isActive)
    while (this.#buttons.length > heads + 1) this.#buttons.pop()?.remove()
    while (this.#buttons.length < heads + 1) this.#add(this.#buttons.length - 1)
    this.#buttons.forEach((button, index) => {
      button.setAttribute('aria-pressed', String(index - 1 === chosen))
      const color = colors?.[index - 1]
      button.classList.toggle('colored', color !== undefined)
      if (color) button.style.setProperty('--head', color)
    })
    const isShort = lineWidth(heads, font, colors !== undefined) > width
    this.#word.hidden = !isShort
    this.node.classList.toggle('numbered', isShort)
    const stop = this.#buttons[chosen + 1]
    if (!focused) setStop(this.#buttons, stop)
    // The button that had focus may be among those taken away.
    else if (!this.#buttons.some(isActive)) stop.focus()
  }

  /** @param {number} head */
  #add(head) {
    const name = head < 0 ? 'all heads' : `head ${head + 1}`
    const button = h('button', { type: 'button', 'aria-label': name })
    if (head < 0) button.append('all')
    else button.append(h('span', { class: 'word', text: 'head ' }), `${head + 1}`)
    button.addEventListener('click', () => this.#onChoose(head), { signal: this.#signal })
    this.#buttons.push(button)
    this.node.append(button)
  }
}

/** All buttons with their words, in one line. @param {number} heads @param {string} font @param {boolean} colored */
function lineWidth(heads, font, colored) {
  const last = textWidth(`head ${heads}`, font) * heads + textWidth('all', font)
  const chips = colored ? CHIP * heads : 0
  return (last * FONT_SIZE) / LABEL_SIZE + (AROUND + GAP) * (heads + 1) + chips
}

export const headButtonStyles = `
.heads {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: center;
  gap: ${GAP}px;
}
.heads > .word { color: var(--soft); font-size: 13px; }
.heads button { white-space: pre; }
.numbered button { min-inline-size: 32px; padding-inline: 4px; }
.numbered button .word { display: none; }
@media (pointer: coarse) {
  .numbered button { min-inline-size: 38px; }
}
.heads .colored::before {
  content: '';
  display: inline-block;
  inline-size: 10px;
  block-size: 10px;
  margin-inline-end: 6px;
  border-radius: 2px;
  background: var(--head);
  box-shadow: 0 0 0 1px var(--surface);
  forced-color-adjust: none;
}
.numbered .colored::before { margin-inline-end: 4px; }
@media print {
  .heads { display: none; }
}
`
