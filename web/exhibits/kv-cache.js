import { html } from 'lit/html.js'
import { decodedCount, decodedWidth, decodingExample } from './causal-examples.js'
import { resetButton, stepper } from './controls.js'
import { DecodingChart } from './decoding-chart.js'
import { decodingCost } from './decoding-cost.js'
import { Exhibit } from './exhibit.js'
import { fixed, powerOfTen } from './format.js'
import { kvCacheStyles } from './kv-cache-styles.js'
import { largestMagnitude, rowOf } from './matrix.js'
import { Player } from './player.js'
import { differentBits } from './same-bits.js'
import { choice, integer } from './settings.js'
import { emptyStrip, strip } from './strip.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @import { DecodingCost } from './decoding-cost.js'
 * @import { State } from './settings.js'
 * @typedef {Record<'query' | 'key' | 'value' | 'scores' | 'weights' | 'output', Tensor>} FullPass
 * @typedef {object} Step
 * @property {Float32Array} weights (t) of the new query
 * @property {Float32Array} output (16)
 * @property {number} different how many of their numbers have other bits than in the full pass
 * @typedef {object} Decoded
 * @property {Step[]} steps those that were taken
 * @property {Tensor} keys (1, t, 16) as the cache holds them
 * @property {Tensor} values (1, t, 16)
 * @property {DecodingCost[]} costs of all steps
 */

const places = Array.from({ length: decodedCount }, (_, place) => place)
/** Widths of models from the example's to a large one's. */
const widths = [decodedWidth, 128, 1024, 4096]

/**
 * Decoding with a cache: keys and values as they are stored, the row of the new query, and what comes out, bit
 * for bit beside the full causal pass. Below, what a step costs with the cache and without it.
 */
export class KvCacheDecoding extends Exhibit {
  static settings = {
    step: integer(1, decodedCount, decodedCount),
    width: choice(widths, decodedWidth),
    counted: choice(['operations', 'bytes'], 'operations'),
  }

  static css = kvCacheStyles

