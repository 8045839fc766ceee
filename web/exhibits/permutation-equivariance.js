import { html } from 'lit/html.js'
import { clustersExample, tokens } from './clusters-example.js'
import { headCount, resetButton, segments } from './controls.js'
import { compareOrders, isRounding } from './equivariance.js'
import { Exhibit } from './exhibit.js'
import { fixed, powerOfTen, spokenPower } from './format.js'
import { largestMagnitude } from './matrix.js'
import { numberTable, numberTableStyles } from './number-table.js'
import { choice, permutation } from './settings.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { ClustersExample } from './clusters-example.js'
 * @import { Comparison, Setting } from './equivariance.js'
 * @import { State } from './settings.js'
 */

const names = /** @type {const} */ ({
  plain: 'plain attention',
  positions: 'with sinusoidal positions added',
  causal: 'with a causal mask, no positions',
})
const shortNames = { plain: 'plain', positions: 'positions', causal: 'causal mask' }
const kinds = /** @type {Setting[]} */ (Object.keys(names))

/** The notebook's shuffle: the token at each place. */
const notebookOrder = [8, 11, 4, 7, 5, 0, 1, 9, 2, 10, 6, 3]

/**
 * Shuffle the tokens and see whether the output is shuffled likewise: plain, with positions, with a causal mask.
 */
export class PermutationEquivariance extends Exhibit {
  static settings = {
    order: permutation(notebookOrder),
    numHeads: choice([1, 2, 4, 8], 4),
    compared: choice(kinds, 'plain'),
  }

  static css = `${numberTableStyles}
      .order {
        display: flex;
        flex-wrap: wrap;
        gap: 0.3em;
        margin: 0 0 1.3em;
        padding: 0;
        list-style: none;
      }

      .order li {
        min-width: 2.1em;
        padding: 0.15em 0.3em;
        border: 1px solid var(--rule);
        border-radius: 0.3em;
        text-align: center;
      }

      .order .a {
        background: light-dark(#efe9f7, #352a49);
      }

      .order .b {
        background: light-dark(#fdeedd, #46321c);
      }

      .order .c {
        background: light-dark(#e4f2ee, #1d3c36);
      }

      .norms {
        width: 100%;
        margin: 0 0 1.4em;
      }

      .norms caption {
        padding-bottom: 0.4em;
        text-align: start;
      }

      .norms th,
      .norms td {
        padding: 0.45em 0 0.45em 0.9em;
        border-bottom: 1px solid var(--rule);
        text-align: end;
        vertical-align: baseline;
      }

      .norms [scope='row'],
      .norms thead td {
        padding-inline-start: 0;
        color: inherit;
        text-align: start;
      }

      .norms .verdict {
        text-align: start;
      }

      .norms .holds {
        color: light-dark(#1b6a4b, #7fd4ae);
      }

      .norms .breaks {
        color: light-dark(#9a3412, #ffac85);
      }

      .panels {
        justify-items: center;
        margin-top: 1.1em;
      }

      .panels .numbers {
        max-width: 30em;
      }

      @container (width < 34em) {
        .norms .verdict {
          display: none;
        }
      }

      @container (width >= 46em) {
        .panels {
          grid-template-columns: 1fr 1fr 1fr;
        }
      }
    `

  /** @type {ClustersExample | null} */
  #example = null
  /** @type {Record<Setting, Comparison> | null} */
  #comparisons = null

  /** What the figure shows, by setting. */
  get result() {
    return this.#comparisons
  }

  /** @override @protected @param {Engine} engine */
  build(engine) {
    this.#example = clustersExample(engine)
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, { order, numHeads }) {
    const example = /** @type {ClustersExample} */ (this.#example)
    const compare = (/** @type {Setting} */ kind) =>
      compareOrders(engine, example, order, numHeads, kind)
    this.#comparisons = {
      plain: compare('plain'),
      positions: compare('positions'),
      causal: compare('causal'),
    }
    const { plain, positions, causal } = this.#comparisons
    return `Deviation: plain ${spokenPower(plain.norm)}, with positions ${positions.norm.toFixed(2)}, with a causal mask ${causal.norm.toFixed(2)}.`
  }

