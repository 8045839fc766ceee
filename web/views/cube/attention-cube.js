import { CellCursor } from '../cell-cursor.js'
import { ColorBar, colorBarStyles } from '../color-bar.js'
import { colorMap } from '../color-map.js'
import { fitDomain } from '../domain.js'
import { emit, h } from '../dom.js'
import { readEmphasis } from '../emphasis.js'
import { FigureView } from '../figure-view.js'
import { HeadButtons, headButtonStyles } from '../head-buttons.js'
import { CellInspection } from '../inspector/cell-inspection.js'
import { inspectorStyles } from '../inspector/inspector-styles.js'
import { asOptions, detailOf, readContent } from '../options.js'
import { describeCell, Readout, readoutStyles, touches } from '../readout.js'
import { maskedRowsNote, nothingToShow, summarize } from '../summary.js'
import { widestLabels } from '../text-width.js'
import { CubeStage, stageStyles } from './cube-stage.js'
import { Fallback, fallbackStyles } from './fallback.js'
import { TRANSLUCENT } from './planes.js'
import { attentionTables } from '../tables.js'

/**
 * @import { ViewContent, ViewOptions } from '../options.js'
 * @import { NestedNumbers, TensorLike } from '../tensor-input.js'
 * @import { CubeCell } from './labels.js'
 * @typedef {ViewOptions & { emphasizedHead?: number }} AttentionCubeOptions
 *   `emphasizedHead`: −1 for all alike, else the head whose plane stands out; a head that the weights
 *   do not have counts as −1.
 */

const LABEL = 'Attention cube'
/** For the ear, and for the eye while the keyboard has the cube. */
const KEYS_HELP =
  'Arrow keys move between cells, Page Up and Page Down between heads; Enter opens a cell. Shift with an arrow key turns the cube, plus and minus zoom, 0 goes back.'
const KEYS_HINT = 'Shift + arrows turn, + and − zoom, 0 goes back; Page Up, Page Down: heads'
/** What a page asks for is kept between these: less shows nothing, more no canvas holds. px */
const LEAST_HEIGHT = 120
const MOST_HEIGHT = 4096
/** A wider colour bar is no easier to read, px. */
const MOST_LEGEND = 720

/**
 * The attention of h heads as a stack of h translucent planes in space, to be turned, with the exact
 * value of the cell under the pointer or the keyboard's cursor. All cubes of a page share one WebGL
 * context; where there is none, the heads stand side by side instead.
 *
 * Its root dispatches `headchange` (detail `{ head }`), `cellhover` and `cellselect` (detail:
 * `CellDetail`), `cellleave`.
 */
export class AttentionCube extends FigureView {
  #bar = new ColorBar()
  #readout = new Readout()
  #note = h('p', { class: 'note', hidden: '' })
  #legend = h('div', { class: 'legend' })
  #reset = h('button', { type: 'button', class: 'reset', text: 'reset view', hidden: '' })
  #buttons
  #stage
  #cursor
  #inspection
  #visibility
  #visible = false
  /** @type {Fallback | null} */
  #fallback = null
  /** @type {AttentionCubeOptions} */
  #options
  /** @type {ViewContent} */
  #content
  #cursorHead = 0
  /** @type {CubeCell | null} */
  #looked = null

