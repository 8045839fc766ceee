import { h } from '../dom.js'
import { HeadGrid } from '../head-grid.js'

/** @import { AttentionCubeOptions } from './attention-cube.js' */

/**
 * The cube's place without WebGL: a sentence and the heads side by side.
 */
export class Fallback {
  #node = h('div', { class: 'flat' })
  #grid

  /**
   * @param {HTMLElement} stage stands after it until its owner takes it away
   * @param {AttentionCubeOptions} options
   * @param {AbortSignal} signal
   * @param {(head: number) => void} onChoose the grid tells the page itself
   */
  constructor(stage, options, signal, onChoose) {
    const sentence = 'WebGL is not available here, so the heads stand side by side, not in a cube.'
    const slot = h('div')
    this.#node.append(h('p', { class: 'note flat-note', role: 'note', text: sentence }), slot)
    stage.before(this.#node)
    this.#grid = new HeadGrid(slot, options)
    slot.addEventListener(
      'headchange',
      (event) => onChoose(/** @type {CustomEvent<{ head: number }>} */ (event).detail.head),
      { signal },
    )
  }

  /** @param {AttentionCubeOptions} change */
  update(change) {
    this.#grid.update(change)
  }

  dispose() {
    this.#grid.dispose()
    this.#node.remove()
  }
}

export const fallbackStyles = `
.flat { inline-size: 100%; }
.flat-note { margin: 4px auto 14px; text-align: center; text-wrap: balance; }
`
