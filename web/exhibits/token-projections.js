import { html } from 'lit/html.js'
import { resetButton, segments, stepper } from './controls.js'
import { Exhibit } from './exhibit.js'
import { fixed } from './format.js'
import { columnBlock, largestMagnitude } from './matrix.js'
import { numberTable, numberTableStyles } from './number-table.js'
import { Player } from './player.js'
import { integer } from './settings.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @import { State } from './settings.js'
 * @typedef {'query' | 'key' | 'value'} Projection
 * @typedef {{ projection: Projection, row: number, column: number }} Place  an entry of Q, K or V
 * @typedef {object} Projections
 * @property {Tensor} x (4, 4)
 * @property {Record<Projection, Tensor>} weights (4, 3), (4, 3) and (4, 2)
 * @property {Record<Projection, Tensor>} products what they give: (4, 3), (4, 3) and (4, 2)
 */

/** The end of the sentence that the next figures use. */
const tokens = ['it', 'was', 'too', 'tired']
/** d_model */
const features = 4
/** d_k, d_k and d_v: values may be as wide as they like. @type {Record<Projection, number>} */
const widths = { query: 3, key: 3, value: 2 }
/** @type {Record<Projection, string>} */
const letters = { query: 'Q', key: 'K', value: 'V' }
const projections = /** @type {Projection[]} */ (Object.keys(widths))

/** Entries of Q, K and V in the order in which they are worked out. @type {Place[]} */
const places = projections.flatMap((projection) =>
  tokens.flatMap((_, row) =>
    Array.from({ length: widths[projection] }, (_, column) => ({ projection, row, column })),
  ),
)

/** How long an entry stays in sight while they are played, ms. */
const pace = 500

/**
 * X times three matrices, laid out so that the row of X and the column of W meet at the entry of Q, K or V
 * that they make.
 */
export class TokenProjections extends Exhibit {
  static settings = {
    entry: integer(0, places.length - 1, 0),
    seed: integer(0, 999, 50),
  }

  static css = `${numberTableStyles}
      .cross {
        --cell: clamp(2.05em, 8.8cqi, 2.75em);
        display: grid;
        grid-template-columns: auto repeat(3, auto);
        justify-content: center;
        align-items: end;
        gap: 1em 0.9em;
      }

      .cross > .corner {
        align-self: center;
        max-width: 14em;
        color: var(--quiet);
      }

      .numbers {
        width: auto;
        font-size: clamp(10.5px, 2.9cqi, 13px);
      }

      .numbers th[scope='row'],
      .numbers thead td {
        width: 3.2em;
      }

      .numbers thead th,
      .numbers tbody td {
        width: var(--cell);
      }

      .numbers caption {
        white-space: nowrap;
      }

      .sum {
        min-height: 3em;
        margin: 1.2em 0 0;
        text-align: center;
      }

      .sum b {
        white-space: nowrap;
        font-weight: 400;
      }

      .sum strong {
        padding: 0.1em 0.35em;
        border: 2px solid var(--accent);
      }

      @container (width < 40em) {
        .cross {
          grid-template-columns: auto auto;
        }

        .cross > .other {
          display: none;
        }

        .cross > .corner {
          max-width: 9em;
          font-size: 0.9em;
        }
      }
    `

  /** @type {Projections | null} */
  #result = null
  #seed = -1
  /** @type {Player | null} */
  #player = null

  /** What the figure shows. */
  get result() {
    return this.#result
  }

