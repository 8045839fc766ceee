/**
 * The variance of dot products: q·k of standard normal vectors grows with their length, and the
 * division by √dK undoes it.
 */
import { CallBuffers } from './buffers.js'
import { finiteNumber, optionsObject, positiveNumber, wholeNumber } from './errors.js'
import { measure } from './measure.js'

/** @import { Core } from './core.js' */

/**
 * @typedef {object} VarianceOptions
 * @property {number} [seed] of NumPy's legacy normals; 0 by default
 * @property {number} [dK] length of a query and of a key; 64 by default
 * @property {number} [trials] 10,000 by default
 * @property {number} [correlation] of query and key, −1 … 1; 0, independent, by default
 * @property {number} [bins] of each histogram; 40 by default
 * @property {number} [rawLimit] the histogram of q·k covers ±rawLimit; 4·√dK by default
 * @property {number} [scaledLimit] that of q·k/√dK covers ±scaledLimit; 4 by default
 */
/** @typedef {{ mean: number, variance: number }} Moments */
/**
 * @typedef {object} Histogram
 * @property {number} limit it covers [−limit, limit) in equal bins
 * @property {Float64Array} counts
 * @property {number} below how many lay below −limit
 * @property {number} above how many lay at limit or above
 */
/** @typedef {{ measured: Moments, theory: Moments, histogram: Histogram }} ProductStatistics */
/**
 * @typedef {object} VarianceResult
 * @property {number} trials done
 * @property {ProductStatistics} raw of q·k; in theory mean ρ·dK and variance (1 + ρ²)·dK
 * @property {ProductStatistics} scaled of q·k/√dK; in theory mean ρ·√dK and variance 1 + ρ²
 * @property {number} shareOver25 share of |q·k| > 25
 */

/**
 * @param {VarianceOptions | null} [given]
 * @returns {Required<VarianceOptions>}
 */
export function varianceOptions(given) {
  const options = optionsObject(given)
  const dK = wholeNumber(options.dK ?? 64, 'dK', 1)
  const correlation = finiteNumber(options.correlation ?? 0, 'correlation')
  if (Math.abs(correlation) > 1) {
    throw new RangeError(`correlation was ${correlation}; it had to be from −1 to 1`)
  }
  return {
    seed: wholeNumber(options.seed ?? 0, 'seed', 0, 2 ** 32 - 1),
    dK,
    trials: wholeNumber(options.trials ?? 10000, 'trials', 1),
    correlation,
    bins: wholeNumber(options.bins ?? 40, 'bins', 1, 2 ** 20),
    rawLimit: positiveNumber(options.rawLimit ?? 4 * Math.sqrt(dK), 'rawLimit'),
    scaledLimit: positiveNumber(options.scaledLimit ?? 4, 'scaledLimit'),
  }
}

/**
 * @param {Core} core
 * @param {Required<VarianceOptions>} options
 */
export function startVariance(core, options) {
  const { seed, dK, trials, correlation, bins, rawLimit, scaledLimit } = options
  const { memory, module } = core
  const handle = new CallBuffers(memory, 'experiments.variance', 'make dK smaller').make({
    // A query, and two histograms.
    bytes: () => Float64Array.BYTES_PER_ELEMENT * (dK + 2 * (bins + 2)),
    make: () =>
      module.createVarianceExperiment(seed, dK, trials, correlation, bins, rawLimit, scaledLimit),
  })

  /** @returns {VarianceResult} of the trials done so far */
  const read = () => {
    const numbers = measure(core, 'variance', [], 10, (_, out) => handle.results(out))
    const buffers = new CallBuffers(core.memory, 'variance')
    const raw = buffers.result('raw', [bins + 2], Float64Array)
    const scaled = buffers.result('scaled', [bins + 2], Float64Array)
    const counts = buffers.run({ compute: (at) => handle.histogram(at(raw), at(scaled)) })
    return {
      trials: numbers[9],
      raw: {
        measured: { mean: numbers[0], variance: numbers[1] },
        theory: { mean: numbers[4], variance: numbers[5] },
        histogram: histogram(counts.raw.data, rawLimit),
      },
      scaled: {
        measured: { mean: numbers[2], variance: numbers[3] },
        theory: { mean: numbers[6], variance: numbers[7] },
        histogram: histogram(counts.scaled.data, scaledLimit),
      },
      shareOver25: numbers[8],
    }
  }
  return { handle, read }
}

/**
 * @param {Float64Array} counts below, the bins, above
 * @param {number} limit
 * @returns {Histogram}
 */
function histogram(counts, limit) {
  return {
    limit,
    counts: counts.slice(1, -1),
    below: counts[0],
    above: counts[counts.length - 1],
  }
}
