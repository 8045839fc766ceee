import { html, nothing } from 'lit/html.js'
import { AttentionCube } from '../views/cube/attention-cube.js'
import { HeadGrid } from '../views/head-grid.js'
import { clustersExample, features, tokens } from './clusters-example.js'
import { headCount, headCounts, resetButton, segments } from './controls.js'
import { Exhibit } from './exhibit.js'
import { headNumbers } from './head-numbers.js'
import { explainCells } from './inspection.js'
import { choice, integer } from './settings.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @import { Explain } from '../views/inspector/explanation.js'
 * @import { ClustersExample } from './clusters-example.js'
 * @import { HeadNumbers } from './head-numbers.js'
 * @import { State } from './settings.js'
 */

/**
 * The worked example: the attention of every head as heatmaps and as a cube, in step with one another, for a
 * number of heads that the reader chooses, and what can be measured of each head.
 *
 * The option `show` leaves a part away: `cube` shows the cube alone, `heads` the heatmaps alone.
 */
export class MultiHeadExample extends Exhibit {
  static settings = {
    numHeads: choice(headCounts, 4),
    emphasizedHead: integer(-1, 7, -1),
    scale: choice(['common', 'own'], 'common'),
  }

  static options = {
    show: choice(['both', 'heads', 'cube'], 'both'),
  }

  static css = `
      .panels {
        align-items: start;
      }

      @container (width >= 46em) {
        .panels.both {
          grid-template-columns: minmax(0, 1.25fr) minmax(0, 1fr);
        }

        .both > .grid {
          grid-column: 1 / -1;
        }
      }

      .measures {
        width: 100%;
        font-size: clamp(0.78em, 3.3cqi, 0.9em);
      }

      .measures th,
      .measures td {
        padding: 0.35em 0 0.35em 0.8em;
        border-bottom: 1px solid var(--rule);
        vertical-align: bottom;
      }

      .measures tr > :first-child {
        padding-inline-start: 0.3em;
      }

      .measures [scope='row'] {
        color: inherit;
        white-space: nowrap;
        text-align: start;
      }

      .measures .spare {
        white-space: nowrap;
      }

      .measures tr.chosen {
        background: var(--wash);
        font-weight: 600;
      }

      @container (width < 34em) {
        .measures .spare {
          display: none;
        }
      }
    `

  /** @type {ClustersExample | null} */
  #example = null
  /** @type {HeadGrid | null} */
  #grid = null
  /** @type {AttentionCube | null} */
  #cube = null
  /** The largest weight of each number of heads. @type {Record<number, number>} */
  #largest = {}
  /** @type {{ numHeads: number, output: Tensor, weights: Tensor, measures: HeadNumbers[] } | null} */
  #result = null
  /** What stands behind the weights of the result. @type {Explain | null} */
  #explain = null

  /** What the figure shows: output (12, 8), weights (h, 12, 12), and measures of each head. */
  get result() {
    return this.#result
  }

  /** @override @protected @param {State} state */
  settle(state) {
    return state.emphasizedHead < state.numHeads ? state : { ...state, emphasizedHead: -1 }
  }

  /** @override @protected @param {Engine} engine */
  build(engine) {
    this.#example = clustersExample(engine)
    for (const numHeads of headCounts) {
      this.#largest[numHeads] = Math.max(...this.#attend(engine, numHeads).weights.data)
    }
    const { show } = this.options
    if (show !== 'cube') {
      const label = 'Attention matrices of the heads'
      this.#grid = this.own(new HeadGrid(this.find('.grid'), { tokens, label }))
    }
    if (show !== 'heads') {
      const label = 'Attention cube'
      this.#cube = this.own(new AttentionCube(this.find('.cube'), { tokens, label }))
    }
  }

  /** @param {Engine} engine @param {number} numHeads */
  #attend(engine, numHeads) {
    const { x, ...parameters } = /** @type {ClustersExample} */ (this.#example)
    return engine.multiHeadAttention(x, parameters, { numHeads, needStages: true })
  }

  /** Computed anew only when the number of heads is another. @param {Engine} engine @param {number} numHeads */
  #resultFor(engine, numHeads) {
    if (this.#result?.numHeads === numHeads) return this.#result
    const stages = this.#attend(engine, numHeads)
    const { output, weights } = stages
    this.#result = { numHeads, output, weights, measures: headNumbers(engine, stages) }
    this.#explain = explainCells(engine, stages)
    return this.#result
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, { numHeads, emphasizedHead, scale }) {
    const result = this.#resultFor(engine, numHeads)
    const largest =
      scale === 'own' ? this.#largest[numHeads] : Math.max(...Object.values(this.#largest))
    const change = {
      attention: result.weights,
      explain: this.#explain,
      domain: /** @type {[number, number]} */ ([0, largest]),
      emphasizedHead,
    }
    this.#grid?.update(change)
    this.#cube?.update(change)
    const chosen = emphasizedHead < 0 ? 'all heads' : `head ${emphasizedHead + 1}`
    return `${numHeads === 1 ? 'One head' : `${numHeads} heads`}, showing ${chosen}; the largest weight is ${this.#largest[numHeads].toFixed(3)}.`
  }

  /** @param {CustomEvent<{ head: number }>} event */
  #onHeadChange({ detail: { head } }) {
    this.change({ emphasizedHead: head })
  }

  /** @override @protected @param {State} state */
  template(state) {
    const { numHeads, scale } = state
    const isWhole = this.options.show === 'both'
    return html`
      <div class="controls">
        ${headCount(numHeads, (count) => this.change({ numHeads: count }))}
        ${
          isWhole
            ? segments({
                setting: 'scale',
                legend: 'colours reach to',
                name: 'scale',
                values: ['common', 'own'],
                value: scale,
                label: (kind) => (kind === 'common' ? 'all four settings' : html`this <i>h</i>`),
                onChange: (kind) => this.change({ scale: kind }),
              })
            : nothing
        }
        ${isWhole ? resetButton(() => this.reset(), this.isInitial) : nothing}
      </div>
      <div class="panels ${this.options.show}" @headchange=${this.#onHeadChange}>
        ${this.options.show === 'cube' ? nothing : html`<div class="grid"></div>`}
        ${this.options.show === 'heads' ? nothing : html`<div class="cube"></div>`}
        ${isWhole && this.#result ? this.#measures(state, this.#result.measures) : nothing}
      </div>
    `
  }

  /** @param {State} state @param {HeadNumbers[]} measures */
  #measures({ numHeads, emphasizedHead }, measures) {
    return html`<table class="measures">
      <thead>
        <tr>
          <td></td>
          <th scope="col">largest weight</th>
          <th scope="col" class="spare">from → to</th>
          <th scope="col">mean entropy, nats</th>
          <th scope="col">rank of logits</th>
          <th scope="col">rank of <i>A</i></th>
        </tr>
      </thead>
      <tbody>
        ${measures.map(
          ({ largest, query, key, entropy, rankOfLogits, rankOfWeights }, head) =>
            html`<tr class=${head === emphasizedHead ? 'chosen' : ''} data-head=${head}>
              <th scope="row">head ${head + 1}</th>
              <td data-measure="largest">${largest.toFixed(3)}</td>
              <td class="spare">${tokens[query]} → ${tokens[key]}</td>
              <td data-measure="entropy">${entropy.toFixed(3)}</td>
              <td data-measure="rank-of-logits">${rankOfLogits} of ${features / numHeads}</td>
              <td data-measure="rank-of-weights">${rankOfWeights}</td>
            </tr>`,
        )}
      </tbody>
    </table>`
  }
}
