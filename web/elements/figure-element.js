import { problemOf } from '../problem.js'
import { css, html, LitElement, nothing } from 'lit'
import {
  dataAttribute,
  domainAttribute,
  FileAttribute,
  InvalidAttribute,
  numberAttribute,
  switchAttribute,
  tokensAttribute,
} from './attributes.js'
import { FileLoads } from './file-loads.js'
import { setShellStyles } from './shell-styles.js'

/**
 * @import { ViewOptions } from '../views/options.js'
 * @typedef {{ update(options: object): void, dispose(): void, tables?(): import('../views/tables.js').Table[] }} View
 * @typedef {new (container: HTMLElement, options: object) => View} ViewClass
 */

/**
 * What the elements of the views have in common: a light shell that loads its view when it is in a page,
 * hands its properties on, and shows in words what is wrong with them. A wrong value throws nothing;
 * the next good one is drawn.
 *
 * The attributes `attention` and `mask` take JSON, or the address of a .npy, .npz, .safetensors or JSON file;
 * `tokens-src`, `query-tokens-src` and `key-tokens-src` that of a file with texts. What is in the file becomes
 * the property (`attention`, `tokens`), as if the page had set it: until then the figure says that it is loading,
 * a newer value ends that, and an error stands in the figure's place.
 *
 * Events of the view cross the shadow root by themselves and seem to come from the element.
 */
export class FigureElement extends LitElement {
  /** @override @type {import('lit').PropertyDeclarations} */
  static properties = {
    // A tensor changed in place is the same object: setting it again must draw it again.
    attention: { converter: dataAttribute, hasChanged: () => true },
    tokens: { converter: tokensAttribute },
    queryTokens: { converter: tokensAttribute, attribute: 'query-tokens' },
    keyTokens: { converter: tokensAttribute, attribute: 'key-tokens' },
    mask: { converter: dataAttribute, hasChanged: () => true },
    tokensSrc: { attribute: 'tokens-src' },
    queryTokensSrc: { attribute: 'query-tokens-src' },
    keyTokensSrc: { attribute: 'key-tokens-src' },
    causal: { type: Boolean },
    colormap: {},
    domain: { converter: domainAttribute },
    height: { converter: numberAttribute },
    label: {},
    valueLabel: { attribute: 'value-label' },
    inspector: { converter: switchAttribute },
    menu: { type: Boolean },
    explain: { attribute: false },
    problem: { state: true },
    loading: { state: true },
  }

  /** @override */
  static styles = css`
    :host {
      display: block !important;
      min-inline-size: 160px;
      contain: inline-size;
      contain-intrinsic-inline-size: min(30rem, 90vw);
    }
    :host([hidden]) {
      display: none !important;
    }
    .view[hidden] {
      display: none;
    }
    .problem,
    .loading {
      margin: 0;
      padding: 12px 16px;
      font: 14px/1.45 var(--attention-font, system-ui, sans-serif);
      overflow-wrap: anywhere;
    }
    .problem {
      border: 1px solid currentColor;
      border-radius: 8px;
      color: var(--attention-problem, light-dark(#a3270f, #ff9d80));
    }
  `

  /** @type {ViewClass | null} */
  #View = null
  /** @type {View | null} */
  #view = null
  /** @type {import('../share/share-menu.js').ShareMenu | null} */
  #menu = null
  /** Properties that the view has not got yet, as after a wrong value. @type {Set<PropertyKey>} */
  #undrawn = new Set()
  #files = new FileLoads((name, value) => Object.assign(this, { [name]: value }))

  constructor() {
    super()
    /** The weights, (N, M) or (h, N, M) @type {ViewOptions['attention'] | null} */
    this.attention = undefined
    /** @type {ViewOptions['tokens']} */
    this.tokens = undefined
    /** @type {ViewOptions['queryTokens']} */
    this.queryTokens = undefined
    /** @type {ViewOptions['keyTokens']} */
    this.keyTokens = undefined
    /** @type {ViewOptions['mask']} */
    this.mask = undefined
    /** The address of a file with `tokens`. @type {string | null | undefined} */
    this.tokensSrc = undefined
    /** The address of a file with `queryTokens`. @type {string | null | undefined} */
    this.queryTokensSrc = undefined
    /** The address of a file with `keyTokens`. @type {string | null | undefined} */
    this.keyTokensSrc = undefined
    this.causal = false
    /** @type {ViewOptions['colormap']} */
    this.colormap = undefined
    /** @type {ViewOptions['domain']} */
    this.domain = undefined
    /** @type {ViewOptions['height']} */
    this.height = undefined
    /** @type {ViewOptions['label']} */
    this.label = undefined
    /** @type {ViewOptions['valueLabel']} */
    this.valueLabel = undefined
    /** Whether a selected cell opens @type {ViewOptions['inspector']} */
    this.inspector = true
    /** Whether a button below the figure saves its picture and its numbers */
    this.menu = false
    /** What stands behind a cell @type {ViewOptions['explain']} */
    this.explain = undefined
    /** What is wrong, in words, or '' @type {string} */
    this.problem = ''
    /** What is being loaded, in words, or '' @type {string} */
    this.loading = ''
  }

