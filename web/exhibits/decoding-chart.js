import { html } from 'lit/html.js'
import { Chart } from '../views/charts/chart.js'
import { segments } from './controls.js'
import { decodingCost, lengthsUpTo } from './decoding-cost.js'

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { DecodingCost } from './decoding-cost.js'
 * @import { State } from './settings.js'
 * @typedef {{ width: number, counted: 'operations' | 'bytes' }} Shown
 */

const longest = 4096

/** @type {Record<Shown['counted'], readonly { name: string, cost: keyof DecodingCost, dashed?: boolean }[]>} */
const series = {
  operations: [
    { name: 'with the cache', cost: 'cached' },
    { name: 'keys and values anew', cost: 'anew', dashed: true },
    { name: 'full pass anew', cost: 'full' },
  ],
  bytes: [
    { name: 'kept by the cache', cost: 'kept' },
    { name: 'added to it in the step', cost: 'written', dashed: true },
    { name: 'written by the full pass', cost: 'writtenFull' },
  ],
}

/** What a step costs against the length of the sequence, on logarithmic axes. */
export class DecodingChart {
  #chart
  #key = ''

  /** @param {HTMLElement} container */
  constructor(container) {
    this.#chart = new Chart(container, {
      x: {
        label: 'tokens T after the step',
        log: true,
        domain: [1, longest],
        ticks: [1, 4, 16, 64, 256, 1024, 4096],
        tickFormat: (value) => value.toLocaleString('en'),
      },
      y: { label: 'operations', log: true },
      label: 'What a step costs',
      summary: 'Not computed yet.',
    })
  }

  dispose() {
    this.#chart.dispose()
  }

  /** @param {Engine} engine @param {State} shown */
  show(engine, { width, counted }) {
    const key = `${width} ${counted}`
    if (key === this.#key) return
    this.#key = key
    const kind = /** @type {Shown['counted']} */ (counted)
    const x = lengthsUpTo(longest)
    const costs = x.map((length) => decodingCost(engine, length, width))
    const lines = series[kind].map(({ cost, ...line }) => ({
      ...line,
      x,
      y: costs.map((entry) => entry[cost]),
    }))
    const atEnd = lines.map(({ name, y }) => `${short(y[y.length - 1])} ${name}`).join(', ')
    this.#chart.update({
      lines,
      y: { label: `${kind} of a step`, log: true, tickFormat: short },
      summary: `For d = ${width}, the step to token ${longest.toLocaleString('en')} takes so many ${kind}: ${atEnd}.`,
    })
  }

  /** @param {State} state @param {readonly number[]} widths @param {(part: State) => void} change */
  static controls({ width, counted }, widths, change) {
    return html`
      ${segments({
        setting: 'counted',
        legend: 'a step’s',
        name: 'counted',
        values: Object.keys(series),
        value: counted,
        onChange: (kind) => change({ counted: kind }),
      })}
      ${segments({
        setting: 'width',
        legend: html`width <i>d</i>`,
        name: 'width',
        values: widths,
        value: width,
        label: (value) => value.toLocaleString('en'),
        onChange: (value) => change({ width: value }),
      })}
    `
  }
}

const units = ['', 'k', 'M', 'G', 'T']

/** Three digits and a unit: 1.5k, 20M. @param {number} value */
function short(value) {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3))
  return `${Number((value / 1000 ** power).toPrecision(3))}${units[power]}`
}
