/**
 * Singular values and ranks of heads, in two cases: the worked example of the attention cube, where heads are
 * narrower than there are tokens, and the notebook's layer, where they are not.
 *
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @typedef {'cube' | 'layer'} RankCase
 * @typedef {object} Spectrum
 * @property {number[]} values singular values, the largest first
 * @property {number} rank
 * @property {number} bound what the shape allows
 * @typedef {object} HeadRanks
 * @property {Spectrum} output
 * @property {number} rankOfLogits
 * @property {number} rankOfWeights
 * @typedef {object} Ranks
 * @property {number} tokens n
 * @property {number} features d
 * @property {number} threshold singular values up to this one count as 0
 * @property {HeadRanks[]} heads
 * @property {Spectrum} concatenation
 */
import { clustersExample } from './clusters-example.js'
import { headOf } from './head-numbers.js'
import { sideBySide } from './matrix.js'
import { layerExample } from './subspace-examples.js'

/** Distance from 1 to the next float32: what is measured comes from float32 kernels. */
const epsilon = 2 ** -23

/**
 * @param {Engine} engine
 * @param {{ which: RankCase, numHeads: number }} options
 * @returns {Ranks}
 */
export function measureRanks(engine, { which, numHeads }) {
  const { x, wq, wk, wv } = which === 'cube' ? clustersExample(engine) : firstOfLayer(engine)
  const stages = engine.multiHeadAttention(x, { wq, wk, wv }, { numHeads, needStages: true })
  const [tokens, features] = x.shape
  const spectrum = (/** @type {Tensor} */ matrix) => ({
    values: Array.from(engine.analysis.singularValues(matrix).data),
    rank: engine.analysis.numericalRank(matrix),
    bound: Math.min(...matrix.shape),
  })
  const heads = Array.from({ length: numHeads }, (_, head) => ({
    output: spectrum(headOf(stages.heads, head)),
    rankOfLogits: engine.analysis.numericalRank(headOf(stages.logits, head)),
    rankOfWeights: engine.analysis.numericalRank(headOf(stages.weights, head)),
  }))
  const concatenation = spectrum(sideBySide(stages.heads))
  const threshold = Math.max(tokens, features) * epsilon * concatenation.values[0]
  return { tokens, features, threshold, heads, concatenation }
}

/** The first sequence of the batch. @param {Engine} engine */
function firstOfLayer(engine) {
  const { x, parameters } = layerExample(engine)
  return { x: headOf(x, 0), ...parameters }
}