  /** @override @protected */
  build() {
    const last = places.length - 1
    this.#player = new Player({
      signal: this.signal,
      setting: 'entry',
      what: 'entries',
      interval: pace,
      // From the first entry, unless it was stopped on its way.
      start: () => {
        const { entry } = this.state
        if (entry === last) this.change({ entry: 0 })
        else this.refresh()
      },
      advance: () => {
        this.change({ entry: this.state.entry + 1 })
        return this.state.entry < last
      },
      onStop: () => this.refresh(),
    })
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, { entry, seed }) {
    if (seed !== this.#seed) this.#result = project(engine, seed)
    this.#seed = seed
    if (this.#player?.isPlaying) return 'Working out one entry after the other.'
    const { projection, row, column } = places[entry]
    const { data } = /** @type {Projections} */ (this.#result).products[projection]
    const value = data[row * widths[projection] + column]
    return `${letters[projection]}, row ${tokens[row]}, column ${column + 1}: ${fixed(value, 2)}.`
  }

  /** Goes to an entry because the reader asked for it. @param {number} entry */
  #go(entry) {
    this.#player?.stop()
    this.change({ entry })
  }

  /** @override */
  reset() {
    this.#player?.stop()
    super.reset()
  }

  /** @override @protected @param {State} state */
  template(state) {
    const { entry, seed } = state
    const { projection, row } = places[entry]
    return html`
      <div class="controls">
        ${segments({
          setting: 'entry',
          legend: 'product',
          name: 'projection',
          values: projections,
          value: projection,
          label: (name) => html`<i>X W<sub>${letters[name]}</sub></i>`,
          onChange: (name) => this.#go(places.findIndex((place) => place.projection === name)),
        })}
        ${stepper({
          setting: 'entry',
          what: 'entry',
          index: entry,
          count: places.length,
          name: html`<i>${letters[projection]}</i>, ${tokens[row]}`,
          onChange: (index) => this.#go(index),
        })}
        ${this.#player?.button}
        <button
          type="button"
          data-setting="seed"
          @click=${() => this.change({ seed: (seed + 1) % 1000 })}
        >
          Other weights
        </button>
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      ${this.#result ? this.#cross(state, this.#result) : null}
    `
  }

  /** @param {State} state @param {Projections} result */
  #cross({ entry }, { x, weights, products }) {
    const at = places[entry]
    const isPlaying = this.#player?.isPlaying ?? false
    const reach = largestMagnitude(x, ...Object.values(weights), ...Object.values(products))
    const inputs = Array.from({ length: features }, (_, index) => `${index + 1}`)
    const shared = { reach, column: '' }
    const classOf = (/** @type {Projection} */ name) => (name === at.projection ? '' : 'other')
    const placeOf = (
      /** @type {Projection} */ name,
      /** @type {number} */ row,
      /** @type {number} */ column,
    ) =>
      places.findIndex(
        (place) => place.projection === name && place.row === row && place.column === column,
      )
    return html`
      <div class="cross">
        <p class="corner">
          A row of <i>X</i> and a column of <i>W</i> meet in the entry that they make.
        </p>
        ${projections.map(
          (name) =>
            html`<div class=${classOf(name)}>
              ${numberTable({
                ...shared,
                caption: html`<i>W<sub>${letters[name]}</sub></i> ${size(features, widths[name])}`,
                matrix: weights[name],
                rows: inputs,
                isMarked: (_, column) => name === at.projection && column === at.column,
              })}
            </div>`,
        )}
        ${numberTable({
          ...shared,
          caption: html`<i>X</i> ${size(tokens.length, features)}`,
          matrix: x,
          rows: tokens,
          isMarked: (row) => row === at.row,
        })}
        ${projections.map(
          (name) =>
            html`<div class=${classOf(name)}>
              ${numberTable({
                ...shared,
                caption: html`<i>${letters[name]}</i> =
                  <i>X W<sub>${letters[name]}</sub></i> ${size(tokens.length, widths[name])}`,
                matrix: products[name],
                rows: tokens,
                isMarked: (row, column) =>
                  name === at.projection && row === at.row && column === at.column,
                isShown: (row, column) => !isPlaying || placeOf(name, row, column) <= entry,
                onSelect: (row, column) => this.#go(placeOf(name, row, column)),
              })}
            </div>`,
        )}
      </div>
      ${this.#sum(at, x, weights[at.projection], products[at.projection])}
    `
  }

  /** @param {Place} place @param {Tensor} x @param {Tensor} weights @param {Tensor} product */
  #sum({ projection, row, column }, x, weights, product) {
    const width = widths[projection]
    const terms = Array.from({ length: features }, (_, index) => {
      const left = x.data[row * features + index]
      const right = weights.data[index * width + column]
      return html`${index > 0 ? ' + ' : ''}<b>${factor(left)} · ${factor(right)}</b>`
    })
    return html`<p class="sum">
      <i>${letters[projection]}</i><sub>${tokens[row]}, ${column + 1}</sub> = ${terms} =
      <strong data-entry>${fixed(product.data[row * width + column], 2)}</strong>
    </p>`
  }
}

/**
 * @param {Engine} engine
 * @param {number} seed of the weights; the tokens stay
 * @returns {Projections}
 */
function project(engine, seed) {
  const x = drawn(engine, 0, 1, [tokens.length, features])
  const all = drawn(engine, seed, 0.5, [features, widths.query + widths.key + widths.value])
  const weights = {
    query: columnBlock(all, 0, widths.query),
    key: columnBlock(all, widths.query, widths.key),
    value: columnBlock(all, widths.query + widths.key, widths.value),
  }
  const products = {
    query: engine.matmul(x, weights.query),
    key: engine.matmul(x, weights.key),
    value: engine.matmul(x, weights.value),
  }
  return { x, weights, products }
}

/**
 * Normal numbers, rounded to one decimal so that a product can be checked by hand.
 * @param {Engine} engine
 * @param {number} seed
 * @param {number} std
 * @param {[rows: number, columns: number]} shape
 * @returns {Tensor}
 */
function drawn(engine, seed, std, shape) {
  const numbers = engine.random.numpyLegacy(seed).normal(0, std, shape)
  return { data: numbers.data.map((value) => Math.round(10 * value) / 10), shape }
}

/** @param {number} rows @param {number} columns */
function size(rows, columns) {
  return html`<small>${rows} × ${columns}</small>`
}

/** @param {number} value a factor, as it is written in a product */
function factor(value) {
  return value < 0 ? `(${fixed(value, 1)})` : fixed(value, 1)
}
