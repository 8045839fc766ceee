import { html } from 'lit/html.js'
import { namelessCount, namelessExample } from './causal-examples.js'
import { resetButton, segments, slider } from './controls.js'
import { Exhibit } from './exhibit.js'
import { exactZero, fixed } from './format.js'
import { rowOf, subtract } from './matrix.js'
import { differentBits } from './same-bits.js'
import { choice, integer, real } from './settings.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @import { State } from './settings.js'
 * @typedef {{ query: Tensor, key: Tensor, value: Tensor }} Example
 * @typedef {object} Movement  of the outputs, one entry for each position
 * @property {number[]} norms ‖y′ − y‖
 * @property {boolean[]} same whether all bits of y′ are those of y
 */

const places = Array.from({ length: namelessCount }, (_, place) => place)
/** @type {Record<string, string>} */
const partNames = { both: 'key and value', key: 'key alone', value: 'value alone' }

/**
 * Disturb one token and see which outputs move, by how much: without a mask all of them, with it none before
 * the token.
 */
export class FutureLeakage extends Exhibit {
  static settings = {
    token: integer(0, namelessCount - 1, 3),
    amount: real(-3, 3, 1),
    part: choice(Object.keys(partNames), 'both'),
  }

  static css = `
      .movement {
        width: 100%;
        table-layout: fixed;
      }

      .movement thead :first-child {
        width: 7.5em;
      }

      .movement th,
      .movement td {
        padding: 0.32em 0 0.32em 1em;
        border-bottom: 1px solid var(--rule);
        text-align: start;
      }

      .movement tr > :first-child {
        padding-inline-start: 0.4em;
        white-space: nowrap;
      }

      .movement thead th {
        vertical-align: bottom;
      }

      .movement tbody th {
        color: inherit;
      }

      .movement small {
        color: var(--quiet);
        font-size: 0.88em;
      }

      .movement tbody .disturbed {
        background: var(--wash);
        box-shadow: inset 0 2px 0 var(--accent);
        font-weight: 600;
      }

      .movement tfoot td,
      .movement tfoot th {
        border: 0;
      }

      .move {
        display: grid;
        grid-template-columns: 3.6em 1fr;
        align-items: center;
      }

      .move span {
        height: 0.75em;
        background: var(--bar);
      }

      .open {
        --bar: light-dark(#b45309, #f5a65b);
      }

      .masked {
        --bar: var(--accent);
      }

      @container (width < 34em) {
        .movement thead :first-child {
          width: 3.6em;
        }

        .movement tbody small {
          display: none;
        }
      }

      @media (forced-colors: active) {
        .move span {
          forced-color-adjust: none;
          background: CanvasText;
        }
      }
    `

  /** @type {Example | null} */
  #example = null
  /** @type {{ open: Tensor, masked: Tensor } | null} */
  #before = null
  /** @type {{ open: Movement, masked: Movement } | null} */
  #result = null

  /** How far each output moved, without the mask (`open`) and with it. */
  get result() {
    return this.#result
  }

