/**
 * Measures of attention, all in float64.
 */
import { audit } from './audit.js'
import { attentionCost, kvStepCost } from './cost.js'
import { finiteNumber, formatShape, optionsObject, shapeError } from './errors.js'
import { measure } from './measure.js'
import { numericTensor, requireShape, rowsOf, sizeOf } from './tensor.js'

/** @import { OutputAudit, WeightsAudit } from './audit.js' */
/** @import { AttentionCost, AttentionSizes, KvStepCost, KvStepSizes } from './cost.js' */
/** @import { Core } from './core.js' */
/** @import { DoubleTensor } from './numpy-stream.js' */
/** @import { Tensor, TensorLike } from './tensor.js' */

export class Analysis {
  #core

  /** @param {Core} core */
  constructor(core) {
    this.#core = core
  }

  /**
   * Checks weights, and with `output` and `value` the norms that follow from them.
   * @param {TensorLike} weights (…, N, M)
   * @param {{ output?: TensorLike, value?: TensorLike }} [given] both or neither: output (…, d_v) and
   *   value (…, d_v)
   * @returns {WeightsAudit & Partial<OutputAudit>}
   */
  audit(weights, given) {
    return audit(this.#core, weights, given)
  }

  /**
   * −Σⱼ pⱼ ln pⱼ of each row, in nats. An empty row has 0, a row with NaN has NaN.
   * @param {TensorLike} weights (…, M)
   * @returns {DoubleTensor} (…)
   */
  entropy(weights) {
    return this.#perRow('entropy', weights, 'weights', this.#core.module.entropy)
  }

  /**
   * Euclidean norm of each row.
   * @param {TensorLike} x (…, d)
   * @returns {DoubleTensor} (…)
   */
  rowNorms(x) {
    return this.#perRow('rowNorms', x, 'x', this.#core.module.rowNorms)
  }

  /**
   * Attention rollout (Abnar & Zuidema 2020): Aₗ = residual·I + (1 − residual)·(mean over heads),
   * multiplied from the last layer down to the first.
   * @param {TensorLike} weights (layers, heads, N, N), layer 0 nearest the input; or (layers, N, N)
   * @param {{ residual?: number }} [given] share of the residual connection, 0.5 by default
   * @returns {DoubleTensor} (N, N)
   */
  rollout(weights, given) {
    const { residual = 0.5 } = optionsObject(given)
    if (finiteNumber(residual, 'residual') < 0 || residual > 1) {
      throw new RangeError(`residual was ${residual}; it had to be a share, from 0 to 1`)
    }
    const { data, shape } = numericTensor(weights, 'weights', 3)
    const n = shape[shape.length - 1]
    if (shape.length > 4 || shape[shape.length - 2] !== n) {
      throw shapeError('weights', shape, 'it had to be (layers, heads, N, N) or (layers, N, N)')
    }
    const layers = shape[0]
    const heads = shape.length === 4 ? shape[1] : 1
    const rolled = this.#measure('rollout', [data], n * n, ([address], out) =>
      this.#core.module.rollout(address, layers, heads, n, residual, out),
    )
    return { data: rolled, shape: [n, n] }
  }

