import { html, nothing } from 'lit/html.js'
import { resetButton, segments, stepper, toggle } from './controls.js'
import { Exhibit } from './exhibit.js'
import { fixed, powerOfTen } from './format.js'
import { measuredTableStyles } from './measured-table.js'
import { Player } from './player.js'
import { choice, flag, integer } from './settings.js'
import { teacherForcingStyles } from './teacher-forcing-styles.js'
import { train, write } from './teacher-forcing-runs.js'
import { inputs, targets, vocabulary } from './toy-model.js'

/**
 * @import { TemplateResult } from 'lit/html.js'
 * @import { Engine } from '../engine/engine.js'
 * @import { State } from './settings.js'
 * @import { Training, Word } from './teacher-forcing-runs.js'
 */

const count = inputs.length
/** @type {Record<string, string>} */
const modes = { training: 'learning: all at once', writing: 'writing: one by one' }
/** @type {Record<string, string>} */
const models = { follows: 'knows the sentence', peeks: 'looks one place ahead' }

/**
 * Teacher forcing: which positions are predicted at once, from what, and what the mask has to do with it. A toy
 * model is trained on, and then writes, one sentence; another one cheats.
 */
export class TeacherForcing extends Exhibit {
  static settings = {
    mode: choice(Object.keys(modes), 'training'),
    model: choice(Object.keys(models), 'follows'),
    isCausal: flag(true),
    step: integer(1, count, 1),
  }

  static css = measuredTableStyles + teacherForcingStyles

