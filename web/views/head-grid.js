import { colorMap } from './color-map.js'
import { ColorBar, colorBarStyles } from './color-bar.js'
import { fitDomain } from './domain.js'
import { emit, h } from './dom.js'
import { readEmphasis } from './emphasis.js'
import { FigureView } from './figure-view.js'
import { arrangePanels, placeLegend } from './head-grid-layout.js'
import { HeadPanel, headPanelStyles } from './head-panel.js'
import { CellInspection } from './inspector/cell-inspection.js'
import { inspectorStyles } from './inspector/inspector-styles.js'
import { matrixPlotStyles } from './matrix-plot.js'
import { asOptions, detailOf, readContent } from './options.js'
import { cellHint, describeCell, nameOfPlane, Readout, readoutStyles } from './readout.js'
import { rove, setStop } from './roving.js'
import { maskedRowsNote, nothingToShow, summarize } from './summary.js'
import { attentionTables } from './tables.js'

/**
 * @import { AttentionData } from './attention-data.js'
 * @import { ViewContent, ViewOptions } from './options.js'
 * @import { NestedNumbers, TensorLike } from './tensor-input.js'
 * @typedef {{ plane: number, query: number, key: number }} PlaneCell
 * @typedef {ViewOptions & { emphasizedHead?: number, showValues?: boolean }} HeadGridOptions
 *   `attention` may also be (layers, h, N, M). `emphasizedHead`: −1 for none, else the head; heads
 *   of all layers are counted through, layer by layer.
 */

const LABEL = 'Attention heads'

/**
 * A heatmap for each head, or for each head of each layer, all on one colour scale.
 *
 * Its root dispatches `headchange` (detail `{ layer, head, plane }`, −1 where none is chosen),
 * `cellhover` and `cellselect` (detail: `CellDetail`), `cellleave`.
 */
export class HeadGrid extends FigureView {
  #bar = new ColorBar()
  #readout = new Readout()
  #note = h('p', { class: 'note', hidden: '' })
  #grid = h('div', { class: 'panels', role: 'group' })
  #inspection
  #legend = h('div', { class: 'legend' })
  /** @type {HeadPanel[]} */
  #panels = []
  /** @type {HTMLElement[]} */
  #layerTitles = []
  #columns = 1
  /** @type {HeadGridOptions} */
  #options
  /** @type {ViewContent} */
  #content
  #labelled = true
  #emphasized = -1
  /** @type {PlaneCell | null} */
  #looked = null

  /**
   * @param {HTMLElement} container
   * @param {HeadGridOptions} [options]
   * @throws {TypeError | RangeError} what is wrong with the options, in words that may be shown
   */
  constructor(container, options = {}) {
    const content = readContent(options, { layers: true, label: LABEL })
    const emphasized = readEmphasis(options.emphasizedHead, content.attention?.planes ?? 0)
    super(
      container,
      colorBarStyles + readoutStyles + matrixPlotStyles + headPanelStyles + inspectorStyles,
    )
    this.#options = { ...options }
    this.#content = content
    this.#emphasized = emphasized
    const buttons = () => this.#panels.map((panel) => panel.button)
    rove(this.#grid, buttons, this.signal, () => this.#columns)
    this.#legend.append(this.#bar.node, this.#readout.node, this.#note)
    this.figure.append(this.#grid, this.#legend)
    this.#inspection = new CellInspection({
      figure: this.figure,
      signal: this.signal,
      onClose: ({ plane }, hadFocus) => {
        if (hadFocus) this.#panels[plane]?.plot.cursor.focus()
        this.invalidate()
      },
    })
    this.#fitPanels()
  }

  /** The chosen head, −1 for none. */
  get emphasizedHead() {
    return this.#emphasized
  }

