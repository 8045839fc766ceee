/**
 * By how much the float32 kernels may differ from the float64 reference, at each step from one query to its
 * output: the one place where the inspector's tolerances come from. They are bounds, not estimates, so that an
 * alarm is never a false one: γₙ = n·u / (1 − n·u) bounds n roundings in a row, in whatever order and however
 * fused (Higham, 'Accuracy and Stability of Numerical Algorithms', chapter 3).
 *
 * @import { Explanation } from '../engine/reference.js'
 * @import { Numbers } from './inspected-row.js'
 * @typedef {ReturnType<typeof outputBounds>} OutputBounds
 */

/** u: half the distance from 1 to the next float32. */
const UNIT_ROUNDOFF = 2 ** -24
/** The kernels' exponential is 0 below −87, and has no larger relative error above (cpp/attention/exp.h). */
const EXP_ERROR = 1.9e-7
const SMALLEST_EXP = Math.exp(-87)

/** @param {number} roundings */
function gamma(roundings) {
  return (roundings * UNIT_ROUNDOFF) / (1 - roundings * UNIT_ROUNDOFF)
}

/**
 * @param {object} row one query and all keys
 * @param {Numbers} row.query (d)
 * @param {Numbers} row.keys (m, d)
 * @param {Numbers | null} row.values (m, d_v)
 * @param {Float64Array} row.bias (m) what the mask adds, −∞ where it closes
 * @param {number} row.scale
 * @param {number} row.column the key in question
 * @param {Explanation} reference of the same row and column
 */
export function roundingBounds({ query, keys, values, bias, scale, column }, reference) {
  const scores = scoreBounds({ query, keys, bias, scale })
  const softmax = softmaxBounds(scores.score, bias, reference)
  const magnitude = scores.magnitude[column]
  const d = query.length
  return {
    /** (d) */
    terms: reference.terms.map((term) => gamma(3) * Math.abs(term) + SMALLEST_EXP),
    dot: gamma(d + 2) * magnitude + SMALLEST_EXP,
    scale: UNIT_ROUNDOFF * Math.abs(scale),
    scaled: gamma(d + 4) * Math.abs(scale) * magnitude + SMALLEST_EXP,
    mask: bias[column] === -Infinity ? 0 : UNIT_ROUNDOFF * Math.abs(bias[column]),
    score: scores.score[column],
    rowMax: softmax.rowMax,
    exp: softmax.exp[column],
    rowSum: softmax.rowSum,
    /** (m) */
    weights: softmax.weights,
    output: values ? outputBounds(values, softmax.weights, column, reference) : null,
  }
}

/**
 * s = scale·Σ qᵢkᵢ + bias: the inputs are rounded once each, then come d roundings of products and sums, two of
 * the scale and its product, one of the bias's sum. 0 where the mask closes: −∞ is −∞.
 *
 * @param {{ query: Numbers, keys: Numbers, bias: Float64Array, scale: number }} row
 */
function scoreBounds({ query, keys, bias, scale }) {
  const d = query.length
  const magnitude = new Float64Array(bias.length)
  const score = new Float64Array(bias.length)
  for (let key = 0; key < bias.length; key++) {
    let sum = 0
    for (let at = 0; at < d; at++) sum += Math.abs(query[at] * keys[key * d + at])
    magnitude[key] = sum
    if (bias[key] === -Infinity) continue
    score[key] = gamma(d + 5) * (Math.abs(scale) * sum + Math.abs(bias[key])) + SMALLEST_EXP
  }
  return { magnitude, score }
}

/**
 * A score that is off by δ makes an exponential that is off by a factor e^δ; the row's sum adds up its
 * exponentials' errors and m roundings; a weight has those of both.
 *
 * @param {Float64Array} score (m) bounds
 * @param {Float64Array} bias (m)
 * @param {Explanation} reference
 */
function softmaxBounds(score, bias, reference) {
  const count = bias.length
  const exp = new Float64Array(count)
  const weights = new Float64Array(count)
  const rowMax = score.reduce((most, bound) => Math.max(most, bound), 0)
  let errors = 0
  for (let key = 0; key < count; key++) {
    if (bias[key] === -Infinity) continue
    const argument = Math.abs(reference.masked[key] - reference.rowMax)
    const off = (1 + UNIT_ROUNDOFF) * (score[key] + rowMax) + UNIT_ROUNDOFF * argument
    const relative = Math.expm1(off) * (1 + EXP_ERROR) + EXP_ERROR
    exp[key] = reference.exp[key] * relative + SMALLEST_EXP
    errors += exp[key]
  }
  const rowSum = errors + gamma(count) * (reference.rowSum + errors)
  for (let key = 0; key < count; key++) {
    if (bias[key] === -Infinity) continue
    const most = (reference.exp[key] + exp[key]) / Math.max(0, reference.rowSum - rowSum)
    weights[key] = Math.min(1, most * (1 + gamma(3)) - reference.weights[key] + SMALLEST_EXP)
  }
  return { rowMax, exp, rowSum, weights }
}

/**
 * a·v, y = Σ aⱼvⱼ, the part a(v·y)/‖y‖ of ‖y‖ and the share a(v·y)/‖y‖².
 *
 * @param {Numbers} values (m, d_v)
 * @param {Float64Array} weights (m) bounds
 * @param {number} column
 * @param {Explanation} reference
 */
function outputBounds(values, weights, column, reference) {
  const count = weights.length
  const width = reference.output.length
  const contribution = new Float64Array(width)
  const output = new Float64Array(width)
  for (let key = 0; key < count; key++) {
    if (weights[key] === 0) continue // closed, whatever its value holds
    const own = weights[key] + gamma(count + 2) * (reference.weights[key] + weights[key])
    const alone = weights[key] + gamma(3) * (reference.weights[key] + weights[key])
    for (let at = 0; at < width; at++) {
      const size = Math.abs(values[key * width + at])
      output[at] += own * size + SMALLEST_EXP
      if (key === column) contribution[at] = alone * size + SMALLEST_EXP
    }
  }
  const contributionNorm = Math.hypot(...contribution)
  const outputNorm = Math.hypot(...output)
  const length = Math.hypot(...reference.output)
  // A direction is off by no more than twice what its vector is, relative to the vector's length.
  const turned = length > 0 ? (2 * outputNorm) / length : 0
  const part = contributionNorm + reference.contributionNorms[column] * turned
  const shareAlong = Math.abs(reference.shareAlongOutput[column])
  return {
    /** (d_v) */
    contribution,
    contributionNorm,
    outputNorm,
    part,
    share: length > 0 ? (part + shareAlong * outputNorm) / Math.max(0, length - outputNorm) : part,
  }
}
