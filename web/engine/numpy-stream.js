import { finiteNumber, nonNegativeNumber } from './errors.js'
import { draw } from './stream-state.js'

/** @import { OutOption } from './options.js' */
/** @import { NumpyStreamHandle } from './module.js' */
/** @import { ShapeLike, StreamState } from './stream-state.js' */
/** @import { Tensor } from './tensor.js' */

/** @typedef {Tensor<Float64Array>} DoubleTensor */

/** A stream of NumPy's; see `RandomStreams`. */
export class NumpyStream {
  #state

  /** @param {StreamState<NumpyStreamHandle>} state */
  constructor(state) {
    this.#state = state
  }

  /**
   * Standard normal numbers.
   * @param {ShapeLike} shape
   * @param {OutOption} [options]
   * @returns {DoubleTensor}
   */
  randn(shape, options) {
    return this.normal(0, 1, shape, options)
  }

  /**
   * Normal numbers.
   * @param {number} mean
   * @param {number} std standard deviation
   * @param {ShapeLike} shape
   * @param {OutOption} [options]
   * @returns {DoubleTensor}
   */
  normal(mean, std, shape, options) {
    finiteNumber(mean, 'mean')
    nonNegativeNumber(std, 'std')
    return draw(this.#state, shape, Float64Array, options, (stream, address, count) =>
      stream.normal(address, count, mean, std),
    )
  }

  /**
   * Uniform numbers in [0, 1); another name for `random`.
   * @param {ShapeLike} shape
   * @param {OutOption} [options]
   * @returns {DoubleTensor}
   */
  rand(shape, options) {
    return this.random(shape, options)
  }

  /**
   * Uniform numbers in [0, 1), 53 bits each.
   * @param {ShapeLike} shape
   * @param {OutOption} [options]
   * @returns {DoubleTensor}
   */
  random(shape, options) {
    return draw(this.#state, shape, Float64Array, options, (stream, address, count) =>
      stream.random(address, count),
    )
  }
}
