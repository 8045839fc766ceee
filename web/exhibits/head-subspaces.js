import { html } from 'lit/html.js'
import { Heatmap } from '../views/heatmap.js'
import { moduleSizes } from './causal-examples.js'
import { resetButton, segments } from './controls.js'
import { Exhibit } from './exhibit.js'
import { fixed } from './format.js'
import { measuredTableStyles } from './measured-table.js'
import { choice, integer } from './settings.js'
import { compareRandom, compareSubspaces, notebookThreshold, turnBasis } from './subspaces.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { State } from './settings.js'
 * @import { Projection, RandomBlocks, Subspaces, Turned } from './subspaces.js'
 * @typedef {Subspaces & { turned: Turned, random: RandomBlocks }} Compared
 */

const { heads } = moduleSizes
const indices = Object.freeze(Array.from({ length: heads }, (_, head) => head))
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
    /** Seed of the basis in which head 1 is compared with itself. */
    basis: integer(0, 9999, 0),
  }

  static css = `${measuredTableStyles}
      .heading {
        text-align: center;
      }

      .panels {
        align-items: start;
        margin-bottom: 1.5em;
      }

      .measured + .measured {
        margin-top: 1.6em;
      }

      .measured [data-first] {
        cursor: pointer;
      }

      .all-angles {
        margin: 0.7em 0 1.4em;
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
  /** @type {Compared | null} */
  #result = null
  #setup = ''

  /** What the figure shows. */
  get result() {
    return this.#result
  }

  /** @override @protected */
  build() {
    const shared = {
      axes: { query: 'head', key: 'head' },
      showValues: true,
      inspector: false,
    }
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
        valueLabel: 'angle in degrees',
      }),
    )
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, { projection, first, second, basis }) {
    const setup = `${projection} ${basis}`
    if (setup !== this.#setup) {
      this.#setup = setup
      this.#result = {
        ...compareSubspaces(engine, projection),
        turned: turnBasis(engine, projection, basis),
        random: this.#result?.random ?? compareRandom(engine),
      }
    }
    const { cosines, smallest, angles } = /** @type {Compared} */ (this.#result)
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
          setting: 'projection',
          legend: 'blocks of',
          name: 'projection',
          values: projections,
          value: state.projection,
          label: (/** @type {Projection} */ kind) => html`<i>W<sub>${letters[kind]}</sub></i>`,
          onChange: (kind) => this.change({ projection: kind }),
        })}
        ${segments({
          setting: 'first',
          legend: 'first head',
          name: 'first',
          values: indices,
          value: state.first,
          label: (head) => head + 1,
          onChange: (head) => this.change({ first: head }),
        })}
        ${segments({
          setting: 'second',
          legend: 'second head',
          name: 'second',
          values: indices,
          value: state.second,
          label: (head) => head + 1,
          onChange: (head) => this.change({ second: head }),
        })}
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      <div class="panels" @cellselect=${this.#choose}>
        <div>
          <p class="heading">Frobenius cosine <small>as in the notebook</small></p>
          <div class="cosines"></div>
        </div>
        <div>
          <p class="heading">smallest principal angle <small>degrees</small></p>
          <div class="angles"></div>
        </div>
      </div>
      ${this.#result ? this.#pairs(state, this.#result) : null}
      ${this.#result ? against(this.#result) : null}
      <p>
        <button
          type="button"
          data-setting="basis"
          @click=${() => this.change({ basis: (state.basis + 1) % 10_000 })}
        >
          Turn the basis again
        </button>
      </p>
    `
  }

  /** @param {State} state @param {Subspaces} result */
  #pairs({ first = 0, second = 0 }, { cosines, angles }) {
    const pairs = indices.flatMap((a) => indices.slice(a).map((b) => [a, b]))
    const chosen = [Math.min(first, second), Math.max(first, second)]
    return html`<table class="measured">
        <thead>
          <tr>
            <th scope="col">heads</th>
            <th scope="col">cosine</th>
            <th scope="col" class="spare">the notebook’s verdict</th>
            <th scope="col">smallest angle</th>
            <th scope="col">largest angle</th>
          </tr>
        </thead>
        <tbody>
          ${pairs.map(([a, b]) => {
            const cosine = cosines.data[a * heads + b]
            return html`<tr
              class=${String([a, b]) === String(chosen) ? 'chosen' : ''}
              data-first=${a}
              data-second=${b}
              @click=${() => this.change({ first: a, second: b })}
            >
              <th scope="row">${a + 1} with ${b + 1}</th>
              <td data-measure="cosine">${fixed(cosine, 4)}</td>
              <td class="spare">${verdict(a === b, cosine)}</td>
              <td data-measure="smallest">${fixed(angles[a][b][0], 1)}°</td>
              <td data-measure="largest">${fixed(angles[a][b][angles[a][b].length - 1], 1)}°</td>
            </tr>`
          })}
        </tbody>
      </table>
      <p class="all-angles">
        All principal angles of heads ${first + 1} and ${second + 1}:
        <span data-measure="angles">${degrees(angles[first][second])}</span>
      </p>`
  }
}

/** What the notebook says of a pair. @param {boolean} isSame @param {number} cosine */
function verdict(isSame, cosine) {
  if (isSame) return 'the same'
  return Math.abs(cosine) < notebookThreshold ? '“orthogonal”' : '“moderate correlation”'
}

/** @param {number[]} angles */
function degrees(angles) {
  return angles.map((angle) => `${fixed(angle, 1)}°`).join(', ')
}

/** @param {Compared} result what the cosine says where the answer is known */
function against({ turned, random }) {
  return html`<table class="measured">
    <thead>
      <tr>
        <th scope="col">where the answer is known</th>
        <th scope="col">cosine</th>
        <th scope="col">angles</th>
      </tr>
    </thead>
    <tbody>
      <tr data-pair="turned">
        <th scope="row">head 1 with its own columns in a basis turned within their span</th>
        <td data-measure="cosine">${fixed(turned.cosine, 4)}</td>
        <td data-measure="largest">at most ${fixed(Math.max(...turned.angles), 1)}°</td>
      </tr>
      <tr data-pair="random">
        <th scope="row">
          ${random.count} pairs of random blocks: standard deviation
          <small class="spare">(expected: ${fixed(random.expected, 4)})</small>
        </th>
        <td data-measure="deviation">${fixed(random.deviation, 4)}</td>
        <td data-measure="beyond">${random.beyond} beyond ±${notebookThreshold}</td>
      </tr>
    </tbody>
  </table>`
}
