import { problemOf } from '../problem.js'
import { html, nothing, render } from 'lit/html.js'
import { loadEngine } from '../engine/load.js'
import { ShareMenu, shareMenuStyles } from '../share/share-menu.js'
import { adoptStyles, emit, h } from '../views/dom.js'
import { ThemeProbe } from '../views/theme.js'
import { ControlRules } from './control-rules.js'
import { initialState, readState, sameState } from './settings.js'
import { exhibitStyles } from './styles.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Address } from '../share/share-panel.js'
 * @import { Table } from '../views/tables.js'
 * @import { ControlChoice } from './control-rules.js'
 * @import { Setting, State } from './settings.js'
 */

/** @type {Promise<void>} */
let lastTask = Promise.resolve()

/** Figures that wait for the same engine are built one after the other, so that the page stays responsive. */
function ownTask() {
  lastTask = lastTask.then(() => new Promise((done) => setTimeout(done)))
  return lastTask
}

/**
 * A teaching figure: settings that a reader changes, numbers that the engine computes from them, and views
 * that show the numbers. It is used as a view is:
 *
 * - `new MultiHeadExample(container, { state: { numHeads: 8 } })` appends the figure to an element of the page;
 * - `.state` is a small plain object that can be read and set; what is left out has its initial value;
 * - `hide` and `fix`, also `.controls = { hide: ['scale'], fix: ['numHeads'] }`, take controls away from readers;
 * - `.reset()` goes back to the notebook's values, `.dispose()` gives everything back;
 * - `statechange` bubbles up from the container when the reader changed something.
 *
 * A subclass says what can be set (`settings`), what it looks like (`template`), which views it needs
 * (`build`), and what they show in a given state (`draw`). Views are built once; a change of settings changes
 * what they show.
 */
export class Exhibit {
  /** What the reader can change. @type {Record<string, Setting>} */
  static settings = {}

  /** What the author of a page can choose, once. @type {Record<string, Setting>} */
  static options = {}

  /**
   * Of the settings: it grows when one is renamed, goes, or means something else. Links hold it.
   */
  static version = 1

  /**
   * Settings as a link of an older version has them, as text, in the names and meanings of today.
   * @param {Record<string, string>} values
   * @param {number} _version of the link
   * @returns {Record<string, string>}
   */
  static upgrade(values, _version) {
    return values
  }

  /** Rules of this exhibit alone. */
  static css = ''

  #abort = new AbortController()
  #host = h('div', { class: 'attention-exhibit' })
  #root = this.#host.attachShadow({ mode: 'open' })
  /** @type {State} */
  #state
  /** @type {Engine | null} */
  #engine = null
  #failure = ''
  /** Whether it is the engine that could not be had. */
  #unloaded = false
  #news = ''
  /** @type {ControlRules} */
  #rules
  /** @type {{ tables?(): Table[] }[]} */
  #views = []
  #menu

