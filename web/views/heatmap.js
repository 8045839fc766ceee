import { colorMap } from './color-map.js'
import { ColorBar, colorBarStyles } from './color-bar.js'
import { fitDomain } from './domain.js'
import { emit, h } from './dom.js'
import { FigureView } from './figure-view.js'
import { CellInspection } from './inspector/cell-inspection.js'
import { inspectorStyles } from './inspector/inspector-styles.js'
import { layoutMatrix } from './matrix-layout.js'
import { MatrixPlot, matrixPlotStyles } from './matrix-plot.js'
import { asOptions, detailOf, readContent } from './options.js'
import { cellHint, describeCell, Readout, readoutStyles } from './readout.js'
import { maskedRowsNote, nothingToShow, summarize } from './summary.js'
import { widestLabels } from './text-width.js'
import { attentionTables } from './tables.js'

/**
 * @import { Cell } from './matrix-plot.js'
 * @import { ViewOptions } from './options.js'
 * @import { NestedNumbers, TensorLike } from './tensor-input.js'
 * @typedef {ViewOptions & {
 *   head?: number,
 *   showValues?: boolean,
 *   decimals?: number,
 *   pointed?: Cell | null,
 *   selected?: Cell | null,
 *   hint?: string | null,
 * }} HeatmapOptions
 *   `head`: which plane of an (h, N, M) tensor is drawn; the colour scale covers all of them.
 *   `showValues`: numbers in the cells, where they fit, with so many `decimals` (2).
 *   `pointed`: a cell that is shown as if the reader pointed at it, while he points at no other: give two
 *   heatmaps one another's cell, and they share a pointer.
 *   `selected`: a cell that is framed.
 *   `hint`: said under the map while no cell is looked at, instead of how to look at one: among many maps one
 *   may say it for all.
 */

/** The most that a heatmap grows in height, unless it is told, px. */
const MOST_HEIGHT = 720

/**
 * One matrix of attention weights: queries are rows, keys are columns, row 0 is at the top.
 *
 * Its root dispatches, bubbling out of the container: `cellhover` and `cellselect` (detail: `CellDetail`),
 * `cellleave`.
 */
export class Heatmap extends FigureView {
  #bar = new ColorBar()
  #readout = new Readout()
  #note = h('p', { class: 'note', hidden: '' })
  #legend = h('div', { class: 'legend' })
  #block = h('div', { class: 'block' })
  #plot
  #inspection
  /** @type {HeatmapOptions} */
  #options
  #content
  #head

