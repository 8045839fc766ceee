import * as Plot from '@observablehq/plot'
import { h } from '../dom.js'
import { FigureView } from '../figure-view.js'
import { formatShort } from '../numbers.js'
import { chartStyles } from './chart-styles.js'
import { legend } from './legend.js'
import { formatTick, logDomain, logTicks } from './log-ticks.js'
import { seriesColor } from './series-color.js'
import { seriesTables } from '../tables.js'

/**
 * @typedef {object} LineSeries
 * @property {string} name
 * @property {ArrayLike<number>} x
 * @property {ArrayLike<number>} y  as many; where one is NaN the line has a gap
 * @property {boolean} [dashed]
 * @property {boolean | 'only'} [markers]  a dot at each point; 'only' leaves the line out
 * @property {number} [color]  0 to 3; else the series' place in the list
 *
 * @typedef {object} BarSeries
 * @property {string} name
 * @property {ArrayLike<number>} edges  n + 1 ascending numbers
 * @property {ArrayLike<number>} heights  n
 * @property {number} [color]
 *
 * @typedef {object} Rule  a straight line across the chart, with its name beside it
 * @property {'x' | 'y'} axis  on which `value` lies
 * @property {number} value
 * @property {string} name
 *
 * @typedef {object} AxisOptions
 * @property {string} label
 * @property {boolean} [log]
 * @property {readonly [number, number]} [domain]  else it fits the numbers
 * @property {readonly number[]} [ticks]
 * @property {string | ((value: number) => string)} [tickFormat]  a function where the axis is logarithmic
 *
 * @typedef {object} ChartOptions
 * @property {readonly LineSeries[]} [lines]
 * @property {readonly BarSeries[]} [bars]
 * @property {readonly Rule[]} [rules]
 * @property {AxisOptions} x
 * @property {AxisOptions} y
 * @property {number} [height]  CSS pixels
 * @property {string} label  names the chart to a screen reader
 * @property {string} summary  the finding, in a sentence or two
 */

/**
 * Curves and histograms on two axes. What can be told apart by colour can be told apart by dashes or by its
 * name beside it as well.
 */
export class Chart extends FigureView {
  #legend = h('div', { class: 'names' })
  #room = h('div', { class: 'chart' })
  /** @type {ChartOptions} */
  #options

