import { h } from '../dom.js'
import { PartTable } from './part-table.js'
import { agreement, alarm } from './wording.js'

/**
 * @import { Disagreement } from './agreement.js'
 * @import { Explanation } from './explanation.js'
 * @typedef {object} Inspected
 * @property {string} title  which cell it is
 * @property {Explanation} explanation
 * @property {{ compared: number, wrong: readonly Disagreement[] }} comparison
 */

/**
 * The panel in which a cell's number is opened: what it is in a sentence, whether it is right, and every number
 * on the way to it. Its nodes stay while it is updated, so that focus and scrolling do.
 */
export class Inspector {
  #title = h('span', { class: 'inspector-title', id: 'inspected' })
  #close = h('button', {
    type: 'button',
    class: 'close',
    'aria-label': 'Close the inspector',
    text: '×',
  })
  #head
  #finding = h('p', { class: 'finding' })
  #alarm = h('div', { class: 'alarms' })
  #alarmed = ''
  #agrees = h('p', { class: 'agrees', hidden: '' })
  #notes = h('div', { class: 'notes' })
  #parts = h('div', { class: 'parts' })
  #basis = h('p', { class: 'quiet' })
  /** @type {PartTable[]} */
  #tables = []
  #signal

  /**
   * @param {AbortSignal} signal
   * @param {() => void} onClose
   */
  constructor(signal, onClose) {
    this.#signal = signal
    this.#head = h('div', { class: 'inspector-head' }, [this.#title, this.#close])
    const body = [this.#alarm, this.#finding, this.#agrees, this.#notes, this.#parts, this.#basis]
    this.node = h(
      'div',
      { class: 'inspector', role: 'group', 'aria-labelledby': 'inspected', hidden: '' },
      [this.#head, h('div', { class: 'inspector-body' }, body)],
    )
    // It is filled while the panel opens, and must have been there before to be read out.
    this.status = h('p', { class: 'spoken', role: 'status' })
    this.#close.addEventListener('click', onClose, { signal })
  }

  get isOpen() {
    return !this.node.hidden
  }

  /** @param {Inspected} inspected */
  show({ title, explanation, comparison: { compared, wrong } }) {
    const { finding, parts, notes = [], basis = '', shows } = explanation
    this.node.hidden = false
    this.#title.textContent = `Inspector: ${title}`
    this.#finding.textContent = finding
    this.node.classList.toggle('alarmed', wrong.length > 0)
    this.#raise(alarm(wrong))
    const agreed = wrong.length === 0 ? agreement(compared) : ''
    this.#agrees.hidden = agreed === ''
    this.#agrees.textContent = agreed
    this.#notes.replaceChildren(...notes.map((text) => h('p', { text })))
    this.#notes.hidden = notes.length === 0
    while (this.#tables.length > parts.length) this.#tables.pop()?.node.remove()
    while (this.#tables.length < parts.length) this.#tables.push(this.#addTable())
    const isCompared = basis !== ''
    this.#basis.hidden = !isCompared
    this.#basis.textContent = basis
    parts.forEach((part, place) => this.#tables[place].update(part, { shows, isCompared }))
    const spoken = [finding, ...notes, agreed].filter((text) => text !== '').join(' ')
    if (this.status.textContent !== spoken) this.status.textContent = spoken
  }

  #addTable() {
    const table = new PartTable(this.#signal)
    this.#parts.append(table.node)
    return table
  }

  /** A new node for each alarm: only what is inserted is sure to be read out. @param {string[]} lines */
  #raise(lines) {
    const text = lines.join()
    if (this.#alarmed === text) return
    this.#alarmed = text
    this.#alarm.replaceChildren()
    if (lines.length === 0) return
    const items = lines.map((line) => h('li', { text: line }))
    const title = h('strong', { text: '✗ This number is wrong, or one on the way to it' })
    this.#alarm.append(h('div', { class: 'alarm', role: 'alert' }, [title, h('ul', {}, items)]))
  }

  /** Scrolls just so far that the reader sees what has opened. */
  reveal() {
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
    this.#head.scrollIntoView({ block: 'nearest', behavior: calm ? 'auto' : 'smooth' })
  }

  hide() {
    this.node.hidden = true
    this.status.textContent = ''
    this.#raise([])
  }
}
