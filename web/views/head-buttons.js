import { h } from './dom.js'
import { rove, setStop } from './roving.js'

/**
 * 'all', 'head 1', 'head 2', …: a toolbar whose pressed button is the emphasised head.
 */
export class HeadButtons {
  /** @type {HTMLButtonElement[]} */
  #buttons = []
  #signal
  #onChoose

  /**
   * @param {AbortSignal} signal
   * @param {(head: number) => void} onChoose −1 = all
   */
  constructor(signal, onChoose) {
    this.#signal = signal
    this.#onChoose = onChoose
    this.node = h('div', { role: 'toolbar', class: 'heads', 'aria-label': 'Heads' })
    rove(this.node, () => this.#buttons, signal)
  }

  /**
   * @param {number} heads
   * @param {number} chosen −1 = all
   */
  update(heads, chosen) {
    const focused = this.#buttons.some((button) => button.matches(':focus'))
    while (this.#buttons.length > heads + 1) this.#buttons.pop()?.remove()
    while (this.#buttons.length < heads + 1) this.#add(this.#buttons.length - 1)
    this.#buttons.forEach((button, index) => {
      button.setAttribute('aria-pressed', String(index - 1 === chosen))
    })
    const stop = this.#buttons[chosen + 1]
    if (!focused) setStop(this.#buttons, stop)
    // The button that had focus may be among those taken away.
    else if (!this.#buttons.some((button) => button.matches(':focus'))) stop.focus()
  }

  /** @param {number} head */
  #add(head) {
    const button = h('button', {
      type: 'button',
      text: head < 0 ? 'all' : `head ${head + 1}`,
      'aria-label': head < 0 ? 'all heads' : undefined,
    })
    button.addEventListener('click', () => this.#onChoose(head), { signal: this.#signal })
    this.#buttons.push(button)
    this.node.append(button)
  }
}

export const headButtonStyles = `
.heads {
  display: flex;
  flex-wrap: wrap;
  justify-content: center;
  gap: 6px;
}
`
