import { html } from 'lit/html.js'
import { Heatmap } from '../views/heatmap.js'
import { resetButton, segments, slider } from './controls.js'
import { Exhibit } from './exhibit.js'
import { fixed, powerOfTen } from './format.js'
import { explainCells } from './inspection.js'
import { differentiate, gradientCase, parts } from './gradient-check.js'
import { measuredTableStyles } from './measured-table.js'
import { choice, integer, real } from './settings.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @import { CellDetail } from '../views/options.js'
 * @import { Differentiated, GradientCase, Part } from './gradient-check.js'
 * @import { State } from './settings.js'
 */

/** d_k of the case */
const width = 16
const queries = 5
const outputs = 8

const d = (/** @type {string} */ letter) => html`<i>d${letter}</i>`

/** @type {Record<Part, { title: unknown, formula: unknown, axes: { query: string, key: string }, name: string }>} */
const gradients = {
  value: {
    title: d('V'),
    formula: html`<i>A</i>ᵀ ${d('Y')}`,
    axes: { query: 'key', key: 'feature' },
    name: 'Gradient by the values, dV',
  },
  weights: {
    title: d('A'),
    formula: html`${d('Y')} <i>V</i>ᵀ`,
    axes: { query: 'query', key: 'key' },
    name: 'Gradient by the weights, dA',
  },
  scores: {
    title: d('S'),
    formula: html`<i>A</i> ⊙ (${d('A')} − row sums of ${d('A')} ⊙ <i>A</i>)`,
    axes: { query: 'query', key: 'key' },
    name: 'Gradient by the scores, dS',
  },
  query: {
    title: d('Q'),
    formula: html`scale · ${d('S')} <i>K</i>`,
    axes: { query: 'query', key: 'feature' },
    name: 'Gradient by the queries, dQ',
  },
  key: {
    title: d('K'),
    formula: html`scale · ${d('S')}ᵀ <i>Q</i>`,
    axes: { query: 'key', key: 'feature' },
    name: 'Gradient by the keys, dK',
  },
}

/**
 * The backward pass: the gradient by the output, whole or of one entry, and what becomes of it on the way back to
 * queries, keys and values; each gradient checked against difference quotients.
 */
export class AttentionGradients extends Exhibit {
  static settings = {
    upstream: choice(['drawn', 'one'], 'drawn'),
    row: integer(0, queries - 1, 1),
    column: integer(0, outputs - 1, 2),
    /** In units of 1/√d_k. */
    scale: real(0.25, 32, 1),
    /** The difference quotients' step is 10 to the power of minus this. */
    digits: integer(1, 12, 5),
  }

  static css = `${measuredTableStyles}
      .maps {
        display: grid;
        gap: 1.6em 2em;
        align-items: start;
      }

      .maps > * {
        min-width: 0;
      }

      .measured {
        margin-top: 1.8em;
      }

      @container (width >= 34em) {
        .maps {
          grid-template-columns: repeat(2, minmax(0, 1fr));
        }
      }

      @container (width >= 56em) {
        .maps {
          grid-template-columns: repeat(6, minmax(0, 1fr));
        }

        .maps > * {
          grid-column: span 3;
        }

        .maps > .narrow {
          grid-column: span 2;
        }
      }
    `

  /** @type {GradientCase | null} */
  #case = null
  /** @type {Record<Part | 'upstream' | 'attention', Heatmap> | null} */
  #maps = null
  /** @type {Differentiated | null} */
  #result = null

  /** What the figure shows. */
  get result() {
    return this.#result
  }