  /**
   * @param {HTMLElement} container
   * @param {ChartOptions} options
   * @throws {TypeError | RangeError} what is wrong with the options
   */
  constructor(container, options) {
    checkOptions(options)
    super(container, chartStyles)
    this.#options = options
    this.figure.append(this.#legend, this.#room)
  }

  /**
   * @param {Partial<ChartOptions>} change what is left out stays
   * @throws {TypeError | RangeError} for wrong options; the chart then stays as it was
   */
  update(change) {
    const options = { ...this.#options, ...change }
    checkOptions(options)
    this.#options = options
    this.invalidate()
  }

  /** The numbers that are drawn. @returns {import('../tables.js').Table[]} */
  tables() {
    const { lines = [], bars = [], label, x } = this.#options
    const steps = bars.map(({ name, edges, heights }) => ({
      name,
      x: Array.from(heights, (_, bin) => (edges[bin] + edges[bin + 1]) / 2),
      y: heights,
    }))
    return [...seriesTables(label, x.label, steps), ...seriesTables(label, x.label, lines)]
  }

  /** @protected @override */
  draw() {
    const { lines = [], bars = [], rules = [], label, summary } = this.#options
    const [x, y] = [marked(this.#options, 'x'), marked(this.#options, 'y')]
    this.describe(label, summary)
    this.#legend.replaceChildren(...legend(bars, lines))
    const { width } = this
    const svg = Plot.plot({
      document: this.host.ownerDocument,
      width,
      height: this.#options.height ?? Math.round(Math.min(320, Math.max(200, width * 0.55))),
      marginLeft: 52,
      marginRight: 18,
      marginTop: 26,
      marginBottom: 40,
      x: axis(x, Math.max(3, Math.round(width / 90))),
      y: { ...axis(y, 5), grid: !y.log },
      marks: [
        ...(y.log ? [Plot.gridY([...(y.ticks ?? [])])] : []),
        ...logAxis(x, (ticks, options) => Plot.axisX(ticks, options)),
        ...logAxis(y, (ticks, options) => Plot.axisY(ticks, options)),
        ...bars.map(barMark),
        ...rules.map(ruleMark),
        ...lines.flatMap((series, place) => lineMarks(series, bars.length + place)),
        ...rules.map(ruleName),
        ...(lines.length > 0 ? [tip(lines, x, y)] : []),
      ],
    })
    // Its rules stand in this view's own style sheet: a strict content security policy refuses others.
    svg.querySelector('style')?.remove()
    svg.setAttribute('aria-hidden', 'true')
    this.#room.replaceChildren(svg)
  }
}

/**
 * A logarithmic axis with the ends and the marks that it was not given.
 *
 * @param {ChartOptions} options
 * @param {'x' | 'y'} along
 * @returns {AxisOptions}
 */
function marked({ lines = [], bars = [], rules = [], ...axes }, along) {
  const given = axes[along]
  if (!given.log) return given
  const domain =
    given.domain ??
    logDomain([
      ...lines.flatMap((series) => Array.from(series[along])),
      ...bars.flatMap(({ edges, heights }) => Array.from(along === 'x' ? edges : heights)),
      ...rules.filter((rule) => rule.axis === along).map(({ value }) => value),
    ])
  return { ...given, domain, ticks: given.ticks ?? logTicks(...domain) }
}

/** @param {AxisOptions} options @param {number} ticks how many are wanted */
function axis({ label, log, domain, ticks: chosen, tickFormat }, ticks) {
  return {
    type: /** @type {'log' | 'linear'} */ (log ? 'log' : 'linear'),
    ...(log ? { axis: null } : {}),
    label,
    labelArrow: /** @type {const} */ ('none'),
    ticks: chosen ? [...chosen] : ticks,
    tickFormat: tickFormat ?? undefined,
    ...(domain ? { domain: [...domain] } : {}),
    nice: !domain,
  }
}

/**
 * The axis of a logarithmic scale: Plot's own writes the numbers of a few of its ticks only.
 *
 * @template Mark
 * @param {AxisOptions} options
 * @param {(ticks: number[], options: object) => Mark} axisMark
 * @returns {Mark[]}
 */
function logAxis({ label, log, ticks, tickFormat }, axisMark) {
  if (!log || !ticks) return []
  const text = typeof tickFormat === 'function' ? tickFormat : formatTick
  return [axisMark([...ticks], { text, label, labelArrow: 'none' })]
}

/** @param {BarSeries} series @param {number} place */
function barMark(series, place) {
  const { edges, heights } = series
  return Plot.rectY(Array.from(heights), {
    x1: Array.from(heights, (_, bin) => edges[bin]),
    x2: Array.from(heights, (_, bin) => edges[bin + 1]),
    y: Array.from(heights),
    fill: seriesColor(series, place),
    fillOpacity: 0.35,
    stroke: seriesColor(series, place),
    strokeWidth: 0.75,
  })
}

/** @param {LineSeries} series @param {number} place */
function lineMarks(series, place) {
  const stroke = seriesColor(series, place)
  const points = { x: Array.from(series.x), y: Array.from(series.y) }
  const line = Plot.line(points.x, {
    ...points,
    stroke,
    strokeWidth: 2,
    ...(series.dashed ? { strokeDasharray: '6 4' } : {}),
  })
  return [
    ...(series.markers === 'only' ? [] : [line]),
    ...(series.markers ? [Plot.dot(points.x, { ...points, fill: stroke, r: 3.5 })] : []),
  ]
}

/** @param {Rule} rule */
function ruleMark({ axis: along, value }) {
  const style = { stroke: 'var(--soft)', strokeDasharray: '2 3' }
  return along === 'x' ? Plot.ruleX([value], style) : Plot.ruleY([value], style)
}

/** Legible where a line passes behind it. @param {Rule} rule */
function ruleName({ axis: along, value, name }) {
  const style = /** @type {const} */ ({
    fill: 'var(--soft)',
    stroke: 'var(--surface)',
    strokeWidth: 4,
    dx: 5,
    dy: -7,
    textAnchor: 'start',
  })
  const here = { ...style, text: [name] }
  return along === 'x'
    ? Plot.text([name], { ...here, x: [value], frameAnchor: 'top' })
    : Plot.text([name], { ...here, y: [value], frameAnchor: 'left' })
}

/**
 * The numbers at the point nearest to the pointer.
 *
 * @param {readonly LineSeries[]} lines
 * @param {AxisOptions} x
 * @param {AxisOptions} y
 */
function tip(lines, x, y) {
  const points = lines.flatMap(({ name, x: at, y: values }) =>
    Array.from(at, (value, index) => ({ name, x: value, y: values[index] })),
  )
  return Plot.tip(
    points.filter((point) => Number.isFinite(point.y)),
    Plot.pointer({
      x: 'x',
      y: 'y',
      title: (/** @type {{ name: string, x: number, y: number }} */ point) =>
        `${point.name}\n${x.label}: ${formatShort(point.x)}\n${y.label}: ${formatShort(point.y)}`,
      fill: 'var(--surface)',
      stroke: 'var(--line)',
    }),
  )
}

/** @param {ChartOptions} options */
function checkOptions({ lines = [], bars = [], x, y, label, summary }) {
  for (const [name, value] of Object.entries({ label, summary })) {
    if (typeof value !== 'string' || value === '') {
      throw new TypeError(`${name}: expected a text, got ${String(value)}`)
    }
  }
  for (const [name, value] of Object.entries({ x, y })) {
    if (typeof value?.label !== 'string') throw new TypeError(`${name}: expected { label, … }`)
  }
  for (const { name, x: at, y: values } of lines) {
    if (at.length !== values.length) {
      throw new RangeError(`lines: ${name} has ${at.length} x and ${values.length} y`)
    }
  }
  for (const { name, edges, heights } of bars) {
    if (edges.length !== heights.length + 1) {
      throw new RangeError(
        `bars: ${name} has ${heights.length} heights, which need ${heights.length + 1} edges, not ${edges.length}`,
      )
    }
  }
}
