import { html } from 'lit/html.js'
import { Heatmap } from '../views/heatmap.js'
import { sentence, sentenceExample } from './causal-examples.js'
import { picker, resetButton } from './controls.js'
import { Exhibit } from './exhibit.js'
import { exactZero, fixed } from './format.js'
import { rowOf, total } from './matrix.js'
import { explainCells } from './inspection.js'
import { integer } from './settings.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @import { State } from './settings.js'
 * @typedef {{ scores: Tensor, exp: Tensor, rowSum: Tensor, weights: Tensor }} Pass  (6, 6), and (6)
 */

const count = sentence.length
const domain = /** @type {const} */ ([0, 1])

/**
 * The same queries and keys without a mask and with the causal one, side by side: what the reader looks at in
 * one heatmap is framed in the other. Below, one row on its way through the mask and the softmax.
 */
export class TwoMasks extends Exhibit {
  static settings = {
    query: integer(0, count - 1, 3),
    key: integer(0, count - 1, 1),
  }

  static css = `
      .panels {
        align-items: start;
      }

      .row {
        margin-top: 1.5em;
      }

      .row table {
        width: 100%;
        font-size: clamp(0.78em, 3.3cqi, 0.95em);
      }

      .row th,
      .row td {
        padding: 0.3em 0 0.3em 0.55em;
        border-bottom: 1px solid var(--rule);
        white-space: nowrap;
      }

      .row thead th {
        vertical-align: bottom;
        white-space: normal;
      }

      .row tr > :first-child {
        padding-inline-start: 0.3em;
        text-align: start;
      }

      .row tbody th {
        color: inherit;
      }

      .row tbody tr {
        cursor: pointer;
      }

      .row tbody tr:hover,
      .row tr.chosen {
        background: var(--wash);
      }

      .row tr.chosen {
        font-weight: 600;
      }

      .row .closed {
        color: var(--quiet);
      }

      .row tfoot td,
      .row tfoot th {
        border: 0;
      }

      .row p {
        margin: 0.9em 0 0;
      }

      .row b {
        font-weight: 400;
        white-space: nowrap;
      }

      @container (width >= 46em) {
        .panels {
          grid-template-columns: 1fr 1fr;
        }
      }
    `

  /** @type {{ bidirectional: Heatmap, causal: Heatmap } | null} */
  #heatmaps = null
  /** @type {{ bidirectional: Pass, causal: Pass } | null} */
  #passes = null

  /** Both passes with their stages. */
  get result() {
    return this.#passes
  }

