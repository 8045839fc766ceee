/**
 * Attention in plain JavaScript, term by term: an oracle that shares nothing with the engine.
 */

/** @typedef {{ data: ArrayLike<number>, shape: readonly number[] }} Numbers */
/**
 * @typedef {object} OracleOptions
 * @property {Numbers} [attnMask] a Uint8Array, nonzero = open, or numbers to add
 * @property {boolean} [isCausal]
 * @property {number} [scale]
 */

/**
 * Where an entry lies in a tensor that may repeat along any dimension.
 * @param {readonly number[]} shape
 * @param {readonly number[]} index of as many dimensions or more
 */
function offsetOf(shape, index) {
  let offset = 0
  for (const [axis, length] of shape.entries()) {
    const at = index[index.length - shape.length + axis]
    offset = offset * length + (length === 1 ? 0 : at)
  }
  return offset
}

/**
 * One output row: Σ_j p_j v_j with p = softmax over the open keys of scale·q·k_j + mask.
 * @param {number[]} leading the slice
 * @param {number} i the query
 * @param {Numbers} query @param {Numbers} key @param {Numbers} value
 * @param {OracleOptions} options
 * @returns {{ weights: number[], output: number[] }}
 */
function attendRow(leading, i, query, key, value, { attnMask, isCausal, scale }) {
  const [m, dK] = key.shape.slice(-2)
  const dV = value.shape[value.shape.length - 1]
  const at = (/** @type {Numbers} */ tensor, /** @type {number[]} */ ...rest) =>
    tensor.data[offsetOf(tensor.shape, [...leading, ...rest])]
  const scores = Array.from({ length: m }, (_, j) => {
    let logit = 0
    for (let k = 0; k < dK; k++) logit += at(query, i, k) * at(key, j, k)
    const added = attnMask ? at(attnMask, i, j) : 0
    const isBoolean = attnMask?.data instanceof Uint8Array
    if ((isCausal && j > i) || (isBoolean && !added)) return -Infinity
    return logit * (scale ?? 1 / Math.sqrt(dK)) + (isBoolean ? 0 : added)
  })
  const largest = Math.max(...scores)
  const exps = scores.map((score) => (score === -Infinity ? 0 : Math.exp(score - largest)))
  const sum = exps.reduce((total, exp) => total + exp, 0)
  const weights = exps.map((exp) => (sum === 0 ? 0 : exp / sum))
  const output = Array.from({ length: dV }, (_, c) =>
    weights.reduce((total, weight, j) => total + weight * at(value, j, c), 0),
  )
  return { weights, output }
}

/**
 * softmax(scale·Q·Kᵀ + mask)·V for every slice of the leading dimensions.
 * @param {number[]} leading what the tensors' leading dimensions broadcast to
 * @param {Numbers} query (…, N, d_k) @param {Numbers} key (…, M, d_k) @param {Numbers} value (…, M, d_v)
 * @param {OracleOptions} [options]
 */
export function oracleAttention(leading, query, key, value, options = {}) {
  const [n] = query.shape.slice(-2)
  const [m] = key.shape.slice(-2)
  const dV = value.shape[value.shape.length - 1]
  /** @type {number[]} */
  const weights = []
  /** @type {number[]} */
  const output = []
  for (const slice of indices(leading)) {
    for (let i = 0; i < n; i++) {
      const row = attendRow(slice, i, query, key, value, options)
      weights.push(...row.weights)
      output.push(...row.output)
    }
  }
  return {
    weights: { data: weights, shape: [...leading, n, m] },
    output: { data: output, shape: [...leading, n, dV] },
  }
}

/**
 * Multi-head attention: projections, attention of each head, output projection.
 * @param {Numbers} x (B, N, d_model)
 * @param {Record<string, Numbers>} parameters
 * @param {OracleOptions & { numHeads: number, numKvHeads?: number, context?: Numbers }} options
 */
export function oracleLayer(x, parameters, options) {
  const { numHeads, numKvHeads = numHeads, context = x } = options
  const { wq, wk, wv, wo, bq, bk, bv, bo } = parameters
  const query = splitHeads(project(x, wq, bq), numHeads, 1)
  const key = splitHeads(project(context, wk, bk), numKvHeads, numHeads / numKvHeads)
  const value = splitHeads(project(context, wv, bv), numKvHeads, numHeads / numKvHeads)
  const attended = oracleAttention([x.shape[0], numHeads], query, key, value, options)
  const joined = joinHeads(attended.output)
  return { weights: attended.weights, output: wo ? project(joined, wo, bo) : joined }
}

/** x·w + b for (B, N, d). @param {Numbers} x @param {Numbers} w @param {Numbers} [b] */
function project(x, w, b) {
  const [rows, columns] = w.shape
  const count = x.data.length / rows
  const data = new Float64Array(count * columns)
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < columns; c++) {
      let sum = b ? b.data[c] : 0
      for (let k = 0; k < rows; k++) sum += x.data[i * rows + k] * w.data[k * columns + c]
      data[i * columns + c] = sum
    }
  }
  return { data, shape: [...x.shape.slice(0, -1), columns] }
}

/** (B, N, h·d) as (B, h·times, N, d), each head as often as it is shared. @param {Numbers} x @param {number} heads @param {number} times */
function splitHeads({ data, shape: [batch, n, columns] }, heads, times) {
  const width = columns / heads
  const shape = [batch, heads * times, n, width]
  const split = [...indices(shape)].map(([b, h, i, k]) => {
    const column = Math.floor(h / times) * width + k
    return data[(b * n + i) * columns + column]
  })
  return { data: split, shape }
}

/** (B, h, N, d) as (B, N, h·d). @param {Numbers} heads */
function joinHeads({ data, shape: [batch, h, n, width] }) {
  const shape = [batch, n, h * width]
  const joined = [...indices(shape)].map(([b, i, column]) => {
    const [head, k] = [Math.floor(column / width), column % width]
    return data[((b * h + head) * n + i) * width + k]
  })
  return { data: joined, shape }
}

/** All indices of a shape, in row-major order. @param {readonly number[]} shape @returns {Generator<number[]>} */
function* indices(shape) {
  if (shape.length === 0) {
    yield []
    return
  }
  for (let i = 0; i < shape[0]; i++) {
    for (const rest of indices(shape.slice(1))) yield [i, ...rest]
  }
}
