// What an author writes against the package's types. Lines marked as errors have to be errors.
import {
  type AttentionOptions,
  type Engine,
  type LayerParameters,
  loadEngine,
  type Tensor,
  tensor,
} from 'attention-lab'
import { attentionArrays, npyBytes, openTensorFile, type TensorFile } from 'attention-lab/data'

const engine: Engine = await loadEngine({ variant: 'auto' })
const variant: 'simd' | 'relaxed-simd' = engine.variant
const x: Tensor<Float64Array> = engine.random.numpyGenerator(0).normal(0, 1, [12, 8])
const noise: Tensor<Float32Array> = engine.random.torch(42).randn([12, 8])

const plain = engine.scaledDotProductAttention(x, x, [[1], [2]])
const weights: Tensor<Float32Array> = plain.weights
// @ts-expect-error Without needStages there may be no scores.
const missing: Tensor = plain.scores

const options = {
  isCausal: true,
  needStages: true,
  attnMask: [[true, false]],
} satisfies AttentionOptions
const { scores, rowSum } = engine.scaledDotProductAttention(x, noise, x, options)
const stages: Tensor<Float32Array>[] = [scores, rowSum]
const exact: Tensor<Float64Array> = engine.reference.scaledDotProductAttention(x, x, x).output

const streamed = engine.scaledDotProductAttention(x, x, x, { needWeights: false, needStages: true })
const streamedStages: Tensor<Float32Array>[] = [streamed.output, streamed.rowMax, streamed.rowSum]
// @ts-expect-error Without weights there is nothing of size N×M.
const noWeights: Tensor = streamed.weights
// @ts-expect-error Nor its stages.
const noScores: Tensor = streamed.scores
const kept = engine.softmax(new Float32Array(8), { out: new Float32Array(8) })
const explained: Float64Array = engine.reference.explain(x, x, x, { row: 3, column: 1 }).terms

const parameters: LayerParameters = { wq: x, wk: x, wv: [[1, 2]], bo: null }
const heads: Tensor<Float32Array> = engine.multiHeadAttention(x, parameters, {
  numHeads: 2,
  needStages: true,
  attnMask: engine.masks.alibi(2, 12),
  out: { output: new Float32Array(96) },
}).heads
// @ts-expect-error numHeads has to be given.
engine.multiHeadAttention(x, parameters, {})
// @ts-expect-error wq has to be given.
engine.multiHeadAttention(x, { wk: x, wv: x }, { numHeads: 1 })
// @ts-expect-error A tensor is no string.
engine.softmax('1, 2, 3')
// @ts-expect-error A scale is a number.
engine.scaledDotProductAttention(x, x, x, { scale: '1' })
// @ts-expect-error No such variant.
await loadEngine({ variant: 'avx' })

const layer = engine.prepare(parameters, { numHeads: 2, isCausal: true })
const forward = layer.forward(x, { needStages: true })
const gradient: Tensor<Float32Array> = layer.backward(x, forward.output, { forward }).gradX
layer.dispose()

const cache = engine.createKvCache(parameters, { numHeads: 2, maxLength: 8 })
const step: Tensor<Float32Array> = cache.step(tensor(new Float32Array(8), [1, 8])).weights
const length: number = cache.length
cache.dispose()

const controller = new AbortController()
const result = await engine.experiments.variance({
  dK: 64,
  signal: controller.signal,
  onProgress: ({ done, total, result: soFar }) =>
    console.log(done / total, soFar.raw.measured.variance),
})
const rows = await engine.experiments.saturation({ dK: [4, 8] })
const numbers: number[] = [
  result.scaled.histogram.below,
  rows[0]!.scaled.entropy,
  engine.analysis.flops({ n: 12, dModel: 8, numHeads: 2 }).operations.softmax.exp,
  engine.analysis.audit(weights, { output: plain.output, value: x }).rowSumError,
  engine.analysis.numericalRank(weights),
]

const file: TensorFile = await openTensorFile(new Blob([npyBytes(weights)]), { maxBytes: 1e9 })
const names: string[] = attentionArrays(file).map(
  ({ name, attentionShape: [_, ...rest] }) => name + rest,
)
const part = await file.read(names[0], { start: [0, 1], end: [1, 2], signal: controller.signal })
const first: number | undefined = part.data[0]
const tokens: string[] = await file.strings('tokens')
// @ts-expect-error A tensor is no file.
await openTensorFile(weights)
file.close()

console.log(first, tokens, variant, missing, stages, exact, heads, gradient, step, length, numbers)
console.log(streamedStages, noWeights, noScores, kept, explained)
