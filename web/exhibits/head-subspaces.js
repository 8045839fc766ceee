import { html } from 'lit/html.js'
import { Heatmap } from '../views/heatmap.js'
import { moduleSizes } from './causal-examples.js'
import { resetButton, segments } from './controls.js'
import { Exhibit } from './exhibit.js'
import { fixed } from './format.js'
import { measuredTableStyles } from './measured-table.js'
import { choice, integer } from './settings.js'
import { compareSubspaces, notebookThreshold } from './subspaces.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { State } from './settings.js'
 * @import { Projection, Subspaces } from './subspaces.js'
 */

const { heads } = moduleSizes
const names = Object.freeze(Array.from({ length: heads }, (_, head) => `head ${head + 1}`))
const projections = /** @type {Projection[]} */ (['wq', 'wk', 'wv'])
const letters = { wq: 'Q', wk: 'K', wv: 'V' }

/**
 * Whether heads look in different directions: the notebook's cosine of weight blocks, and beside it the principal
 * angles between the subspaces that the blocks span.
 */
export class HeadSubspaces extends Exhibit {
  static settings = {
    projection: choice(projections, 'wq'),
    first: integer(0, heads - 1, 0),
    second: integer(0, heads - 1, 1),
  }

  static css = `${measuredTableStyles}
      h4 {
        text-align: center;
      }

      .panels {
        align-items: start;
        margin-bottom: 1.5em;
      }

      .measured td:last-child {
        text-align: start;
      }

      @container (width >= 40em) {
        .panels {
          grid-template-columns: 1fr 1fr;
        }
      }
    `

  /** @type {Heatmap | null} */
  #cosines = null
  /** @type {Heatmap | null} */
  #angles = null
  /** @type {Subspaces | null} */
  #result = null
  #projection = ''

  /** What the figure shows. */
  get result() {
    return this.#result
  }

  /** @override @protected */
  build() {
    const shared = { tokens: names, showValues: true, inspector: false }
    this.#cosines = this.own(
      new Heatmap(this.find('.cosines'), {
        ...shared,
        colormap: 'puor',
        domain: [-1, 1],
        label: 'Frobenius cosines of weight blocks',
        valueLabel: 'cosine',
      }),
    )
    this.#angles = this.own(
      new Heatmap(this.find('.angles'), {
        ...shared,
        colormap: 'blues',
        domain: [0, 90],
        label: 'Smallest principal angles between column spaces',
        valueLabel: 'angle, degrees',
      }),
    )
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, { projection, first, second }) {
    if (projection !== this.#projection) {
      this.#projection = projection
      this.#result = compareSubspaces(engine, projection)
    }
    const { cosines, smallest, angles } = /** @type {Subspaces} */ (this.#result)
    const selected = { query: first, key: second }
    this.#cosines?.update({ attention: cosines, selected })
    this.#angles?.update({ attention: smallest, selected })
    const cosine = cosines.data[first * heads + second]
    return `Heads ${first + 1} and ${second + 1}: Frobenius cosine ${fixed(cosine, 4)}, smallest principal angle ${fixed(angles[first][second][0], 1)}°.`
  }

  /** @param {CustomEvent<{ query: number, key: number }>} event */
  #choose({ detail: { query, key } }) {
    this.change({ first: query, second: key })
  }

  /** @override @protected @param {State} state */
  template(state) {
    return html`
      <div class="controls">
        ${segments({
          legend: 'blocks of',
          name: 'projection',
          values: projections,
          value: state.projection,
          label: (/** @type {Projection} */ kind) => html`<i>W<sub>${letters[kind]}</sub></i>`,
          onChange: (kind) => this.change({ projection: kind }),
        })}
        ${segments({
          legend: 'first head',
          name: 'first',
          values: names.map((_, head) => head),
          value: state.first,
          label: (head) => head + 1,
          onChange: (head) => this.change({ first: head }),
        })}
        ${segments({
          legend: 'second head',
          name: 'second',
          values: names.map((_, head) => head),
          value: state.second,
          label: (head) => head + 1,
          onChange: (head) => this.change({ second: head }),
        })}
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      <div class="panels" @cellselect=${this.#choose}>
        <div>
          <h4>Frobenius cosine <small>as in the notebook</small></h4>
          <div class="cosines"></div>
        </div>
        <div>
          <h4>smallest principal angle <small>degrees</small></h4>
          <div class="angles"></div>
        </div>
      </div>
      ${this.#result ? table(state, this.#result) : null}
    `
  }
}

/** @param {State} state @param {Subspaces} result */
function table({ first, second }, { cosines, angles, rotated, random }) {
  const list = (/** @type {number[]} */ degrees) =>
    degrees.map((angle) => `${fixed(angle, 1)}°`).join(', ')
  return html`<table class="measured">
    <thead>
      <tr>
        <td></td>
        <th scope="col">cosine</th>
        <th scope="col" class="verdict">principal angles</th>
      </tr>
    </thead>
    <tbody>
      <tr data-pair="chosen">
        <th scope="row">head ${first + 1} with head ${second + 1}</th>
        <td data-measure="cosine">${fixed(cosines.data[first * heads + second], 4)}</td>
        <td data-measure="angles">${list(angles[first][second])}</td>
      </tr>
      <tr data-pair="rotated">
        <th scope="row">head 1 with itself, its columns turned within their span</th>
        <td data-measure="cosine">${fixed(rotated.cosine, 4)}</td>
        <td data-measure="angles">${list(rotated.angles)}</td>
      </tr>
      <tr data-pair="random">
        <th scope="row">${random.count} pairs of random blocks</th>
        <td data-measure="deviation">
          ±${fixed(random.deviation, 4)}
          <small class="spare">expected ${fixed(random.expected, 4)}</small>
        </td>
        <td data-measure="beyond">
          ${random.beyond} of ${random.count} beyond the notebook’s ${notebookThreshold}
        </td>
      </tr>
    </tbody>
  </table>`
}
