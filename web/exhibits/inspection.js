/**
 * What a view's inspector shows of a cell, made from the stages that the engine keeps and from its float64
 * reference: hand the result to a view as `explain`, along with the weights.
 *
 * @import { Engine } from '../engine/engine.js'
 * @import { MaskOptions } from '../engine/options.js'
 * @import { Explanation as Reference } from '../engine/reference.js'
 * @import { Tensor, TensorLike } from '../engine/tensor.js'
 * @import { Explain, ExplainedFigure, ExplainedPart, Explanation } from '../views/inspector/explanation.js'
 * @import { CellDetail } from '../views/options.js'
 * @import { InspectedRow, Numbers } from './inspected-row.js'
 * @import { OutputBounds } from './rounding.js'
 * @typedef {ReturnType<typeof roundingBounds>} Bounds
 *
 * @typedef {object} KeptStages  a layer's result with `needStages`; or query, key and value beside the result
 *   of scaledDotProductAttention. What is left out is not compared, or not shown.
 * @property {TensorLike} query (…, h, N, d_k)
 * @property {TensorLike} key (…, h or numKvHeads, M, d_k)
 * @property {TensorLike} [value] (…, h or numKvHeads, M, d_v)
 * @property {Tensor} [logits] (…, h, N, M)
 * @property {Tensor} [scores]
 * @property {Tensor} [exp]
 * @property {Tensor} [rowMax] (…, h, N)
 * @property {Tensor} [rowSum]
 * @property {Tensor} [weights]
 * @property {Tensor} [heads] (…, h, N, d_v)
 * @property {Tensor} [output] where there are no `heads`: of a layer it has been through W_O
 *
 * @typedef {MaskOptions & { slice?: number, shows?: 'weights' | 'logits' | 'scores' | 'exp' }} InspectionOptions
 *   mask and scale as the engine had them. `slice`: which slice of the stages is the map's first head, 0 unless
 *   given. `shows`: what the map draws, 'weights' unless given.
 */
import { rankInRow, WEIGHT } from '../views/inspector/explanation.js'
import { finding, rowNote } from '../views/inspector/wording.js'
import { formatExact } from '../views/numbers.js'
import { rowReader } from './inspected-row.js'
import { roundingBounds } from './rounding.js'

/** What maps may draw: the figure's id, what its numbers are called, and a caveat. */
const drawn = {
  weights: { id: 'weight', label: WEIGHT, note: '' },
  logits: {
    id: 'dot',
    label: 'logit',
    note: 'This map shows logits, q · k: the weight is further down.',
  },
  scores: {
    id: 'score',
    label: 'score',
    note: 'This map shows scores: the weight is further down.',
  },
  exp: {
    id: 'exp',
    label: 'exponential',
    note: 'This map shows exponentials: they still have to be divided by their row’s sum.',
  },
}

const SHARE =
  'The part of ‖y‖ is a (v · y) ÷ ‖y‖: how long a v is along y. The parts of all keys add up to ‖y‖, so the shares add up to 1; one is negative where a value points away from y.'

/**
 * @param {Engine} engine
 * @param {KeptStages} stages
 * @param {InspectionOptions} [options]
 * @returns {Explain} for the views' option `explain`
 * @throws {TypeError | RangeError} where query, key, value or mask do not fit one another
 */
export function explainCells(engine, stages, { slice = 0, shows = 'weights', ...options } = {}) {
  const readRow = rowReader(stages, options)
  return (cell) => {
    const row = readRow(slice + cell.head, cell.query, cell.key)
    const { query, keys, values, scale, bias, column } = row
    const count = bias.length
    const reference = engine.reference.explain(
      { data: query, shape: [1, query.length] },
      { data: keys, shape: [count, query.length] },
      { data: values ?? new Float64Array(0), shape: [count, values ? values.length / count : 0] },
      { attnMask: { data: bias, shape: [count] }, scale, column },
    )
    return assemble(cell, row, reference, shows)
  }
}