  /** @override @protected @param {Engine} engine */
  build(engine) {
    this.#case = gradientCase(engine)
    const map = (/** @type {string} */ place, /** @type {object} */ options) =>
      this.own(
        new Heatmap(this.find(`.${place}`), { colormap: 'puor', inspector: false, ...options }),
      )
    const gradient = (/** @type {Part} */ part) =>
      map(`grad-${part}`, {
        axes: gradients[part].axes,
        label: gradients[part].name,
        valueLabel: 'gradient',
        hint: '',
      })
    this.#maps = {
      upstream: map('upstream', {
        axes: { query: 'query', key: 'feature' },
        label: 'Gradient by the output, dY',
        valueLabel: 'gradient',
      }),
      attention: map('attention', {
        colormap: 'purples',
        domain: [0, 1],
        label: 'Weights A',
        inspector: true,
      }),
      value: gradient('value'),
      weights: gradient('weights'),
      scores: gradient('scores'),
      query: gradient('query'),
      key: gradient('key'),
    }
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, { upstream, row, column, scale, digits }) {
    const given = /** @type {GradientCase} */ (this.#case)
    const isOne = upstream === 'one'
    this.#result = differentiate(
      engine,
      { ...given, upstream: isOne ? oneEntry(row, column) : given.upstream },
      { scale: scale / Math.sqrt(width), step: 10 ** -digits },
    )
    const { forward, numbers, gradients: drawn } = this.#result
    const maps = /** @type {Record<Part | 'upstream' | 'attention', Heatmap>} */ (this.#maps)
    maps.upstream.update({
      attention: this.#result.upstream,
      selected: isOne ? { query: row, key: column } : null,
    })
    maps.attention.update({
      attention: forward.weights,
      explain: explainCells(engine, { ...given, ...forward }, { scale: scale / Math.sqrt(width) }),
    })
    for (const part of parts) maps[part].update({ attention: drawn[part] })
    const worst = Math.max(...parts.map((part) => numbers[part].kernelError))
    return `Norms of the gradients: values ${numbers.value.norm.toFixed(3)}, scores ${numbers.scores.norm.toFixed(3)}; furthest from a difference quotient: ${worst.toExponential(1)}.`
  }

  /** The place of a gradient's map. @param {Part} part @param {string} [size] */
  #map(part, size = '') {
    const { title, formula } = gradients[part]
    return html`<div class=${size}>
      <p class="heading">${title} = ${formula}</p>
      <div class="grad-${part}"></div>
    </div>`
  }

  /** @override @protected @param {State} state */
  template(state) {
    const { upstream, row, column, scale, digits } = state
    return html`
      <div class="controls">
        ${segments({
          setting: 'upstream',
          legend: html`${d('Y')} has`,
          name: 'upstream',
          values: ['drawn', 'one'],
          value: upstream,
          label: (kind) =>
            kind === 'one'
              ? `one entry: row ${row + 1}, column ${column + 1}`
              : 'all entries, drawn',
          onChange: (kind) => this.change({ upstream: kind }),
        })}
        ${slider({
          setting: 'scale',
          legend: html`scale, times 1/√<i>d<sub>k</sub></i
            >:`,
          low: -2,
          high: 5,
          step: 0.25,
          value: Math.log2(scale),
          format: () => fixed(scale, 2),
          onChange: (value) => this.change({ scale: 2 ** value }),
        })}
        ${slider({
          setting: 'digits',
          legend: 'step of the quotients',
          low: 1,
          high: 12,
          step: 1,
          value: digits,
          format: (value) => `1e−${value}`,
          onChange: (value) => this.change({ digits: value }),
        })}
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      <div class="maps">
        <div>
          <p class="heading">${d('Y')} <small>chosen: select an entry to see it alone</small></p>
          <div
            class="upstream"
            @cellselect=${(/** @type {CustomEvent<CellDetail>} */ { detail }) =>
              this.change({ upstream: 'one', row: detail.query, column: detail.key })}
          ></div>
        </div>
        ${this.#map('value')} ${this.#map('weights', 'narrow')}
        <div class="narrow">
          <p class="heading"><i>A</i> <small>from the forward pass</small></p>
          <div class="attention"></div>
        </div>
        ${this.#map('scores', 'narrow')} ${this.#map('query')} ${this.#map('key')}
      </div>
      ${this.#result ? checks(this.#result) : null}
    `
  }
}

/** @param {Differentiated} result */
function checks({ numbers }) {
  return html`<table class="measured">
    <caption>
      Each gradient against difference quotients of the loss, (<i>L</i>(<i>x</i>
      +
      <i>h</i
      >) −
      <i>L</i
      >(<i>x</i>
      −
      <i>h</i
      >)) / 2<i>h</i>
      for every entry
      <i>x</i>
    </caption>
    <thead>
      <tr>
        <th scope="col">gradient</th>
        <th scope="col">its norm</th>
        <th scope="col">float32 kernels off by</th>
        <th scope="col">float64 reference off by</th>
      </tr>
    </thead>
    <tbody>
      ${parts.map((part) => {
        const { norm, kernelError, referenceError } = numbers[part]
        return html`<tr data-gradient=${part}>
          <th scope="row">${gradients[part].title}</th>
          <td>${norm >= 0.0005 ? fixed(norm, 4) : powerOfTen(norm)}</td>
          <td>${powerOfTen(kernelError)}</td>
          <td>${powerOfTen(referenceError)}</td>
        </tr>`
      })}
    </tbody>
  </table>`
}

/** @param {number} row @param {number} column @returns {Tensor} (5, 8) zeros but for a 1 */
function oneEntry(row, column) {
  const data = new Float64Array(queries * outputs)
  data[row * outputs + column] = 1
  return { data, shape: [queries, outputs] }
}
