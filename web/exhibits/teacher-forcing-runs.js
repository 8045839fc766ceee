/**
 * What the toy model is shown in training, and what it is left with when it writes.
 *
 * @import { Engine } from '../engine/engine.js'
 * @import { ModelName } from './toy-model.js'
 * @typedef {object} Prediction  at one position
 * @property {number} probability of the target, from the one pass over all tokens
 * @property {number} alone of the target, from a pass over nothing but the tokens up to here
 * @property {number} different how many logits have other bits in the one than in the other
 *
 * @typedef {object} Training
 * @property {Prediction[]} predictions
 * @property {number} loss −Σ ln p of the one pass
 * @property {number} lossAlone −Σ ln p of the passes over prefixes
 *
 * @typedef {object} Word  that was written
 * @property {number} token
 * @property {number} probability
 */
import { rowOf } from './matrix.js'
import { differentBits } from './same-bits.js'
import { embed, inputs, predict, targets, toyModel } from './toy-model.js'

/**
 * Teacher forcing: one pass over the right tokens, and for comparison one over each prefix of them.
 * @param {Engine} engine
 * @param {{ model: ModelName, isCausal: boolean }} options
 * @returns {Training}
 */
export function train(engine, { model, isCausal }) {
  const parameters = toyModel(model)
  const all = predict(engine, parameters, inputs, isCausal)
  const predictions = targets.map((target, position) => {
    const prefix = predict(engine, parameters, inputs.slice(0, position + 1), isCausal)
    return {
      probability: rowOf(all.probabilities, position)[target],
      alone: rowOf(prefix.probabilities, position)[target],
      different: differentBits(rowOf(all.logits, position), rowOf(prefix.logits, position)),
    }
  })
  const loss = (/** @type {'probability' | 'alone'} */ which) =>
    -predictions.reduce((sum, prediction) => sum + Math.log(prediction[which]), 0)
  return { predictions, loss: loss('probability'), lossAlone: loss('alone') }
}

/**
 * Writing: each token is what the model found likeliest, and is what it reads next. With a cache, so that each
 * step computes one position.
 * @param {Engine} engine
 * @param {{ model: ModelName, count: number }} options
 * @returns {Word[]} `count` of them
 */
export function write(engine, { model, count }) {
  const cache = engine.createKvCache(toyModel(model), { numHeads: 1, maxLength: inputs.length })
  /** @type {Word[]} */
  const written = []
  let [token] = inputs
  for (let position = 0; position < count; position++) {
    const { output } = cache.step(embed([token], position))
    const { data } = engine.softmax(output)
    token = data.indexOf(Math.max(...data))
    written.push({ token, probability: data[token] })
  }
  cache.dispose()
  return written
}
