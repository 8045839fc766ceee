/**
 * Products of random queries and keys for every width d_k, and the curves that theory has beside them.
 *
 * @import { Engine } from '../engine/engine.js'
 * @import { Histogram, ProductStatistics, VarianceResult } from '../engine/variance.js'
 * @import { BarSeries, LineSeries } from '../views/charts/chart.js'
 * @import { Step } from './experiment-run.js'
 * @typedef {{ trials: number, correlation: number, seed: number }} Sample
 * @typedef {Partial<Record<number, VarianceResult>>} Results  by d_k, as far as they are there
 */

/** The notebook's d_k. */
export const sizes = /** @type {const} */ ([4, 8, 16, 32, 64, 128, 256, 512])

/** What histograms cover at the least: so wide is q·k for the largest d_k, and so wide is it when scaled. */
const RAW_LIMIT = 80
const SCALED_LIMIT = 5
const BINS = 80
/** How many standard deviations around the mean a histogram covers at the least. */
const DEVIATIONS = 4

/**
 * The experiments of all sizes.
 * @param {Engine} engine
 * @param {Sample} sample
 * @param {number} first the size that is looked at, which comes first
 * @param {Results} results filled as they come
 * @returns {Step[]}
 */
export function varianceSteps(engine, { trials, correlation, seed }, first, results) {
  const order = [first, ...sizes.filter((size) => size !== first)]
  return order.map((dK) => ({
    total: trials,
    run: (watch) =>
      engine.experiments.variance({
        ...{ seed, dK, trials, correlation, bins: BINS, ...limits(dK, correlation) },
        ...watch,
      }),
    onResult: (result) => (results[dK] = result),
  }))
}

/** @param {number} dK @param {number} correlation */
function limits(dK, correlation) {
  const reach = Math.abs(correlation) * Math.sqrt(dK) + DEVIATIONS * Math.sqrt(1 + correlation ** 2)
  return {
    rawLimit: Math.max(RAW_LIMIT, Math.ceil(reach * Math.sqrt(dK))),
    scaledLimit: Math.max(SCALED_LIMIT, Math.ceil(reach)),
  }
}

/**
 * A histogram, and the normal curve of the mean and variance that theory has.
 * @param {ProductStatistics} statistics
 * @param {number} trials
 * @param {number} color
 * @returns {{ bars: BarSeries[], lines: LineSeries[], x: [number, number] }}
 */
export function histogramSeries({ histogram, theory }, trials, color) {
  const { limit, counts } = histogram
  const width = (2 * limit) / counts.length
  const edges = Float64Array.from({ length: counts.length + 1 }, (_, bin) => bin * width - limit)
  const points = 4 * counts.length
  const x = Float64Array.from({ length: points + 1 }, (_, at) => (2 * limit * at) / points - limit)
  const y = x.map((at) => width * normal(at, theory))
  return {
    bars: [{ name: 'measured', edges, heights: counts.map((count) => count / trials), color }],
    lines: [{ name: 'normal, with theory’s variance', x, y, dashed: true, color: 3 }],
    x: [-limit, limit],
  }
}

/** The density of a normal distribution. @param {number} x @param {{ mean: number, variance: number }} moments */
function normal(x, { mean, variance }) {
  return Math.exp(-((x - mean) ** 2) / (2 * variance)) / Math.sqrt(2 * Math.PI * variance)
}

/** @param {Histogram} histogram @returns {number} how many lie outside of what it covers */
export function outside({ below, above }) {
  return below + above
}

/**
 * Measured variances as dots on a line, theory's as dashes.
 * @param {Results} results
 * @param {number} correlation
 * @returns {LineSeries[]}
 */
export function varianceLines(results, correlation) {
  const known = sizes.filter((dK) => (results[dK]?.trials ?? 0) > 1)
  const of = (/** @type {'raw' | 'scaled'} */ kind) =>
    known.map((dK) => /** @type {VarianceResult} */ (results[dK])[kind].measured.variance)
  const spread = 1 + correlation ** 2
  return [
    { name: 'q·k, measured', x: known, y: of('raw'), markers: 'only', color: 1 },
    { name: 'in theory', x: sizes, y: sizes.map((dK) => spread * dK), dashed: true, color: 1 },
    { name: 'q·k/√d_k, measured', x: known, y: of('scaled'), markers: 'only', color: 0 },
    { name: 'in theory', x: sizes, y: sizes.map(() => spread), dashed: true, color: 0 },
  ]
}