  /**
   * @protected
   * @returns {Promise<ViewClass>} the view's code
   */
  loadView() {
    throw new Error('an element of a view says where its code is')
  }

  /**
   * @protected
   * @returns {Record<string, unknown>} what the view is given
   */
  viewOptions() {
    const { attention, tokens, queryTokens, keyTokens, mask, causal } = this
    const { colormap, domain, height, label, valueLabel, inspector, explain } = this
    return {
      ...{ attention, tokens, queryTokens, keyTokens, mask, causal },
      ...{ colormap, domain, height, label, valueLabel, inspector, explain },
    }
  }

  /** @override */
  connectedCallback() {
    super.connectedCallback()
    if (this.#View) this.requestUpdate()
    else this.#load()
  }

  async #load() {
    try {
      this.#View = await this.loadView()
      this.requestUpdate()
    } catch (error) {
      this.problem = `The code of this figure could not be loaded: ${problemOf(error)}`
    }
  }

  adoptedCallback() {
    const css = FigureElement.elementStyles.map(String).join('')
    setShellStyles(/** @type {ShadowRoot} */ (this.renderRoot), css)
    // Its rules belonged to the document that was left.
    this.#menu = null
    this.requestUpdate('menu')
  }

  /** @override */
  disconnectedCallback() {
    super.disconnectedCallback()
    this.#files.stop()
    this.#view?.dispose()
    this.#view = null
  }

  /** @override */
  render() {
    return html`
      <div
        class="view"
        ?hidden=${this.problem !== ''}
        aria-busy=${this.loading ? 'true' : nothing}
      ></div>
      ${this.menu && this.#menu && !this.problem ? this.#menu.node : nothing}
      ${this.loading ? html`<p class="loading" role="status">${this.loading}</p>` : nothing}
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
    `
  }

  async #addMenu() {
    const { figureMenu } = await import('./figure-menu.js')
    const root = /** @type {ShadowRoot} */ (this.renderRoot)
    this.#menu ??= figureMenu(this, root, () => this.#view?.tables?.() ?? [])
    this.requestUpdate('menu')
  }

  /**
   * @override
   * @param {Map<PropertyKey, unknown>} changed
   */
  willUpdate(changed) {
    for (const name of ['tokens', 'queryTokens', 'keyTokens']) {
      const source = `${name}Src`
      if (!changed.has(source)) continue
      const address = /** @type {Record<string, any>} */ (this)[source]
      Object.assign(this, { [name]: address ? new FileAttribute(address) : undefined })
    }
  }

  /**
   * @override
   * @param {Map<PropertyKey, unknown>} changed
   */
  updated(changed) {
    // Showing a problem is an update too, and brings no new data.
    const names = [...changed.keys()].filter((name) => name !== 'problem' && name !== 'loading')
    if (names.length === 0 && changed.size > 0) return
    for (const name of names) this.#undrawn.add(name)
    if (this.menu && !this.#menu) this.#addMenu()
    this.#draw()
  }

  #draw() {
    if (!this.isConnected) return
    const options = this.viewOptions()
    this.loading = this.#files.update(options, this.baseURI)
    if (this.loading) this.problem = ''
    if (this.loading || !this.#View) return
    try {
      refuseInvalid(options)
      if (this.#view) this.#view.update(this.#newOf(options))
      else if (this.attention !== undefined && this.attention !== null) this.#create(options)
      this.#undrawn.clear()
      this.#menu?.update()
      this.problem = ''
    } catch (error) {
      this.problem = problemOf(error)
    }
  }

  /** What has changed since the last good drawing. @param {Record<string, unknown>} options */
  #newOf(options) {
    return Object.fromEntries(Object.entries(options).filter(([name]) => this.#undrawn.has(name)))
  }

  /** @param {object} options */
  #create(options) {
    const container = /** @type {HTMLElement} */ (this.renderRoot.querySelector('.view'))
    if (!this.#View) return
    try {
      this.#view = new this.#View(container, options)
    } catch (error) {
      // What it was made of up to there would stand below the next one.
      container.replaceChildren()
      throw error
    }
  }
}

/** @param {Record<string, unknown>} options */
function refuseInvalid(options) {
  for (const [name, value] of Object.entries(options)) {
    if (value instanceof InvalidAttribute) throw new TypeError(`${name}: ${value.problem}`)
  }
}
