/**
 * What the WebAssembly module offers, as types. cpp/bindings/calls.h and the comments at the top of
 * the files beside it say what each field and function means. A number called an address is a byte
 * offset into WebAssembly memory; 0 = absent. A status is 0 = done, 1 = out of memory.
 */

/** @typedef {number} Address */
/** @typedef {number} Status */
/** @typedef {{ delete(): void }} Handle lives in WebAssembly memory until `delete` */

/**
 * @typedef {object} AttentionCall
 * @property {number} batch @property {number} n @property {number} m
 * @property {number} dK @property {number} dV
 * @property {number} scale @property {boolean} isCausal
 * @property {Address} query @property {Address} key @property {Address} value
 * @property {Address} queryOffsets @property {Address} keyOffsets @property {Address} valueOffsets
 * @property {number} maskKind @property {Address} mask @property {Address} maskOffsets
 * @property {number} maskRowStride @property {number} maskColumnStride
 * @property {Address} output @property {Address} weights
 * @property {Address} logits @property {Address} scores @property {Address} exp
 * @property {Address} rowMax @property {Address} rowSum
 * @property {Address} gradOutput
 * @property {Address} gradQuery @property {Address} gradKey @property {Address} gradValue
 * @property {Address} gradScores @property {Address} gradWeights
 */

/**
 * @typedef {object} MultiHeadCall
 * @property {number} batch @property {number} n @property {number} m
 * @property {number} dModel @property {number} dContext
 * @property {number} numHeads @property {number} numKvHeads
 * @property {number} dK @property {number} dV @property {number} dOut
 * @property {number} scale @property {boolean} isCausal
 * @property {number} maskKind @property {Address} mask @property {Address} maskOffsets
 * @property {number} maskRowStride @property {number} maskColumnStride
 * @property {Address} x @property {Address} context
 * @property {Address} wq @property {Address} wk @property {Address} wv @property {Address} wo
 * @property {Address} bq @property {Address} bk @property {Address} bv @property {Address} bo
 * @property {Address} output @property {Address} weights
 * @property {Address} logits @property {Address} scores @property {Address} exp
 * @property {Address} rowMax @property {Address} rowSum
 * @property {Address} query @property {Address} key @property {Address} value @property {Address} heads
 * @property {Address} gradOutput @property {Address} gradX @property {Address} gradContext
 * @property {Address} gradWq @property {Address} gradWk @property {Address} gradWv @property {Address} gradWo
 * @property {Address} gradBq @property {Address} gradBk @property {Address} gradBv @property {Address} gradBo
 * @property {Address} gradScores @property {Address} gradWeights
 */

/**
 * @typedef {Handle & {
 *   forward(call: MultiHeadCall): Status
 *   backward(call: MultiHeadCall): Status
 * }} PreparedLayerHandle
 */

/**
 * @typedef {Handle & {
 *   step(x: Address, rows: number, output: Address, weights: Address): Status
 *   stepWorkspaceBytes(rows: number): number
 *   readonly length: number
 *   copyKeys(to: Address): void
 *   copyValues(to: Address): void
 *   reset(): void
 * }} KvCacheHandle
 */

/**
 * @typedef {Handle & {
 *   seed(seed: number): void
 *   normal(out: Address, count: number, mean: number, std: number): void
 *   random(out: Address, count: number): void
 *   stateBytes(): number
 *   saveState(to: Address): void
 *   loadState(from: Address): void
 * }} NumpyStreamHandle
 */

/**
 * @typedef {Handle & {
 *   seed(seed: number): void
 *   randn(out: Address, count: number): void
 *   rand(out: Address, count: number): void
 *   linear(inFeatures: number, outFeatures: number, weight: Address, bias: Address): void
 *   stateBytes(): number
 *   saveState(to: Address): void
 *   loadState(from: Address): void
 * }} TorchStreamHandle
 */

/**
 * @typedef {Handle & {
 *   run(count: number): number
 *   readonly done: number
 *   readonly total: number
 *   results(out: Address): void
 * }} ExperimentHandle
 */
/** @typedef {ExperimentHandle & { histogram(raw: Address, scaled: Address): void }} VarianceHandle */

