import { html } from 'lit/html.js'
import { Chart } from '../views/charts/chart.js'
import { resetButton, segments, slider } from './controls.js'
import { Exhibit } from './exhibit.js'
import { fixed } from './format.js'
import { measuredTableStyles } from './measured-table.js'
import { choice, real } from './settings.js'
import { layerExample, layerSizes } from './subspace-examples.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @import { State } from './settings.js'
 * @typedef {'post' | 'pre'} Order
 * @typedef {object} Norms of the rows of each stage, (B, N)
 * @property {Tensor} x
 * @property {Tensor} attention
 * @property {Tensor} residual
 * @property {Tensor} output
 */

const { batch, tokens, heads } = layerSizes
const sequences = Array.from({ length: batch }, (_, sequence) => sequence)
const orders = /** @type {Order[]} */ (['post', 'pre'])
/** @type {Record<Order, unknown>} */
const orderNames = {
  post: html`after: LayerNorm(<i>X</i> + MultiHead(<i>X</i>))`,
  pre: html`before: <i>X</i> + MultiHead(LayerNorm(<i>X</i>))`,
}

/**
 * A residual connection and layer norm around the operator: the length of each token's row before and after, with
 * the norm where the first transformer has it, or where later ones have it.
 */
export class ResidualNorm extends Exhibit {
  static settings = {
    order: choice(orders, 'post'),
    sequence: choice(sequences, 0),
    /** By which X is multiplied first. */
    size: real(0.1, 10, 1),
  }

  static css = `${measuredTableStyles}
      .measured {
        margin-top: 1.2em;
      }
    `

  /** @type {Chart | null} */
  #chart = null
  /** @type {{ output: Tensor, norms: Norms } | null} */
  #result = null

  /** What the figure shows: the output (2, 6, 32), and norms of rows. */
  get result() {
    return this.#result
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, { order, sequence, size }) {
    this.#result = surround(engine, order, size)
    const { norms } = this.#result
    const x = Array.from({ length: tokens }, (_, token) => token + 1)
    const at = (/** @type {Tensor} */ norm) => rowsOf(norm, sequence)
    const lines = [
      { name: '‖x‖', x, y: at(norms.x), markers: true, color: 3 },
      { name: '‖MultiHead‖', x, y: at(norms.attention), markers: true, color: 1 },
      { name: '‖x + MultiHead‖', x, y: at(norms.residual), markers: true, dashed: true, color: 2 },
      ...(order === 'post'
        ? [{ name: '‖output‖', x, y: at(norms.output), markers: true, color: 0 }]
        : []),
    ]
    const span = (/** @type {Tensor} */ norm) =>
      `from ${fixed(Math.min(...at(norm)), 3)} to ${fixed(Math.max(...at(norm)), 3)}`
    const summary = `The tokens have norms ${span(norms.x)}, what attention adds to them ${span(norms.attention)}, the outputs ${span(norms.output)}.`
    const options = {
      lines,
      rules: [
        { axis: /** @type {'y'} */ ('y'), value: Math.sqrt(layerSizes.features), name: '√d' },
      ],
      x: { label: 'token', ticks: x, tickFormat: String },
      y: { label: 'Euclidean norm' },
      label: 'Norms of the tokens’ rows',
      summary,
    }
    if (this.#chart) this.#chart.update(options)
    else this.#chart = this.own(new Chart(this.find('.chart'), options))
    return summary
  }

  /** @override @protected @param {State} state */
  template({ order, sequence, size }) {
    return html`
      <div class="controls">
        ${segments({
          setting: 'order',
          legend: 'layer norm',
          name: 'order',
          values: orders,
          value: order,
          label: (/** @type {Order} */ kind) => orderNames[kind],
          onChange: (kind) => this.change({ order: kind }),
        })}
        ${segments({
          setting: 'sequence',
          legend: 'sequence',
          name: 'sequence',
          values: sequences,
          value: sequence,
          label: (place) => place + 1,
          onChange: (place) => this.change({ sequence: place }),
        })}
        ${slider({
          setting: 'size',
          legend: html`<i>X</i> times`,
          low: 0.1,
          high: 10,
          step: 0.1,
          value: size,
          format: (value) => value.toFixed(1),
          onChange: (value) => this.change({ size: value }),
        })}
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      <div class="chart"></div>
      ${this.#result ? table(this.#result.norms, sequence) : null}
    `
  }
}

/**
 * @param {Engine} engine
 * @param {Order} order
 * @param {number} size
 */
function surround(engine, order, size) {
  const { x, parameters } = layerExample(engine)
  const input = { data: x.data.map((/** @type {number} */ value) => value * size), shape: x.shape }
  const attended = order === 'post' ? input : engine.layerNorm(input)
  const { output: attention } = engine.multiHeadAttention(attended, parameters, { numHeads: heads })
  const residual = {
    data: Float64Array.from(input.data, (value, index) => value + attention.data[index]),
    shape: input.shape,
  }
  const output = order === 'post' ? engine.layerNorm(residual) : residual
  const { analysis } = engine
  return {
    output,
    norms: {
      x: analysis.rowNorms(input),
      attention: analysis.rowNorms(attention),
      residual: analysis.rowNorms(residual),
      output: analysis.rowNorms(output),
    },
  }
}

/** @param {Tensor} norms (B, N) @param {number} sequence @returns {number[]} */
function rowsOf({ data }, sequence) {
  return Array.from(data.subarray(sequence * tokens, (sequence + 1) * tokens))
}

/** @param {Norms} norms @param {number} sequence */
function table(norms, sequence) {
  const rows = /** @type {const} */ ([
    ['x', html`‖<i>x</i>‖`],
    ['attention', html`‖MultiHead‖`],
    ['residual', html`‖<i>x</i> + MultiHead‖`],
    ['output', html`‖output‖`],
  ])
  return html`<table class="measured">
    <thead>
      <tr>
        <th scope="col">token</th>
        ${Array.from({ length: tokens }, (_, token) => html`<th scope="col">${token + 1}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([name, label]) =>
          html`<tr data-norm=${name}>
            <th scope="row">${label}</th>
            ${rowsOf(norms[name], sequence).map((norm) => html`<td>${fixed(norm, 3)}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`
}
