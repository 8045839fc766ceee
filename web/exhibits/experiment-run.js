import { html, nothing } from 'lit/html.js'

/**
 * A long computation of an exhibit: started when its settings have come to rest, stopped when they change or the
 * reader says so, with its progress and what has come out so far.
 *
 * @typedef {object} Step  one experiment of several
 * @property {number} total how many trials it has
 * @property {(watch: { signal: AbortSignal, onProgress: (progress: { done: number, result: any }) => void }) => Promise<any>} run
 * @property {(result: any) => void} onResult called with what has come out so far, and at the end
 */

/** A slider that is dragged comes to rest before anything is started, ms. */
const REST = 150
/** Between two looks at the progress, ms: drawing them all would take longer than computing. */
const PAUSE = 250

export class ExperimentRun {
  #signal
  #onChange
  /** Ends the run at hand. */
  #abort = new AbortController()
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer
  #lastTold = 0
  /** @type {unknown} */
  #error

  /** Trials done and wanted. */
  done = 0
  total = 0
  isRunning = false
  /** Whether the reader ended it early. */
  wasStopped = false

  /**
   * @param {AbortSignal} signal ends with the exhibit
   * @param {() => void} onChange called when there is something new to show
   */
  constructor(signal, onChange) {
    this.#signal = signal
    this.#onChange = onChange
    signal.addEventListener('abort', () => this.#end(), { once: true })
  }

  /**
   * Ends what runs, waits until no more is asked for, and runs steps one after the other.
   * @param {readonly Step[]} steps
   */
  start(steps) {
    this.#end()
    this.done = 0
    this.total = steps.reduce((sum, { total }) => sum + total, 0)
    this.isRunning = true
    this.wasStopped = false
    this.#timer = setTimeout(() => this.#run(steps), REST)
  }

  /** What went wrong, once: whoever asks shows it, and may start anew. */
  takeError() {
    const error = this.#error
    this.#error = undefined
    return error
  }

  /** Because the reader says so: what has come out so far stays. */
  stop() {
    if (!this.isRunning) return
    this.#end()
    this.isRunning = false
    this.wasStopped = true
    this.#onChange()
  }

  #end() {
    clearTimeout(this.#timer)
    this.#abort.abort()
  }

  /** @param {readonly Step[]} steps */
  async #run(steps) {
    this.#abort = new AbortController()
    const { signal } = this.#abort
    let before = 0
    try {
      for (const { total, run, onResult } of steps) {
        let isOver = false
        const onProgress = (/** @type {{ done: number, result: any }} */ { done, result }) => {
          // A report may be on its way still when the step has come to its end.
          if (signal.aborted || isOver) return
          this.done = before + done
          onResult(result)
          this.#tell()
        }
        const result = await run({ signal, onProgress })
        isOver = true
        onResult(result)
        before += total
        this.done = before
        this.#tell()
      }
      this.isRunning = false
      this.#onChange()
    } catch (error) {
      if (signal.aborted || this.#signal.aborted) return
      this.isRunning = false
      this.#error = error
      this.#onChange()
    }
  }

  #tell() {
    const now = performance.now()
    if (now - this.#lastTold < PAUSE) return
    this.#lastTold = now
    this.#onChange()
  }
}

/**
 * How far it is, with a button that stops it or starts it anew.
 * @param {object} options
 * @param {ExperimentRun} options.run
 * @param {string} options.what is counted, such as 'products'
 * @param {() => void} options.onRestart
 */
export function progressOf({ run, what, onRestart }) {
  const { done, total, isRunning, wasStopped } = run
  const counted = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${what}`
  return html`<div class="run">
    <button
      type="button"
      aria-label=${isRunning ? 'Stop' : 'Run again'}
      @click=${() => (isRunning ? run.stop() : onRestart())}
    >
      ${isRunning ? 'Stop' : 'Run again'}
    </button>
    <progress max=${total} .value=${done} aria-label="Progress"></progress>
    <span data-progress>${counted}${wasStopped ? html`, <b>stopped</b>` : nothing}</span>
  </div>`
}

export const progressStyles = `
  .run {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5em 1em;
    margin: 0 0 1.2em;
    color: var(--quiet);
  }

  .run button {
    min-width: 6.6em;
    color: var(--ink);
  }

  .run progress {
    flex: 1 1 8em;
    max-width: 16em;
    height: 0.5em;
    accent-color: var(--accent);
  }

  .run b {
    color: var(--ink);
    font-weight: 600;
  }
`
