import { html } from 'lit/html.js'
import { clustersExample, features, tokens } from './clusters-example.js'
import { headCount, resetButton, segments } from './controls.js'
import { Exhibit } from './exhibit.js'
import { largestMagnitude } from './matrix.js'
import { numberTable, numberTableStyles } from './number-table.js'
import { choice, integer } from './settings.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @import { State } from './settings.js'
 */

const projections = /** @type {const} */ (['query', 'key', 'value'])
/** @type {Record<string, string>} */
const letters = { query: 'Q', key: 'K', value: 'V' }

/**
 * X·W for one of the three projections, with the column block of one head framed: heads are a way of reading
 * the columns.
 */
export class ColumnBlocks extends Exhibit {
  static settings = {
    projection: choice(projections, 'query'),
    numHeads: choice([1, 2, 4, 8], 4),
    head: integer(0, 7, 1),
  }

  static css = `${numberTableStyles}
      .panels {
        align-items: center;
        justify-items: center;
      }

      .operator {
        display: none;
        color: var(--quiet);
        font-size: 1.5em;
      }

      .numbers {
        max-width: 30em;
      }

      @container (width >= 46em) {
        .panels {
          grid-template-columns: 1fr auto 1fr auto 1fr;
          gap: 1.4em 0.8em;
        }

        .operator {
          display: block;
        }
      }
    `

  /** @type {{ x: Tensor, weights: Record<string, Tensor>, products: Record<string, Tensor> } | null} */
  #matrices = null

  /** @override @protected @param {State} state */
  settle(state) {
    return state.head < state.numHeads ? state : { ...state, head: 0 }
  }

  /** @override @protected @param {Engine} engine */
  build(engine) {
    const { x, wq, wk, wv } = clustersExample(engine)
    const weights = { query: wq, key: wk, value: wv }
    const products = Object.fromEntries(
      projections.map((name) => [name, engine.matmul(x, weights[name])]),
    )
    this.#matrices = { x, weights, products }
  }

  /** @override @protected @param {Engine} _engine @param {State} state */
  draw(_engine, { projection, numHeads, head }) {
    const width = features / numHeads
    const first = head * width + 1
    const last = first + width - 1
    const columns = width === 1 ? `column ${first}` : `columns ${first} to ${last}`
    return `Head ${head + 1} of ${numHeads} owns ${columns} of ${letters[projection]}.`
  }

  /** @override @protected @param {State} state */
  template(state) {
    const { projection, numHeads, head } = state
    const letter = letters[projection]
    return html`
      <div class="controls">
        ${segments({
          setting: 'projection',
          legend: 'matrix',
          name: 'projection',
          values: projections,
          value: projection,
          label: (name) => html`<i>${letters[name]}</i>`,
          onChange: (name) => this.change({ projection: name }),
        })}
        ${headCount(numHeads, (count) => this.change({ numHeads: count }))}
        ${segments({
          setting: 'head',
          legend: html`head <i>i</i>`,
          name: 'head',
          values: Array.from({ length: numHeads }, (_, index) => index),
          value: head,
          label: (index) => index + 1,
          onChange: (index) => this.change({ head: index }),
        })}
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      <div class="panels">
        ${this.#matrices ? this.#tables(this.#matrices, state, letter) : null}
      </div>
    `
  }

  /**
   * @param {{ x: Tensor, weights: Record<string, Tensor>, products: Record<string, Tensor> }} matrices
   * @param {State} state
   * @param {string} letter
   */
  #tables({ x, weights, products }, { projection, numHeads, head }, letter) {
    const reach = largestMagnitude(x, ...Object.values(weights), ...Object.values(products))
    const inputs = Array.from({ length: features }, (_, index) => `${index + 1}`)
    const framed = { blocks: numHeads, framed: head, reach, column: '' }
    return [
      numberTable({
        caption: html`<i>X</i>, tokens by features`,
        matrix: x,
        rows: tokens,
        column: '',
        reach,
      }),
      html`<span class="operator">·</span>`,
      numberTable({
        caption: html`<i>W<sub>${letter}</sub></i
          >, framed: <i>W<sub>${letter}</sub></i
          ><sup>(${head + 1})</sup>`,
        matrix: weights[projection],
        rows: inputs,
        ...framed,
      }),
      html`<span class="operator">=</span>`,
      numberTable({
        caption: html`<i>${letter}</i> = <i>X W<sub>${letter}</sub></i
          >, framed: <i>${letter}</i><sub>${head + 1}</sub>`,
        matrix: products[projection],
        rows: tokens,
        ...framed,
      }),
    ]
  }
}
