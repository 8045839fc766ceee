import { CellCursor } from './cell-cursor.js'
import { ColorBar, colorBarStyles } from './color-bar.js'
import { colorMap } from './color-map.js'
import { fitDomain } from './domain.js'
import { emit, fitCanvas, h, place, pointOn } from './dom.js'
import { readEmphasis } from './emphasis.js'
import { FigureView } from './figure-view.js'
import { layoutOverview, paintOverview } from './head-overview-paint.js'
import { matrixPlotStyles } from './matrix-plot.js'
import { formatExact } from './numbers.js'
import { asOptions, readContent } from './options.js'
import { setPaint } from './repaint.js'
import { nothingToShow, summarize } from './summary.js'
import { attentionTables } from './tables.js'

/**
 * @import { Box } from './dom.js'
 * @import { OverviewLayout } from './head-overview-paint.js'
 * @import { ViewContent, ViewOptions } from './options.js'
 * @import { NestedNumbers, TensorLike } from './tensor-input.js'
 * @typedef {ViewOptions & { emphasizedHead?: number }} HeadOverviewOptions  `attention` is (layers, h, N, M);
 *   `emphasizedHead`: −1 for none, else the head, those of all layers counted through
 */

const LABEL = 'All heads of all layers'
const HINT = 'A row is a layer, a column a head. Click one, or use the arrow keys and Enter.'

/**
 * All heads of all layers at a glance: a row of small maps for each layer, all on one canvas and one colour scale. A
 * thousand heads are as quick as one, where a `HeadGrid` of so many would make the page wait.
 *
 * Its root dispatches `headchange` (detail `{ layer, head, plane }`).
 */
export class HeadOverview extends FigureView {
  #bar = new ColorBar()
  #canvas = h('canvas', { class: 'matrix', 'aria-hidden': 'true' })
  #hovered = h('div', { class: 'box', hidden: '' })
  #chosen = h('div', { class: 'box selected', hidden: '' })
  #said = h('p', { class: 'head-said', 'aria-hidden': 'true', text: HINT })
  #plot = h('div', { class: 'plot' })
  #block = h('div', {}, [this.#plot, this.#bar.node, this.#said])
  #cursor
  /** @type {HeadOverviewOptions} */
  #options
  /** @type {ViewContent} */
  #content
  /** @type {OverviewLayout | null} */
  #layout = null

