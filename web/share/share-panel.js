import { html, nothing, render } from 'lit/html.js'
import { changedState } from '../exhibits/settings.js'
import { pageRegistry } from '../page-registry.js'
import { problemOf } from '../problem.js'
import { adoptStyles } from '../views/dom.js'
import { copyTable, copyText } from './clipboard.js'
import { elementCode, frameCode, UNKNOWN_HOME } from './embed-code.js'
import { labelOf, words } from './figure-words.js'
import { writeFragment } from './link.js'
import { fileName, saveFile } from './save-file.js'
import { sharePanelStyles } from './share-panel-styles.js'
import { shownTables } from './shown-tables.js'

/**
 * @import { Setting, State } from '../exhibits/settings.js'
 * @import { Scheme } from './link.js'
 * @import { ShownTable } from './shown-tables.js'
 * @typedef {object} Address  where a figure stands
 * @property {string} key finds it in its page
 * @property {string} element its name
 *
 * @typedef {object} Figure  what is shared
 * @property {HTMLElement} node
 * @property {ShadowRoot} root what `node` shows
 * @property {string} [name] for files, where there is no address
 * @property {Address | null} address null for a figure that has no state of its own: it has no link
 * @property {{ settings: Record<string, Setting>, options: Record<string, Setting>, version: number }} kind
 * @property {State} state
 * @property {State} options
 * @property {{ hide: string[], fix: string[] }} rules
 * @property {() => import('../views/tables.js').Table[]} tables
 *
 * @typedef {'shown' | 'fixed' | 'hidden'} Right
 */

/** What can be done with a figure elsewhere. */
export class SharePanel {
  #container
  #figure
  /** @type {'element' | 'frame'} */
  #code = 'element'
  /** @type {Scheme | null} */
  #theme = null
  /** What readers of a link or an embedded figure may do with each control. @type {Record<string, Right>} */
  #rights
  #table = 0
  #news = ''

