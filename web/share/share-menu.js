import { buttonHover, buttonLook, focusLook, palette } from '../exhibits/look.js'
import { problemOf } from '../problem.js'
import { h } from '../views/dom.js'

/**
 * @import { Figure, SharePanel } from './share-panel.js'
 */

/**
 * The button below every exhibit that opens what can be done with it elsewhere: a link, code for a page, a picture,
 * the numbers. What it opens is loaded when it is first opened.
 */
export class ShareMenu {
  #button = h('button', {
    type: 'button',
    class: 'share-button',
    'aria-expanded': 'false',
    'data-picture': 'none',
    text: 'Share or save',
  })
  #room = h('div', { class: 'share-room', hidden: '', 'data-picture': 'none' })
  #figure
  #signal
  /** @type {SharePanel | null} */
  #panel = null

  /**
   * @param {Figure} figure what is shared
   * @param {AbortSignal} signal ends with the figure
   */
  constructor(figure, signal) {
    this.#figure = figure
    this.#signal = signal
    this.node = h('div', { class: 'share' }, [this.#button, this.#room])
    this.#button.addEventListener('click', () => this.#toggle(), { signal })
    this.#room.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        this.#close()
        this.#button.focus()
      },
      { signal },
    )
  }

  get isOpen() {
    return !this.#room.hidden
  }

  /** The figure has changed. */
  update() {
    if (this.isOpen) this.#panel?.update()
  }

  #close() {
    this.#room.hidden = true
    this.#button.setAttribute('aria-expanded', 'false')
  }

  async #toggle() {
    if (this.isOpen) return this.#close()
    this.#button.setAttribute('aria-expanded', 'true')
    this.#room.hidden = false
    try {
      const { SharePanel } = await import('./share-panel.js')
      if (this.#signal.aborted) return
      this.#panel ??= new SharePanel(this.#room, this.#figure)
      this.#panel.update()
    } catch (error) {
      this.#room.textContent = `This menu could not be loaded: ${problemOf(error)}`
    }
  }
}

/** Colours as the page has them, for exhibits and for views, which name theirs differently. */
export const shareMenuStyles = `
  .share {
    ${palette}
    margin-block-start: 0.9em;
    color: var(--ink);
    text-align: end;
  }

  .share :is(button, select) {
    ${buttonLook}
  }

  .share :is(button, select):hover {
    ${buttonHover}
  }

  .share :focus-visible {
    ${focusLook}
  }

  .share [hidden] {
    display: none !important;
  }

  .share .share-button {
    min-height: 2.1em;
    border-color: transparent;
    background: none;
    color: var(--quiet);
    font-size: 0.84em;
  }

  .share .share-button[aria-expanded='true'] {
    border-color: var(--rule);
    color: var(--ink);
  }

  .share-room {
    margin-block-start: 0.5em;
    text-align: start;
  }

  @media print {
    .share {
      display: none;
    }
  }

  @media (pointer: coarse) {
    .share :is(button, select),
    .share .share-button {
      min-height: 44px;
    }
  }
`
