import { html, nothing } from 'lit/html.js'
import { resetButton } from './controls.js'
import { Exhibit } from './exhibit.js'
import { openControls } from './open/open-controls.js'
import { createFigure } from './open/open-figures.js'
import { dropPanel, openedPanel, progressPanel } from './open/open-panels.js'
import { openStyles } from './open/open-styles.js'
import { changeWords, limitWords, sumWords } from './open/open-words.js'
import { OpenedData } from './open/opened-data.js'
import { changesOf, labelsOf, ShownHeads } from './open/shown-heads.js'
import { choice, flag, integer, real } from './settings.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Table } from '../views/tables.js'
 * @import { AttentionSource } from './open/attention-source.js'
 * @import { Own } from './open/open-controls.js'
 * @import { AnyView } from './open/open-figures.js'
 * @import { Chosen } from './open/shown-heads.js'
 * @import { Setting, State } from './settings.js'
 */

/** Texts of tokens. @type {Setting} */
const texts = {
  initial: [],
  allows: (value) =>
    Array.isArray(value) && value.length < 100 && value.every((text) => typeof text === 'string'),
  wanted: 'a list of fewer than 100 texts',
}

/**
 * Attention of one's own, from a file that a reader drops or chooses: all heads of all layers in an overview, one of
 * them at large, rollout and entropies. The settings are those of the view; the numbers never leave the page and are
 * part of no link.
 */
export class OpenAttention extends Exhibit {
  static settings = {
    view: choice(['map', 'lines', 'cube', 'rollout'], 'map'),
    overview: choice(['weights', 'entropy'], 'weights'),
    layer: integer(0, 9999, 0),
    head: integer(0, 9999, 0),
    firstToken: integer(0, 2 ** 30, 0),
    leftOut: texts,
    renormalize: flag(true),
    mass: real(0.05, 1, 1),
  }

  static css = openStyles

  #data = new OpenedData(this.signal, () => this.refresh())
  #shown = new ShownHeads(this.signal, () => this.refresh())
  #isOver = false
  /** Made when they are first needed. @type {Map<string, AnyView>} */
  #figures = new Map()
  /** What each of them draws. @type {Map<string, unknown>} */
  #drawn = new Map()

  /**
   * Opens files, as if they had been dropped.
   * @param {readonly File[]} files
   * @returns {Promise<void>} fulfilled when they are open, or a message says why not
   */
  open(files) {
    return this.#data.open(files)
  }

  /** Whether something is being read. */
  get isBusy() {
    return this.#data.reading !== '' || this.#shown.isBusy
  }

  /** What the figure shows. */
  get result() {
    const { source, tokens } = this.#data
    const { chosen, survey, rollout } = this.#shown
    return { name: source?.name, shape: source?.shape, tokens, chosen, survey, rollout }
  }

  /** @override The numbers that can be seen. @returns {Table[]} */
  tables() {
    return [...this.#figures].flatMap(([name, figure]) =>
      this.find(`.${name}`).hidden ? [] : figure.tables(),
    )
  }

