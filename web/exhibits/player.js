import { h } from '../views/dom.js'

/** From one step to the next, ms: long enough to see what a step has changed. */
const INTERVAL = 1300

/**
 * A button that plays steps one after the other, and stops when it is pressed again. It lives in its exhibit's
 * template as it is: whether it plays is nothing that an exhibit's state, a link or a reset should know of.
 */
export class Player {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer
  #start
  #advance
  #interval
  #onStop

  /**
   * @param {object} options
   * @param {AbortSignal} options.signal ends with the exhibit
   * @param {string} options.setting that playing changes: a page may hide or fix it by this name
   * @param {string} options.what is played, for its name
   * @param {() => void} options.start goes to where playing begins
   * @param {() => boolean} options.advance one step; false says that it was the last
   * @param {number} [options.interval] from one step to the next, ms
   * @param {() => void} [options.onStop] called when it has come to an end, or was stopped
   */
  constructor({ signal, setting, what, start, advance, interval = INTERVAL, onStop }) {
    this.#start = start
    this.#advance = advance
    this.#interval = interval
    this.#onStop = onStop
    this.button = h('button', { type: 'button', class: 'play', 'data-setting': setting })
    this.what = what
    this.#name('Play')
    this.button.addEventListener('click', () => (this.isPlaying ? this.stop() : this.#play()), {
      signal,
    })
    signal.addEventListener('abort', () => this.stop(), { once: true })
  }

  get isPlaying() {
    return this.#timer !== undefined
  }

  stop() {
    if (!this.isPlaying) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#name('Play')
    this.#onStop?.()
  }

  #play() {
    this.#name('Pause')
    this.#wait()
    this.#start()
  }

  #wait() {
    this.#timer = setTimeout(() => {
      if (this.#advance()) this.#wait()
      else this.stop()
    }, this.#interval)
  }

  /** @param {'Play' | 'Pause'} action */
  #name(action) {
    this.button.textContent = action === 'Play' ? '▶ Play' : '❚❚ Pause'
    this.button.setAttribute('aria-label', `${action} ${this.what}`)
  }
}
