/**
 * Scaled dot-product attention: softmax(scale · Q·Kᵀ + mask)·V, forward and backward.
 */
import { describeAttention, fillAttentionCall, placeInputs } from './attention-problem.js'
import { isWhole, sumSlices } from './broadcast.js'
import { CallBuffers } from './buffers.js'
import { flag, optionsObject } from './errors.js'
import {
  forwardResult,
  gradientName,
  outBuffers,
  placeStages,
  STREAM,
  wantedResults,
} from './stages.js'
import { numericTensor, requireShape, sizeOf } from './tensor.js'

/** @import { AttentionProblem, Places } from './attention-problem.js' */
/** @import { Core, Kernels } from './core.js' */
/** @import { AttentionBackwardOptions, AttentionOptions } from './options.js' */
/** @import { Tensor } from './tensor.js' */

/**
 * @param {Core} core
 * @param {Kernels} kernels
 * @param {unknown} query
 * @param {unknown} key
 * @param {unknown} value
 * @param {AttentionOptions} [given]
 * @returns {any} output, weights and stages
 */
export function scaledDotProductAttention(core, kernels, query, key, value, given) {
  const options = optionsObject(given)
  const problem = describeAttention(query, key, value, options)
  const wanted = wantedResults(options)
  const { leading, n, m, dV } = problem
  const { Type } = kernels

  const advice = wanted.needWeights ? STREAM : undefined
  const buffers = new CallBuffers(core.memory, 'scaledDotProductAttention', advice)
  const inputs = placeInputs(buffers, problem, Type)
  const places = {
    output: buffers.result('output', [...leading, n, dV], Type, wanted.out.output),
    ...placeStages(buffers, [...leading, n, m], wanted, Type),
  }
  const call = core.attentionCall
  const { run, workspaceBytes } = kernels.scaledDotProduct
  return buffers.run({
    fill: (at) => fillAttentionCall(call, problem, inputs, places, at),
    workspaceBytes: () => workspaceBytes(call),
    compute: () => run(call),
  })
}

/**
 * @param {Core} core
 * @param {Kernels} kernels
 * @param {unknown} query
 * @param {unknown} key
 * @param {unknown} value
 * @param {unknown} gradOutputArgument
 * @param {AttentionBackwardOptions} [given]
 * @returns {any} gradients
 */
export function scaledDotProductAttentionBackward(
  core,
  kernels,
  query,
  key,
  value,
  gradOutputArgument,
  given,
) {
  const options = optionsObject(given)
  const problem = describeAttention(query, key, value, options)
  const { leading, n, m, dV } = problem
  const scoresShape = [...leading, n, m]
  const gradOutput = numericTensor(gradOutputArgument, 'gradOutput')
  requireShape(gradOutput, 'gradOutput', [...leading, n, dV])
  const weights = forwardResult(options.forward, 'weights', scoresShape)
  const needWeights = flag(options.needWeights, 'needWeights', true)
  const out = outBuffers(options.out)

  const buffers = new CallBuffers(core.memory, 'scaledDotProductAttentionBackward')
  const { Type } = kernels
  const inputs = placeInputs(buffers, problem, Type)
  const gradients = /** @type {const} */ (['query', 'key', 'value']).map((input) =>
    placeGradient(buffers, problem, input, Type, out),
  )
  /** @type {Places} */
  const places = {
    gradOutput: buffers.input(gradOutput.data, Type),
    // Without them the kernel computes the weights anew.
    weights: buffers.input(weights?.data, Type),
  }
  for (const { name, slot } of gradients) places[name] = slot
  if (needWeights) {
    for (const name of ['gradScores', 'gradWeights']) {
      places[name] = buffers.result(name, [...scoresShape], Type, out[name])
    }
  }

  const call = core.attentionCall
  const { run, workspaceBytes } = kernels.scaledDotProductBackward
  const results = buffers.run({
    fill: (at) => fillAttentionCall(call, problem, inputs, places, at),
    workspaceBytes: () => workspaceBytes(call),
    compute: () => run(call),
  })
  for (const { name, finish } of gradients) results[name] = finish(results[name])
  return results
}

/**
 * Room for the gradient of one input. The kernel gives a slice for each entry of the batch; where
 * the input was broadcast, the slices of its repetitions are added up.
 * @param {CallBuffers} buffers
 * @param {AttentionProblem} problem
 * @param {'query' | 'key' | 'value'} input
 * @param {Kernels['Type']} Type
 * @param {Record<string, unknown>} out
 */
function placeGradient(buffers, problem, input, Type, out) {
  const name = gradientName(input)
  const shape = [...problem[input].shape]
  if (isWhole(shape.slice(0, -2), problem.leading)) {
    const slot = buffers.result(name, shape, Type, out[name])
    return { name, slot, finish: (/** @type {Tensor<any>} */ gradient) => gradient }
  }
  const kept = buffers.keep(shape, Type, out[name], `out.${name}`)
  const sliceSize = sizeOf(shape.slice(-2))
  const slot = buffers.result(name, [problem.batch, sliceSize], Type)
  /** @param {Tensor<any>} slices */
  const finish = (slices) => {
    const data = /** @type {any} */ (kept?.data ?? new Type(sizeOf(shape)))
    sumSlices(slices.data, problem.offsets[input], sliceSize, data)
    return kept?.tensor ?? { data, shape }
  }
  return { name, slot, finish }
}
