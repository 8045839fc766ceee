import { h } from '../dom.js'
import { formatExact } from '../numbers.js'
import { agrees } from './agreement.js'
import { allowed, formatDifference } from './wording.js'

/**
 * @import { ExplainedFigure, ExplainedPart, ExplainedProduct } from './explanation.js'
 */

/** So many components of a vector are seen at once; of longer ones the largest products. */
const MOST_COMPONENTS = 8

/** One part of an explanation: a product by its components, and figures, in the same columns. */
export class PartTable {
  #caption = h('caption')
  #components = h('div', { class: 'components', hidden: '' })
  #more = h('button', { type: 'button', class: 'more', hidden: '' })
  #figures = h('table', { role: 'table' })
  #note = h('p', { class: 'quiet', hidden: '' })
  #isWhole = false
  /** @type {ExplainedProduct | undefined} */
  #product

  /** @param {AbortSignal} signal */
  constructor(signal) {
    const children = [this.#components, this.#more, this.#figures, this.#note]
    this.node = h('div', { class: 'part' }, children)
    this.#more.addEventListener(
      'click',
      () => {
        this.#isWhole = !this.#isWhole
        this.#showProduct()
      },
      { signal },
    )
  }

  /**
   * @param {ExplainedPart} part
   * @param {{ shows: string | undefined, isCompared: boolean }} how which figure the map draws, and whether
   *   there is a reference beside it
   */
  update({ title, product, figures, note }, { shows, isCompared }) {
    this.#product = product
    this.node.classList.toggle('plain', !isCompared)
    this.#figures.classList.toggle('compared', isCompared)
    this.#caption.textContent = title
    this.#components.hidden = !product
    this.#showProduct()
    const rows = figures.map((figure) => figureRow(figure, figure.id === shows, isCompared))
    const what = h('span', { class: 'spoken', text: 'number' })
    const head = isCompared ? [headRow([what], product !== undefined)] : []
    const caption = product ? [] : [this.#caption]
    this.#figures.replaceChildren(...caption, ...head, body(rows))
    this.#note.hidden = !note
    this.#note.textContent = note ?? ''
  }

  #showProduct() {
    const product = this.#product
    const count = product?.computed.length ?? 0
    this.#more.hidden = count <= MOST_COMPONENTS
    if (!product) return
    const all = this.#isWhole && count > MOST_COMPONENTS
    this.#more.textContent = all ? `Only the ${MOST_COMPONENTS} largest` : `All ${count} components`
    this.#more.setAttribute('aria-expanded', String(all))
    this.#components.classList.toggle('all', all)
    // What scrolls has to be within reach of the keyboard.
    for (const [name, value] of [
      ['tabindex', '0'],
      ['role', 'group'],
      ['aria-label', product.caption],
    ]) {
      if (all) this.#components.setAttribute(name, value)
      else this.#components.removeAttribute(name)
    }
    const order = largestFirst(product.computed, count > MOST_COMPONENTS)
    const shown = all ? order : order.slice(0, MOST_COMPONENTS)
    const rest = order.slice(shown.length)
    const sizes = shown.map((at) => Math.abs(product.computed[at])).filter(Number.isFinite)
    const largest = Math.max(...sizes, 0) || 1
    const names = product.factors.map(({ name }) => h('i', { text: name }))
    const head = [h('span', { class: 'place' }), ...separated(names, ' · ')]
    const table = h('table', { class: 'compared', role: 'table' }, [
      this.#caption,
      headRow(head),
      body([
        ...shown.map((at) => componentRow(product, at, largest)),
        rest.length > 0 ? restRow(product, rest) : null,
      ]),
    ])
    const { scrollTop } = this.#components
    this.#components.replaceChildren(table)
    this.#components.scrollTop = scrollTop
  }
}

/** @param {ArrayLike<number>} values @param {boolean} sorted @returns {number[]} indices */
function largestFirst(values, sorted) {
  const order = Array.from(values, (_, index) => index)
  // NaN before all: it is what a reader looks for.
  const size = (/** @type {number} */ at) =>
    Number.isNaN(values[at]) ? Infinity : Math.abs(values[at])
  return sorted ? order.sort((a, b) => size(b) - size(a) || a - b) : order
}

/**
 * @param {readonly Node[]} nodes
 * @param {string} separator
 */
function separated(nodes, separator) {
  return nodes.flatMap((node, index) => (index > 0 ? [new Text(separator), node] : [node]))
}

// Where there is no room for four columns rows are laid out anew, which takes away what HTML says of them:
// hence the roles.

/** @param {readonly (Node | null)[]} rows */
function body(rows) {
  return h('tbody', { role: 'rowgroup' }, rows)
}

