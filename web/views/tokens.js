/**
 * Token labels. A token is its position: two equal words are two tokens. Tokens are text, never HTML.
 *
 * @typedef {{ query: string, key: string }} AxisNames  what one row and one column are called
 * @typedef {{ query: readonly string[], key: readonly string[], named: boolean, axes: AxisNames }} TokenLabels
 *   `named`: whether the caller gave them; otherwise they are the positions 1, 2, …
 */

/** What the axes of attention are called. @type {AxisNames} */
const ATTENTION_AXES = { query: 'query', key: 'key' }

/** Labels of nothing. @type {TokenLabels} */
export const NO_LABELS = { query: [], key: [], named: false, axes: ATTENTION_AXES }

/**
 * @param {{ tokens?: unknown, queryTokens?: unknown, keyTokens?: unknown, axes?: unknown }} options
 * @param {{ queries: number, keys: number }} sizes
 * @returns {TokenLabels}
 * @throws {TypeError | RangeError} in words that may be shown
 */
export function readTokens({ tokens, queryTokens, keyTokens, axes }, { queries, keys }) {
  const query = queryTokens ?? tokens
  const key = keyTokens ?? tokens
  return {
    query: readLabels(query, queries, queryTokens == null ? 'tokens' : 'queryTokens', 'queries'),
    key: readLabels(key, keys, keyTokens == null ? 'tokens' : 'keyTokens', 'keys'),
    named: query != null || key != null,
    axes: readAxes(axes),
  }
}

/** @param {unknown} axes @returns {AxisNames} */
function readAxes(axes) {
  if (axes === undefined || axes === null) return ATTENTION_AXES
  const { query, key } = /** @type {Record<string, unknown>} */ (axes)
  if (typeof query !== 'string' || typeof key !== 'string') {
    throw new TypeError('axes: expected { query, key }, what a row and a column are called')
  }
  return { query, key }
}

/** What stands beside the rows, and points along them. @param {TokenLabels} tokens */
export function queryTitle({ axes }) {
  return `${axes.query} ↓`
}

/** What stands above the columns. @param {TokenLabels} tokens */
export function keyTitle({ axes }) {
  return `${axes.key} →`
}

/** @param {string} name of one @returns {string} of several */
export function pluralOf(name) {
  return /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`
}

/**
 * @param {unknown} labels
 * @param {number} count
 * @param {string} name
 * @param {'queries' | 'keys'} axis
 * @returns {readonly string[]}
 */
function readLabels(labels, count, name, axis) {
  if (labels === undefined || labels === null) {
    return Array.from({ length: count }, (_, index) => String(index + 1))
  }
  if (!Array.isArray(labels)) throw new TypeError(`${name}: expected an array of texts`)
  if (labels.length !== count) {
    const hint = name === 'tokens' ? '; give queryTokens and keyTokens where they differ' : ''
    throw new RangeError(
      `${name}: ${labels.length} given, but the weights have ${count} ${axis}${hint}`,
    )
  }
  return labels.map((label) => visible(String(label)))
}

/** Of a token that is made of nothing else, as vocabularies have them: zero widths, joiners, marks, soft hyphens. */
const UNSEEN = /^[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zs}\u2800]+$/u

/** What turns the direction of all text after it, also of text that is not the token's. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g

/** Line ends and tabs as signs that can be seen, and an empty token as one too. @param {string} token */
function visible(token) {
  if (token === '') return '∅'
  if (/^ +$/.test(token)) return '␣'.repeat(token.length)
  if (UNSEEN.test(token)) return Array.from(token, nameOfCode).join(' ')
  return token
    .replace(/\r\n|[\n\r]/g, '⏎')
    .replace(/\t/g, '⇥')
    .replace(TURNING, nameOfCode)
}

/** @param {string} character @returns {string} `U+200B` */
function nameOfCode(character) {
  const code = character.codePointAt(0) ?? 0
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** @type {Intl.Segmenter | undefined} */
let segmenter

/**
 * Cuts a token to a width, between characters as readers see them, with an ellipsis.
 *
 * @param {string} token
 * @param {number} width
 * @param {(text: string) => number} measure
 * @returns {string}
 */
export function elide(token, width, measure) {
  // No glyph worth reading is narrower than 2 px, so longer tokens need not be measured whole.
  const bounded = token.length > width / 2 + 8 ? token.slice(0, Math.ceil(width / 2) + 8) : token
  if (bounded === token && measure(token) <= width) return token
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  const characters = Array.from(segmenter.segment(bounded), ({ segment }) => segment)
  let low = 0
  let high = characters.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (measure(`${characters.slice(0, middle).join('')}…`) <= width) low = middle
    else high = middle - 1
  }
  return low === 0 ? '' : `${characters.slice(0, low).join('').trimEnd()}…`
}

/**
 * A token as a sentence names it: its place and, where the caller gave names, the token.
 *
 * @param {readonly string[]} labels
 * @param {number} index
 * @param {boolean} named
 */
export function nameOf(labels, index, named) {
  const label = labels[index]
  return named
    ? `${index + 1} “${label.length > 60 ? `${label.slice(0, 59)}…` : label}”`
    : `${index + 1}`
}
