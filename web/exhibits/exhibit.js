import { LitElement, html, nothing } from 'lit'
import { loadEngine } from '../engine/load.js'
import { attributeName, fromAttribute, initialState, readState, sameState } from './settings.js'
import { exhibitStyles } from './styles.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Setting, State } from './settings.js'
 */

/**
 * A teaching figure: settings that a reader changes, numbers that the engine computes from them, and views
 * that show the numbers. Views are built once; a change of settings changes their data.
 *
 * A subclass says what can be set (`settings`), what it looks like (`template`), which views it needs (`build`),
 * and what they show in a given state (`draw`).
 *
 * Its state can be read and set (`exhibit.state = { numHeads: 8 }`, what is left out has its initial value), or
 * given as attributes (`num-heads="8"`). It fires `statechange` when the reader changed it.
 */
export class Exhibit extends LitElement {
  /** @type {Record<string, Setting>} */
  static settings = {}

  static styles = [exhibitStyles]

  static properties = {
    failure: { state: true },
    news: { state: true },
    isReady: { state: true },
  }

  /** @returns {string[]} */
  static get observedAttributes() {
    return [...super.observedAttributes, ...Object.keys(this.settings).map(attributeName)]
  }

  /** @type {State} */
  #state
  /** @type {AbortController | null} */
  #life = null

  constructor() {
    super()
    /** What went wrong, in words, or '' @type {string} */
    this.failure = ''
    /** What a screen reader is told after a change @type {string} */
    this.news = ''
    this.isReady = false
    /** @type {Engine | null} */
    this.engine = null
    this.#state = initialState(this.#settings)
  }

  get #settings() {
    return /** @type {typeof Exhibit} */ (this.constructor).settings
  }

  /** The settings as they are: a plain object of its own. @returns {State} */
  get state() {
    return structuredClone(this.#state)
  }

  /** @param {State} state a part of it is enough: the rest gets its initial value */
  set state(state) {
    const next = this.settle(readState(this.#settings, state))
    if (sameState(next, this.#state)) return
    this.#state = next
    this.#show()
  }

  /**
   * Brings settings that depend on one another into line.
   * @param {State} state
   * @returns {State}
   */
  settle(state) {
    return state
  }

  /**
   * What a control does: changes some settings, draws, and lets the page know.
   * @param {State} part
   */
  change(part) {
    const before = this.#state
    this.state = { ...before, ...part }
    if (this.#state === before) return
    this.dispatchEvent(
      new CustomEvent('statechange', { detail: this.state, bubbles: true, composed: true }),
    )
  }

  /** Back to the notebook's values. */
  reset() {
    this.change(initialState(this.#settings))
  }

  /** @param {string} name @param {string | null} old @param {string | null} value */
  attributeChangedCallback(name, old, value) {
    super.attributeChangedCallback(name, old, value)
    const setting = Object.keys(this.#settings).find((key) => attributeName(key) === name)
    if (!setting) return
    try {
      this.state = { ...this.#state, [setting]: fromAttribute(this.#settings[setting], value) }
    } catch (error) {
      // An attribute is written by hand; a wrong one leaves the figure as it was.
      console.error(`<${this.localName} ${name}>:`, error)
    }
  }

  connectedCallback() {
    super.connectedCallback()
    this.#life = new AbortController()
    this.#open(this.#life.signal)
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    this.#life?.abort()
    this.#life = null
    this.isReady = false
  }

  /** @param {AbortSignal} signal aborted when the element leaves the page */
  async #open(signal) {
    try {
      const [engine] = await Promise.all([loadEngine(), this.updateComplete])
      if (signal.aborted) return
      this.engine = engine
      this.build(engine, signal)
      this.isReady = true
      this.failure = ''
      this.#show()
    } catch (error) {
      if (!signal.aborted) this.#fail(error)
    }
  }

  #show() {
    this.requestUpdate()
    if (!this.engine || !this.isReady) return
    try {
      this.news = this.draw(this.engine, this.#state) ?? ''
      this.failure = ''
    } catch (error) {
      this.#fail(error)
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    console.error(error)
    this.failure = error instanceof Error ? error.message : String(error)
  }

  /**
   * Makes the views, in the containers that `template` has rendered.
   * @param {Engine} _engine
   * @param {AbortSignal} _signal when it is aborted the views are to be disposed of
   */
  build(_engine, _signal) {}

  /**
   * Computes and shows what belongs to a state.
   * @param {Engine} _engine
   * @param {State} _state
   * @returns {string | void} one sentence about it, read out by screen readers
   */
  draw(_engine, _state) {}

  /**
   * Controls and containers.
   * @param {State} _state
   * @returns {unknown}
   */
  template(_state) {
    return nothing
  }

  render() {
    return html`
      <div class="exhibit" ?hidden=${this.failure !== ''} aria-busy=${String(!this.isReady)}>
        ${this.template(this.#state)}
      </div>
      ${
        this.failure
          ? html`<p class="failure" role="alert">
              <strong>This figure could not be computed.</strong> ${this.failure}
            </p>`
          : nothing
      }
      <p class="news" role="status">${this.news}</p>
    `
  }
}
