import { html } from 'lit/html.js'
import { Heatmap } from '../views/heatmap.js'
import { say, takeSteps, width } from './attention-stages.js'
import { picker, resetButton, stepper, toggle } from './controls.js'
import { coreferenceEmbeddings, places, sentence } from './coreference.js'
import { Exhibit } from './exhibit.js'
import { fixed } from './format.js'
import { total } from './matrix.js'
import { flag, integer } from './settings.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @import { Steps } from './attention-stages.js'
 * @import { State } from './settings.js'
 */

const count = sentence.length
/** What the values of the masked figure are drawn between. @type {[number, number]} */
const contributionDomain = [-0.6, 0.6]

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {unknown} column its heading
 * @property {number} digits
 * @property {boolean} [isSummed] whether its sum means something
 * @property {(steps: Steps) => Float32Array | Float64Array} of its numbers
 */

/** @type {readonly Stage[]} */
const stages = [
  {
    name: 'compare',
    column: html`<i>q</i> · <i>k<sub>j</sub></i>`,
    digits: 3,
    of: ({ raw }) => raw,
  },
  { name: 'scale', column: html`÷ √${width}`, digits: 3, of: ({ scaled }) => scaled },
  { name: 'mask', column: 'masked', digits: 3, of: ({ masked }) => masked },
  { name: 'exponentiate', column: 'exp', digits: 3, isSummed: true, of: ({ exp }) => exp },
  { name: 'normalise', column: 'weight', digits: 4, isSummed: true, of: ({ weights }) => weights },
  {
    name: 'average',
    column: 'share',
    digits: 3,
    isSummed: true,
    of: ({ reference }) => reference.shareAlongOutput,
  },
]

/**
 * The way of one query to its output, stage by stage: dot products, scaling, mask, exponential, normalisation,
 * and the weighted sum of values.
 */
export class AttentionSteps extends Exhibit {
  static settings = {
    query: integer(0, count - 1, places.it),
    key: integer(0, count - 1, places.animal),
    stage: integer(0, stages.length - 1, 0),
    isCausal: flag(false),
  }

  static css = `
      .said {
        min-height: 3.1em;
        max-width: 50em;
        margin: 0 0 0.8em;
      }

      .said b {
        white-space: nowrap;
        font-weight: 400;
      }

      .steps {
        width: 100%;
        table-layout: fixed;
        font-size: clamp(0.78em, 3.4cqi, 0.93em);
      }

      .steps th,
      .steps td {
        padding: 0.3em 0 0.3em 0.4em;
        border-bottom: 1px solid var(--rule);
      }

      .steps tr > :first-child {
        width: 5.4em;
        padding-inline-start: 0.3em;
        text-align: start;
      }

      .steps tr > .number {
        width: clamp(4.6em, 10.5cqi, 7em);
        white-space: nowrap;
      }

      .steps tbody th {
        color: inherit;
      }

      .steps tbody tr {
        cursor: pointer;
      }

      .steps tbody tr:hover,
      .steps tr.chosen {
        background: var(--wash);
      }

      .steps .now {
        font-weight: 600;
      }

      .steps thead .now {
        color: var(--ink);
        box-shadow: 0 2px 0 var(--accent);
      }

      .steps .bar {
        padding-inline: 1.2em 0.3em;
      }

      .bar div {
        position: relative;
        height: 0.85em;
      }

      .bar span {
        position: absolute;
        inset-block: 0;
        min-width: 1px;
        background: var(--accent);
      }

      .bar .negative {
        background: light-dark(#b45309, #f5a65b);
      }

      .steps tfoot td,
      .steps tfoot th {
        border: 0;
        color: var(--quiet);
      }

      .values {
        margin-top: 1.4em;
      }

      @container (width < 40em) {
        .steps .past {
          display: none;
        }

        .said {
          min-height: 6em;
        }
      }
    `

  /** @type {Tensor | null} */
  #x = null
  /** @type {Heatmap | null} */
  #heatmap = null
  /** @type {Steps | null} */
  #steps = null

  /** What the figure shows. */
  get result() {
    return this.#steps
  }

