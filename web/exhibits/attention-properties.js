import { html } from 'lit/html.js'
import { resetButton, slider } from './controls.js'
import { auditCase, auditCases, caseCount, widths } from './convexity-audit.js'
import { Exhibit } from './exhibit.js'
import { ExperimentRun } from './experiment-run.js'
import { fixed, powerOfTen } from './format.js'
import { measuredTableStyles } from './measured-table.js'
import { numberTable, numberTableStyles } from './number-table.js'
import { initialState, integer, sameState } from './settings.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { CaseAudit, ManyAudit } from './convexity-audit.js'
 * @import { State } from './settings.js'
 */

const notebook = { seed: 42, queries: 5, keys: 6 }

/**
 * What must hold of attention weights and outputs, measured on the notebook's case or another, and on a thousand
 * that follow it: row sums, signs, norms, and membership in the convex hull of the values.
 */
export class AttentionProperties extends Exhibit {
  static settings = {
    seed: integer(0, 999_999, notebook.seed),
    queries: integer(1, 12, notebook.queries),
    keys: integer(1, 12, notebook.keys),
  }

  static css = `${numberTableStyles}${measuredTableStyles}
      .norms {
        display: grid;
        grid-template-columns: 2.6em 1fr;
        margin: 0 0.6em 1.4em 0;
        line-height: 1.9;
      }

      .line {
        position: relative;
        min-height: 1.9em;
        border-bottom: 1px solid var(--rule);
      }

      .line > * {
        position: absolute;
        inset-block: 0;
      }

      .line .span {
        background: var(--wash);
      }

      .line .dot {
        inset-block: auto;
        top: 50%;
        width: 0.75em;
        height: 0.75em;
        margin: -0.37em 0 0 -0.37em;
        border: 2px solid var(--ink);
        border-radius: 50%;
        forced-color-adjust: none;
      }

      .line .output {
        border-color: var(--accent);
        background: var(--accent);
      }

      .line.ticks {
        border: 0;
        color: var(--quiet);
        font-size: 0.85em;
      }

      .line .tick {
        transform: translateX(-50%);
      }

      .measured th small {
        display: block;
      }

      .panels {
        margin-top: 1.6em;
        justify-items: center;
      }

      .numbers {
        max-width: 28em;
      }

      .lacking {
        max-width: 24em;
        margin: 0;
        color: var(--quiet);
      }

      @container (width >= 46em) {
        .panels {
          grid-template-columns: 1fr 1fr;
        }
      }
    `

  /** @type {CaseAudit | null} */
  #first = null
  /** Until all cases are there: null. @type {ManyAudit | null} */
  #all = null
  /** @type {ExperimentRun | null} */
  #run = null
  /** The numbers belong to these settings. */
  #setup = ''

  /** What the figure shows, and whether more is to come. */
  get result() {
    return { first: this.#first, all: this.#all, isRunning: this.#run?.isRunning ?? true }
  }

  /** @override @protected */
  build() {
    this.#run = new ExperimentRun(this.signal, () => this.refresh())
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, { seed, queries, keys }) {
    const error = this.#run?.takeError()
    if (error) {
      // The next attempt starts from the beginning.
      this.#setup = ''
      throw error
    }
    const setup = { seed, queries, keys }
    if (JSON.stringify(setup) !== this.#setup) {
      this.#setup = JSON.stringify(setup)
      this.#first = auditCase(engine, setup)
      this.#all = null
      this.#run?.start([
        {
          total: caseCount,
          run: ({ signal }) => auditCases(engine, setup, signal),
          onResult: (all) => (this.#all = all),
        },
      ])
    }
    const { outputNorms, valueNorms } = /** @type {CaseAudit} */ (this.#first)
    return `Outputs have norms from ${Math.min(...outputNorms).toFixed(2)} to ${Math.max(...outputNorms).toFixed(2)}, values from ${Math.min(...valueNorms).toFixed(2)} to ${Math.max(...valueNorms).toFixed(2)}.`
  }

  /** @override @protected @param {State} state */
  template(state) {
    const { seed, queries, keys } = state
    return html`
      <div class="controls">
        <button
          type="button"
          data-setting="seed"
          @click=${() => this.change({ seed: (seed + 1) % 1_000_000 })}
        >
          Draw another case
        </button>
        ${slider({
          setting: 'queries',
          legend: html`queries <i>N</i>`,
          low: 1,
          high: 12,
          step: 1,
          value: queries,
          onChange: (value) => this.change({ queries: value }),
        })}
        ${slider({
          setting: 'keys',
          legend: html`keys and values <i>M</i>`,
          low: 1,
          high: 12,
          step: 1,
          value: keys,
          onChange: (value) => this.change({ keys: value }),
        })}
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      ${this.#first ? this.#figures(state, this.#first) : null}
    `
  }

  /** @param {State} state @param {CaseAudit} first */
  #figures({ seed }, first) {
    const { weights, coordinates } = first
    const [queries, keys] = weights.shape
    const rows = Array.from({ length: queries }, (_, row) => `y${row + 1}`)
    const shared = { rows, column: 'v', reach: 1 }
    const isNotebooks = sameState(this.state, initialState(AttentionProperties.settings))
    return html`
      ${normsOnLine(first)}
      <table class="measured">
        <thead>
          <tr>
            <th scope="col">claim</th>
            <th scope="col">${isNotebooks ? 'the notebook’s case' : `seed ${seed}`}</th>
            <th scope="col">${caseCount.toLocaleString('en')} such cases</th>
            <th scope="col" class="verdict">holds?</th>
          </tr>
        </thead>
        <tbody>
          ${auditRows(first, this.#all)}
        </tbody>
      </table>
      <div class="panels">
        ${numberTable({ ...shared, caption: html`Weights <i>A</i>`, matrix: weights })}
        ${
          coordinates
            ? numberTable({
                ...shared,
                caption: html`Coordinates of <i>y</i> among the <i>v</i>, found without <i>A</i>`,
                matrix: coordinates,
              })
            : html`<p class="lacking">
                ${keys} points in ${widths.value} dimensions are never affinely independent:
                <i>y</i> has more than one set of coordinates among them. <i>A</i> is one that has
                no negative entry, so <i>y</i> lies in the hull.
              </p>`
        }
      </div>
    `
  }
}

