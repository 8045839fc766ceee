import { html } from 'lit/html.js'
import { HeadGrid } from '../views/head-grid.js'
import { auditModule, auditOneHead } from './causal-audit.js'
import { moduleSizes, namelessCount, namelessSeed } from './causal-examples.js'
import { resetButton, segments, slider, toggle } from './controls.js'
import { Exhibit } from './exhibit.js'
import { fixed, powerOfTen } from './format.js'
import { explainCells } from './inspection.js'
import { measuredTableStyles } from './measured-table.js'
import { choice, flag, integer } from './settings.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @import { CausalAudit } from './causal-audit.js'
 * @import { State } from './settings.js'
 * @typedef {object} Result
 * @property {CausalAudit} single
 * @property {CausalAudit} module
 * @property {{ single: { weights: Tensor, output: Tensor }, module: { weights: Tensor, output: Tensor } }} tensors
 */

const { batch, heads, tokens } = moduleSizes
const sequences = Array.from({ length: batch }, (_, sequence) => sequence)
/** What rounding may leave of a sum of weights. */
const rounding = 1e-6

/**
 * What holds of causal attention, measured: on one head and on the PyTorch module of four heads with a batch of
 * two; with the mask, and without it, where it does not hold.
 */
export class CausalAxioms extends Exhibit {
  static settings = {
    seed: integer(0, 999_999, namelessSeed),
    length: integer(1, 32, namelessCount),
    isCausal: flag(true),
    sequence: choice(sequences, 0),
  }

  static css = `${measuredTableStyles}
      .measured td {
        min-width: 5.5em;
      }

      .measured th small {
        display: block;
      }

      .batch {
        margin-top: 1.8em;
      }

      .grid {
        margin-top: 0.9em;
      }
    `

  /** @type {HeadGrid | null} */
  #grid = null
  /** @type {Result | null} */
  #result = null

  /** What was measured of both cases. */
  get result() {
    return this.#result
  }

  /** @override @protected */
  build() {
    const label = 'Weights of the four heads of the PyTorch module'
    this.#grid = this.own(new HeadGrid(this.find('.grid'), { domain: [0, 1], label }))
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, { seed, length, isCausal, sequence }) {
    const single = auditOneHead(engine, { seed, length, isCausal })
    const { audit, stages } = auditModule(engine, { isCausal })
    const { weights, output } = stages
    this.#result = {
      single: single.audit,
      module: audit,
      tensors: { single, module: { weights, output } },
    }
    const size = heads * tokens * tokens
    this.#grid?.update({
      attention: {
        data: weights.data.subarray(sequence * size, (sequence + 1) * size),
        shape: [heads, tokens, tokens],
      },
      causal: isCausal,
      explain: explainCells(engine, stages, { isCausal, slice: sequence * heads }),
    })
    const above = single.audit.notZero + audit.notZero
    return above === 0
      ? 'With the mask no weight above the diagonal differs from 0, and the first output is the first value, bit for bit.'
      : `Without the mask ${above} of ${single.audit.above + audit.above} weights above the diagonal differ from 0, and the first output is not the first value.`
  }

  /** @override @protected @param {State} state */
  template(state) {
    const { seed, length, isCausal, sequence } = state
    return html`
      <div class="controls">
        ${toggle({
          setting: 'isCausal',
          legend: 'causal mask',
          value: isCausal,
          onChange: (value) => this.change({ isCausal: value }),
        })}
        <button
          type="button"
          data-setting="seed"
          @click=${() => this.change({ seed: (seed + 1) % 1_000_000 })}
        >
          Draw another case
        </button>
        ${slider({
          setting: 'length',
          legend: html`its tokens <i>T</i>`,
          low: 1,
          high: 32,
          step: 1,
          value: length,
          onChange: (value) => this.change({ length: value }),
        })}
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      ${this.#result ? this.#table(state, this.#result) : null}
      <div class="batch">
        ${segments({
          setting: 'sequence',
          legend: 'weights of the module, of sequence',
          name: 'sequence',
          values: sequences,
          value: sequence,
          label: (place) => place + 1,
          onChange: (place) => this.change({ sequence: place }),
        })}
        <div class="grid"></div>
      </div>
    `
  }

  /** @param {State} state @param {Result} result */
  #table({ seed, length }, { single, module }) {
    const isNotebooks = seed === namelessSeed && length === namelessCount
    return html`<table class="measured">
      <thead>
        <tr>
          <th scope="col">claim</th>
          <th scope="col">one head, ${isNotebooks ? 'the notebook’s case' : `seed ${seed}`}</th>
          <th scope="col">PyTorch’s module</th>
          <th scope="col" class="verdict">holds?</th>
        </tr>
      </thead>
      <tbody>
        ${claims.map(({ name, claim, measured, holds }) => {
          const found = [single, module].map(holds).filter((answer) => answer !== null)
          const isTrue = found.every(Boolean)
          return html`<tr data-claim=${name}>
            <th scope="row">${claim}</th>
            <td>${measured(single)}</td>
            <td>${measured(module)}</td>
            <td class="verdict ${found.length === 0 ? '' : isTrue ? 'holds' : 'breaks'}">
              ${found.length === 0 ? '' : isTrue ? '✓ yes' : '✗ no'}
            </td>
          </tr>`
        })}
      </tbody>
    </table>`
  }
}

