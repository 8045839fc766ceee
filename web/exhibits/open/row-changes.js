/**
 * What can be done with rows of attention before they are drawn: tokens taken out, small weights set to 0, what is
 * left divided by its sum.
 *
 * @typedef {object} Changes
 * @property {readonly number[]} queries rows that stay, ascending
 * @property {readonly number[]} keys columns that stay, ascending
 * @property {number} mass share of a row's sum that its largest weights have to reach; others become 0
 * @property {boolean} renormalize whether rows from which something was taken are divided by their sum
 */

/**
 * Changes rows that are all to stay.
 *
 * @param {Float32Array | Float64Array} data (rows, M), not written to
 * @param {number} columns M
 * @param {Omit<Changes, 'queries'>} changes
 * @returns {Float32Array | Float64Array} (rows, keys.length); `data` itself where nothing changes
 */
export function changeRows(data, columns, { keys, mass, renormalize }) {
  const isWhole = keys.length === columns
  if (isWhole && mass >= 1) return data
  const rows = data.length / columns
  const width = keys.length
  const changed = new Float64Array(rows * width)
  for (let row = 0; row < rows; row++) {
    const own = changed.subarray(row * width, (row + 1) * width)
    for (let i = 0; i < width; i++) own[i] = data[row * columns + keys[i]]
    if (mass < 1) keepLargest(own, mass)
    if (renormalize) divideBySum(own)
  }
  return changed
}

/** Weights that are rounded to float32 may miss a share that they reach. */
const ROUNDING = 2 ** -20

/**
 * Sets to 0 what is smaller than the weights which together reach a share of the row's sum. Equal ones stay together.
 *
 * @param {Float64Array} row changed in place; one with negative or other numbers than weights stays as it is
 * @param {number} mass
 */
export function keepLargest(row, mass) {
  const sum = sumOf(row)
  if (!(sum > 0) || !Number.isFinite(sum) || row.some((weight) => weight < 0)) return
  const enough = mass * sum * (1 - ROUNDING)
  const ascending = row.slice().sort()
  let reached = 0
  let at = ascending.length
  while (at > 0 && reached < enough) reached += ascending[--at]
  const least = ascending[at] ?? 0
  for (let i = 0; i < row.length; i++) if (row[i] < least) row[i] = 0
}

/** @param {Float64Array} row */
function divideBySum(row) {
  const sum = sumOf(row)
  if (!(sum > 0) || !Number.isFinite(sum)) return
  for (let i = 0; i < row.length; i++) row[i] /= sum
}

/** @param {ArrayLike<number>} row */
function sumOf(row) {
  let sum = 0
  for (let i = 0; i < row.length; i++) sum += row[i]
  return sum
}

/** What tokenizers of the known models add to a text. */
const SPECIAL =
  /^(\[(CLS|SEP|PAD|MASK|UNK|BOS|EOS)\]|<\/?s>|<(pad|unk|mask|bos|eos|cls|sep)>|<[|｜].*[|｜]>)$/s

/**
 * The special ones among tokens.
 *
 * @param {readonly (readonly string[])[]} lists
 * @param {ReadonlySet<string>} [known] those that a tokenizer says are
 * @returns {{ text: string, count: number }[]} in order of appearance; `count` in the first list that has it
 */
export function specialTokens(lists, known = new Set()) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const tokens of lists) {
    const before = new Set(counts.keys())
    for (const text of tokens) {
      if (before.has(text) || !(known.has(text) || SPECIAL.test(text))) continue
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
  }
  return Array.from(counts, ([text, count]) => ({ text, count }))
}

/**
 * @param {number} count of rows or columns
 * @param {readonly string[] | null} tokens
 * @param {readonly string[]} leftOut texts
 * @returns {number[]} those that stay
 */
export function stayingPlaces(count, tokens, leftOut) {
  const places = Array.from({ length: count }, (_, place) => place)
  return tokens ? places.filter((place) => !leftOut.includes(tokens[place])) : places
}