/**
 * @typedef {object} WasmModule
 * @property {WebAssembly.Memory} wasmMemory
 * @property {(bytes: number) => Address} allocate
 * @property {(address: Address) => void} release
 *
 * @property {new () => AttentionCall & Handle} AttentionCall
 * @property {new () => MultiHeadCall & Handle} MultiHeadCall
 * @property {(call: AttentionCall) => Status} scaledDotProduct
 * @property {(call: AttentionCall) => Status} scaledDotProductBackward
 * @property {(call: AttentionCall) => number} scaledDotProductWorkspaceBytes
 * @property {(call: AttentionCall) => number} scaledDotProductBackwardWorkspaceBytes
 * @property {(call: MultiHeadCall) => Status} multiHead
 * @property {(call: MultiHeadCall) => Status} multiHeadBackward
 * @property {(call: MultiHeadCall) => number} multiHeadWorkspaceBytes
 * @property {(call: MultiHeadCall) => number} multiHeadBackwardWorkspaceBytes
 * @property {(call: MultiHeadCall) => PreparedLayerHandle | null} prepareLayer
 * @property {(call: MultiHeadCall) => number} preparedLayerBytes
 * @property {(call: MultiHeadCall, maxLength: number) => KvCacheHandle | null} createKvCache
 * @property {(call: MultiHeadCall, maxLength: number) => number} kvCacheBytes
 *
 * @property {(a: Address, b: Address, c: Address, m: number, n: number, k: number,
 *   transposeA: boolean, transposeB: boolean) => Status} matmul
 * @property {(scores: Address, out: Address, rows: number, columns: number) => Status} softmax
 * @property {(probabilities: Address, out: Address, rows: number, columns: number) => void} softmaxJacobian
 * @property {(probabilities: Address, gradProbabilities: Address, out: Address, rows: number,
 *   columns: number) => Status} softmaxBackward
 * @property {(x: Address, weight: Address, bias: Address, eps: number, out: Address, rows: number,
 *   columns: number) => void} layerNorm
 * @property {(x: Address, weight: Address, eps: number, gradOutput: Address, gradX: Address,
 *   gradWeight: Address, gradBias: Address, rows: number, columns: number) => void} layerNormBackward
 *
 * @property {(out: Address, n: number, m: number) => void} maskCausal
 * @property {(out: Address, n: number, m: number, size: number) => void} maskWindow
 * @property {(out: Address, n: number, m: number, length: number) => void} maskPrefix
 * @property {(lengths: Address, out: Address, batch: number, m: number) => void} maskPadding
 * @property {(out: Address, heads: number, n: number, m: number) => void} maskAlibi
 *
 * @property {new () => NumpyStreamHandle} NumpyLegacy
 * @property {new () => NumpyStreamHandle} NumpyGenerator
 * @property {new () => TorchStreamHandle} TorchGenerator
 *
 * @property {(weights: Address, matrices: number, rows: number, columns: number, out: Address) => void} auditWeights
 * @property {(output: Address, n: number, value: Address, m: number, dV: number, out: Address) => void} auditOutput
 * @property {(x: Address, rows: number, columns: number, out: Address) => void} rowNorms
 * @property {(weights: Address, rows: number, columns: number, out: Address) => void} entropy
 * @property {(weights: Address, layers: number, heads: number, n: number, residual: number,
 *   out: Address) => Status} rollout
 * @property {(a: Address, b: Address, count: number) => number} frobeniusCosine
 * @property {(a: Address, rows: number, columns: number, out: Address) => Status} singularValues
 * @property {(a: Address, rows: number, columns: number) => number} numericalRank
 * @property {(a: Address, aColumns: number, b: Address, bColumns: number, rows: number,
 *   out: Address) => number} principalAngles
 * @property {(batch: number, n: number, m: number, dModel: number, dContext: number, numHeads: number,
 *   numKvHeads: number, dK: number, dV: number, dOut: number, isCausal: boolean, maskKind: number,
 *   hasBias: boolean, out: Address) => void} attentionCost
 * @property {(length: number, dModel: number, numHeads: number, numKvHeads: number, dK: number,
 *   dV: number, dOut: number, out: Address) => void} kvStepCost
 *
 * @property {(call: AttentionCall) => Status} referenceScaledDotProduct
 * @property {(call: AttentionCall) => Status} referenceScaledDotProductBackward
 * @property {(call: AttentionCall) => number} referenceScaledDotProductWorkspaceBytes
 * @property {(call: AttentionCall) => number} referenceScaledDotProductBackwardWorkspaceBytes
 * @property {(call: MultiHeadCall) => Status} referenceMultiHead
 * @property {(call: MultiHeadCall) => Status} referenceMultiHeadBackward
 * @property {(call: MultiHeadCall) => number} referenceMultiHeadWorkspaceBytes
 * @property {(call: MultiHeadCall) => number} referenceMultiHeadBackwardWorkspaceBytes
 * @property {(call: AttentionCall, slice: number, row: number, column: number, out: Address) => Status} referenceExplain
 *
 * @property {(seed: number, dK: number, trials: number, correlation: number, bins: number,
 *   rawLimit: number, scaledLimit: number) => VarianceHandle | null} createVarianceExperiment
 * @property {(seed: number, skip: number, dK: Address, count: number, trials: number,
 *   keys: number) => ExperimentHandle | null} createSaturationExperiment
 */

export {}
