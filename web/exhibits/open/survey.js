/**
 * One pass over all heads of a file, in pieces between which the page goes on: what the overview shows of each, what
 * is measured of it, and whether its rows are attention at all.
 *
 * @import { Engine } from '../../engine/engine.js'
 * @import { AttentionSource } from './attention-source.js'
 * @import { Changes } from './row-changes.js'
 *
 * @typedef {object} RowSums  of the rows as the file has them
 * @property {number} low
 * @property {number} high
 * @property {number} empty how many are 0 throughout, as those of padding
 * @property {number} least weight
 * @property {number} odd how many weights are not finite
 *
 * @typedef {object} Survey
 * @property {number} done heads that have been looked at
 * @property {Float32Array} thumbnails (layers, h, n, m), the largest weight of each block of cells
 * @property {number[]} shape of the thumbnails
 * @property {Float64Array} entropy (layers · h), the mean over rows, nats; NaN where no head was looked at yet
 * @property {RowSums} sums
 * @property {Float64Array | null} means (layers, n, n), the mean over heads; null where rollout makes no sense
 */
import { createPace } from '../../data/pace.js'
import { changeRows } from './row-changes.js'

/** Cells along a side of a thumbnail. */
const SIDE = 32
/** Weights that are read and changed at once: a few milliseconds. */
const BLOCK = 2 ** 16
/** Rollout multiplies matrices of this size for each layer, and the page stands still for one product. */
export const MOST_ROLLED = 256

/**
 * @param {Engine} engine
 * @param {AttentionSource} source
 * @param {Changes} changes
 * @param {{ signal: AbortSignal, onProgress: (survey: Survey) => void }} watch `onProgress` after each head
 * @returns {Promise<Survey>}
 */
export async function surveyHeads(engine, source, changes, { signal, onProgress }) {
  const [layers, heads, count, columns] = source.shape
  const { queries, keys } = changes
  const [height, width] = [queries, keys].map(({ length }) => Math.min(SIDE, length))
  const isSquare = count === columns && queries.length === keys.length
  const pace = createPace(signal)
  /** @type {Survey} */
  const survey = {
    done: 0,
    thumbnails: new Float32Array(source.planes * height * width),
    shape: [layers, heads, height, width],
    entropy: new Float64Array(source.planes).fill(Number.NaN),
    sums: { low: Infinity, high: -Infinity, empty: 0, least: Infinity, odd: 0 },
    means:
      isSquare && queries.length <= MOST_ROLLED
        ? new Float64Array(layers * queries.length ** 2)
        : null,
  }
  const rowsAtOnce = Math.max(1, Math.floor(BLOCK / columns))
  const isStaying = new Set(queries)
  for (let plane = 0; plane < source.planes; plane++) {
    let entropy = 0
    let row = 0
    const size = height * width
    survey.thumbnails.fill(Number.NaN, plane * size, (plane + 1) * size)
    for (let start = 0; start < count; start += rowsAtOnce) {
      const end = Math.min(count, start + rowsAtOnce)
      const data = await source.rows(plane, start, end, signal)
      await pace()
      addSums(survey.sums, data, columns)
      const staying = rowsOf(data, columns, (i) => isStaying.has(start + i))
      const changed = changeRows(staying, columns, changes)
      const rows = staying.length / columns
      if (rows > 0 && keys.length > 0) {
        const own = engine.analysis.entropy({ data: changed, shape: [rows, keys.length] }).data
        entropy += own.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0)
        const at = { plane, row, rows, of: queries.length, columns: keys.length }
        addThumbnail(survey, changed, at)
        if (survey.means)
          addMeans(survey.means, changed, { ...at, layer: Math.floor(plane / heads), heads })
      }
      row += rows
      await pace()
    }
    survey.entropy[plane] = queries.length > 0 ? entropy / queries.length : 0
    survey.done = plane + 1
    onProgress(survey)
  }
  return survey
}

/**
 * @param {Float32Array | Float64Array} data
 * @param {number} columns
 * @param {(row: number) => boolean} stays
 * @returns {Float32Array | Float64Array} those rows; `data` itself if it is all
 */
export function rowsOf(data, columns, stays) {
  const count = data.length / columns
  const places = Array.from({ length: count }, (_, row) => row).filter(stays)
  if (places.length === count) return data
  const kept = new /** @type {Float64ArrayConstructor} */ (data.constructor)(
    places.length * columns,
  )
  places.forEach((place, row) =>
    kept.set(data.subarray(place * columns, (place + 1) * columns), row * columns),
  )
  return kept
}

/** @param {RowSums} sums @param {ArrayLike<number>} data @param {number} columns */
function addSums(sums, data, columns) {
  for (let start = 0; start < data.length; start += columns) {
    let sum = 0
    let isEmpty = true
    for (let i = start; i < start + columns; i++) {
      const weight = data[i]
      if (!Number.isFinite(weight)) sums.odd++
      if (weight !== 0) isEmpty = false
      if (weight < sums.least) sums.least = weight
      sum += weight
    }
    if (isEmpty) {
      sums.empty++
      continue
    }
    if (sum < sums.low) sums.low = sum
    if (sum > sums.high) sums.high = sum
  }
}

/**
 * @typedef {{ plane: number, row: number, rows: number, of: number, columns: number }} Place  of `rows` rows, the first
 *   of which is `row` of `of`
 * @param {Survey} survey
 * @param {ArrayLike<number>} data
 * @param {Place} place
 */
function addThumbnail(
  { thumbnails, shape: [, , height, width] },
  data,
  { plane, row, rows, of, columns },
) {
  for (let i = 0; i < rows; i++) {
    const line = (plane * height + Math.floor(((row + i) * height) / of)) * width
    for (let j = 0; j < columns; j++) {
      const at = line + Math.floor((j * width) / columns)
      const weight = data[i * columns + j]
      if (!(thumbnails[at] >= weight)) thumbnails[at] = weight
    }
  }
}

/**
 * @param {Float64Array} means
 * @param {ArrayLike<number>} data
 * @param {Place & { layer: number, heads: number }} place
 */
function addMeans(means, data, { layer, heads, row, of, columns }) {
  const start = (layer * of + row) * columns
  for (let i = 0; i < data.length; i++) means[start + i] += data[i] / heads
}

/**
 * Attention rollout, a layer at a time.
 *
 * @param {Engine} engine
 * @param {Float64Array} means (layers, n, n)
 * @param {number} n
 * @param {AbortSignal} signal
 * @returns {Promise<Float64Array>} (n, n)
 */
export async function rollOut(engine, means, n, signal) {
  const pace = createPace(signal)
  const size = n * n
  /** @type {Float64Array} */
  let rolled = new Float64Array(size)
  for (let layer = 0; layer * size < means.length; layer++) {
    const own = means.subarray(layer * size, (layer + 1) * size)
    const mixed = engine.analysis.rollout({ data: own, shape: [1, n, n] }).data
    if (layer === 0) rolled = mixed
    else {
      // Residual shares are in both already.
      const pair = new Float64Array(2 * size)
      pair.set(rolled)
      pair.set(mixed, size)
      rolled = engine.analysis.rollout({ data: pair, shape: [2, n, n] }, { residual: 0 }).data
    }
    await pace()
  }
  return rolled
}
