/**
 * Matrix products over the last two dimensions; leading ones are repetitions.
 */
import { broadcastShapes, sliceOffsets } from './broadcast.js'
import { CallBuffers } from './buffers.js'
import { flag, formatShape, optionsObject, shapeError } from './errors.js'
import { numericTensor } from './tensor.js'

/** @import { AddressOf } from './buffers.js' */
/** @import { Core } from './core.js' */
/** @import { FloatTensor, OutBuffer } from './options.js' */

/** @typedef {{ transposeA?: boolean, transposeB?: boolean, out?: OutBuffer }} MatmulOptions */

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
  /** @param {AddressOf} at */
  const compute = (at) => {
    if (m * n === 0) return 0
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
