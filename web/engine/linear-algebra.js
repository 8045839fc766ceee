/**
 * Products, softmax and layer norm over the last dimensions; leading ones are repetitions.
 */
import { broadcastShapes, sliceOffsets } from './broadcast.js'
import { CallBuffers } from './buffers.js'
import { finiteNumber, flag, formatShape, optionsObject, shapeError } from './errors.js'
import { requireShape } from './stages.js'
import { numericTensor, sizeOf } from './tensor.js'

/** @import { Core } from './core.js' */
/** @import { FloatTensor, OutBuffer } from './options.js' */
/** @import { TensorLike } from './tensor.js' */

/** @typedef {{ transposeA?: boolean, transposeB?: boolean, out?: OutBuffer }} MatmulOptions */
/** @typedef {{ out?: OutBuffer }} OutOption */
/**
 * @typedef {object} LayerNormOptions
 * @property {TensorLike | null} [weight] (d), multiplies; 1 when left out
 * @property {TensorLike | null} [bias] (d), is added; 0 when left out
 * @property {number} [eps] added to the variance; 1e-5 by default
 * @property {OutBuffer} [out]
 */

/**
 * c_ij = Σ_k a_ik b_kj, for each pair of matrices.
 * @param {Core} core
 * @param {unknown} aArgument
 * @param {unknown} bArgument
 * @param {MatmulOptions} [given]
 * @returns {FloatTensor}
 */
export function matmul(core, aArgument, bArgument, given) {
  const options = optionsObject(given)
  const a = numericTensor(aArgument, 'a', 2)
  const b = numericTensor(bArgument, 'b', 2)
  const transposeA = flag(options.transposeA, 'transposeA', false)
  const transposeB = flag(options.transposeB, 'transposeB', false)
  const [m, k] = matrixSizes(a.shape, transposeA)
  const [inner, n] = matrixSizes(b.shape, transposeB)
  if (inner !== k) {
    const side = transposeB ? 'columns, since it is transposed' : 'rows'
    throw shapeError(
      'b',
      b.shape,
      `it had to have ${k} ${side}, to multiply a ${formatShape(a.shape)}`,
    )
  }
  const aLeading = a.shape.slice(0, -2)
  const bLeading = b.shape.slice(0, -2)
  const leading = broadcastShapes([
    { name: 'a', shape: aLeading },
    { name: 'b', shape: bLeading },
  ])
  const aOffsets = sliceOffsets(aLeading, leading, m * k)
  const bOffsets = sliceOffsets(bLeading, leading, k * n)

  const buffers = new CallBuffers(core.memory, 'matmul')
  const aSlot = buffers.input(a.data)
  const bSlot = buffers.input(b.data)
  const result = buffers.result('c', [...leading, m, n], Float32Array, options.out, 'out')
  const bytes = Float32Array.BYTES_PER_ELEMENT
  /** @param {import('./buffers.js').AddressOf} at */
  const compute = (at) => {
    for (let slice = 0; slice < aOffsets.length; slice++) {
      const status = core.module.matmul(
        at(aSlot) + aOffsets[slice] * bytes,
        at(bSlot) + bOffsets[slice] * bytes,
        at(result) + slice * m * n * bytes,
        m,
        n,
        k,
        transposeA,
        transposeB,
      )
      if (status !== 0) return status
    }
    return 0
  }
  return buffers.run({ compute }).c
}

/**
 * @param {readonly number[]} shape
 * @param {boolean} isTransposed
 */
function matrixSizes(shape, isTransposed) {
  const [rows, columns] = shape.slice(-2)
  return isTransposed ? [columns, rows] : [rows, columns]
}

/**
 * Rows of exp(s_j − max)/Σ; a row of −∞ alone becomes zeros.
 * @param {Core} core
 * @param {unknown} scoresArgument
 * @param {OutOption} [given]
 * @returns {FloatTensor}
 */
export function softmax(core, scoresArgument, given) {
  const { out } = optionsObject(given)
  const scores = numericTensor(scoresArgument, 'scores', 1)
  const [rows, columns] = rowsOf(scores.shape)
  const buffers = new CallBuffers(core.memory, 'softmax')
  const input = buffers.input(scores.data)
  const result = buffers.result('p', [...scores.shape], Float32Array, out, 'out')
  return buffers.run({
    compute: (at) => core.module.softmax(at(input), at(result), rows, columns),
  }).p
}

/**
 * ∂p_i/∂s_j = p_i (δ_ij − p_j) for each row p.
 * @param {Core} core
 * @param {unknown} probabilitiesArgument
 * @param {OutOption} [given]
 * @returns {FloatTensor}
 */
export function softmaxJacobian(core, probabilitiesArgument, given) {
  const { out } = optionsObject(given)
  const probabilities = numericTensor(probabilitiesArgument, 'probabilities', 1)
  const [rows, columns] = rowsOf(probabilities.shape)
  const buffers = new CallBuffers(core.memory, 'softmaxJacobian')
  const input = buffers.input(probabilities.data)
  const shape = [...probabilities.shape, columns]
  const result = buffers.result('jacobian', shape, Float32Array, out, 'out')
  return buffers.run({
    compute: (at) => core.module.softmaxJacobian(at(input), at(result), rows, columns),
  }).jacobian
}

/**
 * (x − mean)/√(variance + eps) of each row, times weight, plus bias.
 * @param {Core} core
 * @param {unknown} xArgument
 * @param {LayerNormOptions} [given]
 * @returns {FloatTensor}
 */
export function layerNorm(core, xArgument, given) {
  const options = optionsObject(given)
  const x = numericTensor(xArgument, 'x', 1)
  const [rows, columns] = rowsOf(x.shape)
  const eps = finiteNumber(options.eps ?? 1e-5, 'eps')
  if (eps < 0) throw new RangeError(`eps was ${eps}; it had to be at least 0`)
  const buffers = new CallBuffers(core.memory, 'layerNorm')
  /** @param {'weight' | 'bias'} name */
  const parameter = (name) => {
    if (options[name] === undefined || options[name] === null) return undefined
    const given = numericTensor(options[name], name)
    requireShape(given, name, [columns])
    return buffers.input(given.data)
  }
  const input = buffers.input(x.data)
  const weight = parameter('weight')
  const bias = parameter('bias')
  const result = buffers.result('y', [...x.shape], Float32Array, options.out, 'out')
  return buffers.run({
    compute: (at) =>
      core.module.layerNorm(at(input), at(weight), at(bias), eps, at(result), rows, columns),
  }).y
}

/**
 * A shape as rows of its last dimension.
 * @param {readonly number[]} shape
 */
export function rowsOf(shape) {
  const columns = shape[shape.length - 1]
  return [sizeOf(shape.slice(0, -1)), columns]
}
