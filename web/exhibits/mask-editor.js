import { html, nothing } from 'lit/html.js'
import { Heatmap } from '../views/heatmap.js'
import { formatExact } from '../views/numbers.js'
import { rove, setStop } from '../views/roving.js'
import { sentence, sentenceExample } from './causal-examples.js'
import { resetButton, segments, slider } from './controls.js'
import { Exhibit } from './exhibit.js'
import { exactZero, fixed } from './format.js'
import { explainCells } from './inspection.js'
import { MaskBrush } from './mask-brush.js'
import {
  additiveMask,
  alibiHeads,
  emptyRows,
  maskCells,
  presetCells,
  presets,
  withCell,
} from './mask-cells.js'
import { maskEditorStyles } from './mask-editor-styles.js'
import { choice, integer } from './settings.js'

/**
 * @import { TemplateResult } from 'lit/html.js'
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @import { State } from './settings.js'
 * @typedef {object} Masked
 * @property {string} cells which are open
 * @property {Tensor} mask what was added to the scores (6, 6)
 * @property {Tensor} weights (6, 6)
 * @property {Tensor} output (6, 16)
 * @property {number[]} empty rows in which nothing is open
 */

const count = sentence.length
const fills = { infinity: Number.NEGATIVE_INFINITY, billion: -1e9 }

/**
 * A mask to be painted cell by cell, or chosen, and the attention that it leaves.
 */
export class MaskEditor extends Exhibit {
  static settings = {
    preset: choice(Object.keys(presets), 'causal'),
    size: integer(1, count, 2),
    length: integer(0, count, 3),
    present: integer(0, count, 4),
    head: integer(0, alibiHeads - 1, 0),
    cells: maskCells(count),
    fill: choice(Object.keys(fills), 'infinity'),
  }

  static css = maskEditorStyles

