import { html, nothing } from 'lit/html.js'
import { Heatmap } from '../views/heatmap.js'
import { clustersExample, features, tokens } from './clusters-example.js'
import { headCount, headCounts, picker, resetButton, segments } from './controls.js'
import { Exhibit } from './exhibit.js'
import { fixed, listed } from './format.js'
import { headOf } from './head-numbers.js'
import { explainCells } from './inspection.js'
import { columnBlock, largestMagnitude } from './matrix.js'
import { choice, integer } from './settings.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @import { ClustersExample } from './clusters-example.js'
 * @import { State } from './settings.js'
 * @typedef {object} Form  what one head makes of two tokens
 * @property {number} form xᵣᵀ (W_Q⁽ⁱ⁾ W_K⁽ⁱ⁾ᵀ) xⱼ
 * @property {Float32Array | Float64Array} query d/h numbers
 * @property {Float32Array | Float64Array} key d/h numbers
 * @property {number} logit query · key
 * @property {number} mirror the same with the tokens' places taken by one another
 * @property {number} sum of the logits of all heads
 * @property {number} rankOfLogits
 * @property {number} rankOfWeights
 */

const count = tokens.length

/**
 * One logit in two ways: from the bilinear form of a head and from query and key; its mirror image; and all
 * logits of the head as a heatmap.
 */
export class BilinearForm extends Exhibit {
  static settings = {
    numHeads: choice(headCounts, 4),
    head: integer(0, 7, 1),
    query: integer(0, count - 1, 4),
    key: integer(0, count - 1, 8),
  }

  static css = `
      dl {
        display: grid;
        grid-template-columns: 1fr auto;
        margin: 0;
      }

      dt,
      dd {
        margin: 0;
        padding: 0.5em 0;
        border-bottom: 1px solid var(--rule);
      }

      dd {
        padding-inline-start: 1em;
        text-align: end;
        font-weight: 600;
      }

      dt small {
        display: block;
        color: var(--quiet);
        font-size: 0.9em;
      }

      @container (width >= 46em) {
        .panels {
          grid-template-columns: minmax(0, 1fr) minmax(0, 1.05fr);
          align-items: start;
        }
      }
    `

  /** @type {Heatmap | null} */
  #heatmap = null
  /** @type {ClustersExample | null} */
  #example = null
  /** @type {Form | null} */
  #form = null
  /** Logits of all settings reach from −reach to reach, so that colours compare. */
  #reach = 1

  /** The numbers beside the heatmap. */
  get result() {
    return this.#form
  }

  /** @override @protected @param {State} state */
  settle(state) {
    return state.head < state.numHeads ? state : { ...state, head: 0 }
  }

  /** @override @protected @param {Engine} engine */
  build(engine) {
    this.#example = clustersExample(engine)
    this.#reach = largestMagnitude(
      ...headCounts.map((numHeads) => this.#stages(engine, numHeads).logits),
    )
    this.#heatmap = this.own(
      new Heatmap(this.find('.heatmap'), {
        colormap: 'puor',
        domain: [-this.#reach, this.#reach],
        valueLabel: 'logit',
      }),
    )
  }

