import { html } from 'lit/html.js'
import { Chart } from '../views/charts/chart.js'
import { headCounts, resetButton, segments } from './controls.js'
import { Exhibit } from './exhibit.js'
import { measuredTableStyles } from './measured-table.js'
import { measureRanks } from './rank-cases.js'
import { choice } from './settings.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { RankCase, Ranks } from './rank-cases.js'
 * @import { State } from './settings.js'
 */

const cases = /** @type {const} */ ({
  cube: html`the cube’s: <i>n</i> = 12, <i>d</i> = 8`,
  layer: html`the notebook’s: <i>n</i> = 6, <i>d</i> = 32`,
})
const kinds = /** @type {RankCase[]} */ (Object.keys(cases))

/**
 * How many directions a head's output has, and all heads' outputs together: singular values, ranks, and what the
 * shapes allow.
 */
export class HeadRanks extends Exhibit {
  static settings = {
    which: choice(kinds, 'cube'),
    numHeads: choice(headCounts, 4),
  }

  static css = `${measuredTableStyles}
      .measured {
        margin-top: 1.2em;
      }
    `

  /** @type {Chart | null} */
  #chart = null
  /** @type {Ranks | null} */
  #result = null

  /** What the figure shows. */
  get result() {
    return this.#result
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, { which, numHeads }) {
    const ranks = measureRanks(engine, { which, numHeads })
    this.#result = ranks
    const { heads, concatenation, threshold } = ranks
    const widest = Math.max(...heads.map(({ output }) => output.rank))
    const summary = `${numHeads === 1 ? 'The head has' : `Each head’s output has at most`} rank ${widest}, all side by side rank ${concatenation.rank}.`
    const options = {
      lines: [
        ...heads.map(({ output }, head) => ({
          name: numHeads > 1 ? `head ${head + 1}` : 'the head',
          x: places(output.values),
          y: output.values.map(positive),
          markers: true,
          color: head % 3,
          dashed: head >= 3,
        })),
        {
          name: 'all side by side',
          x: places(concatenation.values),
          y: concatenation.values.map(positive),
          markers: true,
          color: 3,
        },
      ],
      rules: [
        {
          axis: /** @type {'x'} */ ('x'),
          value: heads[0].output.bound,
          name: numHeads > 1 ? 'the most that a head can have' : 'the most that there can be',
        },
      ],
      x: {
        label: 'number of the singular value',
        ticks: places(concatenation.values),
        tickFormat: String,
      },
      y: { label: 'singular value σ', log: true },
      label: 'Singular values of the heads’ outputs',
      summary,
    }
    if (this.#chart) this.#chart.update(options)
    else this.#chart = this.own(new Chart(this.find('.chart'), options))
    return summary

    /** A logarithm knows no 0. @param {number} value */
    function positive(value) {
      return value > threshold ? value : NaN
    }
  }

  /** @override @protected @param {State} state */
  template({ which, numHeads }) {
    return html`
      <div class="controls">
        ${segments({
          setting: 'which',
          legend: 'tokens and features',
          name: 'which',
          values: kinds,
          value: which,
          label: (/** @type {RankCase} */ kind) => cases[kind],
          onChange: (kind) => this.change({ which: kind }),
        })}
        ${segments({
          setting: 'numHeads',
          legend: html`number of heads <i>h</i>`,
          name: 'heads',
          values: headCounts,
          value: numHeads,
          onChange: (value) => this.change({ numHeads: value }),
        })}
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      <div class="chart"></div>
      ${this.#result ? table(this.#result) : null}
    `
  }
}

/** 1, 2, … @param {readonly unknown[]} values */
function places(values) {
  return values.map((_, place) => place + 1)
}

/** @param {Ranks} ranks */
function table({ tokens, features, heads, concatenation }) {
  const width = features / heads.length
  return html`<table class="measured">
    <thead>
      <tr>
        <td></td>
        <th scope="col">rank of logits</th>
        <th scope="col">rank of <i>A</i></th>
        <th scope="col">rank of output</th>
        <th scope="col">bound of output</th>
      </tr>
    </thead>
    <tbody>
      ${heads.map(
        ({ output, rankOfLogits, rankOfWeights }, head) =>
          html`<tr data-head=${head}>
            <th scope="row">head ${head + 1}</th>
            <td data-rank="logits">${rankOfLogits}</td>
            <td data-rank="weights">${rankOfWeights}</td>
            <td data-rank="output">${output.rank}</td>
            <td data-rank="bound">
              ${output.bound} <small class="spare">= min(${tokens}, ${width})</small>
            </td>
          </tr>`,
      )}
      <tr data-head="all">
        <th scope="row">all side by side</th>
        <td></td>
        <td></td>
        <td data-rank="output">${concatenation.rank}</td>
        <td data-rank="bound">
          ${concatenation.bound} <small class="spare">= min(${tokens}, ${features})</small>
        </td>
      </tr>
    </tbody>
  </table>`
}
