/**
 * What every group of calls works with: the module, its memory, and one call object of each class,
 * kept because making one costs more than a small call.
 */
import { Memory } from './memory.js'

/** @import { AttentionCall, Handle, MultiHeadCall, Status, WasmModule } from './module.js' */
/** @import { NumpyStreamHandle, TorchStreamHandle } from './module.js' */

/**
 * The attention kernels of one precision.
 * @typedef {object} Kernels
 * @property {Float32ArrayConstructor | Float64ArrayConstructor} Type what their arrays hold
 * @property {Pass<AttentionCall>} scaledDotProduct
 * @property {Pass<AttentionCall>} scaledDotProductBackward
 * @property {Pass<MultiHeadCall>} multiHead
 * @property {Pass<MultiHeadCall>} multiHeadBackward
 */
/**
 * @template C
 * @typedef {{ run: (call: C) => Status, workspaceBytes: (call: C) => number }} Pass
 */

/**
 * @typedef {object} Core
 * @property {WasmModule} module
 * @property {Memory} memory
 * @property {AttentionCall & Handle} attentionCall
 * @property {MultiHeadCall & Handle} multiHeadCall
 * @property {Kernels} kernels float32
 * @property {Kernels} reference float64
 * @property {NumpyStreamHandle} numpyLegacy draws for all streams of its kind
 * @property {NumpyStreamHandle} numpyGenerator
 * @property {TorchStreamHandle} torch
 */

/**
 * @param {WasmModule} module
 * @returns {Core}
 */
export function createCore(module) {
  return {
    module,
    memory: new Memory(module),
    attentionCall: new module.AttentionCall(),
    multiHeadCall: new module.MultiHeadCall(),
    numpyLegacy: new module.NumpyLegacy(),
    numpyGenerator: new module.NumpyGenerator(),
    torch: new module.TorchGenerator(),
    kernels: {
      Type: Float32Array,
      scaledDotProduct: {
        run: module.scaledDotProduct,
        workspaceBytes: module.scaledDotProductWorkspaceBytes,
      },
      scaledDotProductBackward: {
        run: module.scaledDotProductBackward,
        workspaceBytes: module.scaledDotProductBackwardWorkspaceBytes,
      },
      multiHead: { run: module.multiHead, workspaceBytes: module.multiHeadWorkspaceBytes },
      multiHeadBackward: {
        run: module.multiHeadBackward,
        workspaceBytes: module.multiHeadBackwardWorkspaceBytes,
      },
    },
    reference: {
      Type: Float64Array,
      scaledDotProduct: {
        run: module.referenceScaledDotProduct,
        workspaceBytes: module.referenceScaledDotProductWorkspaceBytes,
      },
      scaledDotProductBackward: {
        run: module.referenceScaledDotProductBackward,
        workspaceBytes: module.referenceScaledDotProductBackwardWorkspaceBytes,
      },
      multiHead: {
        run: module.referenceMultiHead,
        workspaceBytes: module.referenceMultiHeadWorkspaceBytes,
      },
      multiHeadBackward: {
        run: module.referenceMultiHeadBackward,
        workspaceBytes: module.referenceMultiHeadBackwardWorkspaceBytes,
      },
    },
  }
}
