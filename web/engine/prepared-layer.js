/**
 * A layer whose parameters stay packed in WebAssembly memory, for many calls with one layer.
 */
import { scaleOf } from './attention-problem.js'
import { CallBuffers } from './buffers.js'
import { flag, optionsObject } from './errors.js'
import { describeLayer, placeParameters } from './layer-parameters.js'
import { fillLayer } from './layer-problem.js'
import { layerBackward, layerForward, shapesOf } from './multi-head.js'

/** @import { Core } from './core.js' */
/** @import { LayerParameters, LayerBackwardOptions, LayerForwardOptions } from './options.js' */
/** @import { MultiHeadGradients, MultiHeadResult, PrepareOptions } from './options.js' */
/** @import { PreparedLayerHandle } from './module.js' */
/** @import { Layer } from './multi-head.js' */
/** @import { TensorLike } from './tensor.js' */

export class PreparedLayer {
  #core
  #layer
  #defaults
  /** @type {PreparedLayerHandle | null} */
  #handle

  /**
   * `engine.prepare` makes these.
   * @param {Core} core
   * @param {LayerParameters} parametersArgument
   * @param {PrepareOptions} given
   */
  constructor(core, parametersArgument, given) {
    const { numHeads, numKvHeads, ...defaults } = optionsObject(given)
    const { parameters, sizes } = describeLayer(parametersArgument, { numHeads, numKvHeads })
    // Wrong defaults are the preparing call's fault, not that of the first call that uses them.
    scaleOf(defaults.scale, sizes.dK)
    flag(defaults.isCausal, 'isCausal', false)
    const handle = pack(core, parameters, sizes)
    const { module, kernels } = core
    this.#core = core
    this.#handle = handle
    this.#defaults = defaults
    /** @type {Layer} */
    this.#layer = {
      sizes,
      parameters: {},
      parameterShapes: shapesOf(parameters),
      Type: kernels.Type,
      forward: {
        run: (call) => handle.forward(call),
        workspaceBytes: module.multiHeadWorkspaceBytes,
      },
      backward: {
        run: (call) => handle.backward(call),
        workspaceBytes: module.multiHeadBackwardWorkspaceBytes,
      },
    }
  }

  /**
   * Like `engine.multiHeadAttention` with this layer's parameters.
   * @template {LayerForwardOptions} [O=LayerForwardOptions]
   * @param {TensorLike} x (B, N, d_model) or (N, d_model)
   * @param {O} [options] go before those the layer was prepared with
   * @returns {MultiHeadResult<Float32Array, O>}
   */
  forward(x, options) {
    this.#requireHandle('forward')
    const merged = { ...this.#defaults, ...optionsObject(options) }
    return layerForward(this.#core, this.#layer, x, merged, 'layer.forward')
  }

  /**
   * Like `engine.multiHeadAttentionBackward` with this layer's parameters.
   * @param {TensorLike} x
   * @param {TensorLike} gradOutput of the output's shape
   * @param {LayerBackwardOptions} [options] go before those the layer was prepared with
   * @returns {MultiHeadGradients}
   */
  backward(x, gradOutput, options) {
    this.#requireHandle('backward')
    const merged = { ...this.#defaults, ...optionsObject(options) }
    return layerBackward(this.#core, this.#layer, x, gradOutput, merged, 'layer.backward')
  }

  /** Frees the packed parameters. Disposing twice is harmless. */
  dispose() {
    this.#handle?.delete()
    this.#handle = null
  }

  /** @param {string} method */
  #requireHandle(method) {
    if (!this.#handle) {
      throw new Error(`layer.${method} was called after layer.dispose(); prepare the layer again`)
    }
  }
}

/**
 * @param {Core} core
 * @param {Layer['parameters']} parameters
 * @param {Layer['sizes']} sizes
 */
function pack(core, parameters, sizes) {
  const { module, kernels, multiHeadCall: call } = core
  const buffers = new CallBuffers(core.memory, 'prepare', 'make the layer smaller')
  const slots = placeParameters(buffers, parameters, kernels.Type)
  return buffers.make({
    fill: (at) => fillLayer(call, sizes, slots, at),
    bytes: () => module.preparedLayerBytes(call),
    make: () => module.prepareLayer(call),
  })
}
