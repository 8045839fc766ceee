import { readTensor } from './tensor-input.js'

/**
 * @import { Numbers } from './tensor-input.js'
 * @typedef {object} Extent  what a colour scale and a caption need to know of the numbers
 * @property {number} min  of finite, unmasked values; NaN when there is none
 * @property {number} max
 * @property {boolean} hasNaN
 * @property {boolean} hasMasked
 * @property {{ plane: number, query: number, key: number } | null} peak  where the largest value stands
 */

/**
 * Attention weights as views draw them: one plane of queries × keys for each head (of each layer).
 */
export class AttentionData {
  /** @type {Extent | null} */
  #extent = null

  /**
   * @param {Numbers} data (layers, heads, queries, keys)
   * @param {{ layers: number, heads: number, queries: number, keys: number }} sizes
   * @param {Uint8Array | null} masked of the data's shape, 1 where nothing may be attended to
   */
  constructor(data, { layers, heads, queries, keys }, masked) {
    this.data = data
    this.layers = layers
    this.heads = heads
    this.queries = queries
    this.keys = keys
    this.masked = masked
  }

  /** Heads of all layers. */
  get planes() {
    return this.layers * this.heads
  }

  get isEmpty() {
    return this.planes * this.queries * this.keys === 0
  }

  /** @param {number} plane @param {number} query @param {number} key @returns {number} */
  value(plane, query, key) {
    return this.data[(plane * this.queries + query) * this.keys + key]
  }

  /** @param {number} plane @param {number} query @param {number} key */
  isMasked(plane, query, key) {
    return (
      this.masked !== null && this.masked[(plane * this.queries + query) * this.keys + key] === 1
    )
  }

  /**
   * Whether there is such a cell in a plane: a caller may name any.
   *
   * @param {{ query: number, key: number }} cell
   */
  holds({ query, key }) {
    const within = (/** @type {number} */ index, /** @type {number} */ count) =>
      Number.isInteger(index) && index >= 0 && index < count
    return within(query, this.queries) && within(key, this.keys)
  }

  /** @param {number} plane @returns {number[]} queries that may attend to nothing */
  maskedRows(plane) {
    /** @type {number[]} */
    const rows = []
    const { masked, keys } = this
    if (!masked || keys === 0) return rows
    for (let query = 0; query < this.queries; query++) {
      const start = (plane * this.queries + query) * keys
      if (masked.subarray(start, start + keys).every((flag) => flag === 1)) rows.push(query)
    }
    return rows
  }

  /** @returns {Extent} computed when first asked for */
  extent() {
    return (this.#extent ??= this.#measure())
  }

  #measure() {
    const { data, masked } = this
    let min = Infinity
    let max = -Infinity
    let peak = -1
    let hasNaN = false
    let hasMasked = false
    for (let index = 0; index < data.length; index++) {
      if (masked !== null && masked[index] === 1) {
        hasMasked = true
        continue
      }
      const value = data[index]
      if (value !== value) hasNaN = true
      if (value > max && value < Infinity) {
        max = value
        peak = index
      }
      if (value < min && value > -Infinity) min = value
    }
    const found = peak >= 0
    return {
      min: found ? min : Number.NaN,
      max: found ? max : Number.NaN,
      hasNaN,
      hasMasked,
      peak: found
        ? {
            plane: Math.floor(peak / (this.queries * this.keys)),
            query: Math.floor(peak / this.keys) % this.queries,
            key: peak % this.keys,
          }
        : null,
    }
  }
}

/**
 * Reads what a caller gave as weights and masks.
 *
 * @param {unknown} attention (N, M), (h, N, M) or, where `layers` is true, (layers, h, N, M)
 * @param {{ mask?: unknown, causal?: boolean, layers?: boolean }} [options]
 *   `mask`: booleans, true = may attend, or numbers, −∞ = masked; it broadcasts to the weights' shape.
 *   `causal`: key j is masked for query i where j > i.
 * @returns {AttentionData}
 * @throws {TypeError | RangeError} in words that may be shown
 */
export function readAttention(attention, { mask, causal = false, layers = false } = {}) {
  const { data, shape } = readTensor(attention, 'attention')
  const most = layers ? 4 : 3
  // A batch of one is its only sequence.
  const own = shape.length === 4 && shape[0] === 1 && !layers ? shape.slice(1) : shape
  if (own.length < 2 || own.length > most) {
    const wanted = ['(N, M)', '(h, N, M)', '(layers, h, N, M)'].slice(0, most - 1).join(' or ')
    throw new RangeError(`attention: expected shape ${wanted}, got (${shape.join(', ')})`)
  }
  const [layerCount, heads, queries, keys] = [1, 1, ...own].slice(-4)
  const sizes = { layers: layerCount, heads, queries, keys }
  return new AttentionData(data, sizes, maskedFlags(sizes, mask, causal))
}

/**
 * @param {{ layers: number, heads: number, queries: number, keys: number }} sizes
 * @param {unknown} mask
 * @param {boolean} causal
 * @returns {Uint8Array | null} 1 = masked; null when nothing is
 */
function maskedFlags({ layers, heads, queries, keys }, mask, causal) {
  if (!causal && (mask === undefined || mask === null)) return null
  const flags = new Uint8Array(layers * heads * queries * keys)
  const given = mask === undefined || mask === null ? null : readTensor(mask, 'mask')
  const strides = given ? broadcastStrides(given.shape, [layers, heads, queries, keys]) : null
  for (let index = 0, plane = 0; plane < layers * heads; plane++) {
    const layer = Math.floor(plane / heads)
    const head = plane % heads
    for (let query = 0; query < queries; query++) {
      for (let key = 0; key < keys; key++, index++) {
        if (causal && key > query) flags[index] = 1
        if (!given || !strides) continue
        const entry =
          given.data[layer * strides[0] + head * strides[1] + query * strides[2] + key * strides[3]]
        if (given.boolean ? !entry : entry === -Infinity) flags[index] = 1
      }
    }
  }
  return flags
}

/**
 * Steps through a smaller tensor that is repeated along missing axes and axes of length 1.
 *
 * @param {readonly number[]} shape
 * @param {readonly number[]} target
 * @returns {number[]} one stride for each of the target's axes
 */
function broadcastStrides(shape, target) {
  const fits =
    shape.length <= target.length &&
    shape.every((length, axis) => {
      const wanted = target[target.length - shape.length + axis]
      return length === 1 || length === wanted
    })
  if (!fits) {
    throw new RangeError(
      `mask: shape (${shape.join(', ')}) does not broadcast to the weights' (${target.join(', ')})`,
    )
  }
  const strides = target.map(() => 0)
  for (let axis = shape.length - 1, stride = 1; axis >= 0; axis--) {
    if (shape[axis] > 1) strides[target.length - shape.length + axis] = stride
    stride *= shape[axis]
  }
  return strides
}