/** @param {readonly number[]} shape */
function inWords(shape) {
  return shape.join(' × ')
}

/**
 * @type {readonly { name: string, claim: unknown, measured: (audit: CausalAudit) => unknown,
 *   holds: (audit: CausalAudit) => boolean | null }[]} `holds`: null where there is nothing to hold
 */
const claims = [
  {
    name: 'shape',
    claim: html`what was computed<small>weights; output</small>`,
    measured: ({ weightsShape, outputShape }) =>
      html`${inWords(weightsShape)}<br /><small>${inWords(outputShape)}</small>`,
    holds: () => null,
  },
  {
    name: 'above',
    claim: html`nothing above the diagonal<small
        ><i>A<sub>ij</sub></i> = 0 for <i>j</i> > <i>i</i></small
      >`,
    measured: ({ above, notZero, largestAbove }) =>
      html`${largestAbove === 0 ? '0' : fixed(largestAbove, 4)} at most<br /><small
          >${notZero} of ${above} not 0</small
        >`,
    holds: ({ notZero }) => notZero === 0,
  },
  {
    name: 'sums',
    claim: html`rows sum to 1<small
        >Σ<sub><i>j ≤ i</i></sub> <i>A<sub>ij</sub></i> = 1</small
      >`,
    measured: ({ smallestSum, largestSum, sumError }) =>
      html`${fixed(smallestSum, 6)} to ${fixed(largestSum, 6)}<br /><small
          >off by ${powerOfTen(sumError)} at most</small
        >`,
    holds: ({ sumError }) => sumError < rounding,
  },
  {
    name: 'first',
    claim: html`the first output is the first value<small
        ><i>y</i><sub>1</sub> = <i>v</i><sub>1</sub>, before <i>W<sub>O</sub></i></small
      >`,
    measured: ({ firstDifference, firstBits }) =>
      html`${firstDifference === 0 ? '0' : fixed(firstDifference, 4)} apart<br /><small
          >${firstBits === 0 ? 'the same bit for bit' : `${firstBits} numbers differ`}</small
        >`,
    holds: ({ firstBits }) => firstBits === 0,
  },
  {
    name: 'projected',
    claim: html`and still is after <i>W<sub>O</sub></i
      ><small
        ><i>y</i><sub>1</sub> <i>W<sub>O</sub></i> + <i>b<sub>O</sub></i> = <i>v</i
        ><sub>1</sub></small
      >`,
    measured: ({ projectedDifference }) =>
      projectedDifference === null
        ? html`<small
            >has no <i>W<sub>O</sub></i></small
          >`
        : html`${fixed(projectedDifference, 4)} apart`,
    holds: ({ projectedDifference }) =>
      projectedDifference === null ? null : projectedDifference < rounding,
  },
]