/** @param {CaseAudit} first @param {ManyAudit | null} all */
function auditRows({ rowSums, entries, outputNorms, valueNorms, coordinates, furthest }, all) {
  const [shortest, longest] = [Math.min(...outputNorms), Math.max(...outputNorms)]
  const bounds = { low: Math.min(...valueNorms), high: Math.max(...valueNorms) }
  const of = (/** @type {number} */ count) => `${count} of ${caseCount}`
  return [
    auditRow({
      claim: html`rows sum to 1
        <small
          >Σ<sub><i>j</i></sub> <i>A<sub>ij</sub></i> = 1</small
        >`,
      name: 'row-sums',
      here: html`${fixed(rowSums.smallest, 7)} to ${fixed(rowSums.largest, 7)}`,
      all: all && {
        found: html`off by ${powerOfTen(all.rowSumError)} at most`,
        holds: all.rowSumError < 1e-6,
      },
    }),
    auditRow({
      claim: html`no weight is negative
        <small
          ><i>A<sub>ij</sub></i> ≥ 0</small
        >`,
      name: 'entries',
      here: html`${fixed(entries.smallest, 6)} to ${fixed(entries.largest, 6)}`,
      all: all && {
        found: html`smallest ${powerOfTen(all.smallestWeight)}`,
        holds: all.smallestWeight >= 0,
      },
    }),
    auditRow({
      claim: html`no output is longer than the longest value
        <small
          >‖<i>y<sub>i</sub></i
          >‖ ≤ max ‖<i>v<sub>j</sub></i
          >‖</small
        >`,
      name: 'upper-bound',
      here: html`${fixed(longest, 2)} ≤ ${fixed(bounds.high, 2)}`,
      all: all && { found: of(all.belowLargest), holds: all.belowLargest === caseCount },
    }),
    auditRow({
      claim: html`no output is shorter than the shortest value
        <small
          >‖<i>y<sub>i</sub></i
          >‖ ≥ min ‖<i>v<sub>j</sub></i
          >‖</small
        >`,
      name: 'lower-bound',
      here: html`${fixed(shortest, 2)} ${shortest < bounds.low ? '<' : '≥'} ${fixed(bounds.low, 2)}`,
      all: all && { found: of(all.aboveSmallest), holds: all.aboveSmallest === caseCount },
    }),
    auditRow({
      claim: html`every output lies in the hull of the values
        <small>its coordinates among them are those of <i>A</i></small>`,
      name: 'hull',
      here: coordinates
        ? html`smallest ${fixed(Math.min(...coordinates.data), 6)}, off by ${powerOfTen(furthest)}`
        : 'not unique',
      all: all && {
        found: coordinates ? of(all.inHull) : 'not unique',
        holds: coordinates ? all.inHull === caseCount : all.smallestWeight >= 0,
      },
    }),
  ]
}

/**
 * @param {object} row
 * @param {unknown} row.claim
 * @param {string} row.name
 * @param {unknown} row.here in the case at hand
 * @param {{ found: unknown, holds: boolean } | null} row.all in all cases, once they are there
 */
function auditRow({ claim, name, here, all }) {
  return html`<tr data-claim=${name}>
    <th scope="row">${claim}</th>
    <td>${here}</td>
    <td>${all ? all.found : '…'}</td>
    <td class="verdict ${all ? (all.holds ? 'holds' : 'breaks') : ''}">
      ${all ? (all.holds ? '✓ yes' : '✗ no') : ''}
    </td>
  </tr>`
}

/** All norms on one line from 0: rings for values, dots for outputs. @param {CaseAudit} first */
function normsOnLine({ outputNorms, valueNorms }) {
  const [low, high] = [Math.min(...valueNorms), Math.max(...valueNorms)]
  const reach = Math.ceil(Math.max(high, ...outputNorms))
  const percent = (/** @type {number} */ norm) => `${(100 * norm) / reach}%`
  const span = html`<span
    class="span"
    .style=${`left: ${percent(low)}; width: ${percent(high - low)}`}
  ></span>`
  const dot = (/** @type {string} */ kind) => (/** @type {number} */ norm) =>
    html`<span class="dot ${kind}" .style=${`left: ${percent(norm)}`}></span>`
  const below = outputNorms.filter((norm) => norm < low).length
  const label = `Norms on a line: ${valueNorms.length} values from ${low.toFixed(2)} to ${high.toFixed(2)}, ${outputNorms.length} outputs from ${Math.min(...outputNorms).toFixed(2)} to ${Math.max(...outputNorms).toFixed(2)}; ${below} of them below the shortest value.`
  return html`<div class="norms" role="img" aria-label=${label}>
    <span
      >‖<i>v<sub>j</sub></i
      >‖</span
    >
    <div class="line">${span}${valueNorms.map(dot('value'))}</div>
    <span
      >‖<i>y<sub>i</sub></i
      >‖</span
    >
    <div class="line">${span}${outputNorms.map(dot('output'))}</div>
    <span></span>
    <div class="line ticks">
      ${Array.from(
        { length: reach + 1 },
        (_, tick) => html`<span class="tick" .style=${`left: ${percent(tick)}`}>${tick}</span>`,
      )}
    </div>
  </div>`
}
