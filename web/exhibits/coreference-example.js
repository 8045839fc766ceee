import { html } from 'lit/html.js'
import { AttentionLines } from '../views/attention-lines.js'
import { Heatmap } from '../views/heatmap.js'
import { resetButton, segments, slider } from './controls.js'
import { coreferenceEmbeddings, notebook, places, sentence } from './coreference.js'
import { Exhibit } from './exhibit.js'
import { fixed } from './format.js'
import { explainCells } from './inspection.js'
import { largestMagnitude, rowOf, total } from './matrix.js'
import { measuredTableStyles } from './measured-table.js'
import { choice, integer, real } from './settings.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @import { State } from './settings.js'
 * @typedef {object} Coreference
 * @property {Tensor} x (11, d_k): queries, keys and values
 * @property {Tensor} scores (11, 11)
 * @property {Tensor} weights (11, 11)
 * @property {number} asymmetry largest |s_ij − s_ji|
 * @property {number} selfWeight the mean weight of a word on itself
 */

const count = sentence.length
const { animal: animalPlace, it: itPlace, tired: tiredPlace } = places

/**
 * Whom 'it' listens to, for embeddings whose mixture the reader sets, as a heatmap and as lines from the word
 * that is chosen.
 */
export class CoreferenceExample extends Exhibit {
  static settings = {
    animal: real(0, 1, notebook.animal),
    tired: real(0, 1, notebook.tired),
    dK: choice([8, 16, 32, 64, 128, 256], notebook.dK),
    /** In units of 1/√d_k. */
    scale: real(0, 8, 1),
    colors: choice(['largest', 'one'], 'largest'),
    query: integer(-1, count - 1, itPlace),
  }

  static css = `${measuredTableStyles}
      .panels {
        align-items: start;
      }

      .measured {
        max-width: 46em;
        margin-top: 1.5em;
      }

      .measured b {
        font-family: 'STIX Two Text', Georgia, serif;
        font-style: italic;
        font-weight: 400;
      }

      @container (width >= 46em) {
        .panels {
          grid-template-columns: minmax(0, 1.1fr) minmax(0, 1fr);
        }
      }
    `

  /** @type {Heatmap | null} */
  #heatmap = null
  /** @type {AttentionLines | null} */
  #lines = null
  /** @type {Coreference | null} */
  #result = null
  /** The numbers that were computed last belong to these settings. */
  #setup = ''

  /** What the figure shows. */
  get result() {
    return this.#result
  }

