import { html } from 'lit/html.js'
import { Chart } from '../views/charts/chart.js'
import { resetButton, segments, slider } from './controls.js'
import { Exhibit } from './exhibit.js'
import { measuredTableStyles } from './measured-table.js'
import { choice, integer } from './settings.js'
import { layerSizes } from './subspace-examples.js'

/**
 * @import { AttentionCost as Cost } from '../engine/cost.js'
 * @import { Engine } from '../engine/engine.js'
 * @import { State } from './settings.js'
 * @typedef {object} CostOfHeads
 * @property {number} numHeads
 * @property {number} projections operations of X·W_Q, X·W_K, X·W_V and of W_O
 * @property {number} scores Q·Kᵀ
 * @property {number} values weights·V
 * @property {number} scale and mask, where one is added
 * @property {number} softmax
 * @property {Cost['operations']} operations
 * @property {number} weightBytes
 */

const headCounts = /** @type {const} */ ([1, 2, 4, 8, 16, 32])
const widths = /** @type {const} */ ([32, 64, 128, 256, 512, 1024])
const masks = /** @type {const} */ (['none', 'causal', 'added'])

/**
 * What several heads cost, against one: exact counts over h, products apart from what is done to each score.
 */
export class AttentionCost extends Exhibit {
  static settings = {
    tokens: integer(1, 1024, layerSizes.tokens),
    features: choice(widths, layerSizes.features),
    batch: integer(1, 8, layerSizes.batch),
    numHeads: choice(headCounts, layerSizes.heads),
    mask: choice(masks, 'none'),
  }

  static css = `${measuredTableStyles}
      .charts {
        display: grid;
        gap: 1.4em;
        margin-bottom: 1.2em;
      }

      .charts > * {
        min-width: 0;
      }

      tr[data-heads] {
        cursor: pointer;
      }

      .scroll {
        overflow-x: auto;
      }

      td {
        white-space: nowrap;
      }

      .formula {
        margin: 1.1em 0 0;
      }

      @container (width >= 46em) {
        .charts {
          grid-template-columns: 1fr 1fr;
        }
      }
    `

  /** @type {Chart | null} */
  #operations = null
  /** @type {Chart | null} */
  #memory = null
  /** @type {CostOfHeads[] | null} */
  #result = null

