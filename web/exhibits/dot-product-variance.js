import { html } from 'lit/html.js'
import { Chart } from '../views/charts/chart.js'
import { resetButton, segments, slider } from './controls.js'
import { Exhibit } from './exhibit.js'
import { ExperimentRun, progressOf, progressStyles } from './experiment-run.js'
import { fixed } from './format.js'
import { measuredTableStyles } from './measured-table.js'
import {
  histogramSeries,
  outside,
  sizes,
  varianceLines,
  varianceSteps,
} from './product-variance.js'
import { choice, integer, real } from './settings.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Results, Sample } from './product-variance.js'
 * @import { State } from './settings.js'
 */

/** Shares of few products are counted exactly. */
const percent = (/** @type {number} */ share) => `${fixed(100 * share, 1)} %`

/**
 * The variance of q·k, which grows with d_k, and that of q·k/√d_k, which does not: histograms for one d_k, and
 * measured against theoretical variance for all.
 */
export class DotProductVariance extends Exhibit {
  static settings = {
    dK: choice(sizes, 64),
    trials: choice([1000, 10_000, 100_000], 10_000),
    correlation: real(0, 1, 0),
    seed: integer(0, 999_999, 1337),
  }

  static css = `${measuredTableStyles}${progressStyles}
      .panels {
        align-items: start;
      }

      .variances {
        margin-top: 1.6em;
      }

      .measured {
        margin-top: 1.2em;
      }

      @container (width >= 46em) {
        .panels {
          grid-template-columns: 1fr 1fr;
        }
      }
    `

  /** @type {{ raw: Chart, scaled: Chart, variances: Chart } | null} */
  #charts = null
  /** @type {Results} */
  #results = {}
  /** @type {ExperimentRun | null} */
  #run = null
  #sample = ''

  /** By d_k what was measured, and whether more is to come. */
  get result() {
    return { sizes: this.#results, isRunning: this.#run?.isRunning ?? true }
  }

  /** @override @protected */
  build() {
    const y = { label: 'share of products' }
    const chart = (/** @type {string} */ place, /** @type {string} */ label) =>
      this.own(
        new Chart(this.find(`.${place}`), {
          ...{ x: { label }, y, label: `Histogram of ${label}`, height: 230 },
          summary: 'Nothing was measured yet.',
        }),
      )
    this.#charts = {
      raw: chart('raw', 'q·k'),
      scaled: chart('scaled', 'q·k/√d_k'),
      variances: this.own(
        new Chart(this.find('.variances'), {
          x: { label: 'd_k', log: true, domain: [3.5, 590], ticks: sizes },
          y: {
            label: 'variance',
            log: true,
            domain: [0.5, 1500],
            ticks: [1, 4, 16, 64, 256, 1024],
          },
          label: 'Variance of products by d_k',
          summary: 'Nothing was measured yet.',
        }),
      ),
    }
    this.#run = new ExperimentRun(this.signal, () => this.refresh())
  }

