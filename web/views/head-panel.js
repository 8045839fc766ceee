import { h } from './dom.js'
import { MatrixPlot } from './matrix-plot.js'

/**
 * @import { MatrixPicture } from './matrix-paint.js'
 * @import { Cell } from './matrix-plot.js'
 */

/**
 * One head of a grid: a button that chooses it, and its matrix.
 */
export class HeadPanel {
  #abort = new AbortController()

  /**
   * @param {object} options
   * @param {AbortSignal} options.signal of the whole grid
   * @param {(query: number, key: number) => string} options.describe
   * @param {() => void} options.onChoose
   * @param {() => void} options.onFocus
   * @param {(cell: Cell | null) => void} options.onHover
   * @param {(cell: Cell) => void} options.onSelect
   * @param {(cell: Cell) => void} options.onStep
   * @param {(step: 1 | -1) => void} options.onPage
   */
  constructor({ signal, describe, onChoose, onFocus, onHover, onSelect, onStep, onPage }) {
    const own = AbortSignal.any([signal, this.#abort.signal])
    this.button = h('button', { type: 'button', class: 'head', 'data-picture': 'shown' })
    this.plot = new MatrixPlot({ signal: own, describe, onHover, onSelect, onStep, onPage })
    this.node = h('div', { class: 'panel' }, [this.button, this.plot.node])
    this.button.addEventListener('click', onChoose, { signal: own })
    this.node.addEventListener('focusin', onFocus, { signal: own })
  }

  /** @param {boolean} chosen */
  set chosen(chosen) {
    this.button.setAttribute('aria-pressed', String(chosen))
    this.node.classList.toggle('chosen', chosen)
  }

  /**
   * @param {MatrixPicture} picture
   * @param {string} name
   * @param {boolean} tight
   */
  draw(picture, name, tight) {
    // A speck of a panel has room for a number only; the name is still read out.
    const short = String((picture.plane % picture.attention.heads) + 1)
    const text = tight ? short : name.replace(/^layer \d+, /, '')
    if (this.button.textContent !== text) this.button.textContent = text
    this.button.setAttribute('aria-label', name)
    // Centred over the cells, not over their labels.
    this.button.style.marginInlineStart = `${picture.layout.plot.left}px`
    this.plot.draw(picture, name)
  }

  dispose() {
    this.#abort.abort()
    this.node.remove()
  }
}

export const headPanelStyles = `
.panels {
  display: grid;
  justify-content: center;
  max-inline-size: 100%;
}
.layer {
  grid-column: 1 / -1;
  margin-block-start: 4px;
  color: var(--soft);
  font-size: 12px;
  font-weight: 600;
  text-align: start;
}
.layer:first-child { margin-block-start: 0; }
.panel { display: flex; flex-direction: column; align-items: center; gap: 5px; min-inline-size: 0; }
.panel .head {
  padding: 1px 10px;
  min-block-size: 26px;
  font-size: 13px;
}
@media (pointer: coarse) {
  .panels:not(.tight) .head { min-block-size: 40px; min-inline-size: 44px; }
}
.panel.chosen .frame { outline: 2px solid var(--accent); outline-offset: 1px; }
.tight .panel { gap: 1px; }
.tight .head {
  padding: 0;
  min-block-size: 24px;
  inline-size: 100%;
  border-color: transparent;
  font-size: 11px;
}
.tight .head[aria-pressed='true'] { border-color: var(--accent); }
`
