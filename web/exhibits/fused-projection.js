import { html } from 'lit/html.js'
import { headCounts, resetButton, segments, slider, stepper } from './controls.js'
import { Exhibit } from './exhibit.js'
import { powerOfTen } from './format.js'
import { drawWay, drawingStyles, steps, written } from './fused-drawing.js'
import { compareWithSeparate, timeProducts } from './fused-products.js'
import { measuredTableStyles } from './measured-table.js'
import { choice, integer } from './settings.js'
import { layerExample, layerSizes } from './subspace-examples.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { MultiHeadResult } from '../engine/options.js'
 * @import { Layer } from './fused-products.js'
 * @import { State } from './settings.js'
 * @typedef {object} Fused
 * @property {Layer} layer
 * @property {Required<MultiHeadResult>} stages
 * @property {ReturnType<typeof compareWithSeparate>} separate
 * @property {ReturnType<typeof timeProducts> | null} times null until they are asked for
 */

const widths = /** @type {const} */ ([8, 16, 32, 64])

/**
 * How all heads are projected at once: X times one matrix, cut into heads by a reshape, put in order by a
 * permutation; with the shapes that the engine returned, and the same numbers from a product for each head.
 */
export class FusedProjection extends Exhibit {
  static settings = {
    batch: integer(1, 4, layerSizes.batch),
    tokens: integer(1, 12, layerSizes.tokens),
    features: choice(widths, layerSizes.features),
    numHeads: choice(headCounts, layerSizes.heads),
    step: integer(0, steps.length - 1, steps.length - 1),
  }

  static css = `${measuredTableStyles}${drawingStyles}
      .measured {
        margin-top: 1.4em;
      }

      .times {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5em 1.2em;
        margin: 1.2em 0 0;
      }

      .times output {
        min-height: 1.5em;
      }

    `

  /** @type {Engine | null} */
  #engine = null
  /** @type {Fused | null} */
  #result = null
  #setup = ''

  /** What the figure shows. */
  get result() {
    return this.#result
  }

  /** @override @protected @param {Engine} engine */
  build(engine) {
    this.#engine = engine
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, { step: _step, numHeads, ...sizes }) {
    const setup = JSON.stringify({ numHeads, ...sizes })
    if (setup !== this.#setup) {
      this.#setup = setup
      const layer = { ...layerExample(engine, sizes), numHeads }
      const { x, parameters } = layer
      const stages = engine.multiHeadAttention(x, parameters, { numHeads, needStages: true })
      const separate = compareWithSeparate(engine, layer, stages)
      this.#result = { layer, stages, separate, times: null }
    }
    const { separate } = /** @type {Fused} */ (this.#result)
    return `${separate.products} separate products give ${separate.numbers} numbers, of which ${separate.different} differ from those of the fused products.`
  }

  #time() {
    if (!this.#engine || !this.#result) return
    this.#result = { ...this.#result, times: timeProducts(this.#engine, this.#result.layer) }
    this.refresh()
  }

  /** @override @protected @param {State} state */
  template(state) {
    const { batch, tokens, features, numHeads, step } = state
    return html`
      <div class="controls">
        ${slider({
          setting: 'batch',
          legend: html`batch <i>B</i>`,
          low: 1,
          high: 4,
          step: 1,
          value: batch,
          onChange: (value) => this.change({ batch: value }),
        })}
        ${slider({
          setting: 'tokens',
          legend: html`tokens <i>N</i>`,
          low: 1,
          high: 12,
          step: 1,
          value: tokens,
          onChange: (value) => this.change({ tokens: value }),
        })}
        ${segments({
          setting: 'features',
          legend: html`features <i>d</i><sub>model</sub>`,
          name: 'features',
          values: widths,
          value: features,
          onChange: (value) => this.change({ features: value }),
        })}
        ${segments({
          setting: 'numHeads',
          legend: html`heads <i>h</i>`,
          name: 'heads',
          values: headCounts,
          value: numHeads,
          onChange: (value) => this.change({ numHeads: value }),
        })}
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      ${stepper({
        setting: 'step',
        what: 'step',
        index: step,
        count: steps.length,
        name: steps[step],
        onChange: (index) => this.change({ step: index }),
      })}
      ${this.#result ? drawWay(this.#result.stages.query.shape, step) : null}
      ${this.#result ? shapeTable(this.#result) : null}
      ${this.#result ? this.#separate(this.#result) : null}
    `
  }

  /** @param {Fused} result */
  #separate({ separate: { products, numbers, different, largest }, times }) {
    return html`<p class="same">
        ${products} separate products, one for each head and projection, give the same ${numbers}
        numbers:
        <b data-measure="different">${different}</b> of them have other bits, the largest difference
        is <b data-measure="largest">${powerOfTen(largest)}</b>.
      </p>
      <div class="times">
        <button type="button" @click=${() => this.#time()}>Time both</button>
        <output>
          ${
            times
              ? html`three fused products <b data-time="fused">${times.fused.toFixed(1)}</b> µs,
                  ${products} separate ones
                  <b data-time="separate">${times.separate.toFixed(1)}</b> µs:
                  <b>${(times.separate / times.fused).toFixed(1)}</b> times as long, on this
                  machine, just now`
              : ''
          }
        </output>
      </div>`
  }
}

/** @param {Fused} result */
function shapeTable({ layer: { x, numHeads }, stages }) {
  const [batch, tokens, features] = x.shape
  const width = features / numHeads
  const rows = [
    ['input X', 'x', '(B, N, d_model)', [batch, tokens, features], x.shape],
    [
      'queries of all heads',
      'query',
      '(B, h, N, d_k)',
      [batch, numHeads, tokens, width],
      stages.query.shape,
    ],
    ['scores', 'scores', '(B, h, N, N)', [batch, numHeads, tokens, tokens], stages.scores.shape],
    ['weights', 'weights', '(B, h, N, N)', [batch, numHeads, tokens, tokens], stages.weights.shape],
    [
      'outputs of all heads',
      'heads',
      '(B, h, N, d_k)',
      [batch, numHeads, tokens, width],
      stages.heads.shape,
    ],
    ['output', 'output', '(B, N, d_model)', [batch, tokens, features], stages.output.shape],
  ]
  return html`<table class="measured">
    <thead>
      <tr>
        <td></td>
        <th scope="col" class="spare">in letters</th>
        <th scope="col">expected</th>
        <th scope="col">returned</th>
        <th scope="col" class="verdict">the same?</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(([name, key, letters, expected, returned]) => {
        const isSame = String(expected) === String(returned)
        return html`<tr data-tensor=${key}>
          <th scope="row">${name}</th>
          <td class="spare">${letters}</td>
          <td>${written(/** @type {number[]} */ (expected))}</td>
          <td data-shape=${key}>${written(/** @type {number[]} */ (returned))}</td>
          <td class="verdict ${isSame ? 'holds' : 'breaks'}">${isSame ? '✓ yes' : '✗ no'}</td>
        </tr>`
      })}
    </tbody>
  </table>`
}
