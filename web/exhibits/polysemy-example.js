import { html } from 'lit/html.js'
import { resetButton } from './controls.js'
import { Exhibit } from './exhibit.js'
import { fixed } from './format.js'
import { measuredTableStyles } from './measured-table.js'
import { components, disambiguate, notebookVectors, words } from './polysemy.js'
import { polysemyPlane, polysemyPlaneStyles } from './polysemy-plane.js'
import { vector } from './settings.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Comparison, Reading, Sense, Vectors, Word } from './polysemy.js'
 * @import { State } from './settings.js'
 */

/** Components may be set from −most to most. */
const most = 9

/** @type {Record<string, unknown>} */
const pairs = {
  banks: html`the two <b>bank</b>s with one another`,
  river: html`<b>bank</b> by the river, with <b>river</b>`,
  investment: html`<b>bank</b> of investments, with <b>investment</b>`,
  'river-investment': html`<b>bank</b> by the river, with <b>investment</b>`,
  'investment-river': html`<b>bank</b> of investments, with <b>river</b>`,
  'river-bank': html`<b>bank</b> by the river, with its own vector`,
  'investment-bank': html`<b>bank</b> of investments, with its own vector`,
}

/**
 * The word 'bank' in two sentences: its weights, where its outputs lie among the values, and the cosines before
 * attention and after. All vectors can be edited.
 */
export class PolysemyExample extends Exhibit {
  static settings = Object.fromEntries(
    words.map((word) => [word, vector(-most, most, notebookVectors[word])]),
  )

  static css = `${measuredTableStyles}${polysemyPlaneStyles}
      .controls {
        justify-content: space-between;
      }

      .controls p {
        margin: 0;
        color: var(--quiet);
      }

      .vectors {
        width: 100%;
        table-layout: fixed;
        font-size: clamp(0.75em, 3.4cqi, 0.93em);
      }

      .vectors tr > :first-child {
        width: 6.2em;
        color: inherit;
        text-align: start;
      }

      .vectors thead th {
        padding-bottom: 0.3em;
        text-align: center;
      }

      .vectors td {
        padding: 1px;
      }

      .vectors input {
        width: 100%;
        height: 2.2em;
        padding: 0 0.1em;
        border: 1px solid var(--rule);
        border-radius: 0.25em;
        background: var(--surface);
        color: inherit;
        font: inherit;
        text-align: center;
        appearance: textfield;
      }

      .vectors input::-webkit-inner-spin-button {
        display: none;
      }

      .vectors input:invalid {
        border-color: light-dark(#a4331f, #ff9478);
      }

      .sums {
        margin: 1.3em 0 0;
        padding: 0;
        list-style: none;
      }

      .sums li {
        margin-bottom: 0.5em;
      }

      .sums span {
        white-space: nowrap;
      }

      .measured {
        margin-top: 1.6em;
      }

      .measured b {
        font-family: 'STIX Two Text', Georgia, serif;
        font-style: italic;
        font-weight: 400;
      }

      .measured .cross th,
      .measured .own th {
        padding-inline-start: 1.4em;
      }

      @container (width >= 46em) {
        .panels {
          grid-template-columns: minmax(0, 1.15fr) minmax(0, 1fr);
        }
      }
    `

  /** @type {{ readings: Record<Sense, Reading>, cosines: Comparison[] } | null} */
  #result = null

  /** What the figure shows. */
  get result() {
    return this.#result
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, state) {
    this.#result = disambiguate(engine, /** @type {Vectors} */ (state))
    const { cosines } = this.#result
    return `The two banks have cosine ${cosines[0].after.toFixed(4)}; with river ${cosines[1].after.toFixed(4)}, with investment ${cosines[2].after.toFixed(4)}.`
  }

  /** @param {Word} word @param {number} place @param {Event} event */
  #edit(word, place, event) {
    const { valueAsNumber, validity } = /** @type {HTMLInputElement} */ (event.currentTarget)
    if (!validity.valid || !Number.isFinite(valueAsNumber)) return
    const edited = /** @type {number[]} */ (this.state[word]).slice()
    edited[place] = valueAsNumber
    this.change({ [word]: edited })
  }

  /** Puts back the number that counts, once the reader leaves one that was not taken.
   * @param {Word} word @param {number} place @param {Event} event */
  #settleInput(word, place, event) {
    const input = /** @type {HTMLInputElement} */ (event.currentTarget)
    input.value = String(this.state[word][place])
  }

  /** @override @protected @param {State} state */
  template(state) {
    return html`
      <div class="controls">
        <p>Every number of these six vectors can be changed.</p>
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      <div class="panels">
        <div>
          ${this.#vectors(/** @type {Vectors} */ (state))}
          ${this.#result ? sums(this.#result.readings) : null}
        </div>
        ${
          this.#result ? polysemyPlane(/** @type {Vectors} */ (state), this.#result.readings) : null
        }
      </div>
      ${this.#result ? cosineTable(this.#result.cosines) : null}
    `
  }

  /** @param {Vectors} vectors */
  #vectors(vectors) {
    const places = Array.from({ length: components }, (_, place) => place)
    return html`<table class="vectors">
      <thead>
        <tr>
          <td></td>
          ${places.map((place) => html`<th scope="col">${place + 1}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${words.map(
          (word) =>
            html`<tr>
              <th scope="row">${word}</th>
              ${places.map(
                (place) =>
                  html`<td>
                    <input
                      type="number"
                      data-setting=${word}
                      min=${-most}
                      max=${most}
                      step="0.1"
                      aria-label="${word}, component ${place + 1}"
                      .value=${String(vectors[word][place])}
                      @input=${(/** @type {Event} */ event) => this.#edit(word, place, event)}
                      @change=${(/** @type {Event} */ event) => this.#settleInput(word, place, event)}
                    />
                  </td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>`
  }
}

/** Each output as the average that it is. @param {Record<Sense, Reading>} readings */
function sums({ river, investment }) {
  const sum = (/** @type {Reading} */ { words: sentence, weights }) =>
    sentence.map(
      (word, place) =>
        html`${place > 0 ? ' + ' : ''}<span data-weight=${word}
            >${fixed(weights[place], 4)} <i>${word}</i></span
          >`,
    )
  return html`<ul class="sums">
    <li data-sense="river"><i>y</i>, by the river = ${sum(river)}</li>
    <li data-sense="investment"><i>y</i>, of investments = ${sum(investment)}</li>
  </ul>`
}

/** @param {Comparison[]} cosines */
function cosineTable(cosines) {
  return html`<table class="measured">
    <thead>
      <tr>
        <th scope="col">cosine of</th>
        <th scope="col">before attention</th>
        <th scope="col">after</th>
        <th scope="col" class="spare">change</th>
      </tr>
    </thead>
    <tbody>
      ${cosines.map(
        ({ name, before, after }) =>
          html`<tr data-pair=${name}>
            <th scope="row">${pairs[name]}</th>
            <td>${fixed(before, 4)}</td>
            <td>${fixed(after, 4)}</td>
            <td class="spare">${after > before ? '+' : ''}${fixed(after - before, 4)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}
