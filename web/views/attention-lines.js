import { ColorBar, colorBarStyles } from './color-bar.js'
import { colorMap } from './color-map.js'
import { formatColor } from './color.js'
import { emit, h } from './dom.js'
import { readEmphasis } from './emphasis.js'
import { FigureView } from './figure-view.js'
import { HeadButtons, headButtonStyles } from './head-buttons.js'
import { CellInspection } from './inspector/cell-inspection.js'
import { inspectorStyles } from './inspector/inspector-styles.js'
import { headColor } from './lines/head-colors.js'
import { placeLegend } from './lines/line-layout.js'
import { buildPicture } from './lines/line-picture.js'
import { LinePlot, linePlotStyles } from './lines/line-plot.js'
import { seenAt } from './lines/line-target.js'
import { describePair, describeQuery, hintOf, LINE_MARKS, notesOf } from './lines/line-words.js'
import { matrixPlotStyles } from './matrix-plot.js'
import { asOptions, detailOf, readContent } from './options.js'
import { Readout, readoutStyles } from './readout.js'
import { summarize } from './summary.js'
import { attentionTables } from './tables.js'

/**
 * @import { AttentionData } from './attention-data.js'
 * @import { LineCell, LinePicture, Overview } from './lines/line-picture.js'
 * @import { Seen, Target } from './lines/line-target.js'
 * @import { ViewContent, ViewOptions } from './options.js'
 * @import { NestedNumbers, TensorLike } from './tensor-input.js'
 * @typedef {ViewOptions & {
 *   emphasizedHead?: number,
 *   selectedQuery?: number | null,
 *   threshold?: number | null,
 *   decimals?: number,
 * }} AttentionLinesOptions
 *   `emphasizedHead`: −1 for all, else the only head whose lines are shown.
 *   `selectedQuery`: −1 for all, else the only query whose lines are shown.
 *   `threshold`: weights below it have no line. `decimals`: of the numbers beside the keys (2).
 *   `colormap` colours the lines of weights (N, M) or (1, N, M); several heads have a colour each.
 */

const LABEL = 'Attention lines'
const KEYS_HELP =
  'Up and down arrows move between tokens, right and left arrows between a query and its keys, Page Up and Page Down between heads. Enter keeps a query or opens a weight, Escape goes back to all.'

/**
 * Attention as lines between two columns of tokens: queries on the left, keys on the right, wider and
 * darker where the weight is larger. A query that is pointed at, or selected, shows its lines alone.
 *
 * Its root dispatches `headchange` (detail `{ head }`), `querychange` (detail `{ query }`, −1 for all),
 * `cellhover` and `cellselect` (detail: `CellDetail`), `cellleave`.
 */
export class AttentionLines extends FigureView {
  #bar = new ColorBar()
  #readout = new Readout()
  #note = h('p', { class: 'note', hidden: '' })
  #legend = h('div', { class: 'legend' }, [this.#bar.node, this.#readout.node, this.#note])
  #block
  #buttons
  #plot
  #inspection
  /** @type {AttentionLinesOptions} */
  #options
  /** @type {ViewContent} */
  #content
  /** @type {Overview} */
  #overview = {}
  /** What was last told to the page. @type {LineCell | null} */
  #looked = null
  /** Whose lines are on the canvas. @type {{ query: number | null, key: number | null }} */
  #drawn = { query: null, key: null }

