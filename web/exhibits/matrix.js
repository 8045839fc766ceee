/**
 * The little matrix arithmetic that exhibits need beside the engine's: picking rows and columns, and one norm.
 * Matrices are tensors of two axes, row-major; results are new.
 *
 * @import { Tensor } from '../engine/tensor.js'
 */

/**
 * Columns `first` to `first + count − 1`.
 * @param {Tensor} matrix (rows, columns)
 * @param {number} first
 * @param {number} count
 * @returns {Tensor} (rows, count)
 */
export function columnBlock({ data, shape: [rows, columns] }, first, count) {
  return fill(data, [rows, count], (row, column) => data[row * columns + first + column])
}

/**
 * P·A for the permutation in which row `order[r]` of A comes to stand at row r.
 * @param {Tensor} matrix (rows, columns)
 * @param {readonly number[]} order
 * @returns {Tensor}
 */
export function permuteRows({ data, shape: [rows, columns] }, order) {
  return fill(data, [rows, columns], (row, column) => data[order[row] * columns + column])
}

/** @param {Tensor} matrix (rows, columns) @returns {Tensor} (columns, rows) */
export function transpose({ data, shape: [rows, columns] }) {
  return fill(data, [columns, rows], (row, column) => data[column * columns + row])
}

/** @param {Tensor} a @param {Tensor} b of the same shape @returns {Tensor} a − b */
export function subtract(a, b) {
  const [rows, columns] = a.shape
  return fill(a.data, [rows, columns], (row, column) => {
    const index = row * columns + column
    return a.data[index] - b.data[index]
  })
}

/** @param {Tensor} a @param {Tensor} b of the same shape @returns {Tensor} a + b */
export function add(a, b) {
  const [rows, columns] = a.shape
  return fill(a.data, [rows, columns], (row, column) => {
    const index = row * columns + column
    return a.data[index] + b.data[index]
  })
}

/**
 * One row; rows are counted through all leading axes.
 * @param {Tensor} tensor (…, columns)
 * @param {number} row
 * @returns {Float32Array | Float64Array} (columns), a view of it
 */
export function rowOf({ data, shape }, row) {
  const columns = shape[shape.length - 1]
  return data.subarray(row * columns, (row + 1) * columns)
}

/** Their sum, in double precision. @param {Iterable<number>} values @returns {number} */
export function total(values) {
  let sum = 0
  for (const value of values) sum += value
  return sum
}

/**
 * √(Σ a²), summed in double precision.
 * @param {Tensor} matrix
 * @returns {number}
 */
export function frobeniusNorm({ data }) {
  let sum = 0
  for (const value of data) sum += value * value
  return Math.sqrt(sum)
}

/**
 * Matrices of the same height, side by side.
 * @param {Tensor} stack (h, rows, columns)
 * @returns {Tensor} (rows, h·columns)
 */
export function sideBySide({ data, shape: [count, rows, columns] }) {
  return fill(data, [rows, count * columns], (row, column) => {
    const block = Math.floor(column / columns)
    return data[(block * rows + row) * columns + (column % columns)]
  })
}

/** The largest magnitude among the values of some matrices. @param {Tensor[]} matrices @returns {number} */
export function largestMagnitude(...matrices) {
  let largest = 0
  for (const { data } of matrices) {
    for (const value of data) largest = Math.max(largest, Math.abs(value))
  }
  return largest
}

/**
 * @param {Float32Array | Float64Array} like whose kind of numbers to make
 * @param {[rows: number, columns: number]} shape
 * @param {(row: number, column: number) => number} entry
 * @returns {Tensor}
 */
function fill(like, [rows, columns], entry) {
  const size = rows * columns
  const data = like instanceof Float64Array ? new Float64Array(size) : new Float32Array(size)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++)
      data[row * columns + column] = entry(row, column)
  }
  return { data, shape: [rows, columns] }
}
