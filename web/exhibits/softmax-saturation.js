import { html } from 'lit/html.js'
import { Chart } from '../views/charts/chart.js'
import { Heatmap } from '../views/heatmap.js'
import { picker, resetButton, segments, slider } from './controls.js'
import { coreferenceEmbeddings, places, sentence } from './coreference.js'
import { Exhibit } from './exhibit.js'
import { ExperimentRun, progressOf, progressStyles } from './experiment-run.js'
import { fixed, powerOfTen } from './format.js'
import { jacobianOfRow } from './jacobian-row.js'
import { measuredTableStyles } from './measured-table.js'
import { sizes } from './product-variance.js'
import { diagonalChart, isSaturated, normChart, saturationTable } from './saturation-charts.js'
import { choice, integer, real } from './settings.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { SaturationRow } from '../engine/saturation.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @import { JacobianRow } from './jacobian-row.js'
 * @import { State } from './settings.js'
 */

/** The notebook draws its queries and keys from the stream that the sentence began: (11 + 1)·32 normals were taken. */
const drawn = { seed: 1337, skip: 384 }
/** Around the sizes, on a logarithmic axis. @type {[number, number]} */
const logReach = [3.5, 590]
/** No entry of a softmax's Jacobian is larger than p(1 − p) at p = ½. @type {[number, number]} */
const jacobianDomain = [-0.25, 0.25]

/**
 * How the softmax saturates without the division by √d_k: the mean of its Jacobian's diagonal and the Jacobian's
 * norm for each d_k, and the Jacobian of one row, which empties as the scores grow.
 */
export class SoftmaxSaturation extends Exhibit {
  static settings = {
    keys: integer(2, 64, 10),
    trials: choice([200, 2000, 20_000], 200),
    query: integer(0, sentence.length - 1, places.it),
    /** What the scores of the sentence are multiplied by. */
    factor: real(0.25, 32, 1),
  }

  static css = `${measuredTableStyles}${progressStyles}
      .panels {
        align-items: start;
      }

      .part {
        margin: 2em 0 0.9em;
        padding-top: 1.2em;
        border-top: 1px solid var(--rule);
      }

      .charts + .measured {
        margin-top: 1.4em;
      }

      .row-numbers {
        margin-top: 0;
      }

      @container (width >= 46em) {
        .panels {
          grid-template-columns: 1fr 1fr;
        }
      }
    `

  /** @type {{ diagonal: Chart, norm: Chart } | null} */
  #charts = null
  /** @type {Heatmap | null} */
  #heatmap = null
  /** @type {Tensor | null} */
  #x = null
  /** @type {SaturationRow[]} */
  #rows = []
  /** @type {JacobianRow | null} */
  #jacobian = null
  /** @type {ExperimentRun | null} */
  #run = null
  #sample = ''

  /** What the figure shows, and whether more is to come. */
  get result() {
    return {
      rows: this.#rows,
      jacobian: this.#jacobian,
      isRunning: this.#run?.isRunning ?? true,
    }
  }