  /** @param {Engine} engine @param {number} numHeads */
  #stages(engine, numHeads) {
    const { x, wq, wk, wv } = /** @type {ClustersExample} */ (this.#example)
    return engine.multiHeadAttention(x, { wq, wk, wv }, { numHeads, needStages: true })
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, state) {
    const { numHeads, head, query, key } = state
    const stages = this.#stages(engine, numHeads)
    const logits = headOf(stages.logits, head)
    this.#heatmap?.update({
      attention: logits,
      explain: explainCells(engine, stages, { slice: head, shows: 'logits' }),
      tokens,
      selected: { query, key },
      label: `Logits of head ${head + 1} of ${numHeads}`,
    })
    const at = (
      /** @type {Tensor} */ matrix,
      /** @type {number} */ row,
      /** @type {number} */ column,
    ) => matrix.data[row * count + column]
    const width = features / numHeads
    const rowOf = (/** @type {Tensor} */ stack, /** @type {number} */ row) => {
      const start = (head * count + row) * width
      return stack.data.slice(start, start + width)
    }
    this.#form = {
      form: this.#bilinear(engine, state),
      query: rowOf(stages.query, query),
      key: rowOf(stages.key, key),
      logit: at(logits, query, key),
      mirror: at(logits, key, query),
      sum: Array.from({ length: numHeads }, (_, other) =>
        at(headOf(stages.logits, other), query, key),
      ).reduce((a, b) => a + b),
      rankOfLogits: engine.analysis.numericalRank(logits),
      rankOfWeights: engine.analysis.numericalRank(headOf(stages.weights, head)),
    }
    return `Head ${head + 1}: ${tokens[query]} with ${tokens[key]} ${fixed(this.#form.logit, 4)}, the other way ${fixed(this.#form.mirror, 4)}.`
  }

  /**
   * xᵣᵀ M xⱼ with M = W_Q⁽ⁱ⁾ W_K⁽ⁱ⁾ᵀ (d, d), in that order: query and key never come up.
   * @param {Engine} engine
   * @param {State} state
   */
  #bilinear(engine, { numHeads, head, query, key }) {
    const { x, wq, wk } = /** @type {ClustersExample} */ (this.#example)
    const width = features / numHeads
    const rule = engine.matmul(
      columnBlock(wq, head * width, width),
      columnBlock(wk, head * width, width),
      { transposeB: true },
    )
    const token = (/** @type {number} */ row) => ({
      data: x.data.slice(row * features, (row + 1) * features),
      shape: [1, features],
    })
    return engine.matmul(engine.matmul(token(query), rule), token(key), { transposeB: true })
      .data[0]
  }

  /** @override @protected @param {State} state */
  template(state) {
    const { numHeads, head, query, key } = state
    return html`
      <div class="controls">
        ${headCount(numHeads, (heads) => this.change({ numHeads: heads }))}
        ${segments({
          setting: 'head',
          legend: html`head <i>i</i>`,
          name: 'head',
          values: Array.from({ length: numHeads }, (_, index) => index),
          value: head,
          label: (index) => index + 1,
          onChange: (index) => this.change({ head: index }),
        })}
        ${picker({
          setting: 'query',
          legend: html`token <i>r</i>`,
          items: tokens,
          index: query,
          onChange: (index) => this.change({ query: index }),
        })}
        ${picker({
          setting: 'key',
          legend: html`token <i>j</i>`,
          items: tokens,
          index: key,
          onChange: (index) => this.change({ key: index }),
        })}
        <button
          type="button"
          data-setting="query key"
          @click=${() => this.change({ query: key, key: query })}
        >
          Swap <i>r</i> and <i>j</i>
        </button>
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      <div class="panels">
        <div
          class="heatmap"
          @cellselect=${(/** @type {CustomEvent} */ { detail }) =>
            this.change({ query: detail.query, key: detail.key })}
        ></div>
        <div>${this.#form ? this.#numbers(state, this.#form) : null}</div>
      </div>
    `
  }

  /** @param {State} state @param {Form} form */
  #numbers({ numHeads, head, query, key }, form) {
    const r = html`<sub>${tokens[query]}</sub>`
    const j = html`<sub>${tokens[key]}</sub>`
    const i = html`<sub>${head + 1}</sub>`
    const block = html`<sup>(${head + 1})</sup>`
    const width = features / numHeads
    return html`<dl>
      <dt>
        <i>x</i>${r}ᵀ (<i>W<sub>Q</sub></i
        >${block} <i>W<sub>K</sub></i
        >${block}ᵀ) <i>x</i>${j}
        <small>the bilinear form, without queries or keys</small>
      </dt>
      <dd data-number="form">${fixed(form.form, 4)}</dd>
      <dt>
        <i>q</i>${r} · <i>k</i>${j}
        <small>${listed(form.query, 2)} · ${listed(form.key, 2)}</small>
      </dt>
      <dd data-number="logit">${fixed(form.logit, 4)}</dd>
      <dt>
        <i>B</i>${i}(<i>x</i>${j}, <i>x</i>${r})
        <small>the other way about</small>
      </dt>
      <dd data-number="mirror">${fixed(form.mirror, 4)}</dd>
      <dt>
        <i>B</i><sub>1</sub>
        ${numHeads > 2 ? '+ ⋯' : nothing}
        ${numHeads > 1 ? html`+ <i>B</i><sub>${numHeads}</sub>` : nothing}
        <small>all heads together: the single head’s logit, whatever <i>h</i> is</small>
      </dt>
      <dd data-number="sum">${fixed(form.sum, 4)}</dd>
      <dt>
        rank of this head’s logits
        <small>at most <i>d/h</i> = ${width}</small>
      </dt>
      <dd data-number="rankOfLogits">${form.rankOfLogits}</dd>
      <dt>
        rank of <i>A</i>${block}
        <small>after the softmax</small>
      </dt>
      <dd data-number="rankOfWeights">${form.rankOfWeights}</dd>
    </dl>`
  }
}
