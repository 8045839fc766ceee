/**
 * Multi-head attention with its projections, forward and backward. A *layer* is where the
 * parameters are: handed over with the call, or packed beforehand (prepared-layer.js).
 */
import { CallBuffers } from './buffers.js'
import { flag, optionsObject } from './errors.js'
import { describeLayer, PARAMETER_NAMES, placeParameters } from './layer-parameters.js'
import { describeLayerCall, fillMultiHeadCall } from './layer-problem.js'
import { placeMask } from './mask.js'
import {
  forwardResult,
  gradientName,
  outBuffers,
  placeStages,
  STREAM,
  wantedResults,
} from './stages.js'
import { numericTensor, requireShape } from './tensor.js'

/** @import { Places } from './attention-problem.js' */
/** @import { Core, Kernels, Pass } from './core.js' */
/** @import { LayerSizes, Parameters } from './layer-parameters.js' */
/** @import { LayerProblem } from './layer-problem.js' */
/** @import { MultiHeadCall } from './module.js' */
/** @import { LayerBackwardOptions, LayerForwardOptions } from './options.js' */
/** @import { MultiHeadBackwardOptions, MultiHeadOptions } from './options.js' */

/**
 * @typedef {object} Layer
 * @property {LayerSizes} sizes
 * @property {Record<string, readonly number[]>} parameterShapes of the parameters it has
 * @property {Parameters} parameters to hand over with each call; none when they are packed
 * @property {Kernels['Type']} Type
 * @property {Pass<MultiHeadCall>} forward
 * @property {Pass<MultiHeadCall>} backward
 */

/**
 * @param {Kernels} kernels
 * @param {unknown} parametersArgument
 * @param {{ numHeads?: unknown, numKvHeads?: unknown }} options
 * @returns {Layer}
 */
export function looseLayer(kernels, parametersArgument, options) {
  const { parameters, sizes } = describeLayer(parametersArgument, options)
  return {
    sizes,
    parameters,
    parameterShapes: shapesOf(parameters),
    Type: kernels.Type,
    forward: kernels.multiHead,
    backward: kernels.multiHeadBackward,
  }
}

/** @param {Parameters} parameters */
export function shapesOf(parameters) {
  return Object.fromEntries(Object.entries(parameters).map(([name, { shape }]) => [name, shape]))
}

/**
 * @param {Core} core
 * @param {Kernels} kernels
 * @param {unknown} x
 * @param {unknown} parameters
 * @param {MultiHeadOptions} [given]
 * @returns {any} output, weights and stages
 */
export function multiHeadAttention(core, kernels, x, parameters, given) {
  const options = optionsObject(given)
  const layer = looseLayer(kernels, parameters, options)
  return layerForward(core, layer, x, options, 'multiHeadAttention')
}

/**
 * @param {Core} core
 * @param {Kernels} kernels
 * @param {unknown} x
 * @param {unknown} parameters
 * @param {unknown} gradOutput
 * @param {MultiHeadBackwardOptions} [given]
 * @returns {any} gradients
 */
export function multiHeadAttentionBackward(core, kernels, x, parameters, gradOutput, given) {
  const options = optionsObject(given)
  const layer = looseLayer(kernels, parameters, options)
  return layerBackward(core, layer, x, gradOutput, options, 'multiHeadAttentionBackward')
}

/**
 * @param {Core} core
 * @param {Layer} layer
 * @param {unknown} x
 * @param {Partial<LayerForwardOptions>} options
 * @param {string} operation
 * @returns {any} output, weights and stages
 */
export function layerForward(core, layer, x, options, operation) {
  const problem = describeLayerCall(layer.sizes, x, options)
  const wanted = wantedResults(options)
  const { out } = wanted
  const { Type } = layer

  const buffers = new CallBuffers(core.memory, operation, wanted.needWeights ? STREAM : undefined)
  const { inputs, places } = placeCall(buffers, layer, problem)
  places.output = buffers.result('output', outputShape(problem), Type, out.output)
  Object.assign(places, placeStages(buffers, scoresShape(problem), wanted, Type))
  if (wanted.needStages) {
    for (const [name, shape] of Object.entries(projectedShapes(problem))) {
      places[name] = buffers.result(name, shape, Type, out[name])
    }
  }
  const call = core.multiHeadCall
  return buffers.run({
    fill: (at) => fillMultiHeadCall(call, problem, inputs, places, at),
    workspaceBytes: () => layer.forward.workspaceBytes(call),
    compute: () => layer.forward.run(call),
  })
}

/**
 * @param {Core} core
 * @param {Layer} layer
 * @param {unknown} x
 * @param {unknown} gradOutputArgument
 * @param {Partial<LayerBackwardOptions>} options
 * @param {string} operation
 * @returns {any} gradients
 */
export function layerBackward(core, layer, x, gradOutputArgument, options, operation) {
  const problem = describeLayerCall(layer.sizes, x, options)
  const gradOutput = numericTensor(gradOutputArgument, 'gradOutput')
  requireShape(gradOutput, 'gradOutput', outputShape(problem))
  const needWeights = flag(options.needWeights, 'needWeights', true)
  const out = outBuffers(options.out)
  const { Type } = layer

  const buffers = new CallBuffers(core.memory, operation)
  const { inputs, places } = placeCall(buffers, layer, problem)
  places.gradOutput = buffers.input(gradOutput.data, Type)
  const keptShapes = { weights: scoresShape(problem), ...projectedShapes(problem) }
  for (const [name, shape] of Object.entries(keptShapes)) {
    places[name] = buffers.input(forwardResult(options.forward, name, shape)?.data, Type)
  }
  /** @param {string} name @param {readonly number[]} shape */
  const gradient = (name, shape) => {
    places[name] = buffers.result(name, [...shape], Type, out[name])
  }
  gradient('gradX', problem.x.shape)
  if (problem.context) gradient('gradContext', problem.context.shape)
  for (const name of PARAMETER_NAMES) {
    const shape = layer.parameterShapes[name]
    if (shape) gradient(gradientName(name), shape)
  }
  if (needWeights) {
    gradient('gradScores', scoresShape(problem))
    gradient('gradWeights', scoresShape(problem))
  }

  const call = core.multiHeadCall
  return buffers.run({
    fill: (at) => fillMultiHeadCall(call, problem, inputs, places, at),
    workspaceBytes: () => layer.backward.workspaceBytes(call),
    compute: () => layer.backward.run(call),
  })
}

/**
 * @param {CallBuffers} buffers
 * @param {Layer} layer
 * @param {LayerProblem} problem
 */
function placeCall(buffers, layer, problem) {
  const { Type } = layer
  const inputs = {
    parameters: placeParameters(buffers, layer.parameters, Type),
    mask: placeMask(buffers, problem.mask, Type),
  }
  /** @type {Places} */
  const places = {
    x: buffers.input(problem.x.data, Type),
    context: buffers.input(problem.context?.data, Type),
  }
  return { inputs, places }
}

/** @param {LayerProblem} problem */
function outputShape({ leading, n, sizes }) {
  return [...leading, n, sizes.dOut]
}

/** @param {LayerProblem} problem */
function scoresShape({ leading, n, m, sizes }) {
  return [...leading, sizes.numHeads, n, m]
}

/** @param {LayerProblem} problem */
function projectedShapes({ leading, n, m, sizes }) {
  const { numHeads, numKvHeads, dK, dV } = sizes
  return {
    query: [...leading, numHeads, n, dK],
    key: [...leading, numKvHeads, m, dK],
    value: [...leading, numKvHeads, m, dV],
    heads: [...leading, numHeads, n, dV],
  }
}
