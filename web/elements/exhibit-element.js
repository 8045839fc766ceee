import { problemOf } from '../problem.js'
import { ControlRules, namesIn } from '../exhibits/control-rules.js'
import { attributeName, fromAttribute, readState } from '../exhibits/settings.js'
import { readFragment, stateOf } from '../share/link.js'
import { keyOf } from './figure-key.js'
import { setShellStyles } from './shell-styles.js'

/**
 * @import { Exhibit } from '../exhibits/exhibit.js'
 * @import { Setting, State } from '../exhibits/settings.js'
 * @typedef {typeof Exhibit} ExhibitClass
 */

/** Importing the elements outside of a browser, as a build does, must not fail. */
const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? Object)

const css = `
  :host {
    display: block !important;
    min-inline-size: 160px;
    /* In a row of flexible boxes a figure would else have no width at all. */
    contain: inline-size;
    contain-intrinsic-inline-size: min(44rem, 90vw);
  }
  :host([hidden]), [hidden] { display: none !important; }
  .problem {
    margin: 0;
    padding: 12px 16px;
    border: 1px solid currentColor;
    border-radius: 8px;
    color: var(--attention-problem, light-dark(#a3270f, #ff9d80));
    font: 14px/1.45 var(--attention-font, system-ui, sans-serif);
  }
`

/**
 * The element of an exhibit: a light shell that loads the exhibit's code when it is in a page. What stands
 * between its tags is shown until then, and where there is no JavaScript.
 *
 * Settings are attributes (`num-heads="8"`) and one property, `state`; `statechange` seems to come from the
 * element. The attributes `hide` and `fix` name settings whose controls readers do not get (`hide="reset menu"`,
 * `fix="num-heads"`). A page's address may hold a state (`#multi-head-example?v=1&numHeads=8`): it goes before the
 * attributes. What is wrong with an attribute is shown in words; the next good one is drawn.
 *
 * @param {() => Promise<ExhibitClass>} load
 * @returns {(new () => HTMLElement & { state: State }) & { load: () => Promise<ExhibitClass> }}
 */