  /** @type {ReturnType<typeof decodingExample> | null} */
  #example = null
  /** @type {ReturnType<Engine['createKvCache']> | null} */
  #cache = null
  /** @type {FullPass | null} */
  #full = null
  #reach = 1
  /** @type {DecodingChart | null} */
  #chart = null
  /** @type {Decoded | null} */
  #result = null
  #player = new Player({
    signal: this.signal,
    setting: 'step',
    what: 'the steps',
    start: () => {
      if (this.state.step === decodedCount) this.change({ step: 1 })
    },
    advance: () => {
      const step = this.state.step + 1
      this.change({ step })
      return step < decodedCount
    },
  })

  /** What the cache holds and what came of it, step by step; and what the steps cost. */
  get result() {
    return this.#result
  }

  /** @override @protected @param {Engine} engine */
  build(engine) {
    this.#example = decodingExample(engine)
    const { x, parameters } = this.#example
    this.#full = engine.multiHeadAttention(x, parameters, {
      ...{ numHeads: 1, isCausal: true, needStages: true },
    })
    const { query, key, value, output } = this.#full
    this.#reach = largestMagnitude(query, key, value, output)
    this.#cache = this.own(
      engine.createKvCache(parameters, { numHeads: 1, maxLength: decodedCount }),
    )
    this.#chart = this.own(new DecodingChart(this.find('.chart')))
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, { step, width, counted }) {
    this.#result = this.#decode(engine, step)
    this.#chart?.show(engine, { width, counted })
    const different = this.#result.steps.reduce((sum, taken) => sum + taken.different, 0)
    return `Token ${step}: the cache holds ${step} ${step === 1 ? 'key and value' : 'keys and values'}. ${different === 0 ? 'All outputs so far are those of the full pass, bit for bit.' : `${different} numbers differ from the full pass.`}`
  }

  /** @param {Engine} engine @param {number} count @returns {Decoded} */
  #decode(engine, count) {
    const { x } = /** @type {{ x: Tensor }} */ (this.#example)
    const cache = /** @type {ReturnType<Engine['createKvCache']>} */ (this.#cache)
    const full = /** @type {FullPass} */ (this.#full)
    cache.reset()
    const steps = places.slice(0, count).map((place) => {
      const { output, weights } = cache.step({ data: rowOf(x, place), shape: [decodedWidth] })
      const fullWeights = rowOf(full.weights, place).subarray(0, place + 1)
      const different =
        differentBits(output.data, rowOf(full.output, place)) +
        differentBits(weights.data, fullWeights)
      return { weights: weights.data, output: output.data, different }
    })
    return {
      steps,
      keys: cache.keys,
      values: cache.values,
      costs: places.map((place) => decodingCost(engine, place + 1, decodedWidth)),
    }
  }

  /** @param {State} part by hand: playing ends */
  #choose(part) {
    this.#player.stop()
    this.change(part)
  }

  /** @override */
  reset() {
    this.#player.stop()
    super.reset()
  }

  /** @override @protected @param {State} state */
  template(state) {
    return html`
      <div class="controls">
        ${this.#player.button}
        ${stepper({
          setting: 'step',
          what: 'token',
          index: state.step - 1,
          count: decodedCount,
          name: 'token',
          onChange: (index) => this.#choose({ step: index + 1 }),
        })}
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      ${this.#result && this.#full ? this.#decoded(state.step, this.#result, this.#full) : null}
      <div class="cost">
        <div class="controls">
          ${DecodingChart.controls(state, widths, (part) => this.change(part))}
        </div>
        <div class="chart"></div>
      </div>
    `
  }

  /** @param {number} step @param {Decoded} decoded @param {FullPass} full */
  #decoded(step, { steps, keys, values, costs }, full) {
    const place = step - 1
    const { weights, output, different } = steps[place]
    const draw = (/** @type {ArrayLike<number>} */ vector, /** @type {string} */ name) =>
      strip(vector, this.#reach, name)
    return html`
      <table class="cache">
        <thead>
          <tr>
            <th scope="col">token</th>
            <th scope="col">key, stored</th>
            <th scope="col">value, stored</th>
            <th scope="col" class="spare">
              <i>q</i><sub>${step}</sub> · <i>k</i> ÷ √${decodedWidth}
            </th>
            <th scope="col">weight</th>
          </tr>
        </thead>
        <tbody>
          ${places.map((row) =>
            row > place
              ? html`<tr class="absent">
                  <th scope="row">${row + 1}</th>
                  <td>${emptyStrip}</td>
                  <td>${emptyStrip}</td>
                  <td class="spare"></td>
                  <td></td>
                </tr>`
              : html`<tr class=${row === place ? 'new' : ''}>
                  <th scope="row">${row + 1} ${row === place ? html`<small>new</small>` : null}</th>
                  <td>${draw(rowOf(keys, row), `key ${row + 1}`)}</td>
                  <td>${draw(rowOf(values, row), `value ${row + 1}`)}</td>
                  <td class="spare">${fixed(rowOf(full.scores, place)[row], 3)}</td>
                  <td data-weight=${weights[row]}>
                    <div class="weight">
                      <b>${inRow(weights[row])}</b>
                      <span .style=${`width: ${100 * weights[row]}%`}></span>
                    </div>
                  </td>
                </tr>`,
          )}
        </tbody>
      </table>
      <dl class="vectors">
        <dt>new query <i>q</i><sub>${step}</sub></dt>
        <dd>${draw(rowOf(full.query, place), `query ${step}`)}</dd>
        <dt>output <i>y</i><sub>${step}</sub>, from the cache</dt>
        <dd>${draw(output, `output ${step} from the cache`)}</dd>
        <dt>row ${step} of the full pass</dt>
        <dd>${draw(rowOf(full.output, place), `row ${step} of the full pass`)}</dd>
        <dt>numbers with other bits</dt>
        <dd>
          <b data-different=${different}>${different} of ${decodedWidth + step}</b>
          <small>${decodedWidth} of the output, ${step} of the weights</small>
        </dd>
      </dl>
      <table class="measured">
        <caption>
          What step
          <i>T</i>
          costs: operations, and bytes that the cache keeps
        </caption>
        <thead>
          <tr>
            <th scope="col"><i>T</i></th>
            <th scope="col">with the cache</th>
            <th scope="col">keys, values anew</th>
            <th scope="col">full pass anew</th>
            <th scope="col">cache, bytes</th>
            <th scope="col">other bits</th>
          </tr>
        </thead>
        <tbody>
          ${costs.map(
            ({ cached, anew, full: fullPass, kept }, row) =>
              html`<tr class=${row === place ? 'chosen' : ''}>
                <th scope="row">${row + 1}</th>
                ${[cached, anew, fullPass, kept].map(
                  (number) => html`<td data-count=${number}>${number.toLocaleString('en')}</td>`,
                )}
                <td>${row > place ? '' : steps[row].different}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    `
  }
}

/** @param {number} weight @returns {unknown} four decimals, or a power of ten where those would say 0 */
function inRow(weight) {
  return weight < 0.00005 ? powerOfTen(weight) : fixed(weight, 4)
}