  /** @param {Engine} engine @param {Sample} sample @param {number} dK */
  #start(engine, sample, dK) {
    this.#results = {}
    this.#run?.start(varianceSteps(engine, sample, dK, this.#results))
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, { dK, ...rest }) {
    const error = this.#run?.takeError()
    if (error) {
      // The next attempt starts from the beginning.
      this.#sample = ''
      throw error
    }
    const sample = /** @type {Sample} */ (rest)
    if (JSON.stringify(sample) !== this.#sample) {
      this.#sample = JSON.stringify(sample)
      this.#start(engine, sample, dK)
    }
    this.#drawCharts(dK, sample.correlation)
    if (this.#run?.isRunning) return 'Measuring.'
    const known = this.#results[dK]
    return known
      ? `d_k ${dK}: the variance of q·k is ${fixed(known.raw.measured.variance, 2)}, scaled ${fixed(known.scaled.measured.variance, 3)}.`
      : ''
  }

  /** @param {number} dK @param {number} correlation */
  #drawCharts(dK, correlation) {
    const charts = /** @type {{ raw: Chart, scaled: Chart, variances: Chart }} */ (this.#charts)
    const known = this.#results[dK]
    if (known) {
      for (const kind of /** @type {const} */ (['raw', 'scaled'])) {
        const statistics = known[kind]
        const { bars, lines, x } = histogramSeries(statistics, known.trials, kind === 'raw' ? 1 : 0)
        const name = kind === 'raw' ? 'q·k' : 'q·k/√d_k'
        const { mean, variance } = statistics.measured
        const lost = outside(statistics.histogram)
        charts[kind].update({
          ...{ bars, lines, x: { label: name, domain: x } },
          summary: `${known.trials} products for d_k ${dK}: mean ${fixed(mean, 3)}, variance ${fixed(variance, 3)}; theory has mean ${fixed(statistics.theory.mean, 1)} and variance ${fixed(statistics.theory.variance, 2)}.${lost > 0 ? ` ${lost} lie outside.` : ''}`,
        })
      }
    }
    const spread = 1 + correlation ** 2
    charts.variances.update({
      lines: varianceLines(this.#results, correlation),
      summary: `The variance of q·k grows as ${fixed(spread, 2)} times d_k, from 4 to 512; that of q·k/√d_k stays at ${fixed(spread, 2)}.`,
    })
  }

  /** @override @protected @param {State} state */
  template(state) {
    const { dK, trials, correlation, seed } = state
    return html`
      <div class="controls">
        ${segments({
          setting: 'dK',
          legend: html`width <i>d<sub>k</sub></i>`,
          name: 'width',
          values: sizes,
          value: dK,
          onChange: (value) => this.change({ dK: value }),
        })}
        ${segments({
          setting: 'trials',
          legend: 'products for each width',
          name: 'trials',
          values: [1000, 10_000, 100_000],
          value: trials,
          label: (value) => value.toLocaleString('en'),
          onChange: (value) => this.change({ trials: value }),
        })}
        ${slider({
          setting: 'correlation',
          legend: html`correlation of <i>q</i> and <i>k</i>`,
          low: 0,
          high: 1,
          step: 0.05,
          value: correlation,
          format: (value) => value.toFixed(2),
          onChange: (value) => this.change({ correlation: value }),
        })}
        <button
          type="button"
          data-setting="seed"
          @click=${() => this.change({ seed: (seed + 1) % 1_000_000 })}
        >
          Draw anew
        </button>
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      ${
        this.#run
          ? progressOf({
              run: this.#run,
              what: 'products',
              onRestart: () => {
                this.#sample = ''
                this.refresh()
              },
            })
          : null
      }
      <div class="panels">
        <div>
          <p class="heading"><i>q</i> · <i>k</i> ${this.#moments(dK, 'raw')}</p>
          <div class="raw"></div>
        </div>
        <div>
          <p class="heading">
            <i>q</i> · <i>k</i> / √<i>d<sub>k</sub></i> ${this.#moments(dK, 'scaled')}
          </p>
          <div class="scaled"></div>
        </div>
      </div>
      <div class="variances"></div>
      ${this.#table(dK)}
    `
  }

  /** @param {number} dK @param {'raw' | 'scaled'} kind */
  #moments(dK, kind) {
    const known = this.#results[dK]
    if (!known) return null
    const { mean, variance } = known[kind].measured
    return html`<small>mean ${fixed(mean, 2)}, variance ${fixed(variance, 2)}</small>`
  }

  /** @param {number} dK */
  #table(dK) {
    const cell = (/** @type {unknown} */ value) => html`<td>${value}</td>`
    return html`<table class="measured">
      <thead>
        <tr>
          <th scope="col">
            <i>d<sub>k</sub></i>
          </th>
          <th scope="col">variance of <i>q</i> · <i>k</i></th>
          <th scope="col">theory</th>
          <th scope="col">scaled</th>
          <th scope="col">theory</th>
          <th scope="col">|<i>q</i> · <i>k</i>| &gt; 25</th>
        </tr>
      </thead>
      <tbody>
        ${sizes.map((size) => {
          const known = this.#results[size]
          const { raw, scaled } = known ?? {}
          return html`<tr class=${size === dK ? 'chosen' : ''} data-size=${size}>
            <th scope="row">${size}</th>
            ${cell(raw ? fixed(raw.measured.variance, 2) : '')}
            ${cell(raw ? fixed(raw.theory.variance, 2) : '')}
            ${cell(scaled ? fixed(scaled.measured.variance, 4) : '')}
            ${cell(scaled ? fixed(scaled.theory.variance, 2) : '')}
            ${cell(known ? percent(known.shareOver25) : '')}
          </tr>`
        })}
      </tbody>
    </table>`
  }
}