  /**
   * @param {HTMLElement} container
   * @param {AttentionCubeOptions} [options]
   * @throws {TypeError | RangeError} what is wrong with the options, in words that may be shown
   */
  constructor(container, options = {}) {
    const content = readContent(options, { label: LABEL })
    readEmphasis(options.emphasizedHead, 0)
    super(
      container,
      colorBarStyles +
        readoutStyles +
        headButtonStyles +
        stageStyles +
        fallbackStyles +
        inspectorStyles,
    )
    const { signal } = this
    this.#options = { ...options }
    this.#content = content
    this.#buttons = new HeadButtons(signal, (head) => this.#choose(head))
    this.#stage = new CubeStage({
      signal,
      onHover: (cell) => this.#look(cell),
      onClick: (cell) => this.#click(cell),
      onChange: () => this.invalidate(),
      onGone: () => this.#fallBack(),
    })
    this.#cursor = new CellCursor({
      signal,
      describe: (query, key) => this.#describeCell(query, key),
      boxOf: (query, key) => this.#stage.boxOf({ head: this.#cursorHead, query, key }),
      onMove: (query, key) => this.#look({ head: this.#cursorHead, query, key }),
      onLeave: () => this.#look(null),
      onSelect: (query, key) => this.#select({ head: this.#cursorHead, query, key }),
      onStep: (query, key) => this.#follow({ head: this.#cursorHead, query, key }),
      onPage: (step) => this.#turnPage(step),
    })
    this.#reset.addEventListener('click', () => this.#stage.resetView(), { signal })
    this.#assemble()
    this.#inspection = new CellInspection({
      figure: this.figure,
      signal,
      onClose: (_cell, hadFocus) => {
        if (hadFocus) this.#cursor.focus()
        this.invalidate()
      },
    })
    this.#visibility = new IntersectionObserver((entries) => {
      // One call may tell of several crossings; how things stand now is told last.
      const { isIntersecting } = entries[entries.length - 1]
      this.#visible = isIntersecting
      // Whatever changed while it was out of sight is drawn now.
      if (isIntersecting) this.invalidate()
    })
    this.#visibility.observe(this.#stage.node)
    if (!this.#stage.available) this.#fallBack()
  }

  #assemble() {
    const help = h('p', { class: 'spoken', id: 'keys', text: KEYS_HELP })
    const hint = h('p', { class: 'keys', 'aria-hidden': 'true', text: KEYS_HINT })
    this.#cursor.grid.setAttribute('aria-describedby', 'keys')
    this.#stage.node.append(this.#cursor.grid, this.#reset, help, hint)
    this.#legend.append(this.#bar.node, this.#readout.node, this.#note)
    this.figure.append(this.#buttons.node, this.#stage.node, this.#legend)
  }

  /** The head whose plane stands out, −1 for all. */
  get emphasizedHead() {
    return readEmphasis(this.#options.emphasizedHead, this.#content.attention?.heads ?? 0)
  }

  /**
   * Draws other numbers, or the same in another way, in place: the reader's view, cursor and focus stay,
   * also where the number of heads or tokens changes.
   *
   * @param {AttentionCubeOptions | TensorLike | NestedNumbers} change options, or the weights alone; what is left out stays
   * @throws {TypeError | RangeError} for wrong ones; the view then stays as it was
   */
  update(change) {
    const news = /** @type {AttentionCubeOptions} */ (asOptions(change))
    const options = { ...this.#options, ...news }
    const content = readContent(options, { label: LABEL }, { change: news, content: this.#content })
    readEmphasis(options.emphasizedHead, 0)
    this.#options = options
    this.#content = content
    this.#fallback?.update(news)
    this.invalidate()
  }

  /** The numbers that are drawn. @returns {import('../tables.js').Table[]} */
  tables() {
    return attentionTables(this.#content, this.#options)
  }

  /** @param {number} head −1 = all */
  #choose(head) {
    if (head === this.emphasizedHead) return
    this.#options.emphasizedHead = head
    if (head >= 0) this.#cursorHead = head
    this.#fallback?.update({ emphasizedHead: head })
    this.invalidate()
    emit(this.host, 'headchange', { head })
  }

  /** @param {1 | -1} step */
  #turnPage(step) {
    const head = this.#cursorHead + step
    if (head < 0 || head >= (this.#content.attention?.heads ?? 0)) return
    this.#cursorHead = head
    if (this.emphasizedHead >= 0) this.#choose(head)
    this.#cursor.announce()
    this.#follow({ head, query: this.#cursor.query, key: this.#cursor.key })
  }

  /** @param {CubeCell} cell */
  #click(cell) {
    const changed = cell.head !== this.#cursorHead
    this.#cursorHead = cell.head
    this.#cursor.moveTo(cell.query, cell.key)
    if (changed) this.#cursor.announce()
    this.#cursor.focus()
    this.#look(cell)
    this.#select(cell)
  }

  /** @param {CubeCell} cell */
  #select({ head, query, key }) {
    const { attention, tokens, inspector } = this.#content
    if (!attention) return
    if (inspector) this.#inspection.open({ plane: head, query, key })
    this.invalidate()
    emit(this.host, 'cellselect', detailOf(attention, tokens, head, query, key))
  }

  /** Where the keyboard goes while a cell is open, that selects. @param {CubeCell} cell */
  #follow(cell) {
    if (this.#inspection.cell) this.#select(cell)
  }

  /** @param {CubeCell | null} cell */
  #look(cell) {
    const focused = this.#cursor.hasFocus
    const { query, key } = this.#cursor
    const next = cell ?? (focused ? { head: this.#cursorHead, query, key } : null)
    const old = this.#looked
    if (old?.head === next?.head && old?.query === next?.query && old?.key === next?.key) {
      this.invalidate()
      return
    }
    this.#looked = next
    this.invalidate()
    this.#showLooked()
    const { attention, tokens } = this.#content
    if (!attention) return
    if (!next) emit(this.host, 'cellleave', null)
    else emit(this.host, 'cellhover', detailOf(attention, tokens, next.head, next.query, next.key))
  }

  /** @param {number} query @param {number} key */
  #describeCell(query, key) {
    const { attention, tokens } = this.#content
    return attention ? describeCell(attention, tokens, this.#cursorHead, query, key, true) : ''
  }

  #showLooked() {
    const { attention, tokens, inspector } = this.#content
    if (!attention) return
    const cell = this.#looked && { plane: this.#looked.head, ...this.#looked }
    const cells = inspector ? 'to open it' : 'for its value'
    const hint = touches()
      ? `Swipe sideways to turn, pinch to zoom, tap a cell ${cells}.`
      : `Drag to turn, Ctrl + wheel to zoom, ${inspector ? 'click' : 'point at'} a cell ${cells}.`
    this.#readout.show(attention, tokens, cell, { withHead: true, hint })
    this.#bar.point(cell && attention.value(cell.plane, cell.query, cell.key))
  }

  /** Without WebGL: a head grid in the stage's place, which says so. */
  #fallBack() {
    if (this.#fallback || this.disposed) return
    this.#fallback = new Fallback(this.#stage.node, this.#options, this.signal, (head) => {
      this.#options.emphasizedHead = head
      this.invalidate()
    })
    this.#stage.node.remove()
    this.#legend.remove()
  }

  /** @protected @override */
  draw() {
    const { attention, tokens, colormap, height, label, valueLabel } = this.#content
    const empty = !attention || attention.isEmpty
    this.describe(label, attention ? summarize(attention, tokens, valueLabel) : 'No data yet.')
    this.#buttons.node.hidden = this.#stage.node.hidden = this.#legend.hidden = empty
    if (empty) {
      this.#inspection.close()
      // The head grid says it itself.
      if (!this.#fallback) this.say(nothingToShow(attention))
      return
    }
    const emphasized = this.emphasizedHead
    this.#buttons.update(attention.heads, emphasized, { width: this.width, font: this.theme.font })
    if (this.#fallback) return
    this.#keepInside(emphasized)
    const { theme } = this
    const map = colorMap(colormap, { dark: theme.dark })
    const extent = attention.extent()
    const domain = this.#content.domain ?? fitDomain(extent, map.diverging)
    const size = { width: this.width, height: stageHeight(this.width, height) }
    const widest = widestLabels(tokens, theme.font)
    const most = Math.min(110, size.width * 0.2)
    const room = { query: Math.min(most, widest.query), key: Math.min(most, widest.key) }
    this.#stage.node.style.blockSize = `${size.height}px`
    const width = Math.min(this.width, MOST_LEGEND)
    this.#legend.style.inlineSize = `${width}px`
    const over = emphasized < 0 ? { opacity: TRANSLUCENT, background: theme.surface } : undefined
    this.#bar.update({ map, domain, label: valueLabel, ...extent, width, over })
    const note = maskedRowsNote(attention, tokens, Math.max(0, emphasized))
    this.#note.hidden = note === ''
    this.#note.textContent = note
    this.#showLooked()
    this.#inspection.draw(this.#content, true)
    const picture = {
      ...{ attention, tokens, map, domain, theme, emphasized, size, room },
      looked: this.#looked ?? this.#inspected,
      focused: this.#cursor.hasFocus,
    }
    if (!this.#visible && !this.printing) return this.#stage.keep(picture)
    const moving = this.#stage.draw(picture, this.printing)
    this.#reset.hidden = !this.#stage.turned
    this.#cursor.update(label, attention.queries, attention.keys)
    if (moving) this.invalidate()
  }

  /** The open cell is framed while the reader looks at no other. @returns {CubeCell | null} */
  get #inspected() {
    const cell = this.#inspection.cell
    return cell && { head: cell.plane, query: cell.query, key: cell.key }
  }

  /** The cursor and the looked-at cell, after there are fewer heads or tokens. @param {number} emphasized */
  #keepInside(emphasized) {
    const { attention } = this.#content
    if (!attention) return
    if (emphasized >= 0) this.#cursorHead = emphasized
    this.#cursorHead = Math.min(this.#cursorHead, attention.heads - 1)
    const { heads, queries, keys } = attention
    const cell = this.#looked
    if (cell && (cell.head >= heads || cell.query >= queries || cell.key >= keys)) {
      this.#looked = null
    }
  }

  /** @override */
  dispose() {
    if (this.disposed) return
    this.#visibility.disconnect()
    this.#fallback?.dispose()
    this.#stage.dispose()
    super.dispose()
  }
}

/**
 * @param {number} width
 * @param {number | null} wanted
 * @returns {number} CSS pixels
 */
function stageHeight(width, wanted) {
  if (wanted !== null) return Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, wanted))
  return Math.round(Math.max(270, Math.min(540, width * 0.72)))
}
