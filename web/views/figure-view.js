import { problemOf } from '../problem.js'
import { adoptStyles, h } from './dom.js'
import { figureStyles } from './figure-styles.js'
import { ThemeProbe } from './theme.js'

/** @import { Theme } from './theme.js' */

/** Of all systems, CSS pixels. */
const MOST_SCROLL_BAR = 24
/** From one resize to the next, if they come of one another, ms. */
const ECHO_WITHIN = 1000

/**
 * What every view is made of: a node of its own in the caller's container, with a shadow root in which
 * the page's rules do not reach it; the theme; the width; and one pending frame at most. All of it is
 * given back by `dispose`.
 */
export class FigureView {
  #abort = new AbortController()
  #observer
  #probe
  #frame = 0
  #width = 0
  #lastWidth = 0
  #lastResize = 0
  #echoes = 0

  /**
   * @param {HTMLElement} container
   * @param {string} css rules of this kind of view
   */
  constructor(container, css) {
    if (container?.nodeType !== 1) throw new TypeError('container: expected an element of the page')
    /** @protected */
    this.host = h('div', { class: 'attention-view' })
    const root = this.host.attachShadow({ mode: 'open' })
    // First of all: style sheets belong to a document, and the container's may be that of a frame.
    container.append(this.host)
    adoptStyles(root, figureStyles)
    adoptStyles(root, css)
    this.#summary = h('figcaption', { class: 'spoken', id: 'summary' })
    /** @protected */
    this.figure = h('figure', { 'aria-describedby': 'summary' })
    root.append(this.figure)
    this.#words = h('p', { class: 'words', role: 'status', hidden: '' })
    this.figure.append(this.#summary, this.#words)
    this.#probe = new ThemeProbe(
      this.host,
      root,
      this.signal,
      () => this.invalidate(),
      // No frame comes between this and the paper.
      () => this.#drawNow(),
    )
    /** @protected @type {Theme} */
    this.theme = this.#probe.read()
    // Its first report comes before the first paint, so nothing is seen at a wrong size.
    this.#observer = new ResizeObserver(([entry]) => {
      const { width } = entry.contentRect
      if (width === this.#width || this.#isEcho(width)) return
      if (this.#width === 0) this.#probe.watchAncestors()
      this.#lastWidth = this.#width
      this.#width = width
      this.#drawNow()
    })
    // A ruler without height, since the view's own height changes while it is drawn.
    const ruler = h('div', { class: 'ruler' })
    root.prepend(ruler)
    this.#observer.observe(ruler)
    this.#watchResolution()
  }

  #summary
  #words

  /** Ends with the view: pass it to every listener. @protected */
  get signal() {
    return this.#abort.signal
  }

  /** Of the room there is, in CSS pixels; 0 while the view is not laid out. @protected */
  get width() {
    return this.#width
  }

  get disposed() {
    return this.#abort.signal.aborted
  }

  /**
   * A figure that is as high as its width makes it may bring up a scroll bar, which takes away the width that it was
   * drawn for, so that it gets lower and the scroll bar goes again, in every frame and without end. Drawn for the
   * smaller width it is right with and without the bar.
   *
   * @param {number} width
   * @returns {boolean} whether the width is one that the figure has just had, and was taken from by itself
   */
  #isEcho(width) {
    const now = performance.now()
    const isBack = width === this.#lastWidth && now - this.#lastResize < ECHO_WITHIN
    this.#echoes = isBack ? this.#echoes + 1 : 0
    this.#lastResize = now
    const gain = width - this.#width
    return this.#echoes > 1 && gain > 0 && gain <= MOST_SCROLL_BAR
  }

  /** Whether what is drawn now goes on paper: also what is out of sight. @protected */
  get printing() {
    return this.#probe.printing
  }

  /**
   * Names the figure and says in a few sentences what it shows.
   *
   * @protected
   * @param {string} name
   * @param {string} summary
   */
  describe(name, summary) {
    this.figure.setAttribute('aria-label', name)
    if (this.#summary.textContent !== summary) this.#summary.textContent = summary
  }

  /** Asks for a drawing in the next frame; many requests make one frame. @protected */
  invalidate() {
    if (this.disposed || this.#frame) return
    this.#frame = requestAnimationFrame(() => this.#drawNow())
  }

  #drawNow() {
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
    if (this.disposed || this.#width <= 0) return
    try {
      this.theme = this.#probe.read()
      this.say('')
      this.draw()
      this.figure.classList.remove('failed')
    } catch (error) {
      this.#fail(error)
    }
  }

  /**
   * Words in the figure's place, as where there is nothing to draw; they last until the next drawing.
   *
   * @protected
   * @param {string} words '' for none
   */
  say(words) {
    this.#words.hidden = words === ''
    if (this.#words.textContent !== words) this.#words.textContent = words
  }

  /** A browser may refuse what drawing needs, such as another canvas. @param {unknown} error */
  #fail(error) {
    console.error(error)
    this.figure.classList.add('failed')
    const why = problemOf(error)
    this.say(`This figure could not be drawn: ${why}`)
  }

  /** Lays out and draws; `width` is above 0 and `theme` is fresh. @protected */
  draw() {}

  /** Moving to another screen, or zooming, changes how many pixels a canvas needs. */
  #watchResolution() {
    const query = matchMedia(`(resolution: ${devicePixelRatio}dppx)`)
    const changed = () => {
      if (this.disposed) return
      this.invalidate()
      this.#watchResolution()
    }
    query.addEventListener('change', changed, { once: true, signal: this.signal })
  }

  /** Gives back everything: nodes, listeners, observers, frames. A second call does nothing. */
  dispose() {
    if (this.disposed) return
    this.#abort.abort()
    this.#observer.disconnect()
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
    this.host.remove()
  }
}