  /** @override @protected */
  build() {
    this.#heatmap = this.own(
      new Heatmap(this.find('.heatmap'), { tokens: sentence, label: 'Attention of the sentence' }),
    )
    this.#lines = this.own(
      new AttentionLines(this.find('.lines'), {
        tokens: sentence,
        label: 'Attention of the sentence, as lines',
      }),
    )
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, { colors, query, ...setup }) {
    if (JSON.stringify(setup) !== this.#setup) {
      this.#setup = JSON.stringify(setup)
      this.#attend(
        engine,
        /** @type {{ animal: number, tired: number, dK: number, scale: number }} */ (setup),
      )
    }
    const { weights } = /** @type {Coreference} */ (this.#result)
    const domain = /** @type {[number, number]} */ ([
      0,
      colors === 'one' ? 1 : largestMagnitude(weights),
    ])
    this.#heatmap?.update({ domain })
    this.#lines?.update({ domain, selectedQuery: query })
    const row = Array.from(rowOf(weights, itPlace))
    const most = row.indexOf(Math.max(...row))
    return `“it” listens most to “${sentence[most]}”, with weight ${fixed(row[most], 4)}.`
  }

  /** @param {Engine} engine @param {{ animal: number, tired: number, dK: number, scale: number }} setup */
  #attend(engine, { scale: factor, ...mixture }) {
    const x = coreferenceEmbeddings(engine, mixture)
    const scale = factor / Math.sqrt(mixture.dK)
    const stages = engine.scaledDotProductAttention(x, x, x, { scale, needStages: true })
    const { scores, weights } = stages
    const at = (/** @type {number} */ row, /** @type {number} */ column) =>
      scores.data[row * count + column]
    this.#result = {
      x,
      scores,
      weights,
      asymmetry: Math.max(
        ...sentence.flatMap((_, row) =>
          sentence.map((_, column) => Math.abs(at(row, column) - at(column, row))),
        ),
      ),
      selfWeight: total(sentence.map((_, row) => weights.data[row * (count + 1)])) / count,
    }
    const explain = explainCells(engine, { query: x, key: x, value: x, ...stages }, { scale })
    const change = { attention: weights, explain }
    this.#heatmap?.update(change)
    this.#lines?.update(change)
  }

  /** @override @protected @param {State} state */
  template(state) {
    const { animal, tired, dK, scale, colors } = state
    const share = (/** @type {number} */ value) => value.toFixed(2)
    return html`
      <div class="controls">
        ${slider({
          setting: 'animal',
          legend: html`“animal” in “it”`,
          low: 0,
          high: 1,
          step: 0.05,
          value: animal,
          format: share,
          onChange: (value) => this.change({ animal: value }),
        })}
        ${slider({
          setting: 'tired',
          legend: html`“tired” in “it”`,
          low: 0,
          high: 1,
          step: 0.05,
          value: tired,
          format: share,
          onChange: (value) => this.change({ tired: value }),
        })}
        ${slider({
          setting: 'scale',
          legend: html`scale, times 1/√<i>d<sub>k</sub></i
            >:`,
          low: 0,
          high: 8,
          step: 0.1,
          value: scale,
          format: (value) => value.toFixed(1),
          onChange: (value) => this.change({ scale: value }),
        })}
        ${segments({
          setting: 'dK',
          legend: html`width <i>d<sub>k</sub></i>`,
          name: 'width',
          values: [8, 16, 32, 64, 128, 256],
          value: dK,
          onChange: (value) => this.change({ dK: value }),
        })}
        ${segments({
          setting: 'colors',
          legend: 'colours reach to',
          name: 'colors',
          values: ['largest', 'one'],
          value: colors,
          label: (kind) => (kind === 'one' ? '1' : 'largest weight'),
          onChange: (kind) => this.change({ colors: kind }),
        })}
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      <div class="panels">
        <div
          class="heatmap"
          @cellselect=${(/** @type {CustomEvent<{ query: number }>} */ { detail: { query } }) =>
            this.change({ query })}
        ></div>
        <div
          class="lines"
          @querychange=${(/** @type {CustomEvent<{ query: number }>} */ { detail: { query } }) =>
            this.change({ query })}
        ></div>
      </div>
      ${this.#result ? measures(this.#result) : null}
    `
  }
}

/** @param {Coreference} result */
function measures({ weights, selfWeight, asymmetry }) {
  const row = rowOf(weights, itPlace)
  const rank = (/** @type {number} */ place) =>
    row.filter((/** @type {number} */ weight) => weight > row[place]).length + 1
  const weight = (/** @type {number} */ place) =>
    html`<td data-measure=${sentence[place]}>${fixed(row[place], 4)}</td>
      <td><small>number ${rank(place)} of ${count}</small></td>`
  return html`<table class="measured">
    <tbody>
      <tr>
        <th scope="row">weight of <b>it</b> on <b>animal</b></th>
        ${weight(animalPlace)}
      </tr>
      <tr>
        <th scope="row">weight of <b>it</b> on itself</th>
        ${weight(itPlace)}
      </tr>
      <tr>
        <th scope="row">weight of <b>it</b> on <b>tired</b></th>
        ${weight(tiredPlace)}
      </tr>
      <tr>
        <th scope="row">mean weight of a word on itself</th>
        <td data-measure="self">${fixed(selfWeight, 4)}</td>
        <td><small>${fixed(selfWeight * count, 1)} times an equal share</small></td>
      </tr>
      <tr>
        <th scope="row">
          largest |<i>s<sub>ij</sub></i> − <i>s<sub>ji</sub></i
          >|
        </th>
        <td data-measure="asymmetry">${asymmetry === 0 ? '0' : fixed(asymmetry, 7)}</td>
        <td><small>${asymmetry === 0 ? 'scores are symmetric' : ''}</small></td>
      </tr>
    </tbody>
  </table>`
}
