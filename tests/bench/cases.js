/**
 * What is timed. Each case gets the engine and says what one run of it does, and how much work that is.
 *
 * @import { Engine } from '../../web/engine/engine.js'
 * @import { Sizes } from './peers/onnx-model.js'
 * @import { Work } from './sampling.js'
 * @typedef {object} Case
 * @property {string} name
 * @property {'prepared' | 'plain'} call
 * @property {number} n
 * @property {number} dModel
 * @property {number} heads
 * @property {number} flops of one run, multiply-adds counted as two
 * @property {boolean} [hasPeers] the peers compute the same
 * @property {number} [elements] of which the time is told for each
 * @property {(engine: Engine) => { run: Work, dispose(): void }} make
 */

/** @type {readonly Sizes[]} */
export const layerSizes = [
  { n: 12, dModel: 8, heads: 4 },
  { n: 128, dModel: 256, heads: 8 },
  { n: 512, dModel: 512, heads: 8 },
  { n: 1024, dModel: 768, heads: 12 },
]

/**
 * Inputs and weights of a layer, the same for all that compute it.
 *
 * @param {Engine} engine
 * @param {Sizes} sizes
 */
export function layerData(engine, { n, dModel }) {
  const stream = engine.random.torch(1)
  const draw = (/** @type {number} */ rows) => {
    const { data } = stream.randn([rows, dModel])
    // Logits of about unit variance, as a trained layer has them at its start.
    for (let index = 0; rows === dModel && index < data.length; index++)
      data[index] /= Math.sqrt(dModel)
    return data
  }
  return {
    x: draw(n),
    weights: { wq: draw(dModel), wk: draw(dModel), wv: draw(dModel), wo: draw(dModel) },
  }
}

/** Products of a forward pass: four projections, scores and mixing. @param {Sizes} sizes */
function forwardFlops({ n, dModel }) {
  return 8 * n * dModel * dModel + 4 * n * n * dModel
}

/** @param {Engine} engine @param {Sizes} sizes */
function layerOf(engine, sizes) {
  const { n, dModel, heads } = sizes
  const { x, weights } = layerData(engine, sizes)
  const square = [dModel, dModel]
  const parameters = {
    wq: { data: weights.wq, shape: square },
    wk: { data: weights.wk, shape: square },
    wv: { data: weights.wv, shape: square },
    wo: { data: weights.wo, shape: square },
  }
  const out = { output: new Float32Array(n * dModel), weights: new Float32Array(heads * n * n) }
  return { parameters, input: { data: x, shape: [n, dModel] }, out, numHeads: heads }
}

/** @param {Sizes} sizes @returns {Case[]} */
function forwardCases(sizes) {
  const common = {
    name: 'multi-head forward',
    ...sizes,
    flops: forwardFlops(sizes),
    hasPeers: true,
  }
  return [
    {
      ...common,
      call: 'prepared',
      make(engine) {
        const { parameters, input, out, numHeads } = layerOf(engine, sizes)
        const layer = engine.prepare(parameters, { numHeads })
        return { run: () => layer.forward(input, { out }), dispose: () => layer.dispose() }
      },
    },
    {
      ...common,
      call: 'plain',
      make(engine) {
        const { parameters, input, numHeads } = layerOf(engine, sizes)
        const run = () => engine.multiHeadAttention(input, parameters, { numHeads })
        return { run, dispose() {} }
      },
    },
  ]
}

/** A backward pass has two products for each of the forward's. @param {Sizes} sizes @returns {Case} */
function backwardCase(sizes) {
  return {
    name: 'multi-head forward and backward',
    ...{ ...sizes, call: 'prepared', flops: 3 * forwardFlops(sizes) },
    make(engine) {
      const { parameters, input, numHeads } = layerOf(engine, sizes)
      const layer = engine.prepare(parameters, { numHeads })
      const gradOutput = { data: input.data.slice(), shape: input.shape }
      const run = () => {
        const forward = layer.forward(input, { needStages: true })
        return layer.backward(input, gradOutput, { forward })
      }
      return { run, dispose: () => layer.dispose() }
    },
  }
}

/** @type {Case} */
const product = {
  ...{ name: 'gemm', call: 'prepared', n: 768, dModel: 768, heads: 1, flops: 2 * 768 ** 3 },
  make(engine) {
    const stream = engine.random.torch(2)
    const [a, b] = [stream.randn([768, 768]), stream.randn([768, 768])]
    const out = new Float32Array(768 * 768)
    return { run: () => engine.matmul(a, b, { out }), dispose() {} }
  },
}

/** @type {Case} */
const rows = {
  ...{ name: 'softmax', call: 'prepared', n: 1024, dModel: 1024, heads: 1, flops: 0 },
  elements: 1024 * 1024,
  make(engine) {
    const scores = engine.random.torch(3).randn([1024, 1024])
    const out = new Float32Array(1024 * 1024)
    return { run: () => engine.softmax(scores, { out }), dispose() {} }
  },
}

const STREAMED = 8192
const HEAD = 64

/** @type {Case} */
const streaming = {
  name: 'streaming forward, causal, d_k = 64',
  ...{ call: 'plain', n: STREAMED, dModel: HEAD, heads: 1 },
  // Of each pair that causality leaves: q·k and the value's share.
  flops: ((STREAMED * (STREAMED + 1)) / 2) * 4 * HEAD,
  make(engine) {
    const stream = engine.random.torch(4)
    const [q, k, v] = [0, 1, 2].map(() => stream.randn([STREAMED, HEAD]))
    const options = { isCausal: true, needWeights: false }
    return { run: () => engine.scaledDotProductAttention(q, k, v, options), dispose() {} }
  },
}

/** @type {readonly Case[]} */
export const cases = [
  ...layerSizes.flatMap(forwardCases),
  backwardCase(layerSizes[2]),
  product,
  rows,
  streaming,
]