  /** The state as far as the open file has it. @param {AttentionSource} source @param {State} state */
  #within({ shape: [layers, heads] }, state) {
    return {
      .../** @type {Own} */ (state),
      layer: Math.min(state.layer, layers - 1),
      head: Math.min(state.head, heads - 1),
      leftOut: this.#data.special
        .map(({ text }) => text)
        .filter((text) => state.leftOut.includes(text)),
    }
  }

  /** @override @protected @param {Engine} engine @param {State} state */
  draw(engine, state) {
    const { source, tokens } = this.#data
    if (!source) return this.#data.problem
    const own = this.#within(source, state)
    this.#shown.want(engine, { ...own, source, tokens })
    const { chosen, survey, rollout } = this.#shown
    this.#drawOverview(source, own)
    if (state.view === 'rollout') this.#drawRollout()
    else if (chosen && chosen.view === state.view) this.#drawChosen(chosen, own)
    const done = survey && !this.#shown.isSurveying ? ' All heads have been read.' : ''
    return `${this.#data.fileName}: layer ${own.layer + 1}, head ${own.head + 1}.${rollout ? done : ''}`
  }

  /** @param {AttentionSource} source @param {Own} own */
  #drawOverview(source, own) {
    const { survey } = this.#shown
    if (!survey) return
    const [layers, heads] = source.shape
    const { layer, head, overview } = own
    const plane = layer * heads + head
    if (overview === 'entropy') {
      const attention = { data: survey.entropy, shape: [layers, heads] }
      this.#update('entropies', [survey, survey.done], () => ({ attention }))
      return
    }
    this.#update('overview', [survey, survey.done, plane], () => ({
      attention: { data: survey.thumbnails, shape: survey.shape },
      emphasizedHead: plane,
    }))
  }

  #drawRollout() {
    const { rollout } = this.#shown
    if (!rollout) return
    const { data, places } = rollout
    const { query, key } = this.#data.tokens
    this.#update('rolled', [rollout], () => ({
      attention: { data, shape: [places.length, places.length] },
      queryTokens: labelsOf(places, query),
      keyTokens: labelsOf(places, key),
    }))
  }

  /** @param {Chosen} chosen @param {Own} own */
  #drawChosen(chosen, { layer, head }) {
    const { view, data, shape, queryTokens, keyTokens } = chosen
    const options = { attention: { data, shape }, queryTokens, keyTokens }
    const where = `layer ${layer + 1}${view === 'cube' ? '' : `, head ${head + 1}`}`
    this.#update(view, [chosen, view === 'cube' ? head : 0], () => ({
      ...options,
      label: `Attention of ${where}`,
      ...(view === 'cube' ? { emphasizedHead: head } : {}),
    }))
  }

  /**
   * Draws a figure if what it depends on has changed.
   * @param {string} name of its container
   * @param {unknown[]} key
   * @param {() => object} options
   */
  #update(name, key, options) {
    const before = /** @type {unknown[] | undefined} */ (this.#drawn.get(name))
    if (before && key.every((part, i) => part === before[i])) return
    this.#drawn.set(name, key)
    const figure = this.#figures.get(name)
    if (figure) figure.update(options())
    else this.#figures.set(name, this.own(createFigure(name, this.find(`.${name}`), options())))
  }

  /** @param {CustomEvent<{ layer?: number, head: number }>} event */
  #onHead({ detail: { layer, head } }) {
    // The chosen head cannot be given up, only another one chosen.
    if (head < 0) this.#drawn.clear()
    this.change(head < 0 ? {} : { head, ...(layer === undefined ? {} : { layer }) })
    if (head < 0) this.refresh()
  }

  /** @param {DragEvent} event */
  #onDrag(event) {
    event.preventDefault()
    const isOver = event.type === 'dragover'
    if (event.type === 'drop') this.#data.open([...(event.dataTransfer?.files ?? [])])
    if (isOver === this.#isOver) return
    this.#isOver = isOver
    this.refresh()
  }

  /** @override @protected @param {State} state */
  template(state) {
    const data = this.#data
    const { source } = data
    const own = source && this.#within(source, state)
    return html`<div
      class="open ${this.#isOver ? 'over' : ''}"
      @dragover=${this.#onDrag}
      @dragleave=${this.#onDrag}
      @drop=${this.#onDrag}
    >
      ${dropPanel(data)} ${openedPanel(data)}
      ${
        source && own
          ? html`${openControls(
              source,
              own,
              data.special,
              (part) => this.change(part),
              resetButton(() => this.reset(), this.isInitial),
            )}
            ${this.#words(source, own)}`
          : nothing
      }
      ${this.#panels(source, own)}
    </div>`
  }

  /** What is shown, and what is odd about it. @param {AttentionSource} source @param {Own} own */
  #words(source, own) {
    const { survey, problem } = this.#shown
    const leftOut = this.#data.special.filter(({ text }) => own.leftOut.includes(text))
    const { queries, keys } = changesOf({ ...own, source, tokens: this.#data.tokens })
    const odd = survey ? sumWords(survey.sums) : ''
    const sentences = [
      ...changeWords({ ...own, leftOut }),
      ...limitWords(own, queries.length, keys.length),
    ]
    return html`<div class="said">
      ${odd ? html`<p class="warning sums" role="alert">${odd}</p>` : nothing}
      ${problem ? html`<p class="warning" role="alert">${problem}</p>` : nothing}
      ${sentences.length > 0 ? html`<p class="done">${sentences.join(' ')}</p>` : nothing}
    </div>`
  }

  /** @param {AttentionSource | null} source @param {Own | null} own */
  #panels(source, own) {
    const isHidden = (/** @type {boolean} */ isShown) => !source || !isShown
    const { chosen, rollout, survey } = this.#shown
    const view = own?.view
    const overview = own?.overview
    return html`<div class="panels" ?hidden=${!source}>
      <div>
        ${source ? progressPanel(this.#shown, source.planes) : nothing}
        <div
          class="overview"
          ?hidden=${isHidden(overview === 'weights' && survey !== null)}
          @headchange=${this.#onHead}
        ></div>
        <div
          class="entropies"
          ?hidden=${isHidden(overview === 'entropy' && survey !== null)}
          @cellselect=${this.#onEntropy}
        ></div>
      </div>
      <div>
        <div class="map" ?hidden=${isHidden(view === 'map' && chosen !== null)}></div>
        <div class="lines" ?hidden=${isHidden(view === 'lines' && chosen !== null)}></div>
        <div
          class="cube"
          ?hidden=${isHidden(view === 'cube' && chosen !== null)}
          @headchange=${this.#onHead}
        ></div>
        <div class="rolled" ?hidden=${isHidden(view === 'rollout' && rollout !== null)}></div>
      </div>
    </div>`
  }

  /** @param {CustomEvent<{ query: number, key: number }>} event */
  #onEntropy({ detail: { query, key } }) {
    this.change({ layer: query, head: key })
  }
}