  /**
   * @param {HTMLElement} container
   * @param {{ state?: State, address?: Address | null, [option: string]: unknown } & ControlChoice} [options]
   *   `address`: where links find the figure
   * @throws {TypeError | RangeError} what is wrong with them, in words that may be shown
   */
  constructor(container, { state = {}, hide, fix, address = null, ...options } = {}) {
    if (container?.nodeType !== 1) throw new TypeError('container: expected an element of the page')
    const { settings, options: choices, css } = this.#class
    this.#state = this.settle(readState(settings, state))
    /** @protected @type {State} */
    this.options = readState(choices, options)
    this.#rules = new ControlRules(settings, { hide, fix })
    // Into the page first: style sheets belong to a document, and the container's may be that of a frame.
    container.append(this.#host)
    adoptStyles(this.#root, exhibitStyles + shareMenuStyles + css)
    this.#menu = new ShareMenu(this.#shared(address), this.signal)
    const theme = new ThemeProbe(this.#host, this.#root, this.signal, () => {})
    if (!this.#host.isConnected) this.#awaitPage(theme)
    // When the subclass has been constructed too, and has its fields.
    queueMicrotask(() => this.#open())
  }

  get #class() {
    return /** @type {typeof Exhibit} */ (this.constructor)
  }

  /** Ends with the exhibit: pass it to every listener. @protected */
  get signal() {
    return this.#abort.signal
  }

  /** Whether it shows its numbers. */
  get isReady() {
    return this.#engine !== null && this.#failure === ''
  }

  /** The settings as they are: an object of their own. @returns {State} */
  get state() {
    return structuredClone(this.#state)
  }

  /** @param {State} state a part of it is enough: the rest gets its initial value */
  set state(state) {
    const next = this.settle(readState(this.#class.settings, state))
    if (sameState(next, this.#state)) return
    this.#state = next
    this.#show()
  }

  /** Whether there is nothing that `reset` would take back. */
  get isInitial() {
    return sameState(this.#state, { ...this.#state, ...this.#resettable })
  }

  /** Initial values, but for settings that the page has taken from its readers. */
  get #resettable() {
    return this.#rules.resettable(initialState(this.#class.settings))
  }

  /** Which controls readers do not get. @returns {{ hide: string[], fix: string[] }} */
  get controls() {
    return this.#rules.choice
  }

  /** @param {ControlChoice} choice @throws {RangeError} if there is no such control */
  set controls(choice) {
    const rules = new ControlRules(this.#class.settings, choice)
    this.#rules.lift(this.#root)
    this.#rules = rules
    this.#render()
  }

  /** The numbers that its views draw. @returns {Table[]} */
  tables() {
    return this.#views.flatMap((view) => view.tables?.() ?? [])
  }

  /** Back to the notebook's values; what the page fixes or hides stays as the page has set it. */
  reset() {
    this.change(this.#resettable)
  }

  /** Gives back everything: views, nodes, listeners. A second call does nothing. */
  dispose() {
    this.#abort.abort()
    this.#host.remove()
  }

  /**
   * What a control does: changes some settings, and lets the page know.
   * @protected
   * @param {State} part
   */
  change(part) {
    const before = this.#state
    this.state = { ...before, ...this.#rules.allowed(part) }
    if (this.#state !== before) emit(this.#host, 'statechange', this.state)
  }

  /**
   * Draws and renders anew: for what changes beside the settings, such as how far a long computation is.
   * @protected
   */
  refresh() {
    if (!this.signal.aborted) this.#show()
  }

  /**
   * Brings settings that depend on one another into line.
   * @protected
   * @param {State} state
   * @returns {State}
   */
  settle(state) {
    return state
  }

  /**
   * Makes the views, in the containers that `template` has rendered, and disposes of them by `signal`.
   * @protected
   * @param {Engine} _engine
   */
  build(_engine) {}

  /**
   * Computes and shows what belongs to a state.
   * @protected
   * @param {Engine} _engine
   * @param {State} _state
   * @returns {string} one sentence about it, read out by screen readers
   */
  draw(_engine, _state) {
    return ''
  }

  /**
   * Controls, containers and tables.
   * @protected
   * @param {State} _state
   * @returns {unknown}
   */
  template(_state) {
    return nothing
  }

  /**
   * A container that `template` has rendered.
   * @protected
   * @param {string} selector
   * @returns {HTMLElement}
   */
  find(selector) {
    return /** @type {HTMLElement} */ (this.#root.querySelector(selector))
  }

  /**
   * Has a view disposed of along with the exhibit.
   * @protected
   * @template {{ dispose(): void, tables?(): Table[] }} View
   * @param {View} view
   * @returns {View}
   */
  own(view) {
    this.#views.push(view)
    this.signal.addEventListener('abort', () => view.dispose(), { once: true })
    return view
  }

  /** @param {Address | null} address @returns {import('../share/share-panel.js').Figure} */
  #shared(address) {
    const exhibit = this
    return {
      node: this.#host,
      root: this.#root,
      address,
      kind: this.#class,
      options: this.options,
      get state() {
        return exhibit.state
      },
      get rules() {
        return exhibit.controls
      },
      tables: () => this.tables(),
    }
  }

  /** A container may come into the page later, and get the page's theme then. @param {ThemeProbe} theme */
  #awaitPage(theme) {
    const observer = new ResizeObserver(() => {
      if (!this.#host.isConnected) return
      observer.disconnect()
      theme.watchAncestors()
    })
    observer.observe(this.#host)
    this.signal.addEventListener('abort', () => observer.disconnect(), { once: true })
  }

  async #open() {
    if (this.signal.aborted) return
    this.#failure = ''
    this.#unloaded = false
    this.#render()
    try {
      const engine = await this.#load()
      await ownTask()
      if (this.signal.aborted) return
      this.build(engine)
      this.#engine = engine
      this.#show()
    } catch (error) {
      if (!this.signal.aborted) this.#fail(error)
    }
  }

  async #load() {
    try {
      return await loadEngine()
    } catch (error) {
      this.#unloaded = true
      throw error
    }
  }

  #show() {
    const engine = this.#engine
    if (!engine) {
      // What could not be had may be there by now.
      if (this.#unloaded) this.#open()
      else if (this.#failure === '') this.#render()
      return
    }
    try {
      this.#news = this.draw(engine, this.#state)
      this.#failure = ''
      this.#render()
    } catch (error) {
      this.#fail(error)
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    console.error(error)
    this.#failure = problemOf(error)
    this.#render()
  }

  #render() {
    const failed = this.#failure !== ''
    render(
      html`<div class="exhibit" ?hidden=${failed} aria-busy=${String(!failed && !this.#engine)}>
          ${this.template(this.#state)}
        </div>
        ${
          failed
            ? html`<p class="failure" role="alert">
                <strong>This figure could not be computed.</strong> ${this.#failure}
                ${
                  this.#unloaded
                    ? html`<button type="button" @click=${() => this.#open()}>Try again</button>`
                    : nothing
                }
              </p>`
            : nothing
        }
        <p class="news" role="status">${this.#news}</p>
        ${this.#engine && !failed && this.#rules.hasMenu ? this.#menu.node : nothing}`,
      this.#root,
      // What listeners in templates are called on.
      { host: this },
    )
    this.#rules.apply(this.#root)
    this.#menu.update()
  }
}