  /**
   * @param {HTMLElement} container
   * @param {AttentionLinesOptions} [options]
   * @throws {TypeError | RangeError} what is wrong with the options, in words that may be shown
   */
  constructor(container, options = {}) {
    const content = readContent(options, { label: LABEL })
    checkOptions(options)
    const shared = colorBarStyles + readoutStyles + headButtonStyles + matrixPlotStyles
    super(container, shared + inspectorStyles + linePlotStyles + css)
    const { signal } = this
    this.#options = { ...options }
    this.#content = content
    this.#buttons = new HeadButtons(signal, (head) => this.#chooseHead(head))
    this.#plot = new LinePlot({
      signal,
      describe: (target) => this.#describe(target),
      onTarget: () => this.#look(),
      onChoose: (target, byPointer) => this.#choose(target, byPointer),
      onStep: (target) => this.#follow(target),
      onClear: () => !this.#inspection.cell && this.#selectQuery(-1),
      onPage: (step) => this.#turnPage(step),
    })
    const help = h('p', { id: 'keys', hidden: '', text: KEYS_HELP })
    this.#plot.cursor.grid.setAttribute('aria-describedby', 'keys')
    this.#block = h('div', { class: 'block' }, [this.#plot.node, help, this.#legend])
    this.figure.append(this.#buttons.node, this.#block)
    this.#inspection = new CellInspection({
      figure: this.figure,
      signal,
      onClose: (hadFocus) => {
        if (hadFocus) this.#plot.cursor.focus()
        this.invalidate()
      },
    })
  }

  /** The only head whose lines are shown, −1 for all. */
  get emphasizedHead() {
    return readEmphasis(this.#options.emphasizedHead, this.#content.attention?.heads ?? 0)
  }

  /** The only query whose lines are shown, unless another is pointed at; −1 for all. */
  get selectedQuery() {
    const queries = this.#content.attention?.queries ?? 0
    return readEmphasis(this.#options.selectedQuery, queries, 'selectedQuery')
  }

  /** The numbers that are drawn. @returns {import('./tables.js').Table[]} */
  tables() {
    return attentionTables(this.#content, this.#options)
  }

  /**
   * Draws other numbers, or the same in another way, in place: focus, cursor and pointer stay.
   *
   * @param {AttentionLinesOptions | TensorLike | NestedNumbers} change options, or the weights alone; what is left out stays
   * @throws {TypeError | RangeError} for wrong ones; the view then stays as it was
   */
  update(change) {
    const news = /** @type {AttentionLinesOptions} */ (asOptions(change))
    const options = { ...this.#options, ...news }
    const content = readContent(options, { label: LABEL }, { change: news, content: this.#content })
    checkOptions(options)
    this.#options = options
    this.#content = content
    // Another query changes nothing of all of them. Anything else may, as numbers that changed in place.
    if (Object.keys(news).join() !== 'selectedQuery') this.#overview = {}
    this.invalidate()
  }

  /** The heads that are shown. */
  get #planes() {
    const head = this.emphasizedHead
    if (head >= 0) return [head]
    return Array.from({ length: this.#content.attention?.heads ?? 0 }, (_, index) => index)
  }

  /** @param {number} head −1 = all */
  #chooseHead(head) {
    if (head === this.emphasizedHead) return
    this.#options.emphasizedHead = head
    this.#overview = {}
    this.invalidate()
    emit(this.host, 'headchange', { head })
  }

  /** @param {number} query −1 = all */
  #selectQuery(query) {
    if (query === this.selectedQuery) return
    this.#options.selectedQuery = query
    this.invalidate()
    emit(this.host, 'querychange', { query })
  }

  /** From all heads to the first, and on. @param {1 | -1} step */
  #turnPage(step) {
    const head = this.emphasizedHead + step
    if (head < -1 || head >= (this.#content.attention?.heads ?? 0)) return
    this.#chooseHead(head)
    this.#plot.cursor.announce()
    if (this.#plot.target) this.#follow(this.#plot.target)
  }

  /** @param {Target} target @param {boolean} byPointer */
  #choose(target, byPointer) {
    if (target.kind === 'query') {
      this.#selectQuery(target.query === this.selectedQuery ? -1 : target.query)
      return
    }
    const { cell } = this.#seen(target)
    if (!cell) return
    if (byPointer) this.#selectQuery(cell.query)
    this.#selectCell(cell)
  }

  /** @param {LineCell} cell */
  #selectCell(cell) {
    if (this.#content.inspector) this.#inspection.open(cell)
    this.invalidate()
    this.#tell('cellselect', cell)
  }

  /** Where the keyboard goes while a weight is open, that opens. @param {Target} target */
  #follow(target) {
    const { cell } = this.#seen(target)
    if (cell && this.#inspection.cell) this.#selectCell(cell)
  }

  /** @param {'cellhover' | 'cellselect'} type @param {LineCell} cell */
  #tell(type, { plane, query, key }) {
    const { attention, tokens } = this.#content
    if (attention) emit(this.host, type, detailOf(attention, tokens, plane, query, key))
  }

  /** @param {Target | null} [target] */
  #seen(target = this.#plot.target) {
    return seenAt(target, this.#content.attention, this.#planes, this.selectedQuery)
  }

  /** Pointer or keyboard came to something else. */
  #look() {
    const { attention } = this.#content
    if (!attention || attention.isEmpty) return
    const seen = this.#seen()
    if (seen.query === this.#drawn.query && seen.key === this.#drawn.key) {
      this.#plot.mark(seen)
      this.#showLooked(seen)
    } else {
      this.invalidate()
    }
    const [old, cell] = [this.#looked, seen.cell]
    this.#looked = cell
    if (!cell && old) emit(this.host, 'cellleave', null)
    else if (cell && !isSame(cell, old)) this.#tell('cellhover', cell)
  }

  /** @param {Target} target */
  #describe(target) {
    const { attention, tokens, valueLabel } = this.#content
    if (!attention || target.kind === 'key') return ''
    return target.kind === 'query'
      ? describeQuery(attention, this.#planes, tokens, valueLabel, target.query)
      : describePair(attention, this.#planes, tokens, target.query, target.key)
  }

  /** @param {Seen} seen */
  #showLooked(seen) {
    const { attention, tokens, valueLabel } = this.#content
    if (!attention) return
    const hint = hintOf(attention, this.#planes, tokens, valueLabel, seen)
    const { cell } = seen
    this.#readout.show(attention, tokens, cell, { withHead: attention.heads > 1, hint })
    this.#bar.point(cell && attention.value(cell.plane, cell.query, cell.key))
  }

  /** @protected @override */
  draw() {
    const { attention, tokens, label, valueLabel } = this.#content
    const empty = !attention || attention.isEmpty
    const summary = attention
      ? summarize(attention, tokens, valueLabel, LINE_MARKS)
      : 'No data yet.'
    this.describe(label, summary)
    this.#plot.node.hidden = this.#bar.node.hidden = this.#readout.node.hidden = empty
    this.#buttons.node.hidden = empty || attention.heads === 1
    if (empty) {
      this.#setNote(attention ? `Nothing to show: ${summary}` : '')
      this.#inspection.close()
      return
    }
    const { theme, width } = this
    const colors = Array.from({ length: attention.heads }, (_, head) =>
      formatColor(headColor(head, theme.dark)),
    )
    this.#buttons.update(attention.heads, this.emphasizedHead, { width, font: theme.font }, colors)
    const seen = this.#seen()
    const picture = buildPicture(attention, this.#content, {
      ...{ planes: this.#planes, query: seen.query, key: seen.key, theme, width },
      ...{ threshold: this.#options.threshold ?? 0, decimals: this.#options.decimals ?? 2 },
      overview: this.#overview,
    })
    this.#drawn = { query: seen.query, key: seen.key }
    this.#looked = seen.cell
    this.#plot.draw(picture, seen, label)
    this.#explain(attention, picture)
    this.#showLooked(seen)
    this.#inspection.draw(this.#content, attention.heads > 1)
  }

  /** The legend, and what has to be said of the picture. @param {AttentionData} attention @param {LinePicture} picture */
  #explain(attention, { planes, tokens, scale, set, sum, layout }) {
    const { colormap, valueLabel } = this.#content
    const { width, left } = placeLegend(layout, this.width)
    this.#legend.style.inlineSize = `${width}px`
    this.#legend.style.marginInlineStart = `${left}px`
    this.#block.style.inlineSize = `${Math.max(layout.width, left + width)}px`
    const whose = planes.length > 1 ? `heads 1 (top) to ${planes.length}` : `head ${planes[0] + 1}`
    this.#bar.update({
      ...attention.extent(),
      map: colorMap(colormap, { dark: this.theme.dark }),
      domain: scale.domain,
      label: attention.heads > 1 ? `${valueLabel}, ${whose}` : valueLabel,
      width,
      ramps: scale.ramps,
    })
    const threshold = this.#options.threshold ?? 0
    this.#setNote(notesOf(attention, planes, tokens, set, { threshold, sum }))
  }

  /** @param {string} text */
  #setNote(text) {
    this.#note.hidden = text === ''
    this.#note.textContent = text
  }
}

/** @param {LineCell} a @param {LineCell | null} b */
function isSame(a, b) {
  return a.plane === b?.plane && a.query === b.query && a.key === b.key
}

/** @param {AttentionLinesOptions} options */
function checkOptions({ emphasizedHead, selectedQuery, threshold }) {
  readEmphasis(emphasizedHead, 0)
  readEmphasis(selectedQuery, 0, 'selectedQuery')
  if (threshold === undefined || threshold === null) return
  if (typeof threshold !== 'number' || !(threshold >= 0) || !Number.isFinite(threshold)) {
    throw new TypeError(`threshold: expected a number from 0, got ${String(threshold)}`)
  }
}

const css = `
.block { display: flex; flex-direction: column; gap: 14px; max-inline-size: 100%; }
`
