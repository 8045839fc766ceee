/**
 * The sentence in which 'it' is the animal, with embeddings made so that it can be told: 'it' is a mixture of
 * 'animal' and 'tired'. Queries, keys and values are the embeddings themselves, Q = K = V = X.
 *
 * @import { Engine } from '../engine/engine.js'
 * @import { Tensor } from '../engine/tensor.js'
 */

export const sentence = Object.freeze(
  "The animal didn't cross the street because it was too tired".split(' '),
)

/** Where the words in question stand. */
export const places = Object.freeze({
  animal: sentence.indexOf('animal'),
  it: sentence.indexOf('it'),
  tired: sentence.indexOf('tired'),
})

/** The notebook's d_k and shares. */
export const notebook = Object.freeze({ dK: 32, animal: 0.7, tired: 0.3 })

/** Standard deviation of an embedding's entries, of the noise in 'it', and what 'tired' has of 'animal'. */
const spread = 0.5
const noise = 0.1
const tiredFromAnimal = 0.4

/**
 * @param {Engine} engine
 * @param {{ dK: number, animal: number, tired: number }} [mixture] how wide the embeddings are, and how much of
 *   the two goes into 'it'
 * @returns {Tensor} (11, dK), drawn as the notebook draws them
 */
export function coreferenceEmbeddings(engine, { dK, animal, tired } = notebook) {
  const stream = engine.random.numpyLegacy(1337)
  const x = stream.normal(0, spread, [sentence.length, dK])
  const stray = stream.randn([dK]).data
  const rowOf = (/** @type {number} */ place) => x.data.subarray(place * dK, (place + 1) * dK)
  const [animalRow, itRow, tiredRow] = [places.animal, places.it, places.tired].map(rowOf)
  for (let k = 0; k < dK; k++) {
    itRow[k] = animal * animalRow[k] + tired * tiredRow[k] + noise * stray[k]
    tiredRow[k] += tiredFromAnimal * animalRow[k]
  }
  return x
}
