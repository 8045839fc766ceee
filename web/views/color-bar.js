import { scaleLinear } from 'd3-scale'
import { colorIndex, COLORS_PER_MAP } from './color-map.js'
import { composite, formatColor } from './color.js'
import { h } from './dom.js'
import { formatShort } from './numbers.js'
import { drawPixels } from './pixels.js'
import { setPaint } from './repaint.js'

/**
 * @import { Rgb } from './color.js'
 * @import { ColorMap } from './color-map.js'
 * @import { Domain } from './domain.js'
 */

/** What the labels of the two ends need to themselves, px; a long one at the low end needs more. */
const LOW_ROOM = 40
const HIGH_ROOM = 60
const DIGIT_ROOM = 10
/** Of the bar; of one of several colour tables; of all of them; px. */
const BAR_HEIGHT = 12
const LEAST_RAMP = 7
const MOST_HEIGHT = 56

/**
 * The legend of a colour scale: its 256 colours, the domain's ends and round values between, what is
 * measured, and swatches for NaN and masked cells where there are any. A mark shows the value that the
 * reader looks at.
 */
export class ColorBar {
  #canvas = h('canvas', { class: 'bar', width: String(COLORS_PER_MAP), height: '1' })
  #mark = h('span', { class: 'mark', hidden: '' })
  #ticks = h('div', { class: 'ticks' })
  #label = h('span', { class: 'bar-label' })
  #keys = h('span', { class: 'bar-keys' })
  #body = h('div', { class: 'bar-body', 'aria-hidden': 'true' }, [this.#canvas, this.#mark])
  /** @type {Domain} */
  #domain = [0, 1]

  constructor() {
    this.node = h('div', { class: 'color-bar' }, [
      h('div', { class: 'bar-title' }, [this.#label, this.#keys]),
      this.#body,
      this.#ticks,
    ])
  }

  /**
   * @param {object} scale
   * @param {ColorMap} scale.map
   * @param {Domain} scale.domain
   * @param {string} scale.label what is measured
   * @param {boolean} scale.hasNaN
   * @param {boolean} scale.hasMasked
   * @param {number} scale.width CSS pixels
   * @param {{ opacity: number, background: Rgb }} [scale.over] cells are translucent over this
   * @param {readonly (readonly Rgb[])[]} [scale.ramps] several tables on one scale, one below the other,
   *   instead of the map's
   */
  update({ map, domain, label, hasNaN, hasMasked, width, over, ramps = [map.colors] }) {
    this.#domain = domain
    this.node.style.width = `${width}px`
    this.#label.textContent = label
    const seen = (/** @type {Rgb} */ color) =>
      over ? composite(color, over.background, over.opacity) : color
    this.#paint(ramps.map((colors) => colors.map(seen)))
    this.#writeTicks(domain, width)
    this.#keys.replaceChildren(
      ...(hasMasked ? [swatch('masked', seen(map.masked), seen(map.maskedMark))] : []),
      ...(hasNaN ? [swatch('NaN', seen(map.nan), seen(map.nanMark))] : []),
    )
  }

  /** @param {number | null} value to be pointed at; null for none */
  point(value) {
    this.#mark.hidden = value === null || Number.isNaN(value)
    if (value === null || Number.isNaN(value)) return
    this.#mark.style.left = `${(100 * (colorIndex(value, this.#domain) + 0.5)) / COLORS_PER_MAP}%`
  }

  /** One pixel a colour; the style sheet stretches it without smoothing. @param {Rgb[][]} ramps */
  #paint(ramps) {
    const context = /** @type {CanvasRenderingContext2D} */ (this.#canvas.getContext('2d'))
    if (this.#canvas.height !== ramps.length) this.#canvas.height = ramps.length
    const image = context.createImageData(COLORS_PER_MAP, ramps.length)
    ramps.flat().forEach((color, index) => image.data.set([...color, 255], 4 * index))
    context.putImageData(image, 0, 0)
    setPaint(this.#canvas, (context, size) =>
      drawPixels(context, image, { left: 0, top: 0, ...size }),
    )
    const height = Math.max(BAR_HEIGHT, Math.min(MOST_HEIGHT, LEAST_RAMP * ramps.length))
    this.#body.style.blockSize = `${height}px`
  }

  /** @param {Domain} domain @param {number} width */
  #writeTicks([low, high], width) {
    const scale = scaleLinear().domain([low, high]).range([0, width])
    const count = Math.max(2, Math.floor(width / 80))
    const format = scale.tickFormat(count)
    const lowRoom = Math.max(LOW_ROOM, DIGIT_ROOM * formatShort(low).length)
    const between = scale
      .ticks(count)
      .filter((value) => scale(value) >= lowRoom && scale(value) <= width - HIGH_ROOM)
    const label = (/** @type {number} */ value, /** @type {string} */ text) => {
      const tick = h('span', { text: text.replace('-', '−') })
      tick.style.left = `${(100 * scale(value)) / width}%`
      return tick
    }
    this.#ticks.replaceChildren(
      label(low, formatShort(low)),
      ...between.map((value) => label(value, format(value))),
      label(high, formatShort(high)),
    )
  }
}

/**
 * @param {string} text
 * @param {Rgb} color
 * @param {Rgb} mark
 */
function swatch(text, color, mark) {
  const chip = h('span', { class: `chip ${text}`, 'aria-hidden': 'true' })
  chip.style.setProperty('--fill', formatColor(color))
  chip.style.setProperty('--mark', formatColor(mark))
  return h('span', { class: 'key' }, [chip, document.createTextNode(text)])
}

export const colorBarStyles = `
.color-bar {
  max-inline-size: 100%;
  font-size: 12px;
  line-height: 16px;
  color: var(--soft);
}
.bar-title {
  display: flex;
  flex-wrap: wrap;
  justify-content: space-between;
  gap: 0 14px;
  margin-block-end: 4px;
}
.bar-keys { display: flex; gap: 14px; }
.key { display: inline-flex; align-items: center; gap: 6px; }
.chip {
  inline-size: 14px;
  block-size: 12px;
  border: 1px solid var(--line);
  background: var(--fill);
  forced-color-adjust: none;
  print-color-adjust: exact;
}
.chip.masked {
  background: repeating-linear-gradient(135deg, var(--mark) 0 1px, var(--fill) 1px 4px);
}
.chip.NaN {
  background:
    linear-gradient(45deg, transparent 45%, var(--mark) 45% 55%, transparent 55%),
    linear-gradient(135deg, transparent 45%, var(--mark) 45% 55%, transparent 55%),
    var(--fill);
}
.bar-body { position: relative; }
.bar {
  display: block;
  inline-size: 100%;
  block-size: 100%;
  outline: 1px solid var(--line);
  image-rendering: pixelated;
  forced-color-adjust: none;
}
.mark {
  position: absolute;
  inset-block: -3px;
  inline-size: 2px;
  margin-inline-start: -1px;
  background: var(--ink);
  box-shadow: 0 0 0 1px var(--surface);
  pointer-events: none;
  print-color-adjust: exact;
}
@media (forced-colors: active) {
  .mark { background: CanvasText; box-shadow: 0 0 0 1px Canvas; forced-color-adjust: none; }
}
.ticks { position: relative; block-size: 16px; margin-block-start: 4px; color: var(--ink); }
.ticks span { position: absolute; transform: translateX(-50%); white-space: nowrap; }
.ticks span:first-child { transform: none; }
.ticks span:last-child { transform: translateX(-100%); }
`
