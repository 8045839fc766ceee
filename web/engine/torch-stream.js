import { finiteNumber, flag, nonNegativeNumber, optionsObject, wholeNumber } from './errors.js'
import { draw } from './stream-state.js'

/** @import { OutOption } from './options.js' */
/** @import { TorchStreamHandle } from './module.js' */
/** @import { FloatTensor, OutBuffer } from './options.js' */
/** @import { ShapeLike, StreamState } from './stream-state.js' */

/** PyTorch's CPU generator; see `RandomStreams`. */
export class TorchStream {
  #state

  /** @param {StreamState<TorchStreamHandle>} state */
  constructor(state) {
    this.#state = state
  }

  /**
   * `torch.randn(shape)`. Sixteen and more are drawn by another formula than fewer, so each call has
   * to ask for as many as the PyTorch call it stands for.
   * @param {ShapeLike} shape
   * @param {OutOption} [options]
   * @returns {FloatTensor}
   */
  randn(shape, options) {
    return draw(this.#state, shape, Float32Array, options, (stream, address, count) =>
      stream.randn(address, count),
    )
  }

  /**
   * `torch.normal(mean, std, shape)`.
   * @param {number} mean
   * @param {number} std standard deviation
   * @param {ShapeLike} shape
   * @param {OutOption} [options]
   * @returns {FloatTensor}
   */
  normal(mean, std, shape, options) {
    finiteNumber(mean, 'mean')
    nonNegativeNumber(std, 'std')
    const drawn = this.randn(shape, options)
    for (const [i, z] of drawn.data.entries()) drawn.data[i] = mean + std * z
    return drawn
  }

  /**
   * `torch.rand(shape)`: uniform in [0, 1), 24 bits each.
   * @param {ShapeLike} shape
   * @param {OutOption} [options]
   * @returns {FloatTensor}
   */
  rand(shape, options) {
    return draw(this.#state, shape, Float32Array, options, (stream, address, count) =>
      stream.rand(address, count),
    )
  }

  /**
   * Another name for `rand`, as NumPy's streams have it.
   * @param {ShapeLike} shape
   * @param {OutOption} [options]
   * @returns {FloatTensor}
   */
  random(shape, options) {
    return this.rand(shape, options)
  }

  /**
   * `nn.Linear(inFeatures, outFeatures)` as PyTorch initialises it, weight first, then bias. The
   * weight is (out, in): transpose it for `multiHeadAttention`, or use `matmul` with `transposeB`.
   * @param {number} inFeatures
   * @param {number} outFeatures
   * @param {{ bias?: boolean, out?: { weight?: OutBuffer, bias?: OutBuffer } }} [given] `bias: false`
   *   draws none
   * @returns {{ weight: FloatTensor, bias: FloatTensor }} without `bias` if none was wanted
   */
  linear(inFeatures, outFeatures, given) {
    const options = optionsObject(given)
    const out = optionsObject(options.out, 'out')
    wholeNumber(inFeatures, 'inFeatures', 1)
    wholeNumber(outFeatures, 'outFeatures', 0)
    const hasBias = flag(options.bias, 'bias', true)
    const drawn = this.#state.draw(
      (buffers) => {
        const weight = buffers.result('weight', [outFeatures, inFeatures], Float32Array, out.weight)
        if (!hasBias) return [weight]
        return [weight, buffers.result('bias', [outFeatures], Float32Array, out.bias)]
      },
      (stream, [weight, bias = 0]) => stream.linear(inFeatures, outFeatures, weight, bias),
    )
    return /** @type {any} */ (drawn)
  }
}
