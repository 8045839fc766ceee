import { h } from '../dom.js'
import { seriesColor } from './series-color.js'

/** @import { BarSeries, LineSeries } from './chart.js' */

/**
 * What each series is called, beside a piece of its line or of its bars.
 *
 * @param {readonly BarSeries[]} bars
 * @param {readonly LineSeries[]} lines
 * @returns {HTMLElement[]}
 */
export function legend(bars, lines) {
  return [
    ...bars.map((series, place) => entry(series.name, 'bar', seriesColor(series, place))),
    ...lines.map((series, place) =>
      entry(
        series.name,
        series.markers === 'only' ? 'dots' : series.dashed ? 'dashed' : 'solid',
        seriesColor(series, bars.length + place),
      ),
    ),
  ]
}

/** @param {string} name @param {'bar' | 'dashed' | 'dots' | 'solid'} kind @param {string} color */
function entry(name, kind, color) {
  const sample = h('span', { class: `sample ${kind}` })
  sample.style.setProperty('--color', color)
  return h('span', { class: 'name' }, [sample, h('span', { text: name })])
}