  /**
   * @param {HTMLElement} container
   * @param {Figure} figure
   */
  constructor(container, figure) {
    this.#container = container
    this.#figure = figure
    adoptStyles(figure.root, sharePanelStyles)
    const { hide, fix } = figure.rules
    this.#rights = Object.fromEntries(
      [...Object.keys(figure.kind.settings), 'reset', 'menu'].map((name) => [
        name,
        hide.includes(name) ? 'hidden' : fix.includes(name) ? 'fixed' : 'shown',
      ]),
    )
  }

  /** Shows the figure as it is now. */
  update() {
    const { address } = this.#figure
    const tables = shownTables(this.#figure)
    render(
      html`<div class="panel">
        ${address ? this.#forPages(address) : nothing} ${this.#pictures()}
        ${tables.length > 0 ? this.#numbers(tables) : nothing}
        ${address ? this.#page(address) : nothing}
        <p class="said" role="status">${this.#news}</p>
      </div>`,
      this.#container,
      { host: this },
    )
  }

  /** @param {Right} right */
  #named(right) {
    return Object.keys(this.#rights).filter((name) => this.#rights[name] === right)
  }

  get #choice() {
    return { hide: this.#named('hidden'), fix: this.#named('fixed') }
  }

  /** What is not as it was at first. */
  get #changes() {
    const { state, kind, options } = this.#figure
    return { ...changedState(options, kind.options), ...changedState(state, kind.settings) }
  }

  /** @param {string} key @param {Scheme | null} [theme] */
  #fragment(key, theme = null) {
    const { state, kind, options } = this.#figure
    return writeFragment({
      ...{ key, version: kind.version, theme, ...this.#choice },
      state: { ...changedState(options, kind.options), ...state },
    })
  }

  /** @param {Address} address @returns {string | null} null where the page's address leads nowhere */
  #link({ key, element }) {
    const { location } = this.#container.ownerDocument.defaultView ?? window
    if (/^(https?|file):$/.test(location.protocol)) {
      return location.href.replace(/#.*$/s, '') + this.#fragment(key)
    }
    const { home } = pageRegistry()
    return home ? `${home}embed.html${this.#fragment(element)}` : null
  }

  /** @param {Address} address */
  #forPages(address) {
    const link = this.#link(address)
    const code = this.#codeFor(address)
    return html`${
        link
          ? html`<section>
              <p class="heading">Link</p>
              <p>Opens this page with the figure as it is now.</p>
              <div class="copied">
                <input type="text" readonly aria-label="Link" .value=${link} @focus=${selectAll} />
                ${this.#copyButton('the link', link)}
              </div>
            </section>`
          : nothing
      }
      <section>
        <p class="heading">In a page of yours</p>
        <div class="choices">
          ${this.#picker('as', ['element', 'frame'], this.#code, (kind) => {
            this.#code = kind
          })}
          ${
            this.#code === 'frame'
              ? this.#picker(
                  'colours',
                  ['system', 'light', 'dark'],
                  this.#theme ?? 'system',
                  (scheme) => {
                    this.#theme = scheme === 'system' ? null : /** @type {Scheme} */ (scheme)
                  },
                )
              : nothing
          }
        </div>
        <div class="copied">
          <textarea
            readonly
            rows="3"
            spellcheck="false"
            aria-label="Code"
            .value=${code}
            @focus=${selectAll}
          ></textarea>
          ${this.#copyButton('the code', code)}
        </div>
        ${
          this.#code === 'frame'
            ? html`<p class="hint">
                That is its height at this width. In a narrower column it needs more; a script on
                the site’s page ‘Use it elsewhere’ keeps the frame as high as the figure.
              </p>`
            : nothing
        }
        <details>
          <summary>What readers may change</summary>
          <div class="choices rights">
            ${this.#controlsFirst().map(([name, right]) =>
              this.#picker(
                labelOf(this.#figure.root, name),
                name in this.#figure.kind.settings
                  ? ['shown', 'fixed', 'hidden']
                  : ['shown', 'hidden'],
                right,
                (chosen) => {
                  this.#rights[name] = /** @type {Right} */ (chosen)
                },
              ),
            )}
          </div>
        </details>
      </section>`
  }

  /** Rights, those of controls that stand in the figure now before the others. @returns {[string, Right][]} */
  #controlsFirst() {
    const { root } = this.#figure
    const isThere = (/** @type {string} */ name) =>
      name === 'menu' || root.querySelector(`[data-setting~='${name}']`) !== null
    const rights = Object.entries(this.#rights)
    return [
      ...rights.filter(([name]) => isThere(name)),
      ...rights.filter(([name]) => !isThere(name)),
    ]
  }

  /** @param {Address} address */
  #codeFor({ element }) {
    const { node } = this.#figure
    const home = pageRegistry().home ?? UNKNOWN_HOME
    if (this.#code === 'frame') {
      const height = node.getBoundingClientRect().height - this.#container.offsetHeight + 24
      return frameCode({
        home,
        fragment: this.#fragment(element, this.#theme),
        title: words(element),
        height,
      })
    }
    return elementCode({ home, element, state: this.#changes, ...this.#choice })
  }

  #pictures() {
    const save = async (/** @type {'png' | 'svg'} */ kind) => {
      const { pictureOf } = await import('../picture/index.js')
      const { node } = this.#figure
      const picture = await pictureOf(node, { kind, title: words(this.#name) })
      saveFile(picture, `${this.#name}.${kind}`, node)
      return `Saved as ${kind.toUpperCase()}.`
    }
    return html`<section>
      <p class="heading">Picture</p>
      <div class="choices">
        ${this.#action('PNG', () => save('png'))} ${this.#action('SVG', () => save('svg'))}
      </div>
    </section>`
  }

  /** The figure as a page that needs no network, where its code can be had. @param {Address} address */
  #page({ element }) {
    const { home } = pageRegistry()
    if (!home) return nothing
    const save = async () => {
      const { offlineFile } = await import('./offline-file.js')
      const figure = { element, state: this.#changes, ...this.#choice }
      const page = await offlineFile(home, figure)
      const { node } = this.#figure
      saveFile(page, `${element}.html`, node)
      return 'Saved. The file opens in a browser, also without a network.'
    }
    return html`<section>
      <p class="heading">Page of one file</p>
      <p>With the figure and all that it needs, to be opened from a disk.</p>
      <div class="choices">${this.#action('HTML', save)}</div>
    </section>`
  }

  /** @param {ShownTable[]} tables */
  #numbers(tables) {
    const table = tables[Math.min(this.#table, tables.length - 1)]
    const { node } = this.#figure
    const save = (
      /** @type {string} */ kind,
      /** @type {BlobPart} */ content,
      /** @type {string} */ type,
    ) => saveFile(new Blob([content], { type }), fileName(this.#name, table.name, kind), node)
    return html`<section>
      <p class="heading">Numbers</p>
      <div class="choices">
        ${
          tables.length > 1
            ? html`<label>
                <span class="name">which</span>
                <select
                  .selectedIndex=${tables.indexOf(table)}
                  @change=${(/** @type {Event} */ event) => {
                    this.#table = /** @type {HTMLSelectElement} */ (
                      event.currentTarget
                    ).selectedIndex
                    this.update()
                  }}
                >
                  ${tables.map(({ name }) => html`<option>${name}</option>`)}
                </select>
              </label>`
            : nothing
        }
        ${this.#action('CSV', async () => {
          const { csvText } = await import('../data/index.js')
          save('csv', csvText(table), 'text/csv')
          return 'Saved as CSV.'
        })}
        ${
          'shape' in table
            ? this.#action('.npy', async () => {
                const { npyBytes } = await import('../data/index.js')
                save('npy', /** @type {BlobPart} */ (npyBytes(table)), 'application/octet-stream')
                return `Saved as .npy, shape (${table.shape.join(', ')}).`
              })
            : nothing
        }
        ${this.#action('Copy as table', () => copyTable(table))}
      </div>
    </section>`
  }

  /** For files. */
  get #name() {
    return this.#figure.address?.element ?? this.#figure.name ?? 'attention-lab'
  }

  /** @param {string} what @param {string} text */
  #copyButton(what, text) {
    return html`<button
      type="button"
      aria-label="Copy ${what}"
      @click=${(/** @type {Event} */ event) => this.#attempt(() => copyText(text, event))}
    >
      Copy
    </button>`
  }

  /** @param {string} label @param {() => Promise<string>} action what it says afterwards */
  #action(label, action) {
    return html`<button type="button" @click=${() => this.#attempt(action)}>${label}</button>`
  }

  /** @param {() => Promise<string>} action */
  async #attempt(action) {
    try {
      this.#news = await action()
    } catch (error) {
      console.error(error)
      this.#news = `That did not work: ${problemOf(error)}`
    }
    this.update()
  }

  /**
   * @template {string} Value
   * @param {string} name @param {readonly Value[]} values @param {Value} value
   * @param {(value: Value) => void} onChange
   */
  #picker(name, values, value, onChange) {
    return html`<label>
      <span class="name">${name}</span>
      <select
        .value=${value}
        @change=${(/** @type {Event} */ event) => {
          const { selectedIndex } = /** @type {HTMLSelectElement} */ (event.currentTarget)
          onChange(values[selectedIndex])
          this.update()
        }}
      >
        ${values.map((item) => html`<option ?selected=${item === value}>${item}</option>`)}
      </select>
    </label>`
  }
}

/** @param {Event} event */
function selectAll(event) {
  const field = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (event.currentTarget)
  field.select()
}
