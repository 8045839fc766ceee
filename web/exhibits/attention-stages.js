import { html } from 'lit/html.js'
import { counted } from '../views/numbers.js'
import { notebook, sentence } from './coreference.js'
import { fixed } from './format.js'

/**
 * One query's way to its output, and what to say at each stage.
 *
 * @import { Engine } from '../engine/engine.js'
 * @import { Explanation } from '../engine/reference.js'
 * @import { Tensor } from '../engine/tensor.js'
 * @typedef {object} Steps  how one query comes to its output
 * @property {Float32Array} raw (11) q·kⱼ
 * @property {Float64Array} scaled (11)
 * @property {Float32Array} masked (11) −∞ where the query may not attend
 * @property {Float32Array} exp (11)
 * @property {Float32Array} weights (11)
 * @property {number} rowMax
 * @property {number} rowSum
 * @property {Tensor} contributions (12, 32) weightⱼ·vⱼ, and their sum, the output, in the last row
 * @property {Explanation} reference the same in float64, and each key's share of the output
 */

const count = sentence.length
/** d_k */
export const width = notebook.dK

/**
 * @param {Engine} engine
 * @param {Tensor} x (11, 32): queries, keys and values
 * @param {number} query
 * @param {number} key
 * @param {boolean} isCausal
 * @returns {Steps}
 */
export function takeSteps(engine, x, query, key, isCausal) {
  const stages = engine.scaledDotProductAttention(x, x, x, { isCausal, needStages: true })
  const row = (/** @type {Tensor<Float32Array>} */ { data }) =>
    data.slice(query * count, (query + 1) * count)
  const weights = row(stages.weights)
  const contributions = new Float64Array((count + 1) * width)
  for (let j = 0; j < count; j++) {
    for (let k = 0; k < width; k++)
      contributions[j * width + k] = weights[j] * x.data[j * width + k]
  }
  contributions.set(stages.output.data.subarray(query * width, (query + 1) * width), count * width)
  const reference = engine.reference.explain(x, x, x, { row: query, column: key, isCausal })
  return {
    raw: row(stages.logits),
    // The kernels' scores have the mask in them.
    scaled: reference.scaled,
    masked: row(stages.scores),
    exp: row(stages.exp),
    weights,
    rowMax: stages.rowMax.data[query],
    rowSum: stages.rowSum.data[query],
    contributions: { data: contributions, shape: [count + 1, width] },
    reference,
  }
}

/**
 * What happens at a stage, in a sentence or two with its numbers.
 * @param {number} stage
 * @param {Steps} steps
 * @param {number} query
 * @param {number} key
 * @param {boolean} isCausal
 */
export function say(stage, steps, query, key, isCausal) {
  const { raw, scaled, masked, exp, weights, rowMax, rowSum, reference } = steps
  const [from, to] = [`“${sentence[query]}”`, `“${sentence[key]}”`]
  const terms = reference.terms
  const q = html`<i>q</i><sub>${sentence[query]}</sub>`
  const k = html`<i>k</i><sub>${sentence[key]}</sub>`
  const isMasked = masked[key] === -Infinity
  switch (stage) {
    case 0:
      return html`The query of ${from} meets every key; ${width} products are added up for each.
        <b
          >${q} · ${k} = ${fixed(terms[0], 3)} ${joined(terms[1])} ${joined(terms[2])} + …
          ${joined(terms[width - 1])}</b
        >
        = <b>${fixed(raw[key], 3)}</b>.`
    case 1:
      return html`Each is divided by √<i>d<sub>k</sub></i> = √${width} =
        ${fixed(Math.sqrt(width), 3)}:
        <b>${fixed(raw[key], 3)} ÷ ${fixed(Math.sqrt(width), 3)} = ${fixed(scaled[key], 3)}</b>.`
    case 2:
      if (!isCausal) {
        return html`No mask is set: ${from} may listen to every token, before it and after it, and
        the scores stay as they are.`
      }
      return html`A causal mask forbids what comes after ${from},
        ${counted(count - 1 - query, 'key', 'keys')} here: those scores become −∞, whatever they
        were. The score of ${to} is now <b>${isMasked ? '−∞' : fixed(masked[key], 3)}</b>.`
    case 3:
      return html`The largest score, ${fixed(rowMax, 3)}, is taken from all of them, so that no
        exponential can overflow; the weights do not notice.
        <b
          >exp(${isMasked ? '−∞' : fixed(masked[key], 3)} − ${fixed(rowMax, 3)}) =
          ${fixed(exp[key], 3)}</b
        >.`
    case 4:
      return html`Each is divided by their sum, ${fixed(rowSum, 3)}:
        <b>${fixed(exp[key], 3)} ÷ ${fixed(rowSum, 3)} = ${fixed(weights[key], 4)}</b>. The row sums
        to 1. Of ${count} keys, ${to} is number ${reference.rankInRow[key]}.`
    default:
      return html`The values, each times its weight, are added up to <i>y</i
        ><sub>${sentence[query]}</sub>, below. ${to} weighs ${fixed(weights[key], 4)}; along the
        direction of <i>y</i> it brings
        <b>${fixed(100 * reference.shareAlongOutput[key], 1)} %</b> of the length.`
  }
}

/** @param {number} value a further term of a sum */
function joined(value) {
  return value < 0 ? `− ${fixed(-value, 3)}` : `+ ${fixed(value, 3)}`
}
