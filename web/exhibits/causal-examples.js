import { transpose } from './matrix.js'

/**
 * What 'Causal attention' computes with, drawn as its notebook draws it.
 *
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 */

/** A sentence of six tokens. */
export const sentence = Object.freeze(['The', 'neural', 'network', 'generates', 'fluent', 'prose'])
/** d_k of the sentence's queries and keys */
export const sentenceWidth = 16

/**
 * Queries and keys of the sentence: a query and a key have nothing to do with their word.
 * @param {Engine} engine
 * @returns {{ query: Tensor, key: Tensor, value: Tensor }} each (6, 16); the notebook needs no values: these
 *   are what its stream would give next
 */
export function sentenceExample(engine) {
  const stream = engine.random.numpyLegacy(42)
  const draw = () => stream.normal(0, 1, [sentence.length, sentenceWidth])
  return { query: draw(), key: draw(), value: draw() }
}

/** d_k and d_v of the tokens that stand for no words */
export const namelessWidths = Object.freeze({ key: 16, value: 8 })
/** The notebook's number of them */
export const namelessCount = 8
/** The notebook's seed for them */
export const namelessSeed = 1337

/**
 * Queries, keys and values of tokens that stand for no words.
 * @param {Engine} engine
 * @param {number} [seed]
 * @param {number} [length] T
 * @returns {{ query: Tensor, key: Tensor, value: Tensor }} (T, 16), (T, 16), (T, 8)
 */
export function namelessExample(engine, seed = namelessSeed, length = namelessCount) {
  const stream = engine.random.numpyLegacy(seed)
  const { key, value } = namelessWidths
  return {
    query: stream.randn([length, key]),
    key: stream.randn([length, key]),
    value: stream.randn([length, value]),
  }
}

/** Sizes of the notebook's PyTorch module */
export const moduleSizes = Object.freeze({ batch: 2, tokens: 6, features: 32, heads: 4 })

/**
 * The notebook's PyTorch module and its input, as `torch.manual_seed(42)` draws them: four times
 * `nn.Linear(32, 32)` for queries, keys, values and output, then `torch.randn(2, 6, 32)`.
 * @param {Engine} engine
 * @returns {{ x: Tensor, parameters: Record<'wq' | 'wk' | 'wv' | 'wo' | 'bq' | 'bk' | 'bv' | 'bo', Tensor> }}
 */
export function moduleExample(engine) {
  const stream = engine.random.torch(42)
  const { batch, tokens, features } = moduleSizes
  const [query, key, value, output] = Array.from({ length: 4 }, () => {
    const { weight, bias } = stream.linear(features, features)
    // PyTorch keeps (out, in).
    return { weight: transpose(weight), bias }
  })
  const parameters = {
    ...{ wq: query.weight, wk: key.weight, wv: value.weight, wo: output.weight },
    ...{ bq: query.bias, bk: key.bias, bv: value.bias, bo: output.bias },
  }
  return { x: stream.randn([batch, tokens, features]), parameters }
}

/** d_model = d_k = d_v of the tokens that are decoded one by one */
export const decodedWidth = 16
/** T */
export const decodedCount = 5

/**
 * A layer of one head without an output projection, and tokens to decode.
 * @param {Engine} engine
 * @returns {{ x: Tensor, parameters: { wq: Tensor, wk: Tensor, wv: Tensor } }} x (5, 16), the weights (16, 16)
 */
export function decodingExample(engine) {
  const stream = engine.random.numpyLegacy(42)
  const weights = () => stream.randn([decodedWidth, decodedWidth])
  const parameters = { wq: weights(), wk: weights(), wv: weights() }
  return { x: stream.randn([decodedCount, decodedWidth]), parameters }
}
