import { onnxModel } from './onnx-model.js'

/**
 * @import { Sizes, Weights } from './onnx-model.js'
 * @typedef {{ output: Float32Array, weights: Float32Array }} Result
 * @typedef {{ forward(x: Float32Array): Promise<Result>, dispose(): Promise<void> }} PeerLayer
 */

/**
 * @param {any} ort the module, set up for one thread or more
 * @param {Sizes} sizes
 * @param {Weights} weights
 * @returns {Promise<PeerLayer>}
 */
export async function onnxruntimeLayer(ort, sizes, weights) {
  const session = await ort.InferenceSession.create(onnxModel(sizes, weights), {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'all',
  })
  const { n, dModel } = sizes
  return {
    async forward(x) {
      const { output, weights } = await session.run({
        x: new ort.Tensor('float32', x, [n, dModel]),
      })
      return { output: output.data, weights: weights.data }
    },
    dispose: () => session.release(),
  }
}
