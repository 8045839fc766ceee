/**
 * Decoding with cached keys and values: each step projects its new rows only.
 */
import { scaleOf } from './attention-problem.js'
import { CallBuffers } from './buffers.js'
import { optionsObject, shapeError, wholeNumber } from './errors.js'
import { describeLayer, placeParameters } from './layer-parameters.js'
import { fillLayer } from './layer-problem.js'
import { wantedResults } from './stages.js'
import { numericTensor } from './tensor.js'

/** @import { Core } from './core.js' */
/** @import { KvCacheHandle } from './module.js' */
/** @import { FloatTensor, KvCacheOptions, LayerParameters, ResultOptions } from './options.js' */
/** @import { WeightsIf } from './options.js' */
/** @import { TensorLike } from './tensor.js' */

/** @typedef {Omit<ResultOptions, 'needStages'>} StepOptions */

export class KvCache {
  #core
  #sizes
  /** @type {KvCacheHandle | null} */
  #handle

  /** The number of positions there is room for. */
  maxLength

  /**
   * `engine.createKvCache` makes these.
   * @param {Core} core
   * @param {LayerParameters} parametersArgument
   * @param {KvCacheOptions} given
   */
  constructor(core, parametersArgument, given) {
    const options = optionsObject(given)
    const { parameters, sizes } = describeLayer(parametersArgument, options)
    if (sizes.dContext !== sizes.dModel) {
      throw shapeError(
        'parameters.wk',
        /** @type {any} */ (parameters.wk).shape,
        `it had to have ${sizes.dModel} rows, as wq has`,
      )
    }
    const maxLength = wholeNumber(options.maxLength, 'maxLength', 1)
    const scale = scaleOf(options.scale, sizes.dK)
    this.#core = core
    this.#sizes = sizes
    this.maxLength = maxLength

    const { module, kernels, multiHeadCall: call } = core
    const buffers = new CallBuffers(core.memory, 'createKvCache', 'make maxLength smaller')
    const slots = placeParameters(buffers, parameters, kernels.Type)
    this.#handle = buffers.make({
      fill: (at) => {
        fillLayer(call, sizes, slots, at)
        call.scale = scale
      },
      bytes: () => module.kvCacheBytes(call, maxLength),
      make: () => module.createKvCache(call, maxLength),
    })
  }

  /** Positions cached so far. */
  get length() {
    return this.#open('length').length
  }

  /** A copy of the cached keys, (numKvHeads, length, d_k). */
  get keys() {
    const handle = this.#open('keys')
    return this.#copy(this.#sizes.dK, (address) => handle.copyKeys(address))
  }

  /** A copy of the cached values, (numKvHeads, length, d_v). */
  get values() {
    const handle = this.#open('values')
    return this.#copy(this.#sizes.dV, (address) => handle.copyValues(address))
  }

  /**
   * Appends rows. Each sees all that was cached before it and the rows up to itself, so the results
   * equal the same rows of one causal pass over everything, bit for bit.
   * @template {StepOptions} [O=StepOptions]
   * @param {TensorLike} x one row (d_model), or several (rows, d_model)
   * @param {O} [given]
   * @returns {{ output: FloatTensor } & WeightsIf<Float32Array, O>} `output` (rows, d_out), `weights`
   *   (numHeads, rows, length after the step); for one row as (d_model) both without the dimension
   *   of rows
   * @throws {RangeError} if the rows do not fit below `maxLength`; the cache is then as before
   */
  step(x, given) {
    const handle = this.#open('step')
    const { numHeads, dModel, dOut } = this.#sizes
    const { needWeights, out } = wantedResults(optionsObject(given))
    const input = numericTensor(x, 'x')
    const { shape } = input
    if ((shape.length !== 1 && shape.length !== 2) || shape.at(-1) !== dModel) {
      throw shapeError('x', shape, `it had to be (${dModel}) or (rows, ${dModel})`)
    }
    const leading = shape.slice(0, -1)
    const rows = leading[0] ?? 1
    const length = handle.length + rows
    if (length > this.maxLength) {
      throw new RangeError(
        `x had ${rows} rows; with the ${handle.length} cached they had to be at most maxLength = ${this.maxLength}`,
      )
    }

    const { memory, kernels } = this.#core
    const buffers = new CallBuffers(memory, 'cache.step', 'add fewer rows at a time')
    const rowsIn = buffers.input(input.data, kernels.Type)
    const output = buffers.result('output', [...leading, dOut], kernels.Type, out.output)
    const weights = needWeights
      ? buffers.result('weights', [numHeads, ...leading, length], kernels.Type, out.weights)
      : undefined
    const results = buffers.run({
      workspaceBytes: () => handle.stepWorkspaceBytes(rows),
      compute: (at) => (rows === 0 ? 0 : handle.step(at(rowsIn), rows, at(output), at(weights))),
    })
    return /** @type {any} */ (results)
  }

  /** Forgets all positions; the parameters stay. */
  reset() {
    this.#open('reset').reset()
  }

  /** Frees the cache. Disposing twice is harmless. */
  dispose() {
    this.#handle?.delete()
    this.#handle = null
  }

  /** @param {string} member */
  #open(member) {
    if (this.#handle) return this.#handle
    throw new Error(`cache.${member} was used after cache.dispose(); create the cache again`)
  }

  /**
   * @param {number} width
   * @param {(address: number) => void} copyTo
   * @returns {FloatTensor}
   */
  #copy(width, copyTo) {
    const { memory, kernels } = this.#core
    const buffers = new CallBuffers(memory, 'a copy of the cache', 'use a smaller cache')
    const shape = [this.#sizes.numKvHeads, this.length, width]
    const slot = buffers.result('copy', shape, kernels.Type)
    return /** @type {FloatTensor} */ (buffers.run({ compute: (at) => copyTo(at(slot)) }).copy)
  }
}