export function exhibitElement(load) {
  return class ExhibitElement extends Base {
    /** The exhibit's class. */
    static load = load

    #slot = document.createElement('slot')
    #container = document.createElement('div')
    #problem = document.createElement('p')
    /** What is wrong with the page's address: the figure stands below it. */
    #warning = document.createElement('p')
    #onAddress = () => this.#attempt(() => this.#follow())
    #attributes = new MutationObserver((changes) => this.#onAttributes(changes))
    /** Attributes that were changed and are not in the exhibit's state yet. @type {Set<string | null>} */
    #changed = new Set()
    /** @type {ExhibitClass | null} */
    #Class = null
    /** @type {Exhibit | null} */
    #exhibit = null
    /** What was set while there is no exhibit, or the state of one that has left. @type {State | null} */
    #kept = null

    constructor() {
      super()
      const root = this.attachShadow({ mode: 'open' })
      setShellStyles(root, css)
      for (const words of [this.#problem, this.#warning]) {
        words.className = 'problem'
        words.setAttribute('role', 'alert')
        words.hidden = true
      }
      root.append(this.#slot, this.#warning, this.#container, this.#problem)
      // Not only while it is in a page: a setting may be changed on the way from one place to another.
      this.#attributes.observe(this, { attributes: true })
      // A state that was set before the element was defined hides the accessor.
      if (Object.hasOwn(this, 'state')) {
        const { state } = this
        Reflect.deleteProperty(this, 'state')
        this.state = state
      }
    }

    /** The settings, or those that were set while the code is still on its way. @returns {State} */
    get state() {
      return this.#exhibit?.state ?? { ...this.#kept }
    }

    /** @param {State} state a part of it is enough: the rest gets its initial value */
    set state(state) {
      if (this.#exhibit) this.#exhibit.state = state
      else this.#kept = { ...state }
      this.#forgetChanges()
      this.#attempt(() => this.#create())
    }

    /** The exhibit itself, once its code is there and nothing is wrong. */
    get exhibit() {
      return this.#exhibit
    }

    /** Back to the notebook's values. */
    reset() {
      if (this.#exhibit) this.#exhibit.reset()
      else this.#kept = {}
      this.#forgetChanges()
      this.#attempt(() => this.#create())
    }

    async connectedCallback() {
      this.ownerDocument.defaultView?.addEventListener('hashchange', this.#onAddress)
      await this.#attempt(async () => {
        this.#Class ??= await load()
        this.#create()
      })
    }

    /** @param {Document} before */
    adoptedCallback(before) {
      before.defaultView?.removeEventListener('hashchange', this.#onAddress)
      setShellStyles(/** @type {ShadowRoot} */ (this.shadowRoot), css)
    }

    disconnectedCallback() {
      this.ownerDocument.defaultView?.removeEventListener('hashchange', this.#onAddress)
      this.#kept = this.#exhibit?.state ?? this.#kept
      this.#exhibit?.dispose()
      this.#exhibit = null
    }

    #create() {
      if (!this.#Class || this.#exhibit || !this.isConnected) return
      this.#note(this.#attributes.takeRecords())
      const { settings, options } = this.#Class
      const state = this.#kept
        ? { ...this.#kept, ...this.#readChanged() }
        : this.#read(Object.entries(settings))
      const chosen = this.#read(Object.entries(options))
      const link = this.#kept ? null : this.#readLink()
      const element = this
      const address = {
        element: this.localName,
        // Found when it is asked for: others of its kind may come and go.
        get key() {
          return keyOf(element)
        },
      }
      this.#exhibit = new this.#Class(this.#container, {
        ...{ ...chosen, address },
        ...this.#readRules(link),
        state: link?.state ?? state,
      })
      if (link) this.scrollIntoView()
      this.#kept = null
      this.#changed.clear()
    }

    /** The page's address is another one. */
    #follow() {
      const exhibit = this.#exhibit
      const link = exhibit && this.#readLink()
      if (!link) return
      exhibit.state = link.state
      exhibit.controls = this.#readRules(link)
      this.#forgetChanges()
      this.scrollIntoView()
    }

    /** What the page's address says of this element. */
    #readLink() {
      const link = readFragment(this.ownerDocument.defaultView?.location.hash ?? '')
      this.#warning.hidden = true
      if (!this.#Class || link?.key !== keyOf(this)) return null
      try {
        const state = readState(this.#Class.settings, stateOf(link, this.#Class))
        const { hide, fix } = new ControlRules(this.#Class.settings, link).choice
        return { state, hide, fix }
      } catch (error) {
        this.#warning.textContent = `The link to this figure cannot be followed: ${problemOf(error)}. The figure is shown as it is at first.`
        this.#warning.hidden = false
        return null
      }
    }

    /** @param {{ hide: string[], fix: string[] } | null} link */
    #readRules(link) {
      const named = (/** @type {'hide' | 'fix'} */ name) => [
        ...namesIn(this.getAttribute(name)),
        ...(link?.[name] ?? []),
      ]
      return { hide: named('hide'), fix: named('fix') }
    }

    /** A state stands for all attributes that were set before it. */
    #forgetChanges() {
      this.#attributes.takeRecords()
      this.#changed.clear()
    }

    /** @param {MutationRecord[]} changes */
    #note(changes) {
      for (const { attributeName: name } of changes) this.#changed.add(name)
    }

    /** @param {MutationRecord[]} changes */
    #onAttributes(changes) {
      this.#note(changes)
      const exhibit = this.#exhibit
      if (!exhibit) return this.#attempt(() => this.#create())
      const news = this.#readChanged()
      const hasRules = this.#changed.has('hide') || this.#changed.has('fix')
      if (Object.keys(news).length === 0 && !hasRules) return this.#changed.clear()
      return this.#attempt(() => {
        if (hasRules) exhibit.controls = this.#readRules(null)
        exhibit.state = { ...exhibit.state, ...news }
        // Only now: what is wrong stays wrong until it is changed, whatever else is.
        this.#changed.clear()
      })
    }

    /** @returns {State} the settings whose attributes were changed; one that is gone has its initial value */
    #readChanged() {
      const settings = Object.entries(this.#Class?.settings ?? {})
      return this.#read(
        settings.filter(([name]) => this.#changed.has(attributeName(name))),
        true,
      )
    }

    /**
     * Settings as their attributes have them.
     * @param {[string, Setting][]} settings
     * @param {boolean} [isWhole] an attribute that is missing stands for the initial value
     * @returns {State}
     */
    #read(settings, isWhole = false) {
      return Object.fromEntries(
        settings
          .map(([name, setting]) => {
            const text = this.getAttribute(attributeName(name))
            return [name, text === null && !isWhole ? undefined : fromAttribute(setting, text)]
          })
          .filter(([, value]) => value !== undefined),
      )
    }

    /** @param {() => void | Promise<void>} action what fails in it is said in place of the figure */
    async #attempt(action) {
      try {
        await action()
        this.#problem.textContent = ''
      } catch (error) {
        this.#problem.textContent = `This figure could not be shown: ${problemOf(error)}`
      }
      const isWrong = this.#problem.textContent !== ''
      this.#problem.hidden = !isWrong
      this.#container.hidden = isWrong
      this.#slot.hidden = isWrong || this.#exhibit !== null
    }
  }
}