  /**
   * Draws other numbers, or the same in another way, in place.
   *
   * @param {HeadGridOptions | TensorLike | NestedNumbers} change options, or the weights alone; what is left out stays
   * @throws {TypeError | RangeError} for wrong ones; the view then stays as it was
   */
  update(change) {
    const news = /** @type {HeadGridOptions} */ (asOptions(change))
    const options = { ...this.#options, ...news }
    const content = readContent(
      options,
      { layers: true, label: LABEL },
      { change: news, content: this.#content },
    )
    this.#emphasized = readEmphasis(options.emphasizedHead, content.attention?.planes ?? 0)
    this.#options = options
    this.#content = content
    this.#fitPanels()
    this.invalidate()
  }

  /** The numbers that are drawn. @returns {import('./tables.js').Table[]} */
  tables() {
    return attentionTables(this.#content, this.#options)
  }

  /** As many panels as there are heads; those that stay keep their focus and cursor. */
  #fitPanels() {
    const { attention } = this.#content
    const planes = attention && !attention.isEmpty ? attention.planes : 0
    while (this.#panels.length > planes) this.#panels.pop()?.dispose()
    while (this.#panels.length < planes) this.#addPanel(this.#panels.length)
    for (const title of this.#layerTitles.splice(0)) title.remove()
    if (attention && attention.layers > 1) {
      for (let layer = 0; layer < attention.layers && planes > 0; layer++) {
        const title = h('p', { class: 'layer', text: `layer ${layer + 1}` })
        this.#layerTitles.push(title)
        this.#panels[layer * attention.heads].node.before(title)
      }
    }
    const stop = Math.max(0, this.#emphasized)
    setStop(
      this.#panels.map((panel) => panel.button),
      this.#panels[stop]?.button,
    )
    this.#setCurrent(stop)
  }

  /** @param {number} plane */
  #addPanel(plane) {
    const panel = new HeadPanel({
      signal: this.signal,
      describe: (query, key) => this.#describeCell(plane, query, key),
      onChoose: () => this.#choose(this.#emphasized === plane ? -1 : plane),
      onFocus: () => this.#setCurrent(plane),
      onHover: (cell) => this.#onHover(cell && { plane, ...cell }, plane),
      onSelect: (cell) => this.#select({ plane, ...cell }),
      onStep: (cell) => {
        if (this.#inspection.cell) this.#select({ plane, ...cell })
      },
      onPage: (step) => this.#turnPage(plane, step),
    })
    this.#panels.push(panel)
    this.#grid.append(panel.node)
  }

  /** @param {PlaneCell} cell */
  #select(cell) {
    const { plane, query, key } = cell
    this.#choose(plane)
    const { attention, tokens, inspector } = this.#content
    if (!attention) return
    if (inspector) this.#inspection.open(cell)
    this.invalidate()
    emit(this.host, 'cellselect', detailOf(attention, tokens, plane, query, key))
  }

  /** @param {number} plane −1 = none */
  #choose(plane) {
    if (plane === this.#emphasized) return
    this.#emphasized = plane
    this.#options.emphasizedHead = plane
    this.#panels.forEach((panel, index) => (panel.chosen = index === plane))
    const heads = this.#content.attention?.heads ?? 1
    const detail =
      plane < 0
        ? { layer: -1, head: -1, plane }
        : { layer: Math.floor(plane / heads), head: plane % heads, plane }
    emit(this.host, 'headchange', detail)
  }

  /** Only one matrix is a stop for Tab: that of the head at hand. @param {number} plane */
  #setCurrent(plane) {
    this.#panels.forEach((panel, index) => (panel.plot.cursor.tabbable = index === plane))
  }

  /** The same cell of the next or previous head. @param {number} plane @param {1 | -1} step */
  #turnPage(plane, step) {
    const next = this.#panels[plane + step]
    if (!next) return
    const { query, key } = this.#panels[plane].plot.cursor
    next.plot.cursor.moveTo(query, key)
    this.#setCurrent(plane + step)
    next.plot.cursor.focus()
    if (this.#inspection.cell) this.#select({ plane: plane + step, query, key })
  }

  /** @param {number} plane @param {number} query @param {number} key */
  #describeCell(plane, query, key) {
    const { attention, tokens } = this.#content
    return attention ? describeCell(attention, tokens, plane, query, key, true) : ''
  }

  /** @param {PlaneCell | null} cell @param {number} plane where it was or is */
  #onHover(cell, plane) {
    // Leaving one panel is told after the next was entered where focus moves between them.
    if (!cell && this.#looked && this.#looked.plane !== plane) return
    this.#looked = cell
    this.#showLooked()
    const { attention, tokens } = this.#content
    if (!attention) return
    if (!cell) emit(this.host, 'cellleave', null)
    else emit(this.host, 'cellhover', detailOf(attention, tokens, plane, cell.query, cell.key))
  }

  #showLooked() {
    const { attention, tokens, inspector } = this.#content
    if (!attention) return
    const cell = this.#looked
    const hint = `${this.#labelled ? '' : 'Rows are queries, columns keys. '}${cellHint(inspector)}`
    const known =
      cell && cell.plane < attention.planes && cell.query < attention.queries
        ? { ...cell, key: Math.min(cell.key, attention.keys - 1) }
        : null
    this.#readout.show(attention, tokens, known, { withHead: true, hint })
    this.#bar.point(known && attention.value(known.plane, known.query, known.key))
  }

  /** @protected @override */
  draw() {
    const { attention, tokens, colormap, label, valueLabel } = this.#content
    const empty = !attention || attention.isEmpty
    this.describe(label, attention ? summarize(attention, tokens, valueLabel) : 'No data yet.')
    this.#grid.hidden = this.#legend.hidden = empty
    if (empty) {
      this.#inspection.close()
      this.say(nothingToShow(attention))
      return
    }
    const { theme } = this
    const map = colorMap(colormap, { dark: theme.dark })
    const extent = attention.extent()
    const domain = this.#content.domain ?? fitDomain(extent, map.diverging)
    const ratio = devicePixelRatio
    const { columns, width, gap, tight, layout } = arrangePanels(
      attention,
      tokens,
      this.width,
      theme.font,
    )
    this.#columns = columns
    this.#labelled = layout.labelRoom > 0
    this.#grid.setAttribute('aria-label', label)
    this.#grid.style.gridTemplateColumns = `repeat(${columns}, minmax(0, ${width}px))`
    this.#grid.style.gap = `${gap}px`
    this.#grid.classList.toggle('tight', tight)
    const showValues = this.#options.showValues ?? false
    const shared = { attention, map, domain, tokens, showValues, theme, layout, ratio }
    this.#panels.forEach((panel, plane) => {
      panel.chosen = plane === this.#emphasized
      panel.draw({ ...shared, plane }, nameOfPlane(attention, plane), tight)
    })
    const legend = placeLegend({ columns, width, gap, layout }, this.width)
    this.#legend.style.inlineSize = `${legend.outer}px`
    this.#legend.style.paddingInlineStart = `${legend.indent}px`
    this.#bar.update({ map, domain, label: valueLabel, ...extent, width: legend.bar })
    const note = maskedRowsNote(attention, tokens, Math.max(0, this.#emphasized))
    this.#note.hidden = note === ''
    this.#note.textContent = note
    this.#showLooked()
    this.#inspect(attention)
  }

  /** @param {AttentionData} attention */
  #inspect(attention) {
    this.#inspection.draw(this.#content, true)
    const open = this.#inspection.cell
    this.#panels.forEach(({ plot }, plane) => (plot.selected = open?.plane === plane ? open : null))
    if (!open) return
    // It opens right below the line of heads that the cell is in.
    const head = open.plane % attention.heads
    const end = Math.min(attention.heads, head - (head % this.#columns) + this.#columns)
    const last = open.plane - head + end - 1
    const isLastLine = last === attention.planes - 1
    this.#inspection.placeAfter(isLastLine ? this.#legend : this.#panels[last].node)
    this.#inspection.node.style.inlineSize = `${this.width}px`
  }
}