/** @param {readonly Node[]} first @param {boolean} [spoken] for the ear only: it stands above already */
function headRow(first, spoken = false) {
  const names = ['float32 kernel', 'float64 reference', 'difference']
  const heading = { role: 'columnheader', scope: 'col' }
  const cells = [h('th', heading, first), ...names.map((text) => h('th', { ...heading, text }))]
  return h('thead', { class: spoken ? 'unseen' : '', role: 'rowgroup' }, [
    h('tr', { role: 'row' }, cells),
  ])
}

/**
 * @param {readonly Node[]} name
 * @param {readonly Node[]} cells
 * @param {Record<string, string>} [attributes]
 */
function bodyRow(name, cells, attributes = {}) {
  const header = h('th', { role: 'rowheader', scope: 'row' }, name)
  return h('tr', { role: 'row', ...attributes }, [header, ...cells])
}

/** @param {ExplainedProduct} product @param {number} at @param {number} largest */
function componentRow({ factors, computed, reference, tolerance }, at, largest) {
  const terms = factors.map(({ values }) =>
    h('span', { class: 'factor', 'data-value': String(values[at]) }, [
      h('span', { class: 'exact', text: formatExact(values[at]) }),
      h('span', { class: 'rounded', 'aria-hidden': 'true', text: shorter(values[at]) }),
    ]),
  )
  const cells = compared(computed[at], reference[at], tolerance[at])
  const share = Math.abs(computed[at]) / largest
  if (share > 0 && share < Infinity) {
    const bar = h('span', { class: computed[at] < 0 ? 'size negative' : 'size' })
    bar.style.inlineSize = `${Math.min(100, 100 * share)}%`
    cells.nodes[0].append(bar)
  }
  const name = [h('span', { class: 'place', text: `${at + 1}` }), ...separated(terms, ' · ')]
  return bodyRow(name, cells.nodes, { class: cells.wrong ? 'wrong' : '' })
}

/** Five digits, for where there is no room for all of them. @param {number} value */
function shorter(value) {
  if (!Number.isFinite(value)) return formatExact(value)
  return String(Number(value.toPrecision(5))).replace(/-/g, '−')
}

/** @param {ExplainedProduct} product @param {readonly number[]} rest */
function restRow({ computed, reference }, rest) {
  const sum = (/** @type {ArrayLike<number>} */ values) =>
    rest.reduce((total, at) => total + values[at], 0)
  const cells = compared(Math.fround(sum(computed)), sum(reference), undefined)
  return bodyRow([new Text(`the other ${rest.length} together`)], cells.nodes)
}

/** @param {ExplainedFigure} figure @param {boolean} isShown @param {boolean} isCompared */
function figureRow({ id, name, formula, computed, reference, tolerance }, isShown, isCompared) {
  const label = withItalics(name)
  if (formula) label.push(new Text(' '), h('span', { class: 'formula' }, withItalics(formula)))
  const cells = compared(computed, reference, tolerance)
  const row = bodyRow(label, isCompared ? cells.nodes : cells.nodes.slice(0, 1))
  row.dataset.figure = id
  row.classList.toggle('drawn', isShown)
  row.classList.toggle('wrong', cells.wrong)
  return row
}

/**
 * @param {number | null} computed
 * @param {number | null | undefined} reference
 * @param {number | undefined} tolerance
 * @returns {{ nodes: HTMLElement[], wrong: boolean }} the three cells of a row
 */
function compared(computed, reference, tolerance) {
  const wrong = agrees(computed, reference, tolerance) === false
  const difference = h('td', {
    role: 'cell',
    class: 'difference',
    text: differenceText(computed, reference),
    title: tolerance === undefined ? undefined : allowed(tolerance),
  })
  if (wrong) {
    difference.prepend('✗ ')
    difference.append(h('span', { class: 'spoken', text: ': too far apart' }))
  }
  return { nodes: [numberCell(computed), numberCell(reference), difference], wrong }
}

/** @param {number | null | undefined} value */
function numberCell(value) {
  if (value === null || value === undefined) return h('td', { role: 'cell', text: '—' })
  return h('td', { role: 'cell', text: formatExact(value), 'data-value': String(value) })
}

/** @param {number | null | undefined} computed @param {number | null | undefined} reference */
function differenceText(computed, reference) {
  if (typeof computed !== 'number' || typeof reference !== 'number') return '—'
  if (computed === reference) return '0'
  const difference = computed - reference
  if (Number.isNaN(computed) && Number.isNaN(reference)) return 'same'
  return `${difference > 0 ? '+' : ''}${formatDifference(difference)}`
}

/** Variables, which have one letter, in italics. @param {string} text @returns {Node[]} */
function withItalics(text) {
  return text
    .split(/(?<![\p{L}’])(\p{Ll})(?![\p{L}’])/u)
    .map((piece, place) => (place % 2 === 1 ? h('i', { text: piece }) : new Text(piece)))
}