/**
 * @param {CellDetail} cell
 * @param {InspectedRow} row
 * @param {Reference} reference
 * @param {keyof typeof drawn} shows
 * @returns {Explanation}
 */
function assemble(cell, row, reference, shows) {
  const { id, label, note } = drawn[shows]
  const { isOpen, column } = row
  const bounds = roundingBounds(row, reference)
  const { rank, of: open } = rankInRow(row.weights ?? reference.weights, isOpen, column)
  const state = {
    masked: !isOpen(column),
    value: cell.value,
    open,
    hasNaN: Number.isNaN(reference.rowSum),
    why: row.why,
  }
  const output = bounds.output ? outputPart(row, reference, bounds.output) : null
  const share = output?.figures.find((figure) => figure.id === 'share')
  return {
    finding: finding(cell, {
      ...state,
      rank,
      valueLabel: label,
      share: share?.computed ?? undefined,
    }),
    notes: [
      note,
      ...(undefinedNote(row, reference) ?? rowNote(cell, state)),
      output ? '' : 'v did not come with this map, so there is no share of the output to show.',
    ].filter((sentence) => sentence !== ''),
    parts: [
      scorePart(row, reference, bounds),
      weightPart(row, reference, bounds),
      ...(output ? [output] : []),
    ],
    shows: id,
    basis: 'Both columns start from the same q, k and v.',
  }
}

/**
 * Why a row has no softmax, where it has none.
 *
 * @param {InspectedRow} row
 * @param {Reference} reference
 * @returns {string[] | null}
 */
function undefinedNote({ query, keys, isOpen, column }, { masked, rowSum }) {
  if (!Number.isNaN(rowSum) || !isOpen(column)) return null
  const all = 'so the row’s sum is NaN, and with it every weight of the row'
  if (Number.isFinite(masked[column])) {
    const place = masked.findIndex((score, key) => isOpen(key) && !Number.isFinite(score))
    return [`The score of key ${place + 1} is ${formatExact(masked[place])}, ${all}.`]
  }
  const width = query.length
  const [name, at] = [
    ['q', query.findIndex((entry) => !Number.isFinite(entry))],
    [
      'k',
      keys
        .subarray(column * width, (column + 1) * width)
        .findIndex((entry) => !Number.isFinite(entry)),
    ],
  ].find(([, place]) => Number(place) >= 0) ?? ['', -1]
  const source = at === -1 ? 'The mask' : `In ${name}, component ${Number(at) + 1}`
  return [`${source} is not a finite number: the score is ${formatExact(masked[column])}, ${all}.`]
}

/** @param {InspectedRow} row @param {Reference} reference @param {Bounds} bounds @returns {ExplainedPart} */
function scorePart(row, reference, bounds) {
  const { query, keys, scale, bias, column, logit, score } = row
  const d = query.length
  const key = keys.subarray(column * d, (column + 1) * d)
  const { fround } = Math
  return {
    title: 'From q and k to the score',
    product: {
      caption: 'q · k, component by component',
      factors: [
        { name: 'q', values: query },
        { name: 'k', values: key },
      ],
      name: 'q k',
      computed: Float32Array.from(query, (entry, at) => fround(entry) * fround(key[at])),
      reference: reference.terms,
      tolerance: bounds.terms,
    },
    figures: [
      figure('dot', 'dot product', 'q · k', logit, reference.raw[column], bounds.dot),
      figure(
        'scale',
        'scale',
        scale === 1 / Math.sqrt(d) ? `= 1 ÷ √${d}` : '',
        fround(scale),
        scale,
        bounds.scale,
      ),
      figure(
        'scaled',
        'scaled',
        '= scale · (q · k)',
        // The kernels add the mask in the same step, and keep the sum alone.
        logit === null ? null : fround(fround(scale) * logit),
        reference.scaled[column],
        bounds.scaled,
      ),
      figure('mask', 'mask', '', fround(bias[column]), bias[column], bounds.mask),
      figure('score', 'score s', '= scaled + mask', score, reference.masked[column], bounds.score),
    ],
  }
}

