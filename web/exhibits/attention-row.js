import { html } from 'lit/html.js'
import { Heatmap } from '../views/heatmap.js'
import { clustersExample, features, tokens } from './clusters-example.js'
import { picker, resetButton } from './controls.js'
import { Exhibit } from './exhibit.js'
import { fixed } from './format.js'
import { explainCells } from './inspection.js'
import { integer } from './settings.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @import { State } from './settings.js'
 * @typedef {{ logits: Tensor, scores: Tensor, exp: Tensor, rowSum: Tensor, weights: Tensor, heads: Tensor }} Stages
 */

const count = tokens.length

/**
 * One row of single-head attention, step by step: the query against all keys, scaled, through the softmax,
 * and the average of values that comes out.
 */
export class AttentionRow extends Exhibit {
  static settings = {
    query: integer(0, count - 1, 4),
    key: integer(0, count - 1, 8),
  }

  static css = `
      .steps {
        width: 100%;
        font-size: clamp(0.75em, 3.4cqi, 0.9em);
      }

      .steps th,
      .steps td {
        padding: 0.26em 0 0.26em 0.7em;
        border-bottom: 1px solid var(--rule);
      }

      .steps tr > :first-child {
        padding-inline-start: 0.3em;
      }

      .steps tr > th:first-child {
        text-align: start;
      }

      .steps tbody th {
        color: inherit;
      }

      .steps tbody tr {
        cursor: pointer;
      }

      .steps tbody tr:hover {
        background: var(--wash);
      }

      .steps tr.chosen {
        background: var(--wash);
        font-weight: 600;
      }

      .steps .bar {
        position: relative;
        width: 28%;
        padding-inline-end: 0.3em;
      }

      .bar span {
        display: block;
        height: 0.7em;
        background: var(--accent);
        print-color-adjust: exact;
      }

      .bar::after {
        content: '';
        position: absolute;
        inset-block: 0;
        inset-inline-start: calc(0.7em + var(--uniform) * (100% - 1em));
        border-inline-start: 1px dashed var(--ink);
      }

      .steps tfoot td,
      .steps tfoot th {
        border: 0;
        color: var(--quiet);
      }

      @media (forced-colors: active) {
        .bar span {
          background: CanvasText;
          forced-color-adjust: none;
        }
      }

      .output {
        margin: 1em 0 0;
      }

      .output b {
        font-weight: 400;
        white-space: nowrap;
      }

      @container (width >= 46em) {
        .panels {
          grid-template-columns: minmax(0, 1fr) minmax(0, 1.15fr);
          align-items: start;
        }
      }
    `

  /** @type {Heatmap | null} */
  #heatmap = null
  /** @type {Stages | null} */
  #stages = null

  /** @override @protected @param {Engine} engine */
  build(engine) {
    const { x, wq, wk, wv } = clustersExample(engine)
    const stages = engine.multiHeadAttention(x, { wq, wk, wv }, { numHeads: 1, needStages: true })
    this.#stages = stages
    this.#heatmap = this.own(
      new Heatmap(this.find('.heatmap'), {
        attention: stages.weights,
        explain: explainCells(engine, stages),
        tokens,
        label: 'Attention matrix of the single head',
      }),
    )
  }

  /** @override @protected @param {Engine} _engine @param {State} state */
  draw(_engine, { query, key }) {
    this.#heatmap?.update({ selected: { query, key } })
    const weight = this.#at('weights', query, key)
    return `${tokens[query]} gives ${tokens[key]} the weight ${weight.toFixed(4)}.`
  }

  /** @param {'logits' | 'scores' | 'exp' | 'weights'} stage @param {number} query @param {number} key */
  #at(stage, query, key) {
    return /** @type {Stages} */ (this.#stages)[stage].data[query * count + key]
  }

  /** @override @protected @param {State} state */
  template(state) {
    return html`
      <div class="controls">
        ${picker({
          setting: 'query',
          legend: html`token <i>r</i>, whose row this is`,
          items: tokens,
          index: state.query,
          onChange: (query) => this.change({ query }),
        })}
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      <div class="panels">
        <div
          class="heatmap"
          @cellselect=${(/** @type {CustomEvent} */ { detail: { query, key } }) =>
            this.change({ query, key })}
        ></div>
        <div>${this.#stages ? this.#steps(state, this.#stages) : null}</div>
      </div>
    `
  }

  /** @param {State} state @param {Stages} stages */
  #steps({ query, key }, { rowSum, heads, weights }) {
    const most = Math.max(...weights.data)
    const row = heads.data.subarray(query * features, (query + 1) * features)
    return html`
      <table class="steps" .style=${`--uniform: ${1 / count / most}`}>
        <thead>
          <tr>
            <th scope="col"><i>j</i></th>
            <th scope="col">
              <i>q<sub>r</sub></i> · <i>k<sub>j</sub></i>
            </th>
            <th scope="col">÷ √${features}</th>
            <th scope="col">exp</th>
            <th scope="col">weight</th>
            <td></td>
          </tr>
        </thead>
        <tbody>
          ${tokens.map((token, place) => {
            const weight = this.#at('weights', query, place)
            return html`<tr
              class=${place === key ? 'chosen' : ''}
              @click=${() => this.change({ key: place })}
            >
              <th scope="row">${token}</th>
              <td>${fixed(this.#at('logits', query, place), 3)}</td>
              <td>${fixed(this.#at('scores', query, place), 3)}</td>
              <td>${this.#at('exp', query, place).toFixed(3)}</td>
              <td data-weight=${weight}>${weight.toFixed(4)}</td>
              <td class="bar"><span .style=${`width: ${(100 * weight) / most}%`}></span></td>
            </tr>`
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Σ</th>
            <td></td>
            <td></td>
            <td>${rowSum.data[query].toFixed(3)}</td>
            <td>${sum(weights.data.subarray(query * count, (query + 1) * count)).toFixed(4)}</td>
            <td></td>
          </tr>
        </tfoot>
      </table>
      <p class="output">
        Averaged with these weights, the values give
        <i>y</i><sub>${tokens[query]}</sub> =
        (${Array.from(row, (value, place) => [place > 0 ? ', ' : '', html`<b>${fixed(value, 3)}</b>`])}).
      </p>
    `
  }
}

/** @param {Float32Array | Float64Array} values @returns {number} in double precision */
function sum(values) {
  return Array.from(values).reduce((a, b) => a + b, 0)
}
