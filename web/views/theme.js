/**
 * Following the page's theme: which one it is, the colours that canvases draw with, and when it changes.
 *
 * A page says 'dark' in one of several ways: `data-theme` on an ancestor, `color-scheme`, a custom
 * property of ours, or nothing but a dark background. CSS resolves most of it; what it cannot know
 * is written on the view's host as `data-scheme`, which the style sheet turns into `color-scheme`.
 */
import { composite, luminance } from './color.js'
import { resolveColor } from './css-color.js'
import { h } from './dom.js'

/**
 * @import { Rgb } from './color.js'
 * @typedef {object} Theme
 * @property {boolean} dark
 * @property {Rgb} surface
 * @property {Rgb} ink
 * @property {Rgb} soft  secondary text
 * @property {Rgb} line  frames and rules
 * @property {Rgb} accent  focus and selection
 * @property {string} font  font families, for canvases
 */

/** Attributes by which pages set a theme, and JupyterLab among them. */
const THEME_ATTRIBUTES = ['data-theme', 'data-jp-theme-light', 'class', 'style']

/** Below this luminance a background counts as dark. */
const DARK_BELOW = 0.18

/**
 * A view's window on the theme: two invisible probes in its shadow root.
 */
export class ThemeProbe {
  #host
  #ancestors
  #reading
  #changing
  #printing = false
  /** As it was last read, to be compared. */
  #last = ''

  /**
   * @param {HTMLElement} host of the view's shadow root, in the page
   * @param {ShadowRoot} root
   * @param {AbortSignal} signal ends the watching
   * @param {() => void} onChange the theme is another than was last read
   * @param {() => void} [onPrint] printing begins or ends: what is drawn has to be drawn at once
   */
  constructor(host, root, signal, onChange, onPrint = () => {}) {
    this.#host = host
    this.#reading = h('span', { class: 'probe', 'aria-hidden': 'true' })
    // Its colours change in a transition of a millisecond, whose end tells of any change, whatever
    // its cause. While it runs computed colours are the old ones: hence a second probe to read.
    this.#changing = h('span', { class: 'probe changing', 'aria-hidden': 'true' })
    root.append(this.#reading, this.#changing)
    const changed = () => {
      this.#writeScheme()
      // Pages move and unfold what figures stand in by style and class, in every frame.
      const last = this.#last
      this.read()
      if (this.#last !== last) onChange()
    }
    this.#changing.addEventListener('transitionend', changed, { signal })
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed, { signal })
    for (const type of /** @type {const} */ (['beforeprint', 'afterprint'])) {
      const switched = () => {
        this.#printing = type === 'beforeprint'
        this.#writeScheme()
        onPrint()
      }
      window.addEventListener(type, switched, { signal })
    }
    // Canvas text is drawn in a fallback font until the page's own has come.
    document.fonts?.addEventListener('loadingdone', onChange, { signal })
    this.#ancestors = new MutationObserver(changed)
    this.watchAncestors()
    signal.addEventListener('abort', () => this.#ancestors.disconnect(), { once: true })
  }

  /** Whether the page is on its way to paper, which is light whatever the screen is. */
  get printing() {
    return this.#printing
  }

  /** To be called again once the host has got its place in a page. */
  watchAncestors() {
    this.#ancestors.disconnect()
    for (let node = parentOf(this.#host); node; node = parentOf(node)) {
      this.#ancestors.observe(node, { attributes: true, attributeFilter: THEME_ATTRIBUTES })
    }
    this.#writeScheme()
  }

  /** @returns {Theme} as it is now */
  read() {
    const style = getComputedStyle(this.#reading)
    const [surface, opacity] = resolveColor(style.backgroundColor)
    const behind = opacity < 1 ? (backdrop(this.#host) ?? [255, 255, 255]) : surface
    const ground = composite(surface, behind, opacity)
    const theme = {
      dark: luminance(ground) < DARK_BELOW,
      surface: ground,
      ink: resolveColor(style.color)[0],
      soft: resolveColor(style.caretColor)[0],
      line: resolveColor(style.borderTopColor)[0],
      accent: resolveColor(style.outlineColor)[0],
      font: style.fontFamily,
    }
    this.#last = JSON.stringify(theme)
    return theme
  }

  #writeScheme() {
    const scheme = this.#printing ? 'light' : schemeOf(this.#host)
    if (scheme === (this.#host.dataset.scheme ?? null)) return
    if (scheme) this.#host.dataset.scheme = scheme
    else delete this.#host.dataset.scheme
  }
}

/**
 * What CSS cannot tell of a page's theme.
 *
 * @param {HTMLElement} host
 * @returns {'dark' | 'light' | null} null: `color-scheme` tells
 */
function schemeOf(host) {
  for (let node = parentOf(host); node; node = parentOf(node)) {
    const theme = node.getAttribute('data-theme')
    if (theme === 'dark' || theme === 'light') return theme
    const jupyter = node.getAttribute('data-jp-theme-light')
    if (jupyter !== null) return jupyter === 'false' ? 'dark' : 'light'
  }
  const parent = parentOf(host)
  if (!parent || getComputedStyle(parent).colorScheme !== 'normal') return null
  const behind = backdrop(host)
  return behind && luminance(behind) < DARK_BELOW ? 'dark' : null
}

/**
 * The first opaque background behind a node.
 *
 * @param {Element} host
 * @returns {Rgb | null} null where none is painted
 */
export function backdrop(host) {
  for (let node = parentOf(host); node; node = parentOf(node)) {
    const [color, opacity] = resolveColor(getComputedStyle(node).backgroundColor)
    if (opacity > 0.5) return color
  }
  return null
}

/** The element around a node, across shadow roots. @param {Node} node @returns {Element | null} */
function parentOf(node) {
  if (node instanceof Element && node.assignedSlot) return node.assignedSlot
  const parent = node.parentNode
  if (parent instanceof ShadowRoot) return parent.host
  return parent instanceof Element ? parent : null
}
