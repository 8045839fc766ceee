import { html } from 'lit/html.js'
import { clustersExample, features, tokens } from './clusters-example.js'
import { headCount, resetButton } from './controls.js'
import { Exhibit } from './exhibit.js'
import { columnBlock, frobeniusNorm, largestMagnitude, sideBySide, subtract } from './matrix.js'
import { numberTable, numberTableStyles } from './number-table.js'
import { choice } from './settings.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @import { ClustersExample } from './clusters-example.js'
 * @import { State } from './settings.js'
 * @typedef {{ single: Tensor, heads: Tensor, difference: Tensor, norms: number[] }} Mixing
 */

/**
 * What one head makes of the values and what h heads make of them, before W_O, and how far apart the two are
 * in each column block: ‖(A − A⁽ⁱ⁾) X W_V⁽ⁱ⁾‖, the Frobenius norm.
 */
export class FeatureMixing extends Exhibit {
  static settings = {
    numHeads: choice([1, 2, 4, 8], 4),
  }

  static css = `${numberTableStyles}
      .panels {
        justify-items: center;
      }

      .numbers {
        max-width: 30em;
      }

      @container (width >= 46em) {
        .panels {
          grid-template-columns: 1fr 1fr 1fr;
        }
      }

      tfoot td b {
        font-weight: 600;
      }
    `

  /** @type {ClustersExample | null} */
  #example = null
  /** @type {Mixing | null} */
  #mixing = null

  /** What the figure shows: outputs (12, 8), their difference, and its norm in each block. */
  get result() {
    return this.#mixing
  }

  /** @override @protected @param {Engine} engine */
  build(engine) {
    this.#example = clustersExample(engine)
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, { numHeads }) {
    const { x, ...parameters } = /** @type {ClustersExample} */ (this.#example)
    const outputOf = (/** @type {number} */ count) =>
      sideBySide(
        engine.multiHeadAttention(x, parameters, { numHeads: count, needStages: true }).heads,
      )
    const single = outputOf(1)
    const heads = outputOf(numHeads)
    const difference = subtract(single, heads)
    const width = features / numHeads
    const norms = Array.from({ length: numHeads }, (_, head) =>
      frobeniusNorm(columnBlock(difference, head * width, width)),
    )
    this.#mixing = { single, heads, difference, norms }
    const most = norms.indexOf(Math.max(...norms))
    return numHeads === 1
      ? 'With one head the outputs are the same.'
      : `With ${numHeads} heads, head ${most + 1} departs furthest from the single head: ${norms[most].toFixed(3)}.`
  }

  /** @override @protected @param {State} state */
  template(state) {
    const { numHeads } = state
    return html`
      <div class="controls">
        ${headCount(numHeads, (count) => this.change({ numHeads: count }))}
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      <div class="panels">${this.#mixing ? this.#tables(this.#mixing, numHeads) : null}</div>
    `
  }

  /** @param {Mixing} mixing @param {number} numHeads */
  #tables({ single, heads, difference, norms }, numHeads) {
    const shared = {
      rows: tokens,
      column: '',
      blocks: numHeads,
      reach: largestMagnitude(single, heads),
    }
    return [
      numberTable({ ...shared, caption: html`One head: <i>A X W<sub>V</sub></i>`, matrix: single }),
      numberTable({
        ...shared,
        caption: numHeads === 1 ? 'The same, as head 1 of 1' : `${numHeads} heads, side by side`,
        matrix: heads,
      }),
      numberTable({
        ...shared,
        caption: 'Their difference, and its norm in each block',
        matrix: difference,
        footer: norms.map(
          (norm) => html`<b data-norm=${norm}>${norm.toFixed(numHeads > 4 ? 2 : 3)}</b>`,
        ),
        footerLabel: html`<span class="sign">‖·‖</span>`,
      }),
    ]
  }
}