/** @param {InspectedRow} row @param {Reference} reference @param {Bounds} bounds @returns {ExplainedPart} */
function weightPart(row, reference, bounds) {
  const { column, isOpen, weights } = row
  const { rowMax, rowSum, exp } = reference
  const right = reference.weights
  // Which of several exponentials of a row without a softmax are NaN is nobody's promise.
  const isDefined = !Number.isNaN(rowSum)
  const rank = rankInRow(weights ?? right, isOpen, column)
  const rightRank = rankInRow(right, isOpen, column)
  const ties = right.filter(
    (weight, key) =>
      key !== column &&
      isOpen(key) &&
      Math.abs(weight - right[column]) <= bounds.weights[key] + bounds.weights[column],
  ).length
  return {
    title: 'From the score to the weight',
    figures: [
      figure(
        'rowMax',
        'row’s maximum m',
        '',
        row.rowMax,
        rowMax,
        isDefined ? bounds.rowMax : undefined,
      ),
      figure(
        'exp',
        'exponential',
        '= exp(s − m)',
        row.exp,
        exp[column],
        isDefined ? bounds.exp : undefined,
      ),
      figure('rowSum', 'row’s sum', '= Σ exp', row.rowSum, rowSum, bounds.rowSum),
      figure(
        'weight',
        'weight a',
        '= exp ÷ sum',
        weights && weights[column],
        right[column],
        bounds.weights[column],
      ),
      figure('rank', 'rank', `of ${rank.of}`, weights && rank.rank, rightRank.rank, ties),
    ],
  }
}

/** @param {InspectedRow} row @param {Reference} reference @param {OutputBounds} bounds @returns {ExplainedPart} */
function outputPart(row, reference, bounds) {
  const { column, isOpen, weights, output } = row
  const width = reference.output.length
  const value = /** @type {Numbers} */ (row.values).subarray(column * width, (column + 1) * width)
  // A masked value reaches nothing, whatever it holds.
  const times = (/** @type {number} */ weight) => (/** @type {number} */ entry) =>
    isOpen(column) ? weight * entry : 0
  const weight = weights ? weights[column] : Number.NaN
  const own = Float32Array.from(value, times(weight))
  const length = output ? Math.hypot(...output) : null
  const part =
    weights && output && length !== null
      ? length === 0
        ? 0
        : own.reduce((sum, entry, at) => sum + entry * output[at], 0) / length
      : null
  const rightLength = Math.hypot(...reference.output)
  const share = reference.shareAlongOutput[column]
  return {
    title: 'From the weight to the output',
    product: {
      caption: 'a · v, component by component',
      factors: [{ name: 'v', values: value }],
      name: 'a v',
      computed: own,
      reference: Float64Array.from(value, times(reference.weights[column])),
      tolerance: bounds.contribution,
    },
    figures: [
      figure(
        'contribution',
        'length ‖a v‖',
        '',
        weights && Math.hypot(...own),
        reference.contributionNorms[column],
        bounds.contributionNorm,
      ),
      figure('outputNorm', 'length ‖y‖ of the output', '', length, rightLength, bounds.outputNorm),
      figure('part', 'part of ‖y‖', '= a (v · y) ÷ ‖y‖', part, share * rightLength, bounds.part),
      figure(
        'share',
        'share of the output',
        '= part ÷ ‖y‖',
        part === null || !length ? part : part / length,
        share,
        bounds.share,
      ),
    ],
    note: SHARE,
  }
}

/**
 * @param {string} id
 * @param {string} name
 * @param {string} formula
 * @param {number | null} computed
 * @param {number | null} reference
 * @param {number | undefined} bound without one, or with an infinite one, there is nothing to compare
 * @returns {ExplainedFigure}
 */
function figure(id, name, formula, computed, reference, bound) {
  const tolerance = bound === Infinity ? undefined : bound
  return { id, name, ...(formula ? { formula } : {}), computed, reference, tolerance }
}
