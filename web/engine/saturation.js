/**
 * Saturation of the softmax: without the division by √dK it tends to one key as dK grows, and its
 * Jacobian to zero.
 */
import { optionsObject, typeError, wholeNumber } from './errors.js'
import { CallBuffers } from './buffers.js'
import { measure } from './measure.js'

/** @import { Core } from './core.js' */

/**
 * @typedef {object} SaturationOptions
 * @property {number} [seed] of NumPy's legacy normals; 1337 by default
 * @property {number} [skip] normals thrown away first; 0 by default
 * @property {readonly number[]} [dK] sizes; 4, 8, … 512 by default
 * @property {number} [trials] for each size; 200 by default
 * @property {number} [keys] for each query; 10 by default
 */
/**
 * Of one kind of softmax, averaged over the trials.
 * @typedef {object} Saturation
 * @property {number} meanDiagonal mean of p(1−p), the Jacobian's diagonal
 * @property {number} relativeToUniform that divided by (1/keys)(1 − 1/keys), its value for uniform attention
 * @property {number} jacobianNorm Frobenius norm of diag(p) − ppᵀ
 * @property {number} largestWeight the largest p
 * @property {number} entropy in nats
 */
/**
 * @typedef {object} SaturationRow
 * @property {number} dK
 * @property {number} trials done; what follows is NaN before the first
 * @property {number} varianceRaw of q·k
 * @property {number} meanRaw of q·k
 * @property {number} varianceScaled of q·k/√dK
 * @property {number} shareOver25 share of |q·k| > 25
 * @property {Saturation} unscaled softmax(q·k)
 * @property {Saturation} scaled softmax(q·k/√dK)
 */

const NUMBERS_PER_SIZE = 16

/**
 * @param {SaturationOptions | null} [given]
 * @returns {Required<SaturationOptions>}
 */
export function saturationOptions(given) {
  const options = optionsObject(given)
  const dK = options.dK ?? [4, 8, 16, 32, 64, 128, 256, 512]
  if (!Array.isArray(dK)) throw typeError('dK', dK, 'an array of whole numbers')
  return {
    seed: wholeNumber(options.seed ?? 1337, 'seed', 0, 2 ** 32 - 1),
    skip: wholeNumber(options.skip ?? 0, 'skip'),
    dK: dK.map((size, i) => wholeNumber(size, `dK[${i}]`, 1)),
    trials: wholeNumber(options.trials ?? 200, 'trials', 1),
    keys: wholeNumber(options.keys ?? 10, 'keys', 1),
  }
}

/**
 * @param {Core} core
 * @param {Required<SaturationOptions>} options
 */
export function startSaturation(core, { seed, skip, dK, trials, keys }) {
  const { module } = core
  const advice = 'make trials, dK or keys smaller'
  const buffers = new CallBuffers(core.memory, 'experiments.saturation', advice)
  const sizes = buffers.input(Int32Array.from(dK), Int32Array)
  const largest = dK.reduce((most, size) => Math.max(most, size), 0)
  const handle = buffers.make({
    // The queries of one size, and a query's products and probabilities.
    bytes: () => Float64Array.BYTES_PER_ELEMENT * (trials * largest + 2 * keys),
    make: (at) => module.createSaturationExperiment(seed, skip, at(sizes), dK.length, trials, keys),
  })

  /** @returns {SaturationRow[]} of the trials done so far, one for each size */
  const read = () => {
    const numbers = measure(core, 'saturation', [], dK.length * NUMBERS_PER_SIZE, (_, out) =>
      handle.results(out),
    )
    return dK.map((_, i) => row(numbers.subarray(i * NUMBERS_PER_SIZE, (i + 1) * NUMBERS_PER_SIZE)))
  }
  return { handle, read }
}

/**
 * @param {Float64Array} numbers
 * @returns {SaturationRow}
 */
function row(numbers) {
  return {
    dK: numbers[0],
    trials: numbers[1],
    varianceRaw: numbers[2],
    meanRaw: numbers[3],
    varianceScaled: numbers[4],
    shareOver25: numbers[5],
    unscaled: saturation(numbers.subarray(6, 11)),
    scaled: saturation(numbers.subarray(11, 16)),
  }
}

/**
 * @param {Float64Array} numbers
 * @returns {Saturation}
 */
function saturation([meanDiagonal, relativeToUniform, jacobianNorm, largestWeight, entropy]) {
  return { meanDiagonal, relativeToUniform, jacobianNorm, largestWeight, entropy }
}