  /**
   * @param {HTMLElement} container
   * @param {HeatmapOptions} [options]
   * @throws {TypeError | RangeError} what is wrong with the options, in words that may be shown
   */
  constructor(container, options = {}) {
    const content = readContent(options, { label: 'Attention heatmap' })
    const head = readHead(options.head, content.attention?.heads)
    super(
      container,
      colorBarStyles + readoutStyles + matrixPlotStyles + inspectorStyles + heatmapStyles,
    )
    this.#options = { ...options }
    this.#content = content
    this.#head = head
    this.#plot = new MatrixPlot({
      signal: this.signal,
      describe: (query, key) => this.#describeCell(query, key),
      onHover: (cell) => this.#onHover(cell),
      onSelect: (cell) => this.#select(cell),
      onStep: (cell) => {
        if (this.#inspection.cell) this.#select(cell)
      },
    })
    this.#legend.append(this.#bar.node, this.#readout.node, this.#note)
    this.#block.append(this.#plot.node, this.#legend)
    this.figure.append(this.#block)
    this.#inspection = new CellInspection({
      figure: this.figure,
      signal: this.signal,
      onClose: (_cell, hadFocus) => hadFocus && this.#plot.cursor.focus(),
    })
  }

  /** The numbers that are drawn. @returns {import('./tables.js').Table[]} */
  tables() {
    return attentionTables(this.#content, { axes: this.#options.axes, plane: this.#head })
  }

  /** @param {Cell} cell */
  #select(cell) {
    this.#options.selected = cell
    this.#plot.selected = cell
    if (this.#content.inspector) this.#inspection.open({ plane: this.#head, ...cell })
    this.invalidate()
    emit(this.host, 'cellselect', this.#detail(cell))
  }

  /**
   * Draws other numbers, or the same in another way, in place: focus, cursor and pointer stay.
   *
   * @param {HeatmapOptions | TensorLike | NestedNumbers} change options, or the weights alone; what is left out stays
   * @throws {TypeError | RangeError} for wrong ones; the view then stays as it was
   */
  update(change) {
    const news = /** @type {HeatmapOptions} */ (asOptions(change))
    const options = { ...this.#options, ...news }
    const content = readContent(
      options,
      { label: 'Attention heatmap' },
      { change: news, content: this.#content },
    )
    this.#head = readHead(options.head, content.attention?.heads)
    this.#options = options
    this.#content = content
    this.invalidate()
  }

  /** @protected @override */
  draw() {
    const { attention, tokens, colormap, height, label, valueLabel } = this.#content
    const empty = !attention || attention.isEmpty
    this.describe(label, attention ? summarize(attention, tokens, valueLabel) : 'No data yet.')
    this.#plot.node.hidden = this.#bar.node.hidden = this.#readout.node.hidden = empty
    if (empty) {
      this.#setNote('')
      this.#inspection.close()
      this.say(nothingToShow(attention))
      return
    }
    const map = colorMap(colormap, { dark: this.theme.dark })
    const extent = attention.extent()
    const domain = this.#content.domain ?? fitDomain(extent, map.diverging)
    const layout = layoutMatrix({
      width: this.width,
      maxHeight: height ?? MOST_HEIGHT,
      queries: attention.queries,
      keys: attention.keys,
      labels: true,
      named: tokens.named,
      widest: () => widestLabels(tokens, this.theme.font),
      ratio: devicePixelRatio,
    })
    const { theme } = this
    const { showValues = false, decimals = 2, pointed = null } = this.#options
    const ratio = devicePixelRatio
    this.#plot.selected = this.#options.selected ?? null
    this.#plot.draw(
      {
        ...{ attention, plane: this.#head, map, domain, tokens, theme, layout, ratio },
        ...{ showValues, decimals },
      },
      label,
    )
    this.#plot.pointed = pointed
    // The legend stands under the cells, or a little wider than few of them.
    const width = Math.min(this.width, Math.max(layout.plot.width, 240))
    const left = Math.max(0, Math.min(layout.plot.left, this.width - width))
    const block = Math.max(layout.width, left + width)
    this.#legend.style.marginInlineStart = `${(100 * left) / block}%`
    this.#legend.style.inlineSize = `${(100 * width) / block}%`
    this.#block.style.inlineSize = `${block}px`
    this.#bar.update({ map, domain, label: valueLabel, ...extent, width })
    this.#setNote(maskedRowsNote(attention, tokens, this.#head))
    this.#showHovered()
    this.#inspect(attention.heads > 1)
  }

  /** What is open is what is selected, whoever selected it. @param {boolean} withHead */
  #inspect(withHead) {
    const { selected } = this.#options
    if (!selected || !this.#content.attention?.holds(selected)) this.#inspection.close()
    else if (this.#inspection.cell) this.#inspection.open({ plane: this.#head, ...selected })
    this.#inspection.draw(this.#content, withHead)
  }

  /** @param {string} text */
  #setNote(text) {
    this.#note.hidden = text === ''
    this.#note.textContent = text
  }

  /** @param {number} query @param {number} key */
  #describeCell(query, key) {
    const { attention, tokens } = this.#content
    if (!attention) return ''
    return describeCell(attention, tokens, this.#head, query, key, attention.heads > 1)
  }

  /** @param {Cell} cell */
  #detail({ query, key }) {
    const { attention, tokens } = this.#content
    return attention && detailOf(attention, tokens, this.#head, query, key)
  }

  /** @param {Cell | null} cell */
  #onHover(cell) {
    this.#showHovered()
    if (cell) emit(this.host, 'cellhover', this.#detail(cell))
    else emit(this.host, 'cellleave', null)
  }

  #showHovered() {
    const { attention, tokens } = this.#content
    if (!attention) return
    const { pointed, selected } = this.#options
    const looked = [this.#plot.hovered, pointed, selected]
    const cell = looked.find((each) => each && attention.holds(each))
    const shown = cell ? { plane: this.#head, ...cell } : null
    const options = {
      withHead: attention.heads > 1,
      hint: this.#options.hint ?? cellHint(this.#content.inspector),
    }
    this.#readout.show(attention, tokens, shown, options)
    this.#bar.point(shown && attention.value(shown.plane, shown.query, shown.key))
  }
}

/**
 * @param {unknown} head
 * @param {number | undefined} heads
 * @returns {number}
 */
function readHead(head, heads) {
  const index = head ?? 0
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 0) {
    throw new TypeError(`head: expected a whole number from 0, got ${String(head)}`)
  }
  if (heads !== undefined && index >= Math.max(1, heads)) {
    throw new RangeError(`head: ${index} given, but the weights have ${heads} (counted from 0)`)
  }
  return index
}

const heatmapStyles = `
.block { display: flex; flex-direction: column; gap: 12px; max-inline-size: 100%; }
`
