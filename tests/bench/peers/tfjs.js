/**
 * @import { Sizes, Weights } from './onnx-model.js'
 * @import { PeerLayer } from './onnxruntime.js'
 */

/**
 * @param {any} tf the module, with its WebAssembly backend set
 * @param {Sizes} sizes
 * @param {Weights} parameters
 * @returns {PeerLayer}
 */
export function tfjsLayer(tf, { n, dModel, heads }, parameters) {
  const dK = dModel / heads
  const kept = Object.fromEntries(
    Object.entries(parameters).map(([name, data]) => [name, tf.tensor2d(data, [dModel, dModel])]),
  )
  const scale = tf.scalar(1 / Math.sqrt(dK))
  return {
    async forward(data) {
      const [output, weights] = tf.tidy(() => {
        const x = tf.tensor2d(data, [n, dModel])
        const split = (/** @type {any} */ w) =>
          tf.transpose(tf.reshape(tf.matMul(x, w), [n, heads, dK]), [1, 0, 2])
        const logits = tf.matMul(split(kept.wq), split(kept.wk), false, true)
        const weights = tf.softmax(tf.mul(logits, scale))
        const concatenated = tf.reshape(
          tf.transpose(tf.matMul(weights, split(kept.wv)), [1, 0, 2]),
          [n, dModel],
        )
        return [tf.matMul(concatenated, kept.wo), weights]
      })
      const result = { output: output.dataSync(), weights: weights.dataSync() }
      output.dispose()
      weights.dispose()
      return result
    },
    async dispose() {
      for (const tensor of [...Object.values(kept), scale]) tensor.dispose()
    },
  }
}