  #shuffle() {
    const order = tokens.map((_, index) => index)
    for (let last = order.length - 1; last > 0; last--) {
      const other = Math.floor(Math.random() * (last + 1))
      ;[order[last], order[other]] = [order[other], order[last]]
    }
    this.change({ order })
  }

  /** Back in order, save for two tokens next to one another. */
  #swapTwo() {
    const order = tokens.map((_, index) => index)
    const first = Math.floor(Math.random() * (order.length - 1))
    ;[order[first], order[first + 1]] = [order[first + 1], order[first]]
    this.change({ order })
  }

  /** @override @protected @param {State} state */
  template(state) {
    const { order, numHeads, compared } = state
    const shuffled = /** @type {number[]} */ (order).map((token) => tokens[token])
    const comparisons = this.#comparisons
    return html`
      <div class="controls">
        <button type="button" data-setting="order" @click=${() => this.#shuffle()}>Shuffle</button>
        <button type="button" data-setting="order" @click=${() => this.#swapTwo()}>
          Swap two neighbours
        </button>
        <button
          type="button"
          data-setting="order"
          @click=${() => this.change({ order: tokens.map((_, index) => index) })}
        >
          In order
        </button>
        ${headCount(numHeads, (count) => this.change({ numHeads: count }))}
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      <ol class="order" aria-label="Rows of PX, in order">
        ${shuffled.map((token) => html`<li class=${token[0]}>${token}</li>`)}
      </ol>
      ${comparisons ? this.#figures(comparisons, compared, shuffled) : null}
    `
  }

  /**
   * @param {Record<Setting, Comparison>} comparisons
   * @param {Setting} compared
   * @param {string[]} shuffled tokens in the order of PX
   */
  #figures(comparisons, compared, shuffled) {
    const { left, right, difference } = comparisons[compared]
    const shared = { rows: shuffled, column: '', reach: largestMagnitude(left, right) }
    return html`
      <table class="norms">
        <caption>
          <span class="sign">‖</span
          >MultiHead(<i>PX</i>) −
          <i>P</i>
          MultiHead(<i>X</i>)<span class="sign">‖</span>
        </caption>
        <thead>
          <tr>
            <td></td>
            <th scope="col">float32 kernels</th>
            <th scope="col">float64 reference</th>
            <th scope="col" class="verdict">equal?</th>
          </tr>
        </thead>
        <tbody>
          ${kinds.map((kind) => {
            const holds = isRounding(comparisons[kind])
            return html`<tr>
              <th scope="row">${names[kind]}</th>
              <td data-norm=${comparisons[kind].norm}>${readable(comparisons[kind].norm)}</td>
              <td data-norm=${comparisons[kind].referenceNorm}>
                ${readable(comparisons[kind].referenceNorm)}
              </td>
              <td class="verdict ${holds ? 'holds' : 'breaks'}">
                ${holds ? '✓ up to rounding' : '✗ no'}
              </td>
            </tr>`
          })}
        </tbody>
      </table>
      ${segments({
        setting: 'compared',
        legend: 'look at both sides',
        name: 'compared',
        values: kinds,
        value: compared,
        label: (kind) => shortNames[kind],
        onChange: (kind) => this.change({ compared: kind }),
      })}
      <div class="panels">
        ${numberTable({ ...shared, caption: html`MultiHead(<i>PX</i>)`, matrix: left })}
        ${numberTable({ ...shared, caption: html`<i>P</i> MultiHead(<i>X</i>)`, matrix: right })}
        ${numberTable({ ...shared, caption: 'Their difference', matrix: difference })}
      </div>
    `
  }
}

/** @param {number} norm @returns {unknown} two decimals, or a power of ten where those would show nothing */
function readable(norm) {
  return norm >= 0.005 ? fixed(norm, 2) : powerOfTen(norm)
}
