/**
 * The options that all views share, and how an update is read: completely before anything is changed,
 * so that a wrong one leaves a view as it was.
 */
import { readAttention } from './attention-data.js'
import { colorMap } from './color-map.js'
import { readDomain } from './domain.js'
import { WEIGHT } from './inspector/explanation.js'
import { NO_LABELS, readTokens } from './tokens.js'

/**
 * @import { AttentionData } from './attention-data.js'
 * @import { ColorMapName } from './color-map.js'
 * @import { Domain } from './domain.js'
 * @import { Explain } from './inspector/explanation.js'
 * @import { NestedNumbers, TensorLike } from './tensor-input.js'
 * @import { TokenLabels } from './tokens.js'
 *
 * @typedef {object} ViewOptions
 * @property {TensorLike | NestedNumbers} [attention]  weights, (N, M) or (h, N, M)
 * @property {readonly string[] | null} [tokens]  labels of both axes
 * @property {readonly string[] | null} [queryTokens]  labels of the rows, instead of `tokens`
 * @property {readonly string[] | null} [keyTokens]  labels of the columns, instead of `tokens`
 * @property {TensorLike | NestedNumbers | null} [mask]  broadcast to the weights: true, or anything but −∞ in a float tensor, may be attended to
 * @property {boolean} [causal]  masks keys after the query
 * @property {ColorMapName} [colormap]  'purples'
 * @property {readonly [number, number] | null} [domain]  a fixed colour scale; else it fits the numbers
 * @property {number | null} [height]  of the drawing, CSS pixels
 * @property {{ query: string, key: string } | null} [axes]  what a row and a column are called where the
 *   numbers are no attention, such as { query: 'token', key: 'feature' }
 * @property {string} [label]  names the figure to a screen reader
 * @property {string} [valueLabel]  'attention weight': what the numbers are
 * @property {boolean} [inspector]  whether a cell that is selected opens, true unless it is false; while one is
 *   open the arrow keys select as they move
 * @property {Explain | null} [explain]  how the number in a cell came about, for the inspector, which else can
 *   tell no more than the map itself
 *
 * @typedef {object} CellDetail  of `cellhover` and `cellselect`
 * @property {number} layer
 * @property {number} head
 * @property {number} query
 * @property {number} key
 * @property {number} value
 * @property {boolean} masked
 * @property {string} queryToken
 * @property {string} keyToken
 */

/**
 * @typedef {object} ViewContent  what a view draws, checked
 * @property {AttentionData | null} attention
 * @property {TokenLabels} tokens
 * @property {Domain | null} domain
 * @property {string} colormap
 * @property {number | null} height
 * @property {string} label
 * @property {string} valueLabel
 * @property {boolean} inspector
 * @property {Explain | null} explain
 */

/**
 * What `update` was given: options, or nothing but the weights.
 *
 * @template {object} Options
 * @param {Options | TensorLike | NestedNumbers | undefined} change
 * @returns {Partial<Options>}
 */
export function asOptions(change) {
  if (change === undefined || change === null) return {}
  const isWeights = Array.isArray(change) || ArrayBuffer.isView(change) || 'shape' in change
  return /** @type {Partial<Options>} */ (isWeights ? { attention: change } : change)
}

/**
 * @param {ViewOptions} options all of them
 * @param {{ layers?: boolean, label: string }} kind
 * @param {{ change: ViewOptions, content: ViewContent }} [before] what of the options is new, and what
 *   was read before: weights that are not part of a change are not read again
 * @returns {ViewContent}
 * @throws {TypeError | RangeError} in words that may be shown
 */
export function readContent(options, { layers = false, label }, before) {
  const { attention, mask, causal, height } = options
  const kept = before && !['attention', 'mask', 'causal'].some((name) => name in before.change)
  const data = kept
    ? before.content.attention
    : attention === undefined || attention === null
      ? null
      : readAttention(attention, { mask, causal, layers })
  const colormap = options.colormap ?? 'purples'
  colorMap(colormap)
  return {
    attention: data,
    // Without cells there is nothing to name, however long an axis says it is.
    tokens: data && !data.isEmpty ? readTokens(options, data) : NO_LABELS,
    domain: readDomain(options.domain),
    colormap,
    height: readHeight(height),
    label: readText(options.label, 'label') || label,
    valueLabel: readText(options.valueLabel, 'valueLabel') || WEIGHT,
    inspector: readInspector(options.inspector),
    explain: readExplain(options.explain),
  }
}

/** @param {unknown} text @param {string} name @returns {string} */
function readText(text, name) {
  if (text === undefined || text === null) return ''
  if (typeof text !== 'string')
    throw new TypeError(`${name}: expected a text, got a ${typeof text}`)
  return text
}

/** @param {unknown} inspector */
function readInspector(inspector) {
  if (inspector === undefined || inspector === null) return true
  if (typeof inspector !== 'boolean') {
    throw new TypeError(`inspector: expected true or false, got ${String(inspector)}`)
  }
  return inspector
}

/** @param {unknown} explain @returns {Explain | null} */
function readExplain(explain) {
  if (explain === undefined || explain === null) return null
  if (typeof explain !== 'function') {
    throw new TypeError(`explain: expected a function of a cell, got ${String(explain)}`)
  }
  return /** @type {Explain} */ (explain)
}

/** @param {unknown} height */
function readHeight(height) {
  if (height === undefined || height === null) return null
  if (typeof height !== 'number' || !(height > 0) || !Number.isFinite(height)) {
    throw new TypeError(`height: expected a number of pixels above 0, got ${String(height)}`)
  }
  return height
}

/**
 * @param {AttentionData} attention
 * @param {TokenLabels} tokens
 * @param {number} plane
 * @param {number} query
 * @param {number} key
 * @returns {CellDetail}
 */
export function detailOf(attention, tokens, plane, query, key) {
  return {
    layer: Math.floor(plane / attention.heads),
    head: plane % attention.heads,
    query,
    key,
    value: attention.value(plane, query, key),
    masked: attention.isMasked(plane, query, key),
    queryToken: tokens.query[query],
    keyToken: tokens.key[key],
  }
}
