import { html } from 'lit/html.js'
import { AttentionLines } from '../views/attention-lines.js'
import { Heatmap } from '../views/heatmap.js'
import { resetButton, segments } from './controls.js'
import { Exhibit } from './exhibit.js'
import { fixed } from './format.js'
import { headOf } from './head-numbers.js'
import { measuredTableStyles } from './measured-table.js'
import { choice, integer } from './settings.js'
import { sentence, specialisations, specialisedHeads } from './subspace-examples.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @import { ColorMapName } from '../views/color-map.js'
 * @import { State } from './settings.js'
 * @typedef {object} HeadFigures
 * @property {number} entropy mean over the rows, nats
 * @property {number} largest
 * @property {number} beyond how many weights exceed the notebook's scale
 * @property {number} ahead how many weights stand above the diagonal
 */

/** @type {readonly ColorMapName[]} the notebook's, with a green for Plotly's Teal */
const maps = ['purples', 'blues', 'greens', 'viridis']
/** Where the notebook's colour scale ends. */
const notebookScale = 0.8

/**
 * Four heads that each look for something of their own, as heatmaps and as lines. Their weights are written by
 * hand: what trained heads may come to do, not what these have learned.
 */
export class SpecialisedHeads extends Exhibit {
  static settings = {
    emphasizedHead: integer(-1, maps.length - 1, -1),
    query: integer(-1, sentence.length - 1, -1),
    colors: choice(['one', 'notebook'], 'one'),
  }

  static css = `${measuredTableStyles}
      .maps {
        display: grid;
        gap: 1.6em 1.4em;
        margin-bottom: 1.6em;
      }

      .maps > * {
        min-width: 0;
      }

      .heading {
        text-align: center;
      }

      .measured {
        margin-top: 1.5em;
      }

      @container (width >= 40em) {
        .maps {
          grid-template-columns: 1fr 1fr;
        }
      }
    `

  /** @type {Heatmap[]} */
  #heatmaps = []
  /** @type {AttentionLines | null} */
  #lines = null
  /** @type {{ weights: Tensor, figures: HeadFigures[] } | null} */
  #result = null

  /** What the figure shows: weights (4, 7, 7), and measures of each head. */
  get result() {
    return this.#result
  }

  /** @override @protected @param {Engine} engine */
  build(engine) {
    const weights = specialisedHeads()
    this.#result = { weights, figures: measureHeads(engine, weights) }
    this.#heatmaps = maps.map((colormap, head) =>
      this.own(
        new Heatmap(this.find(`.map-${head}`), {
          attention: headOf(weights, head),
          tokens: sentence,
          colormap,
          label: `Head ${head + 1}: ${specialisations[head]}`,
        }),
      ),
    )
    this.#lines = this.own(
      new AttentionLines(this.find('.lines'), {
        attention: weights,
        tokens: sentence,
        label: 'The four heads as lines',
      }),
    )
  }

  /** @override @protected @param {Engine} _engine @param {State} state */
  draw(_engine, { emphasizedHead, query, colors }) {
    const domain = /** @type {[number, number]} */ ([0, colors === 'one' ? 1 : notebookScale])
    for (const heatmap of this.#heatmaps) heatmap.update({ domain })
    this.#lines?.update({ emphasizedHead, selectedQuery: query, domain: [0, 1] })
    const { figures } = /** @type {{ figures: HeadFigures[] }} */ (this.#result)
    const ahead = figures.flatMap(({ ahead }, head) => (ahead > 0 ? [head + 1] : []))
    return `Heads ${ahead.join(' and ')} look ahead; ${figures.reduce((sum, { beyond }) => sum + beyond, 0)} weights exceed ${notebookScale}.`
  }

  /** @override @protected @param {State} state */
  template({ colors, emphasizedHead }) {
    return html`
      <div class="controls">
        ${segments({
          setting: 'colors',
          legend: 'colours reach to',
          name: 'colors',
          values: ['one', 'notebook'],
          value: colors,
          label: (kind) => (kind === 'one' ? '1' : html`0.8, as in the notebook`),
          onChange: (kind) => this.change({ colors: kind }),
        })}
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      <div class="maps">
        ${specialisations.map(
          (name, head) =>
            html`<div
              @cellselect=${(/** @type {CustomEvent<{ query: number }>} */ { detail: { query } }) =>
                this.change({ query })}
            >
              <p class="heading">Head ${head + 1} <small>${name}</small></p>
              <div class="map-${head}"></div>
            </div>`,
        )}
      </div>
      <div
        class="lines"
        @headchange=${(/** @type {CustomEvent<{ head: number }>} */ { detail: { head } }) =>
          this.change({ emphasizedHead: head })}
        @querychange=${(/** @type {CustomEvent<{ query: number }>} */ { detail: { query } }) =>
          this.change({ query })}
      ></div>
      ${this.#result ? table(this.#result.figures, emphasizedHead) : null}
    `
  }
}

/** @param {Engine} engine @param {Tensor} weights @returns {HeadFigures[]} */
function measureHeads(engine, weights) {
  return maps.map((_, head) => {
    const own = headOf(weights, head)
    const rows = engine.analysis.entropy(own).data
    return {
      entropy:
        rows.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0) / rows.length,
      largest: Math.max(...own.data),
      beyond: own.data.filter((/** @type {number} */ weight) => weight > notebookScale).length,
      ahead: engine.analysis.audit(own).aboveDiagonalCount,
    }
  })
}

/** @param {HeadFigures[]} figures @param {number} emphasized */
function table(figures, emphasized) {
  return html`<table class="measured">
    <thead>
      <tr>
        <td></td>
        <th scope="col">mean entropy, nats</th>
        <th scope="col">largest weight</th>
        <th scope="col" class="spare">weights above 0.8</th>
        <th scope="col">weights on later words</th>
      </tr>
    </thead>
    <tbody>
      ${figures.map(
        ({ entropy, largest, beyond, ahead }, head) =>
          html`<tr class=${head === emphasized ? 'chosen' : ''} data-head=${head}>
            <th scope="row">head ${head + 1} <small>${specialisations[head]}</small></th>
            <td data-measure="entropy">${fixed(entropy, 3)}</td>
            <td data-measure="largest">${fixed(largest, 3)}</td>
            <td data-measure="beyond" class="spare">${beyond}</td>
            <td data-measure="ahead">${ahead}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}