  /** @type {ReturnType<typeof sentenceExample> | null} */
  #example = null
  /** What ALiBi adds, (4, 6, 6) @type {Tensor | null} */
  #bias = null
  /** @type {Heatmap | null} */
  #heatmap = null
  /** @type {Masked | null} */
  #result = null
  #brush = new MaskBrush({
    cellAt: (x, y) => this.#cellAt(x, y),
    paint: (cell, open) => this.#paint(cell, open),
  })

  /** The mask and what came of it. */
  get result() {
    return this.#result
  }

  /** @override @protected @param {Engine} engine */
  build(engine) {
    this.#example = sentenceExample(engine)
    this.#bias = engine.masks.alibi(alibiHeads, count)
    this.#heatmap = this.own(
      new Heatmap(this.find('.weights'), {
        tokens: sentence,
        domain: [0, 1],
        colormap: 'blues',
        showValues: true,
        decimals: 3,
        label: 'Attention with this mask',
      }),
    )
    const buttons = () => [
      .../** @type {NodeListOf<HTMLElement>} */ (this.find('.mask').querySelectorAll('button')),
    ]
    rove(this.find('.mask'), buttons, this.signal, () => count)
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, state) {
    const example = /** @type {{ query: Tensor, key: Tensor, value: Tensor }} */ (this.#example)
    const cells = state.cells || presetCells(engine, count, state)
    const closed = fills[/** @type {keyof typeof fills} */ (state.fill)]
    const attnMask = additiveMask(cells, closed, this.#biasOf(state))
    const { query, key, value } = example
    const stages = engine.scaledDotProductAttention(query, key, value, {
      attnMask,
      needStages: true,
    })
    const { weights, output } = stages
    this.#result = { cells, mask: attnMask, weights, output, empty: emptyRows(cells) }
    this.#heatmap?.update({
      attention: weights,
      mask: attnMask,
      explain: explainCells(engine, { ...example, ...stages }, { attnMask }),
    })
    return this.#finding(this.#result, state)
  }

  /** @param {State} state @returns {Float32Array | Float64Array | null} (36) */
  #biasOf({ preset, head }) {
    if (preset !== 'alibi' || !this.#bias) return null
    const size = count * count
    return this.#bias.data.subarray(head * size, (head + 1) * size)
  }

  /** @param {Masked} masked @param {State} state @returns {string} */
  #finding({ cells, empty, weights }, { preset, fill, cells: painted }) {
    const open = [...cells].filter((cell) => cell === '1').length
    const name = painted === '' ? `mask ${presets[preset]}` : 'painted mask'
    const start = `${name}: ${open} of ${count * count} cells are open.`
    if (empty.length === 0) return start
    const names = empty.map((row) => `“${sentence[row]}”`).join(', ')
    return fill === 'infinity'
      ? `${start} ${names} may attend to nothing: all weights there are 0.`
      : `${start} ${names} may attend to nothing, yet gives each key the weight ${fixed(weights.data[empty[0] * count], 3)}.`
  }

  /** @param {number} x @param {number} y in client coordinates @returns {number} −1 where there is none */
  #cellAt(x, y) {
    const mask = this.find('.mask')
    const root = /** @type {ShadowRoot} */ (mask.getRootNode())
    const button = root.elementFromPoint(x, y)?.closest('button')
    return button && mask.contains(button) ? Number(button.dataset.cell) : -1
  }

  /** @param {number} cell @param {boolean} open */
  #paint(cell, open) {
    if (!this.#result) return
    const buttons = [...this.find('.mask').querySelectorAll('button')]
    setStop(buttons, buttons[cell])
    this.change({ cells: withCell(this.#result.cells, cell, open) })
  }

  /** @override @protected @param {State} state */
  template(state) {
    return html`
      <div class="controls">
        ${segments({
          setting: 'preset',
          legend: 'start from',
          name: 'preset',
          values: Object.keys(presets),
          value: state.preset,
          label: (name) => presets[name],
          onChange: (preset) => this.change({ preset, cells: '' }),
        })}
        ${this.#parameter(state)} ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      <div class="panels">
        <div>
          <p class="heading"><i>M</i> <small>added to the scores: paint it</small></p>
          ${this.#mask(this.#result)}
          <div class="controls below">
            ${segments({
              setting: 'fill',
              legend: 'what a closed cell adds',
              name: 'fill',
              values: Object.keys(fills),
              value: state.fill,
              label: (fill) => (fill === 'infinity' ? '−∞' : html`−10<sup>9</sup>`),
              onChange: (fill) => this.change({ fill }),
            })}
            <button
              type="button"
              data-setting="cells"
              ?disabled=${state.cells === ''}
              @click=${() => this.change({ cells: '' })}
            >
              Undo painting
            </button>
          </div>
        </div>
        <div>
          <p class="heading"><i>A</i> = softmax(<i>S</i> + <i>M</i>)</p>
          <div class="weights"></div>
          ${this.#result && state.fill === 'billion' ? this.#billion(this.#result) : nothing}
        </div>
      </div>
    `
  }

  /** What the chosen mask can be told. @param {State} state */
  #parameter({ preset, size, length, present, head }) {
    const whole = { low: 0, high: count, step: 1 }
    const change = (/** @type {State} */ part) => this.change({ ...part, cells: '' })
    switch (preset) {
      case 'window':
        return slider({
          setting: 'size',
          ...{ ...whole, low: 1, legend: 'tokens in the window', value: size },
          onChange: (value) => change({ size: value }),
        })
      case 'prefix':
        return slider({
          setting: 'length',
          ...{ ...whole, legend: 'tokens in the prefix', value: length },
          onChange: (value) => change({ length: value }),
        })
      case 'padding':
        return slider({
          setting: 'present',
          ...{ ...whole, legend: 'tokens that are there', value: present },
          onChange: (value) => change({ present: value }),
        })
      case 'alibi':
        return segments({
          setting: 'head',
          legend: `slope of head 1 to ${alibiHeads}`,
          name: 'head',
          values: Array.from({ length: alibiHeads }, (_, index) => index),
          value: head,
          label: (index) => `1/${1 / this.#slope(index)}`,
          onChange: (index) => change({ head: index }),
        })
      default:
        return nothing
    }
  }

  /** What ALiBi adds for a key one place ahead. @param {number} head */
  #slope(head) {
    return this.#bias ? this.#bias.data[head * count * count + 1] : 1
  }

  /** @param {Masked | null} masked @returns {TemplateResult} */
  #mask(masked) {
    const isOpen = (/** @type {number} */ cell) => masked?.cells[cell] === '1'
    return html`<table
      class="mask"
      data-setting="cells"
      @pointerdown=${(/** @type {PointerEvent} */ event) => this.#brush.start(event, isOpen)}
      @pointermove=${(/** @type {PointerEvent} */ event) => this.#brush.move(event)}
      @pointerup=${() => this.#brush.end()}
      @pointercancel=${() => this.#brush.end()}
    >
      <thead>
        <tr class="axis">
          <td></td>
          <td colspan=${count} class="key">key →</td>
        </tr>
        <tr>
          <td class="axis">query ↓</td>
          ${sentence.map((token) => html`<th scope="col"><span>${token}</span></th>`)}
        </tr>
      </thead>
      <tbody>
        ${sentence.map(
          (token, row) =>
            html`<tr class=${masked?.empty.includes(row) ? 'empty' : ''}>
              <th scope="row">${token}</th>
              ${sentence.map((key, column) => {
                const cell = row * count + column
                const added = masked ? masked.mask.data[cell] : 0
                return html`<td>
                  <button
                    type="button"
                    tabindex=${cell === 0 ? 0 : -1}
                    data-cell=${cell}
                    data-picture="shown"
                    aria-pressed=${String(isOpen(cell))}
                    aria-label="${token} may attend to ${key}; ${formatExact(added)} is added"
                    @click=${() => this.#brush.press(cell, isOpen(cell))}
                  >
                    ${inMask(added)}
                  </button>
                </td>`
              })}
            </tr>`,
        )}
      </tbody>
    </table>`
  }

  /** @param {Masked} masked */
  #billion({ empty, weights }) {
    if (empty.length === 0) {
      return html`<p class="billion">
        Every row has something left, and −10<sup>9</sup> does what −∞ does: exp underflows to 0.
      </p>`
    }
    const row = empty[0]
    return html`<p class="billion" data-weight=${weights.data[row * count]}>
      “${sentence[row]}” may attend to nothing, and yet each key has the weight
      ${fixed(weights.data[row * count], 3)}: where −10<sup>9</sup> is added to every score, no key
      is worse off than another, and in float32 the scores themselves drown in it.
    </p>`
  }
}

/** What a cell of the mask says, in four characters or so. @param {number} added */
function inMask(added) {
  if (added <= -1e9) return Number.isFinite(added) ? html`−10<sup>9</sup>` : '−∞'
  return exactZero(added, Math.abs(added) < 0.1 ? 3 : 2).replace(/^(−?)0\./, '$1.')
}
