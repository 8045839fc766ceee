import { colorMap } from '../color-map.js'
import { fitDomain } from '../domain.js'
import { widestLabels } from '../text-width.js'
import { meanWeights, sumOf, weightsOfQuery } from './key-weights.js'
import { layoutLines } from './line-layout.js'
import { LineScale } from './line-scale.js'
import { pickLines } from './line-set.js'

/**
 * @import { AttentionData } from '../attention-data.js'
 * @import { ViewContent } from '../options.js'
 * @import { Theme } from '../theme.js'
 * @import { TokenLabels } from '../tokens.js'
 * @import { KeyWeights } from './key-weights.js'
 * @import { LineLayout } from './line-layout.js'
 * @import { LineSet } from './line-set.js'
 * @typedef {{ plane: number, query: number, key: number }} LineCell
 *
 * @typedef {object} LinePicture  all that is drawn
 * @property {AttentionData} attention
 * @property {readonly number[]} planes  the heads that are shown
 * @property {TokenLabels} tokens
 * @property {LineScale} scale
 * @property {LineSet} set
 * @property {number} sum  of all weights that might have a line; NaN where a share of it would say nothing
 * @property {KeyWeights} weights  beside the keys
 * @property {readonly string[]} captions  of the weights, the longest first
 * @property {ReadonlySet<number>} idle  queries that may attend to nothing
 * @property {Theme} theme
 * @property {LineLayout} layout
 * @property {number} decimals  of the numbers beside the keys
 * @property {number} ratio  device pixels per CSS pixel
 *
 * @typedef {object} Overview  what of all queries together takes long to find, to be kept
 * @property {LineSet} [set]
 * @property {KeyWeights} [weights]
 */

/** The most that a figure grows in height, unless it is told, px. */
const MOST_HEIGHT = 720
/** From so many lines on each is drawn narrower. */
const CROWD = 100

/**
 * @param {AttentionData} attention not empty
 * @param {ViewContent} content
 * @param {object} shown
 * @param {readonly number[]} shown.planes
 * @param {number | null} shown.query whose lines alone are shown
 * @param {number | null} shown.key whose lines alone are shown
 * @param {number} shown.threshold
 * @param {number} shown.decimals
 * @param {Theme} shown.theme
 * @param {number} shown.width room, CSS pixels
 * @param {Overview} shown.overview is filled
 * @returns {LinePicture}
 */
export function buildPicture(attention, content, shown) {
  const { planes, query, key, threshold, decimals, theme, overview } = shown
  const { tokens, valueLabel } = content
  const { heads, queries, keys } = attention
  const map = colorMap(content.colormap, { dark: theme.dark })
  const domain = content.domain ?? fitDomain(attention.extent(), heads === 1 && map.diverging)
  const scale = new LineScale({ heads, planes, map, domain, theme })
  const rule = { domain, diverging: scale.diverging, threshold }
  const pick = () => pickLines(attention, { planes, query, key }, rule)
  const set = query === null && key === null ? (overview.set ??= pick()) : pick()
  const weights =
    query === null
      ? (overview.weights ??= meanWeights(attention, planes))
      : weightsOfQuery(attention, planes, query)
  const isShareTold = attention.extent().min >= 0
  return {
    ...{ attention, planes, tokens, scale, set, weights, decimals, theme },
    sum: isShareTold ? sumOf(weights, keys, key) * (query === null ? queries : 1) : Number.NaN,
    captions: query === null ? [`mean ${valueLabel}`, 'mean'] : [valueLabel, 'weight'],
    idle: idleQueries(attention, planes),
    ratio: devicePixelRatio,
    layout: layoutLines({
      ...{ queries, keys, shown: planes.length, named: tokens.named },
      ...{ width: shown.width, maxHeight: content.height ?? MOST_HEIGHT },
      widest: widestLabels(tokens, theme.font),
      ...{ ratio: devicePixelRatio, decimals },
      crowded: set.cells.length > CROWD,
    }),
  }
}

/**
 * Queries that may attend to nothing in any shown head.
 *
 * @param {AttentionData} attention
 * @param {readonly number[]} planes
 * @returns {ReadonlySet<number>}
 */
function idleQueries(attention, planes) {
  const [first, ...others] = planes.map((plane) => new Set(attention.maskedRows(plane)))
  return new Set([...first].filter((query) => others.every((rows) => rows.has(query))))
}
