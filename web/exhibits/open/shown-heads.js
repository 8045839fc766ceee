/**
 * What is shown of a source: the rows of the chosen head that fit a figure, and the survey of all heads, both read
 * anew when they have to be, and never more than is asked for.
 *
 * @import { Engine } from '../../engine/engine.js'
 * @import { AttentionSource } from './attention-source.js'
 * @import { Changes } from './row-changes.js'
 * @import { Survey } from './survey.js'
 * @import { ChosenTokens } from './token-choice.js'
 *
 * @typedef {'map' | 'lines' | 'cube' | 'rollout'} View
 * @typedef {object} Wanted
 * @property {AttentionSource} source
 * @property {ChosenTokens} tokens
 * @property {View} view
 * @property {number} layer
 * @property {number} head
 * @property {number} firstToken the first token shown of those that stay
 * @property {readonly string[]} leftOut tokens
 * @property {number} mass
 * @property {boolean} renormalize
 *
 * @typedef {object} Chosen  numbers of a view with the tokens at their axes
 * @property {View} view
 * @property {Float32Array | Float64Array} data
 * @property {number[]} shape (n, m), or (h, n, m) for the cube
 * @property {string[]} queryTokens
 * @property {string[]} keyTokens
 *
 * @typedef {{ data: Float64Array, places: readonly number[] }} Rollout
 */
import { problemOf } from '../../problem.js'
import { createPace } from '../../data/pace.js'
import { changeRows, stayingPlaces } from './row-changes.js'
import { MOST_ROLLED, rollOut, rowsOf, surveyHeads } from './survey.js'

/** How many tokens each view has room for. @type {Record<View, number>} */
export const MOST_TOKENS = { map: 512, lines: 96, cube: 128, rollout: MOST_ROLLED }
/** Weights that are changed at once. */
const BLOCK = 2 ** 16
/** A slider that is dragged comes to rest before all heads are looked at again, ms. */
const REST = 150
/** Between two looks at the progress, ms. */
const PAUSE = 300

export class ShownHeads {
  #signal
  #onChange
  /** @type {Record<'chosen' | 'survey', { key: unknown[], stop: AbortController }>} */
  #runs = {
    chosen: { key: [], stop: new AbortController() },
    survey: { key: [], stop: new AbortController() },
  }
  #lastTold = 0

  /** @type {Chosen | null} */
  chosen = null
  /** @type {Survey | null} */
  survey = null
  isSurveying = false
  /** Whether the chosen head is being read. */
  isReading = false
  /** Whether the reader ended the survey. */
  wasStopped = false
  /** Once the survey has come to its end: (n, n), and whose rows they are. @type {Rollout | null} */
  rollout = null
  /** What went wrong while reading, in words, or ''. */
  problem = ''

  /** @param {AbortSignal} signal ends with the figure @param {() => void} onChange */
  constructor(signal, onChange) {
    this.#signal = signal
    this.#onChange = onChange
    signal.addEventListener('abort', () => this.#end(), { once: true })
  }

  get isBusy() {
    return this.isSurveying || this.isReading
  }

  /** Reads what is wanted, unless it is there or on its way. @param {Engine} engine @param {Wanted} wanted */
  want(engine, wanted) {
    const { source, tokens, view, layer, head, firstToken, leftOut, mass, renormalize } = wanted
    const changes = changesOf(wanted)
    const common = [source, tokens, JSON.stringify([leftOut, mass, renormalize])]
    const isEmpty = changes.queries.length * changes.keys.length === 0
    this.#run(
      'chosen',
      [...common, view, layer, view === 'cube' || head, firstToken],
      async (signal) => {
        this.isReading = true
        const isNone = isEmpty || view === 'rollout'
        const chosen = isNone ? null : await readChosen(wanted, changes, signal)
        if (signal.aborted) return
        this.chosen = chosen
        this.isReading = false
      },
    )
    this.#run('survey', common, async (signal, isFirst) => {
      this.wasStopped = false
      this.isSurveying = !isEmpty
      if (isFirst || isEmpty) {
        this.rollout = null
        this.survey = null
      }
      if (isEmpty) return
      this.#onChange()
      if (!isFirst) await new Promise((resolve) => setTimeout(resolve, REST))
      signal.throwIfAborted()
      const onProgress = (/** @type {Survey} */ survey) => this.#tell(survey, signal)
      const survey = await surveyHeads(engine, source, changes, { signal, onProgress })
      const { means } = survey
      const places = changes.queries
      const data = means && (await rollOut(engine, means, places.length, signal))
      if (signal.aborted) return
      this.survey = survey
      this.rollout = data && { data, places }
      this.isSurveying = false
    })
  }

  /** Ends the survey; what it has found so far stays. */
  stop() {
    this.#runs.survey.stop.abort()
    this.isSurveying = false
    this.wasStopped = true
    this.#onChange()
  }

  /** Begins a survey that was stopped again. */
  start() {
    this.#runs.survey.key.length = 1
    this.#onChange()
  }

  #end() {
    for (const { stop } of Object.values(this.#runs)) stop.abort()
  }

  /** @param {Survey} survey @param {AbortSignal} signal */
  #tell(survey, signal) {
    if (signal.aborted) return
    this.survey = survey
    const now = performance.now()
    if (now - this.#lastTold < PAUSE) return
    this.#lastTold = now
    this.#onChange()
  }

  /**
   * @param {'chosen' | 'survey'} kind
   * @param {unknown[]} key what it depends on
   * @param {(signal: AbortSignal, isFirst: boolean) => Promise<void>} read
   */
  async #run(kind, key, read) {
    const before = this.#runs[kind]
    if (before.key.length > 0 && key.every((part, i) => part === before.key[i])) return
    before.stop.abort()
    const stop = new AbortController()
    this.#runs[kind] = { key, stop }
    try {
      // Whoever asks is drawing.
      await null
      await read(stop.signal, before.key[0] !== key[0])
      if (stop.signal.aborted) return
      this.problem = ''
    } catch (error) {
      if (stop.signal.aborted || this.#signal.aborted) return
      this.problem = problemOf(error)
      if (kind === 'survey') this.isSurveying = false
      else this.isReading = false
    }
    this.#onChange()
  }
}

