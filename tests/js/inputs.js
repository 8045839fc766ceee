/**
 * Inputs for tests: random, but the same in every run, and made without the engine.
 */

/**
 * A stream of roughly normal numbers (sums of four uniform ones) from a linear congruential
 * generator.
 * @param {number} seed
 */
export function normals(seed) {
  let state = (seed * 2654435761 + 12345) >>> 0
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  return () => (uniform() + uniform() + uniform() + uniform() - 2) * Math.sqrt(3)
}

/**
 * A random tensor, in float32, so that kernels and reference read the same numbers.
 * @param {number[]} shape
 * @param {number} [seed]
 * @param {number} [scale]
 */
export function randomTensor(shape, seed = 1, scale = 1) {
  const next = normals(seed + 31 * shape.reduce((sum, length) => sum * 7 + length, 1))
  const size = shape.reduce((product, length) => product * length, 1)
  return { data: Float32Array.from({ length: size }, () => scale * next()), shape }
}

/**
 * Parameters of a layer, scaled so that its activations stay near 1.
 * @param {{ dModel: number, dContext?: number, numHeads: number, numKvHeads?: number, dK: number,
 *   dV?: number, dOut?: number, biases?: boolean, output?: boolean }} sizes
 * @param {number} [seed]
 */
export function randomLayer(sizes, seed = 1) {
  const { dModel, numHeads, dK, biases = true, output = true } = sizes
  const { dContext = dModel, numKvHeads = numHeads, dV = dK, dOut = dModel } = sizes
  const weight = (
    /** @type {number} */ rows,
    /** @type {number} */ columns,
    /** @type {number} */ nth,
  ) => randomTensor([rows, columns], seed + nth, 1 / Math.sqrt(rows))
  const bias = (/** @type {number} */ length, /** @type {number} */ nth) =>
    randomTensor([length], seed + nth, 0.5)
  return {
    wq: weight(dModel, numHeads * dK, 1),
    wk: weight(dContext, numKvHeads * dK, 2),
    wv: weight(dContext, numKvHeads * dV, 3),
    ...(output ? { wo: weight(numHeads * dV, dOut, 4) } : {}),
    ...(biases
      ? { bq: bias(numHeads * dK, 5), bk: bias(numKvHeads * dK, 6), bv: bias(numKvHeads * dV, 7) }
      : {}),
    ...(biases && output ? { bo: bias(dOut, 8) } : {}),
  }
}

/**
 * The transpose of a matrix: PyTorch keeps its weights as (out, in).
 * @param {{ data: ArrayLike<number>, shape: readonly number[] }} matrix
 */
export function transpose({ data, shape: [rows, columns] }) {
  const transposed = new Float64Array(rows * columns)
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) transposed[j * rows + i] = data[i * columns + j]
  }
  return { data: transposed, shape: [columns, rows] }
}

/**
 * One slice of a tensor's first dimension.
 * @param {{ data: any, shape: readonly number[] }} tensor
 * @param {number} index
 */
export function slice({ data, shape: [, ...rest] }, index) {
  const size = rest.reduce((product, length) => product * length, 1)
  return { data: data.slice(index * size, (index + 1) * size), shape: rest }
}