  /**
   * Tr(A·Bᵀ)/(‖A‖‖B‖): the cosine of the two as long vectors. Not an angle between subspaces; see
   * `principalAngles`.
   * @param {TensorLike} a
   * @param {TensorLike} b of a's shape
   * @returns {number} NaN when either is all zero
   */
  frobeniusCosine(a, b) {
    const first = numericTensor(a, 'a')
    const second = numericTensor(b, 'b')
    requireShape(second, 'b', first.shape)
    let cosine = 0
    this.#measure('frobeniusCosine', [first.data, second.data], 0, ([left, right]) => {
      cosine = this.#core.module.frobeniusCosine(left, right, first.data.length)
    })
    return cosine
  }

  /**
   * Angles between the column spaces of two matrices in radians, smallest first. There are as many as
   * the smaller space has dimensions; NaN fills up when a matrix has less rank than columns.
   * @param {TensorLike} a (rows, p)
   * @param {TensorLike} b (rows, q)
   * @returns {DoubleTensor} (min(p, q))
   */
  principalAngles(a, b) {
    const first = matrix(a, 'a')
    const second = matrix(b, 'b')
    const [rows, p] = first.shape
    if (second.shape[0] !== rows) {
      throw shapeError(
        'b',
        second.shape,
        `it had to have ${rows} rows, as a ${formatShape(first.shape)}`,
      )
    }
    const q = second.shape[1]
    const angles = this.#measure(
      'principalAngles',
      [first.data, second.data],
      Math.min(p, q),
      ([left, right], out) =>
        this.#core.module.principalAngles(left, p, right, q, rows, out) < 0 ? 1 : 0,
    )
    return { data: angles, shape: [Math.min(p, q)] }
  }

  /**
   * Singular values, largest first; all NaN when the matrix holds a NaN or an infinity.
   * @param {TensorLike} a (…, rows, columns)
   * @returns {DoubleTensor} (…, min(rows, columns))
   */
  singularValues(a) {
    const { data, shape } = numericTensor(a, 'a', 2)
    const [rows, columns] = shape.slice(-2)
    const count = Math.min(rows, columns)
    const matrices = sizeOf(shape.slice(0, -2))
    const bytes = Float64Array.BYTES_PER_ELEMENT
    const values = this.#measure('singularValues', [data], matrices * count, ([address], out) => {
      for (let i = 0; count > 0 && i < matrices; i++) {
        const at = address + i * rows * columns * bytes
        const status = this.#core.module.singularValues(at, rows, columns, out + i * count * bytes)
        if (status !== 0) return status
      }
      return 0
    })
    return { data: values, shape: [...shape.slice(0, -2), count] }
  }

  /**
   * How many singular values exceed max(rows, columns)·ε·σ₁, with float32's ε = 2⁻²³, since what is
   * measured comes from float32 kernels.
   * @param {TensorLike} a (rows, columns)
   * @returns {number} NaN when the matrix holds a NaN or an infinity
   */
  numericalRank(a) {
    const { data, shape } = matrix(a, 'a')
    let rank = 0
    this.#measure('numericalRank', [data], 0, ([address]) => {
      rank = this.#core.module.numericalRank(address, shape[0], shape[1])
      return rank < 0 ? 1 : 0
    })
    return rank
  }

  /**
   * Exact counts for one forward pass of multi-head attention, a multiply-add counted as 2; with
   * neither dModel nor dContext, of scaled dot-product attention alone.
   * @param {AttentionSizes} sizes
   * @returns {AttentionCost}
   */
  flops(sizes) {
    return attentionCost(this.#core, sizes)
  }

  /**
   * Exact counts for one step of decoding, with and without a cache of keys and values.
   * @param {KvStepSizes} sizes
   * @returns {KvStepCost}
   */
  kvStepFlops(sizes) {
    return kvStepCost(this.#core, sizes)
  }

  /**
   * @param {string} method
   * @param {unknown} argument
   * @param {string} name
   * @param {(x: number, rows: number, columns: number, out: number) => void} compute
   * @returns {DoubleTensor}
   */
  #perRow(method, argument, name, compute) {
    const { data, shape } = numericTensor(argument, name, 1)
    const [rows, columns] = rowsOf(shape)
    const measured = this.#measure(method, [data], rows, ([x], out) =>
      compute(x, rows, columns, out),
    )
    return { data: measured, shape: shape.slice(0, -1) }
  }

  /**
   * @param {string} method
   * @param {ArrayLike<number>[]} inputs
   * @param {number} count numbers measured
   * @param {(inputs: number[], out: number) => number | void} compute gets addresses
   */
  #measure(method, inputs, count, compute) {
    return measure(this.#core, `analysis.${method}`, inputs, count, compute)
  }
}

/**
 * @param {unknown} argument
 * @param {string} name
 * @returns {Tensor}
 */
function matrix(argument, name) {
  const given = numericTensor(argument, name)
  if (given.shape.length !== 2) throw shapeError(name, given.shape, 'it had to have 2 dimensions')
  return given
}