  /** @override @protected @param {Engine} engine */
  build(engine) {
    this.#example = namelessExample(engine)
    this.#before = {
      open: this.#attend(engine, this.#example, false),
      masked: this.#attend(engine, this.#example, true),
    }
  }

  /** @param {Engine} engine @param {Example} example @param {boolean} isCausal @returns {Tensor} (8, 8) */
  #attend(engine, { query, key, value }, isCausal) {
    return engine.scaledDotProductAttention(query, key, value, { isCausal }).output
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, { token, amount, part }) {
    const example = /** @type {Example} */ (this.#example)
    const before = /** @type {{ open: Tensor, masked: Tensor }} */ (this.#before)
    const disturbed = {
      ...example,
      ...(part === 'value' ? {} : { key: moved(example.key, token, amount) }),
      ...(part === 'key' ? {} : { value: moved(example.value, token, -amount) }),
    }
    this.#result = {
      open: compare(engine, before.open, this.#attend(engine, disturbed, false)),
      masked: compare(engine, before.masked, this.#attend(engine, disturbed, true)),
    }
    const { open, masked } = this.#result
    if (token === 0) return 'Token 1 is disturbed: no output comes before it.'
    const most = Math.max(...open.norms.slice(0, token))
    return `Token ${token + 1} is disturbed: without a mask ${movedBefore(open, token)} of ${token} earlier outputs move, by up to ${fixed(most, 2)}; with it ${movedBefore(masked, token)}.`
  }

  /** @override @protected @param {State} state */
  template({ token, amount, part }) {
    return html`
      <div class="controls">
        ${segments({
          setting: 'token',
          legend: 'disturbed token',
          name: 'token',
          values: places,
          value: token,
          label: (place) => place + 1,
          onChange: (place) => this.change({ token: place }),
        })}
        ${segments({
          setting: 'part',
          legend: 'what of it',
          name: 'part',
          values: Object.keys(partNames),
          value: part,
          label: (name) => partNames[name],
          onChange: (name) => this.change({ part: name }),
        })}
        ${slider({
          setting: 'amount',
          legend: html`by how much <i>δ</i>`,
          low: -3,
          high: 3,
          step: 0.1,
          value: amount,
          format: (value) => fixed(value, 1),
          onChange: (value) => this.change({ amount: value }),
        })}
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      ${this.#result ? this.#table(token, this.#result) : null}
    `
  }

  /** @param {number} token @param {{ open: Movement, masked: Movement }} result */
  #table(token, { open, masked }) {
    const most = Math.max(...open.norms, ...masked.norms) || 1
    const cell = (
      /** @type {'open' | 'masked'} */ kind,
      /** @type {Movement} */ { norms, same },
      /** @type {number} */ place,
    ) =>
      html`<td class=${kind} data-move=${norms[place]}>
        <div class="move">
          ${same[place] ? '0' : exactZero(norms[place], 4)}
          <span .style=${`width: ${(100 * norms[place]) / most}%`}></span>
        </div>
      </td>`
    return html`<table class="movement">
      <thead>
        <tr>
          <th scope="col">output</th>
          <th scope="col">moves, without a mask</th>
          <th scope="col">with the causal mask</th>
        </tr>
      </thead>
      <tbody>
        ${places.map(
          (place) =>
            html`<tr class=${place === token ? 'disturbed' : ''}>
              <th scope="row">
                <i>y</i
                ><sub>${place + 1}</sub> ${place === token ? html`<small>disturbed</small>` : null}
              </th>
              ${cell('open', open, place)} ${cell('masked', masked, place)}
            </tr>`,
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">earlier</th>
          <td>${movedBefore(open, token)} of ${token} move</td>
          <td>
            ${movedBefore(masked, token)} of ${token} move
            ${
              token > 0 && masked.same.slice(0, token).every(Boolean)
                ? html`<small>the same bit for bit</small>`
                : null
            }
          </td>
        </tr>
      </tfoot>
    </table>`
  }
}

/** @param {Tensor} matrix @param {number} row @param {number} by @returns {Tensor} one row moved in all its numbers */
function moved({ data, shape }, row, by) {
  const columns = shape[1]
  return {
    data: data.map((value, index) => (Math.floor(index / columns) === row ? value + by : value)),
    shape,
  }
}

/** @param {Engine} engine @param {Tensor} before @param {Tensor} after @returns {Movement} */
function compare(engine, before, after) {
  return {
    norms: [...engine.analysis.rowNorms(subtract(after, before)).data],
    same: places.map((place) => differentBits(rowOf(before, place), rowOf(after, place)) === 0),
  }
}

/** @param {Movement} movement @param {number} token @returns {number} how many outputs before it moved */
function movedBefore({ same }, token) {
  return same.slice(0, token).filter((isSame) => !isSame).length
}
