/**
 * Builders of attention masks. Boolean ones are bytes, nonzero = may attend.
 */
import { CallBuffers } from './buffers.js'
import { optionsObject, typeError, wholeNumber } from './errors.js'

/** @import { AddressOf, Slot } from './buffers.js' */
/** @import { Core } from './core.js' */
/** @import { OutOption } from './options.js' */
/** @import { FloatTensor } from './options.js' */
/** @import { Tensor } from './tensor.js' */

/** @typedef {Tensor<Uint8Array>} BooleanMask */
/** @typedef {{ out?: BooleanMask | Uint8Array }} MaskOutOption */

export class Masks {
  #core

  /** @param {Core} core */
  constructor(core) {
    this.#core = core
  }

  /**
   * Query i sees keys j ≤ i.
   * @param {number} n queries
   * @param {number} [m] keys; n by default
   * @param {MaskOutOption} [options]
   * @returns {BooleanMask} (n, m)
   */
  causal(n, m = n, options) {
    return this.#matrix(n, m, options, (out) => this.#core.module.maskCausal(out, n, m))
  }

  /**
   * Query i sees the `size` keys i − size + 1 … i.
   * @param {number} n queries
   * @param {number} m keys
   * @param {number} size
   * @param {MaskOutOption} [options]
   * @returns {BooleanMask} (n, m)
   */
  window(n, m, size, options) {
    wholeNumber(size, 'size')
    return this.#matrix(n, m, options, (out) => this.#core.module.maskWindow(out, n, m, size))
  }

  /**
   * Keys below `length` are open to every query, the others causally.
   * @param {number} n queries
   * @param {number} m keys
   * @param {number} length
   * @param {MaskOutOption} [options]
   * @returns {BooleanMask} (n, m)
   */
  prefix(n, m, length, options) {
    wholeNumber(length, 'length')
    return this.#matrix(n, m, options, (out) => this.#core.module.maskPrefix(out, n, m, length))
  }

  /**
   * Of sequence b, only the first `lengths[b]` keys are there. The shape broadcasts over heads and
   * queries; without a dimension for heads give it another: `tensor(mask, [B, 1, m])`.
   * @param {ArrayLike<number>} lengths one for each sequence
   * @param {number} m keys
   * @param {MaskOutOption} [options]
   * @returns {BooleanMask} (B, 1, 1, m)
   */
  padding(lengths, m, options) {
    const isList = Array.isArray(lengths) || (ArrayBuffer.isView(lengths) && 'length' in lengths)
    if (!isList) throw typeError('lengths', lengths, 'an array of whole numbers')
    wholeNumber(m, 'm')
    const checked = Int32Array.from(lengths, (length, i) =>
      wholeNumber(length, `lengths[${i}]`, 0, m),
    )
    const shape = [checked.length, 1, 1, m]
    const { module } = this.#core
    return this.#build(shape, Uint8Array, options, checked, (at, out, input) =>
      module.maskPadding(at(input), at(out), checked.length, m),
    )
  }

  /**
   * ALiBi: −slope·(i − j) is added to the score of query i and key j. It masks nothing, so combine
   * it with `isCausal`. Head k's slope is 2^(−8k/heads), k = 1 … heads, when heads is a power of two
   * (Press et al. 2022; their code says what other numbers of heads have).
   * @param {number} heads
   * @param {number} n queries
   * @param {number} [m] keys; n by default
   * @param {OutOption} [options]
   * @returns {FloatTensor} (heads, n, m)
   */
  alibi(heads, n, m = n, options) {
    wholeNumber(heads, 'heads', 1)
    wholeNumber(n, 'n')
    wholeNumber(m, 'm')
    const { module } = this.#core
    return this.#build([heads, n, m], Float32Array, options, undefined, (at, out) =>
      module.maskAlibi(at(out), heads, n, m),
    )
  }

  /**
   * @param {number} n
   * @param {number} m
   * @param {MaskOutOption | undefined} options
   * @param {(out: number) => void} write
   * @returns {BooleanMask}
   */
  #matrix(n, m, options, write) {
    wholeNumber(n, 'n')
    wholeNumber(m, 'm')
    return this.#build([n, m], Uint8Array, options, undefined, (at, out) => write(at(out)))
  }

  /**
   * @param {number[]} shape
   * @param {Uint8ArrayConstructor | Float32ArrayConstructor} Type
   * @param {{ out?: unknown } | undefined} options
   * @param {Int32Array | undefined} input
   * @param {(at: AddressOf, out: Slot, input: Slot | undefined) => void} write
   * @returns {Tensor<any>}
   */
  #build(shape, Type, options, input, write) {
    const { out } = optionsObject(options)
    const buffers = new CallBuffers(this.#core.memory, 'the mask')
    const slot = buffers.input(input, Int32Array)
    const result = buffers.result('mask', shape, Type, out, 'out')
    return buffers.run({ compute: (at) => write(at, result, slot) }).mask
  }
}