  /** @override @protected @param {Engine} engine */
  build(engine) {
    const example = sentenceExample(engine)
    const { query, key, value } = example
    const attend = (/** @type {boolean} */ isCausal) =>
      engine.scaledDotProductAttention(query, key, value, { isCausal, needStages: true })
    this.#passes = { bidirectional: attend(false), causal: attend(true) }
    const shared = { tokens: sentence, domain, showValues: true, decimals: 3 }
    this.#heatmaps = {
      bidirectional: this.own(
        new Heatmap(this.find('.bidirectional'), {
          ...shared,
          attention: this.#passes.bidirectional.weights,
          explain: explainCells(engine, { ...example, ...this.#passes.bidirectional }),
          label: 'Attention without a mask',
          colormap: 'purples',
        }),
      ),
      causal: this.own(
        new Heatmap(this.find('.causal'), {
          ...shared,
          attention: this.#passes.causal.weights,
          explain: explainCells(engine, { ...example, ...this.#passes.causal }, { isCausal: true }),
          causal: true,
          label: 'Attention with the causal mask',
          colormap: 'blues',
        }),
      ),
    }
  }

  /** @override @protected @param {Engine} _engine @param {State} state */
  draw(_engine, { query, key }) {
    const selected = { query, key }
    this.#heatmaps?.bidirectional.update({ selected })
    this.#heatmaps?.causal.update({ selected })
    const { later } = this.#sums(query)
    return `Without a mask “${sentence[query]}” gives ${later.toFixed(3)} of its weight to later tokens, with it exactly 0.`
  }

  /** How a row of the bidirectional matrix divides. @param {number} query */
  #sums(query) {
    const { bidirectional } = /** @type {{ bidirectional: Pass }} */ (this.#passes)
    const row = rowOf(bidirectional.weights, query)
    return { kept: total(row.subarray(0, query + 1)), later: total(row.subarray(query + 1)) }
  }

  /** @param {'bidirectional' | 'causal'} here @param {CustomEvent} event */
  #onHover(here, { detail }) {
    const there = here === 'causal' ? 'bidirectional' : 'causal'
    const pointed = detail && { query: detail.query, key: detail.key }
    this.#heatmaps?.[there].update({ pointed })
  }

  /** @override @protected @param {State} state */
  template(state) {
    const panel = (
      /** @type {'bidirectional' | 'causal'} */ name,
      /** @type {string} */ title,
      /** @type {string} */ subtitle,
    ) =>
      html`<div>
        <p class="heading">${title} <small>${subtitle}</small></p>
        <div
          class=${name}
          @cellhover=${(/** @type {CustomEvent} */ event) => this.#onHover(name, event)}
          @cellleave=${(/** @type {CustomEvent} */ event) => this.#onHover(name, event)}
          @cellselect=${(/** @type {CustomEvent} */ { detail: { query, key } }) =>
            this.change({ query, key })}
        ></div>
      </div>`
    return html`
      <div class="panels">
        ${panel('bidirectional', 'Bidirectional', 'every token sees all')}
        ${panel('causal', 'Causal', 'no token sees a later one')}
      </div>
      <div class="row">
        <div class="controls">
          ${picker({
            setting: 'query',
            legend: html`query <i>i</i>, whose row this is`,
            items: sentence,
            index: state.query,
            onChange: (query) => this.change({ query }),
          })}
          ${resetButton(() => this.reset(), this.isInitial)}
        </div>
        ${this.#passes ? this.#row(state, this.#passes) : null}
      </div>
    `
  }

  /** @param {State} state @param {{ bidirectional: Pass, causal: Pass }} passes */
  #row({ query, key }, { bidirectional, causal }) {
    const at = (/** @type {Tensor} */ matrix, /** @type {number} */ place) =>
      rowOf(matrix, query)[place]
    const { kept } = this.#sums(query)
    const open = Math.min(key, query)
    return html`
      <table>
        <thead>
          <tr>
            <th scope="col">key <i>j</i></th>
            <th scope="col">
              without: <i>A<sub>ij</sub></i>
            </th>
            <th scope="col">
              <i>S<sub>ij</sub></i>
            </th>
            <th scope="col">
              + <i>M<sub>ij</sub></i>
            </th>
            <th scope="col">exp</th>
            <th scope="col">
              with: <i>A<sub>ij</sub></i>
            </th>
          </tr>
        </thead>
        <tbody>
          ${sentence.map((token, place) => {
            const isOpen = place <= query
            return html`<tr
              class=${place === key ? 'chosen' : ''}
              @click=${() => this.change({ key: place })}
            >
              <th scope="row">${token}</th>
              <td data-weight="bidirectional">${at(bidirectional.weights, place).toFixed(4)}</td>
              <td>${fixed(at(bidirectional.scores, place), 3)}</td>
              <td class=${isOpen ? '' : 'closed'}>
                ${exactZero(at(causal.scores, place) - at(bidirectional.scores, place), 3)}
              </td>
              <td class=${isOpen ? '' : 'closed'}>${exactZero(at(causal.exp, place), 4)}</td>
              <td class=${isOpen ? '' : 'closed'} data-weight="causal">
                ${exactZero(at(causal.weights, place), 4)}
              </td>
            </tr>`
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Σ</th>
            <td>${total(rowOf(bidirectional.weights, query)).toFixed(4)}</td>
            <td></td>
            <td></td>
            <td>${causal.rowSum.data[query].toFixed(4)}</td>
            <td>${total(rowOf(causal.weights, query)).toFixed(4)}</td>
          </tr>
        </tfoot>
      </table>
      <p>
        Without the mask ${kept.toFixed(4)} of the weight lies on tokens up to “${sentence[query]}”.
        The mask divides these weights by that sum, so for “${sentence[open]}”
        <b
          >${at(bidirectional.weights, open).toFixed(4)} ÷ ${kept.toFixed(4)} =
          ${at(causal.weights, open).toFixed(4)}</b
        >.
      </p>
    `
  }
}