  /** What the figure shows, for each number of heads that divides d_model. */
  get result() {
    return this.#result
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, { numHeads, ...sizes }) {
    const counts = headCounts.map((heads) => countHeads(engine, sizes, heads))
    this.#result = counts
    const x = counts.map((each) => each.numHeads)
    const [first] = counts
    const last = counts[counts.length - 1]
    const shared = {
      rules: [{ axis: /** @type {'x'} */ ('x'), value: numHeads, name: `h = ${numHeads}` }],
      x: {
        label: 'heads h',
        log: true,
        domain: /** @type {[number, number]} */ ([1, 32]),
        ticks: headCounts,
        tickFormat: String,
      },
    }
    this.#operations = this.#chart(this.#operations, '.operations', {
      ...shared,
      lines: [
        { name: 'products', x, y: counts.map(products), markers: true },
        { name: 'softmax', x, y: counts.map(({ softmax }) => softmax), markers: true },
        {
          name: sizes.mask === 'added' ? 'scale and mask' : 'scale',
          x,
          y: counts.map(({ scale }) => scale),
          ...{ markers: true, dashed: true, color: 3 },
        },
      ],
      y: { label: 'operations', log: true, tickFormat: short },
      label: 'Operations over the number of heads',
      summary: `Products cost ${count(products(first))} operations for every number of heads; the softmax grows from ${count(first.softmax)} for one head to ${count(last.softmax)} for 32.`,
    })
    this.#memory = this.#chart(this.#memory, '.memory', {
      ...shared,
      lines: [
        {
          name: 'weights A, float32',
          x,
          y: counts.map(({ weightBytes }) => weightBytes),
          ...{ markers: true, color: 2 },
        },
      ],
      y: { label: 'bytes', log: true, tickFormat: short },
      label: 'Memory of the weights over the number of heads',
      summary: `The weights take ${count(first.weightBytes)} bytes for one head and ${count(last.weightBytes)} for 32.`,
    })
    const chosen = counts.find((each) => each.numHeads === numHeads) ?? first
    return `${numHeads} heads: ${count(products(chosen))} operations in products, ${count(chosen.scale + chosen.softmax)} on single scores, ${count(chosen.weightBytes)} bytes of weights.`
  }

  /**
   * @param {Chart | null} chart
   * @param {string} place
   * @param {import('../views/charts/chart.js').ChartOptions} options
   */
  #chart(chart, place, options) {
    if (!chart) return this.own(new Chart(this.find(place), options))
    chart.update(options)
    return chart
  }

  /** @override @protected @param {State} state */
  template(state) {
    const { tokens, features, batch, numHeads, mask } = state
    return html`
      <div class="controls">
        ${slider({
          setting: 'tokens',
          legend: html`tokens <i>N</i>`,
          low: 1,
          high: 1024,
          step: 1,
          value: tokens,
          onChange: (value) => this.change({ tokens: value }),
        })}
        ${segments({
          setting: 'features',
          legend: html`features <i>d</i><sub>model</sub>`,
          name: 'features',
          values: widths,
          value: features,
          onChange: (value) => this.change({ features: value }),
        })}
        ${slider({
          setting: 'batch',
          legend: html`batch <i>B</i>`,
          low: 1,
          high: 8,
          step: 1,
          value: batch,
          onChange: (value) => this.change({ batch: value }),
        })}
        ${segments({
          setting: 'numHeads',
          legend: html`heads <i>h</i>`,
          name: 'heads',
          values: headCounts,
          value: numHeads,
          onChange: (value) => this.change({ numHeads: value }),
        })}
        ${segments({
          setting: 'mask',
          legend: 'mask',
          name: 'mask',
          values: masks,
          value: mask,
          onChange: (kind) => this.change({ mask: kind }),
        })}
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      <div class="charts">
        <div class="operations"></div>
        <div class="memory"></div>
      </div>
      ${this.#result ? this.#table(state, this.#result) : null}
    `
  }

  /** @param {State} state @param {CostOfHeads[]} counts */
  #table({ tokens, features, batch, numHeads }, counts) {
    const multiplyAdds = batch * (4 * tokens * features ** 2 + 2 * tokens ** 2 * features)
    const chosen = counts.find((each) => each.numHeads === numHeads) ?? counts[0]
    const share = (chosen.scale + chosen.softmax) / products(chosen)
    return html`<div class="scroll" role="region" aria-label="Counts" tabindex="0">
        <table class="measured">
          <thead>
            <tr>
              <th scope="col">heads</th>
              <th scope="col">projections</th>
              <th scope="col"><i>QK</i><sup>⊤</sup></th>
              <th scope="col"><i>AV</i></th>
              <th scope="col">scale, mask</th>
              <th scope="col">softmax</th>
              <th scope="col">bytes of <i>A</i></th>
            </tr>
          </thead>
          <tbody>
            ${counts.map(
              ({ numHeads: heads, projections, scores, values, scale, softmax, weightBytes }) =>
                html`<tr
                  class=${heads === numHeads ? 'chosen' : ''}
                  data-heads=${heads}
                  @click=${() => this.change({ numHeads: heads })}
                >
                  <th scope="row">${heads}</th>
                  <td data-count="projections">${count(projections)}</td>
                  <td data-count="scores">${count(scores)}</td>
                  <td data-count="values">${count(values)}</td>
                  <td data-count="scale">${count(scale)}</td>
                  <td data-count="softmax">${count(softmax)}</td>
                  <td data-count="bytes">${count(weightBytes)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <p class="formula">
        Multiply-adds by the formula: <i>B</i> (4<i>Nd</i>² + 2<i>N</i>²<i>d</i>) =
        <b data-count="formula">${count(multiplyAdds)}</b>. Two operations each make
        <b data-count="doubled">${count(2 * multiplyAdds)}</b>; the products in the table make
        <b data-count="products">${count(products(chosen))}</b>, for every <i>h</i>. What is done to
        single scores adds <b data-count="share">${percent(share)}</b> to that for <i>h</i> =
        ${numHeads}.
      </p>`
  }
}

/**
 * @param {Engine} engine
 * @param {{ tokens?: number, features?: number, batch?: number, mask?: 'none' | 'causal' | 'added' }} sizes
 * @param {number} numHeads
 * @returns {CostOfHeads}
 */
function countHeads(engine, { tokens = 1, features, batch, mask }, numHeads) {
  const { operations, bytes } = engine.analysis.flops({
    ...{ n: tokens, dModel: features, batch, numHeads },
    isCausal: mask === 'causal',
    mask: mask === 'added' ? 'additive' : 'none',
  })
  const { query, key, value, output, scores, values } = operations
  return {
    numHeads,
    projections: query + key + value + output,
    scores,
    values,
    scale: operations.scale + operations.mask,
    softmax: Object.values(operations.softmax).reduce((a, b) => a + b, 0),
    operations,
    weightBytes: bytes.weights,
  }
}

/** @param {CostOfHeads} cost @returns {number} operations of all matrix products */
function products({ projections, scores, values }) {
  return projections + scores + values
}

/** @param {number} value @returns {string} in full, in groups of three */
function count(value) {
  return value.toLocaleString('en')
}

/** @param {number} value @returns {string} for an axis, such as 1 M */
function short(value) {
  return Intl.NumberFormat('en', { notation: 'compact' }).format(value)
}

/** @param {number} share @returns {string} */
function percent(share) {
  return `${(100 * share).toFixed(1)} %`
}