  /** @override @protected @param {Engine} engine */
  build(engine) {
    this.#x = coreferenceEmbeddings(engine)
    const x = { label: 'd_k', log: true, domain: logReach, ticks: sizes }
    const summary = 'Nothing was measured yet.'
    this.#charts = {
      diagonal: this.own(
        new Chart(this.find('.diagonal'), {
          ...{ x, summary, height: 260 },
          y: { label: 'mean of p(1 − p)' },
          label: 'Mean of p(1 − p) by d_k',
        }),
      ),
      norm: this.own(
        new Chart(this.find('.norm'), {
          ...{ x, summary, height: 260 },
          y: { label: '‖Jacobian‖', domain: [0, 0.6] },
          label: 'Norm of the Jacobian by d_k',
        }),
      ),
    }
    this.#heatmap = this.own(
      new Heatmap(this.find('.jacobian'), {
        tokens: sentence,
        axes: { query: 'weight', key: 'score' },
        colormap: 'puor',
        domain: jacobianDomain,
        inspector: false,
        label: 'Jacobian of the softmax',
        valueLabel: 'derivative of a weight by a score',
      }),
    )
    this.#run = new ExperimentRun(this.signal, () => this.refresh())
  }

  /** @param {Engine} engine @param {{ keys: number, trials: number }} sample */
  #start(engine, { keys, trials }) {
    this.#run?.start([
      {
        total: trials * sizes.length,
        run: (watch) =>
          engine.experiments.saturation({ ...drawn, dK: [...sizes], keys, trials, ...watch }),
        onResult: (rows) => (this.#rows = rows),
      },
    ])
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, { keys, trials, query, factor }) {
    const error = this.#run?.takeError()
    if (error) {
      // The next attempt starts from the beginning.
      this.#sample = ''
      throw error
    }
    if (JSON.stringify([keys, trials]) !== this.#sample) {
      this.#sample = JSON.stringify([keys, trials])
      this.#start(engine, { keys, trials })
    }
    if (this.#rows.length > 0) {
      this.#charts?.diagonal.update(diagonalChart(this.#rows, keys))
      this.#charts?.norm.update(normChart(this.#rows))
    }
    this.#jacobian = jacobianOfRow(engine, /** @type {Tensor} */ (this.#x), { query, factor })
    this.#heatmap?.update({ attention: this.#jacobian.jacobian })
    if (this.#run?.isRunning) return 'Measuring.'
    const from = this.#rows.find(isSaturated)
    return `Without scaling the softmax is saturated ${from ? `from d_k ${from.dK} on` : 'for no d_k'}; the Jacobian of “${sentence[query]}” has norm ${this.#jacobian.norm.toPrecision(2)}.`
  }

  /** @override @protected @param {State} state */
  template(state) {
    const { keys, trials, query, factor } = state
    return html`
      <div class="controls">
        ${slider({
          setting: 'keys',
          legend: 'keys for each query',
          low: 2,
          high: 64,
          step: 1,
          value: keys,
          onChange: (value) => this.change({ keys: value }),
        })}
        ${segments({
          setting: 'trials',
          legend: 'queries for each width',
          name: 'trials',
          values: [200, 2000, 20_000],
          value: trials,
          label: (value) => value.toLocaleString('en'),
          onChange: (value) => this.change({ trials: value }),
        })}
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      ${
        this.#run
          ? progressOf({
              run: this.#run,
              what: 'queries',
              onRestart: () => {
                this.#sample = ''
                this.refresh()
              },
            })
          : null
      }
      <div class="panels charts">
        <div>
          <p class="heading">Mean of the Jacobian’s diagonal</p>
          <div class="diagonal"></div>
        </div>
        <div>
          <p class="heading">Norm of the whole Jacobian</p>
          <div class="norm"></div>
        </div>
      </div>
      ${this.#rows.length > 0 ? saturationTable(this.#rows) : null}
      <p class="heading part">The Jacobian of one row, for larger and larger scores</p>
      <div class="controls">
        ${picker({
          setting: 'query',
          legend: 'row of the sentence',
          items: sentence,
          index: query,
          onChange: (index) => this.change({ query: index }),
        })}
        ${slider({
          setting: 'factor',
          legend: 'scores times',
          low: -2,
          high: 5,
          step: 0.25,
          value: Math.log2(factor),
          format: () => fixed(factor, 2),
          onChange: (value) => this.change({ factor: 2 ** value }),
        })}
      </div>
      <div class="panels">
        <div class="jacobian"></div>
        ${this.#jacobian ? rowNumbers(this.#jacobian, sentence[query]) : null}
      </div>
    `
  }
}

/** @param {JacobianRow} row @param {string} token */
function rowNumbers({ norm, meanDiagonal, largestWeight, largestEntry }, token) {
  const number = (/** @type {number} */ value) =>
    value >= 0.0005 ? fixed(value, 4) : powerOfTen(value)
  const rows = /** @type {const} */ ([
    ['weight', `largest weight of “${token}”`, largestWeight],
    ['entry', 'largest entry of the Jacobian', largestEntry],
    ['diagonal', 'mean of its diagonal', meanDiagonal],
    ['norm', 'its Frobenius norm', norm],
  ])
  return html`<table class="measured row-numbers">
    <tbody>
      ${rows.map(
        ([name, text, value]) =>
          html`<tr data-measure=${name}>
            <th scope="row">${text}</th>
            <td>${number(value)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}