  /**
   * @param {HTMLElement} container
   * @param {HeadOverviewOptions} [options]
   * @throws {TypeError | RangeError} what is wrong with the options, in words that may be shown
   */
  constructor(container, options = {}) {
    const content = readContent(options, { layers: true, label: LABEL })
    super(container, colorBarStyles + matrixPlotStyles + overviewStyles)
    this.#options = { ...options }
    this.#content = content
    const { signal } = this
    this.#cursor = new CellCursor({
      signal,
      describe: (layer, head) => this.#describeHead(layer, head),
      boxOf: (layer, head) => this.#layout && this.#layout.boxOf(layer, head),
      onMove: (layer, head) => this.#look({ layer, head }),
      onLeave: () => this.#look(null),
      onSelect: (layer, head) => this.#choose(layer, head),
    })
    this.#plot.append(this.#canvas, this.#chosen, this.#hovered, this.#cursor.grid)
    this.figure.append(this.#block)
    const look = (/** @type {PointerEvent} */ event) => this.#look(this.#headAt(event))
    this.#canvas.addEventListener('pointermove', look, { signal })
    this.#canvas.addEventListener('pointerleave', () => this.#look(null), { signal })
    this.#canvas.addEventListener(
      'click',
      (event) => {
        const at = this.#headAt(event)
        if (!at) return
        this.#cursor.moveTo(at.layer, at.head)
        this.#choose(at.layer, at.head)
      },
      { signal },
    )
    setPaint(this.#canvas, (context) => this.#paint(context))
  }

  /**
   * Draws other numbers, or the same in another way, in place.
   *
   * @param {HeadOverviewOptions | TensorLike | NestedNumbers} change options, or the weights alone; what is left out stays
   * @throws {TypeError | RangeError} for wrong ones; the view then stays as it was
   */
  update(change) {
    const news = /** @type {HeadOverviewOptions} */ (asOptions(change))
    const options = { ...this.#options, ...news }
    const before = { change: news, content: this.#content }
    this.#content = readContent(options, { layers: true, label: LABEL }, before)
    this.#options = options
    this.invalidate()
  }

  /** The numbers that are drawn. @returns {import('./tables.js').Table[]} */
  tables() {
    return attentionTables(this.#content)
  }

  /** @param {number} layer @param {number} head */
  #describeHead(layer, head) {
    const { attention, valueLabel } = this.#content
    if (!attention) return ''
    const size = attention.queries * attention.keys
    const start = (layer * attention.heads + head) * size
    let largest = Number.NEGATIVE_INFINITY
    for (let i = start; i < start + size; i++) {
      if (attention.data[i] > largest) largest = attention.data[i]
    }
    const name = `layer ${layer + 1}, head ${head + 1}`
    return Number.isFinite(largest)
      ? `${name}: largest ${valueLabel} ${formatExact(largest)}`
      : name
  }

  /** @param {MouseEvent} event */
  #headAt(event) {
    return this.#layout?.headAt(pointOn(event, this.#canvas)) ?? null
  }

  /** @param {{ layer: number, head: number } | null} at */
  #look(at) {
    const { query: layer, key: head } = this.#cursor
    const seen = at ?? (this.#cursor.hasFocus ? { layer, head } : null)
    this.#mark(this.#hovered, seen)
    this.#said.textContent = seen ? this.#describeHead(seen.layer, seen.head) : HINT
  }

  /** @param {HTMLElement} box @param {{ layer: number, head: number } | null} at */
  #mark(box, at) {
    box.hidden = !at || !this.#layout
    if (at && this.#layout) place(box, this.#layout.boxOf(at.layer, at.head))
  }

  /** @param {number} layer @param {number} head */
  #choose(layer, head) {
    const plane = layer * (this.#content.attention?.heads ?? 1) + head
    this.#options.emphasizedHead = plane
    this.invalidate()
    emit(this.host, 'headchange', { layer, head, plane })
  }

  /** @protected @override */
  draw() {
    const { attention, tokens, label, valueLabel, colormap } = this.#content
    const isEmpty = !attention || attention.isEmpty
    this.describe(label, attention ? summarize(attention, tokens, valueLabel) : 'No data yet.')
    this.#block.hidden = isEmpty
    if (isEmpty) {
      this.say(nothingToShow(attention))
      return
    }
    this.#layout = layoutOverview(attention, this.width)
    const { width, height, left } = this.#layout
    this.#plot.style.width = `${width}px`
    this.#plot.style.height = `${height}px`
    this.#paint(fitCanvas(this.#canvas, width, height, devicePixelRatio))
    this.#cursor.update(label, attention.layers, attention.heads)
    const plane = readEmphasis(this.#options.emphasizedHead, attention.planes)
    const [layer, head] = [Math.floor(plane / attention.heads), plane % attention.heads]
    this.#mark(this.#chosen, plane < 0 ? null : { layer, head })
    const map = colorMap(colormap, { dark: this.theme.dark })
    const extent = attention.extent()
    const bar = Math.min(this.width - left, Math.max(200, Math.min(width - left, 420)))
    this.#block.style.inlineSize = `${Math.max(width, left + bar)}px`
    this.#bar.node.style.marginInlineStart = this.#said.style.marginInlineStart = `${left}px`
    this.#bar.update({ map, domain: this.#domain(map), label: valueLabel, ...extent, width: bar })
  }

  /** @param {import('./color-map.js').ColorMap} map */
  #domain(map) {
    const { attention, domain } = this.#content
    return domain ?? (attention ? fitDomain(attention.extent(), map.diverging) : [0, 1])
  }

  /** @param {CanvasRenderingContext2D} context */
  #paint(context) {
    const { attention, colormap } = this.#content
    if (!attention || !this.#layout) return
    const { theme } = this
    const map = colorMap(colormap, { dark: theme.dark })
    const domain = /** @type {[number, number]} */ (this.#domain(map))
    const picture = { attention, map, domain, theme, layout: this.#layout, ratio: devicePixelRatio }
    paintOverview(context, picture)
  }
}

const overviewStyles = `
.matrix { cursor: pointer; }
.color-bar { margin-block-start: 10px; }
.head-said { margin: 6px 0 0; min-block-size: 2.8em; font-size: 12px; line-height: 1.4; color: var(--soft); }
`