  /** @type {{ training: Training, writing: Word[] } | null} */
  #result = null
  #player = new Player({
    signal: this.signal,
    setting: 'step',
    what: 'writing',
    start: () => {
      if (this.state.step === count) this.change({ step: 1 })
    },
    advance: () => {
      const step = this.state.step + 1
      this.change({ step })
      return step < count
    },
  })

  /** What the one pass and the passes over prefixes found, and what was written. */
  get result() {
    return this.#result
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, { mode, model, isCausal, step }) {
    this.#result = {
      training: train(engine, { model, isCausal }),
      writing: write(engine, { model, count: step }),
    }
    const { training, writing } = this.#result
    if (mode === 'writing') {
      return `After ${step} of ${count} passes: ${writing.map(({ token }) => vocabulary[token]).join(' ')}.`
    }
    const isSame = training.predictions.every(({ different }) => different === 0)
    return `One pass predicts all ${count} next tokens. Its loss is ${fixed(training.loss, 2)}, from prefixes alone it is ${fixed(training.lossAlone, 2)}${isSame ? ': every prediction is the same bit for bit' : ''}.`
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
    const { mode, model, isCausal, step } = state
    return html`
      <div class="controls">
        ${segments({
          setting: 'mode',
          legend: 'the model is',
          name: 'mode',
          values: Object.keys(modes),
          value: mode,
          label: (name) => modes[name],
          onChange: (name) => this.#choose({ mode: name }),
        })}
        ${segments({
          setting: 'model',
          legend: 'a model that',
          name: 'model',
          values: Object.keys(models),
          value: model,
          label: (name) => models[name],
          onChange: (name) => this.#choose({ model: name }),
        })}
        ${
          mode === 'training'
            ? toggle({
                setting: 'isCausal',
                legend: 'causal mask',
                value: isCausal,
                onChange: (value) => this.change({ isCausal: value }),
              })
            : html`${this.#player.button}
              ${stepper({
                setting: 'step',
                what: 'pass',
                index: step - 1,
                count,
                name: 'pass',
                onChange: (index) => this.#choose({ step: index + 1 }),
              })}`
        }
        ${resetButton(() => this.reset(), this.isInitial)}
      </div>
      ${
        this.#result
          ? mode === 'training'
            ? this.#training(isCausal, this.#result.training)
            : this.#writing(this.#result.writing)
          : nothing
      }
    `
  }

  /** @param {boolean} isCausal @param {Training} training */
  #training(isCausal, { predictions, loss, lossAlone }) {
    return html`
      <p class="passes"><b>1 pass</b> predicts <b>${count} tokens</b> at once</p>
      <table class="measured forcing">
        <thead>
          <tr>
            <th scope="col"><i>t</i></th>
            <th scope="col" class="sees">sees</th>
            <th scope="col">target</th>
            <th scope="col"><i>p</i>, in the pass</th>
            <th scope="col"><i>p</i>, from the prefix alone</th>
            <th scope="col" class="spare">bits differ in</th>
          </tr>
        </thead>
        <tbody>
          ${predictions.map(
            ({ probability, alone, different }, position) =>
              html`<tr class="now">
                <th scope="row">${position}</th>
                <td class="sees">${sees(inputs, position, isCausal, position + 1)}</td>
                <td class="target">${vocabulary[targets[position]]}</td>
                <td data-probability=${probability}>${fixed(probability, 4)}</td>
                <td data-probability=${alone}>${fixed(alone, 4)}</td>
                <td class="spare">${different} of ${vocabulary.length}</td>
              </tr>`,
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colspan="3">whole sentence, Π <i>p</i></th>
            <td>${chance(loss)}</td>
            <td>${chance(lossAlone)}</td>
            <td class="spare"></td>
          </tr>
          <tr>
            <th scope="row" colspan="3">loss, −Σ ln <i>p</i></th>
            <td data-loss=${loss}>${fixed(loss, 4)}</td>
            <td data-loss=${lossAlone}>${fixed(lossAlone, 4)}</td>
            <td class="spare"></td>
          </tr>
        </tfoot>
      </table>
    `
  }

  /** @param {Word[]} written */
  #writing(written) {
    const step = written.length
    // What it has said is what it reads.
    const read = [inputs[0], ...written.map(({ token }) => token)]
    return html`
      <p class="passes">
        <b>${step} ${step === 1 ? 'pass' : 'passes'}</b> so far, <b>1 token</b> each
      </p>
      <table class="measured forcing">
        <thead>
          <tr>
            <th scope="col"><i>t</i></th>
            <th scope="col" class="sees">sees</th>
            <th scope="col">writes</th>
            <th scope="col">its <i>p</i></th>
          </tr>
        </thead>
        <tbody>
          ${inputs.map((_, position) => {
            const word = written[position]
            return html`<tr class=${position === step - 1 ? 'now' : word ? '' : 'later'}>
              <th scope="row">${position}</th>
              <td class="sees">
                ${word ? sees(read.slice(0, position + 1), position, true, -1) : nothing}
              </td>
              <td class="target">${word ? vocabulary[word.token] : nothing}</td>
              <td>${word ? fixed(word.probability, 4) : nothing}</td>
            </tr>`
          })}
        </tbody>
      </table>
    `
  }
}

/** Π p from −Σ ln p. @param {number} loss @returns {unknown} */
function chance(loss) {
  const probability = Math.exp(-loss)
  return probability < 0.0005 ? powerOfTen(probability) : fixed(probability, 4)
}

/**
 * The tokens that a position reads from: those that it sees, and those that a mask hides.
 * @param {readonly number[]} tokens
 * @param {number} position
 * @param {boolean} isCausal
 * @param {number} answer where among them stands what is to be said
 * @returns {TemplateResult}
 */
function sees(tokens, position, isCausal, answer) {
  const visible = tokens.filter((_, place) => !isCausal || place <= position)
  const label = `sees ${visible.map((token) => vocabulary[token]).join(' ')}${!isCausal && answer < tokens.length ? `, and with it the answer, ${vocabulary[tokens[answer]]}` : ''}`
  return html`<span class="tokens" role="img" aria-label=${label}
    >${Array.from({ length: count }, (_, place) => {
      const isThere = place < tokens.length
      const isOpen = isThere && (!isCausal || place <= position)
      const kind = !isThere ? 'none' : !isOpen ? 'hidden' : place === answer ? 'answer' : 'seen'
      return html`<i class="${kind} ${place === position ? 'own' : ''}"
        ><span>${isOpen ? vocabulary[tokens[place]] : nothing}</span></i
      >`
    })}</span
  >`
}