  /** @override @protected @param {Engine} engine */
  build(engine) {
    this.#x = coreferenceEmbeddings(engine)
    this.#heatmap = this.own(
      new Heatmap(this.find('.values'), {
        queryTokens: [...sentence, 'sum, y'],
        axes: { query: 'key', key: 'feature' },
        inspector: false,
        colormap: 'puor',
        domain: contributionDomain,
        valueLabel: 'weight times value',
        label: 'The values, each times its weight, and their sum',
      }),
    )
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, { query, key, stage, isCausal }) {
    const steps = takeSteps(engine, /** @type {Tensor} */ (this.#x), query, key, isCausal)
    this.#steps = steps
    this.#heatmap?.update({ attention: steps.contributions })
    const { name, of, digits } = stages[stage]
    return `Stage ${stage + 1} of ${stages.length}, ${name}: for the query “${sentence[query]}” the key “${sentence[key]}” has ${fixed(of(steps)[key], digits)}.`
  }

  /** @override @protected @param {State} state */
  template(state) {
    const { query, key, stage, isCausal } = state
    return html`
      <div class="controls">
        ${picker({
          setting: 'query',
          legend: html`query <i>r</i>`,
          items: sentence,
          index: query,
          onChange: (index) => this.change({ query: index }),
        })}
        ${picker({
          setting: 'key',
          legend: html`key <i>j</i>`,
          items: sentence,
          index: key,
          onChange: (index) => this.change({ key: index }),
        })}
        ${stepper({
          setting: 'stage',
          what: 'stage',
          index: stage,
          count: stages.length,
          name: stages[stage].name,
          onChange: (index) => this.change({ stage: index }),
        })}
        ${toggle({
          setting: 'isCausal',
          legend: 'causal mask',
          value: isCausal,
          onChange: (value) => this.change({ isCausal: value }),
        })}
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      ${this.#steps ? this.#table(state, this.#steps) : null}
      <div class="values" ?hidden=${stage < stages.length - 1}></div>
    `
  }

  /** @param {State} state @param {Steps} steps */
  #table({ query, key, stage, isCausal }, steps) {
    const current = stages[stage].of(steps)
    const taken = stages.slice(0, stage + 1)
    const classOf = (/** @type {number} */ place) =>
      `number ${place === stage ? 'now' : place < stage - 1 ? 'past' : ''}`
    return html`
      <p class="said">${say(stage, steps, query, key, isCausal)}</p>
      <table class="steps">
        <thead>
          <tr>
            <th scope="col">key <i>j</i></th>
            ${taken.map(({ column }, place) => html`<th scope="col" class=${classOf(place)}>${column}</th>`)}
            <td></td>
          </tr>
        </thead>
        <tbody>
          ${sentence.map(
            (token, row) =>
              html`<tr
                class=${row === key ? 'chosen' : ''}
                @click=${() => this.change({ key: row })}
              >
                <th scope="row">${token}</th>
                ${taken.map(({ of, digits }, place) => {
                  const value = of(steps)[row]
                  return html`<td class=${classOf(place)} data-stage=${place}>
                    ${value === -Infinity ? '−∞' : fixed(value, digits)}
                  </td>`
                })}
                <td class="bar">${bar(current, row)}</td>
              </tr>`,
          )}
        </tbody>
        <tfoot>
          <tr>
            ${stage < 3 ? html`<td>&nbsp;</td>` : html`<th scope="row">Σ</th>`}
            ${taken.map(
              ({ of, digits, isSummed }, place) =>
                html`<td class=${classOf(place)}>
                  ${isSummed ? fixed(total(of(steps)), digits) : ''}
                </td>`,
            )}
            <td></td>
          </tr>
        </tfoot>
      </table>
    `
  }
}

/**
 * A bar from zero to a value; all of a column on one scale.
 * @param {ArrayLike<number>} column
 * @param {number} row
 */
function bar(column, row) {
  const value = column[row]
  if (value === -Infinity) return null
  const finite = Array.from(column).filter(Number.isFinite)
  const low = Math.min(0, ...finite)
  const range = Math.max(0, ...finite) - low
  const percent = (/** @type {number} */ part) => `${(100 * part) / range}%`
  return html`<div>
    <span
      class=${value < 0 ? 'negative' : ''}
      .style=${`left: ${percent(Math.min(0, value) - low)}; width: ${percent(Math.abs(value))}`}
    ></span>
  </div>`
}