/** @param {Pick<Wanted, 'source' | 'tokens' | 'leftOut' | 'mass' | 'renormalize'>} wanted @returns {Changes} */
export function changesOf({ source, tokens, leftOut, mass, renormalize }) {
  const [, , queries, keys] = source.shape
  return {
    queries: stayingPlaces(queries, tokens.query, leftOut),
    keys: stayingPlaces(keys, tokens.key, leftOut),
    mass,
    renormalize,
  }
}

/**
 * @param {readonly number[]} places
 * @param {number} from
 * @param {number} most
 * @returns {readonly number[]} those that are shown
 */
export function windowOf(places, from, most) {
  const start = Math.max(0, Math.min(from, places.length - most))
  return places.slice(start, start + most)
}

/** @param {readonly number[]} places @param {readonly string[] | null} tokens @returns {string[]} */
export function labelsOf(places, tokens) {
  return places.map((place) => tokens?.[place] ?? String(place + 1))
}

/**
 * @param {Wanted} wanted
 * @param {Changes} changes
 * @param {AbortSignal} signal
 * @returns {Promise<Chosen>}
 */
async function readChosen({ source, tokens, view, layer, head, firstToken }, changes, signal) {
  const [, heads, , columns] = source.shape
  const queries = windowOf(changes.queries, firstToken, MOST_TOKENS[view])
  const keys = windowOf(changes.keys, firstToken, MOST_TOKENS[view])
  const shown = keys.map((key) => changes.keys.indexOf(key))
  const shownHeads = view === 'cube' ? Array.from({ length: heads }, (_, i) => i) : [head]
  const isChanged = changes.mass < 1 || changes.keys.length < columns
  const Numbers = isChanged || source.dtype === 'float64' ? Float64Array : Float32Array
  const data = new Numbers(shownHeads.length * queries.length * keys.length)
  const isShown = new Set(queries)
  const pace = createPace(signal)
  const rowsAtOnce = Math.max(1, Math.floor(BLOCK / columns))
  const last = queries[queries.length - 1] + 1
  let at = 0
  for (const each of shownHeads) {
    for (let start = queries[0]; start < last; start += rowsAtOnce) {
      const end = Math.min(last, start + rowsAtOnce)
      const rows = await source.rows(layer * heads + each, start, end, signal)
      const staying = rowsOf(rows, columns, (row) => isShown.has(start + row))
      const changed = changeRows(staying, columns, changes)
      const width = changes.keys.length
      for (let row = 0; row * width < changed.length; row++) {
        for (const key of shown) data[at++] = changed[row * width + key]
      }
      await pace()
    }
  }
  const shape = [queries.length, keys.length]
  return {
    ...{ view, data, shape: view === 'cube' ? [heads, ...shape] : shape },
    queryTokens: labelsOf(queries, tokens.query),
    keyTokens: labelsOf(keys, tokens.key),
  }
}
