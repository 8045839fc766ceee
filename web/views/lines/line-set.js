/**
 * Which lines are drawn. Millions of weights are no picture: only lines that can be seen are kept, and of
 * these as many as can be told apart, the strongest first.
 */
import { LEAST_SEEN, MOST_STRENGTH, strengthOf } from './line-scale.js'

/**
 * @import { AttentionData } from '../attention-data.js'
 * @import { Domain } from '../domain.js'
 * @typedef {object} Pairs  which pairs of query and key are looked at
 * @property {readonly number[]} planes
 * @property {number | null} query  this one's alone
 * @property {number | null} key  or this one's alone
 *
 * @typedef {object} Rule  which weights have a line
 * @property {Domain} domain
 * @property {boolean} [diverging]
 * @property {number} [threshold]  weights of a smaller magnitude have none
 * @property {number} [most]  how many lines there may be
 *
 * @typedef {object} LineSet
 * @property {Int32Array} cells  places in the data of the weights that have a line, the weakest first
 * @property {Int32Array} nan  places of values that are not numbers, as many as are drawn
 * @property {number} pairs  weights looked at: neither masked nor NaN
 * @property {number} nanPairs
 * @property {boolean} thinned  whether lines that could be seen are left out
 * @property {boolean} sampled  whether most lines are a sample of equally strong ones
 * @property {number} drawnSum  of the weights that have a line
 * @property {number} least  the smallest magnitude that has a line; NaN without lines
 *
 * @typedef {object} Counted
 * @property {Int32Array} counts  of each strength from `cut` on
 * @property {number} cut  the weakest strength that is drawn, as far as there is room
 * @property {number} taken  how many of the weakest
 * @property {boolean} thinned
 * @property {number} pairs
 * @property {number} nanPairs
 */

/** More lines than these are a grey mass, and slow. */
export const MOST_LINES = 2000
/** Its multiples, modulo 1, spread a sample evenly, without the stripes of 'every n-th'. */
const GOLDEN = (Math.sqrt(5) - 1) / 2

/**
 * @param {AttentionData} attention
 * @param {Pairs} pairs
 * @param {Rule} rule
 * @returns {LineSet}
 */
export function pickLines(attention, pairs, rule) {
  const whole = { diverging: false, threshold: 0, most: MOST_LINES, ...rule }
  const counted = countStrengths(attention, pairs, whole)
  const { cut, taken, counts, thinned, nanPairs } = counted
  return {
    ...collect(attention, pairs, whole, counted),
    ...{ pairs: counted.pairs, nanPairs, thinned },
    sampled: taken < counts[cut] && 2 * taken > whole.most,
  }
}

/**
 * Finds how strong a line must be. As the strongest are found the mark rises, and most weights fail it at
 * the first comparison.
 *
 * @param {AttentionData} attention
 * @param {Pairs} pairs
 * @param {Required<Rule>} rule
 * @returns {Counted}
 */
function countStrengths(attention, pairs, { domain, diverging, threshold, most }) {
  const { data, masked } = attention
  const counts = new Int32Array(MOST_STRENGTH + 1)
  let cut = LEAST_SEEN
  let above = 0
  let { low, high } = weakerThan(cut, domain, diverging)
  let all = 0
  let left = 0
  let nans = 0
  for (const { start, end, step } of runs(attention, pairs)) {
    all += Math.ceil((end - start) / step)
    for (let index = start; index < end; index += step) {
      if (masked !== null && masked[index] === 1) {
        left++
        continue
      }
      const value = data[index]
      if (value > low && value < high) continue
      if (value !== value) {
        nans++
        continue
      }
      const strength = strengthOf(value, domain, diverging)
      if (strength < cut || Math.abs(value) < threshold) continue
      counts[strength]++
      if (strength === cut || ++above <= most) continue
      while (above > most) above -= counts[++cut]
      ;({ low, high } = weakerThan(cut, domain, diverging))
    }
  }
  // A mark that has risen has left lines behind.
  const taken = Math.min(counts[cut], most - above)
  const thinned = cut > LEAST_SEEN || taken < counts[cut]
  return { counts, cut, taken, thinned, pairs: all - left - nans, nanPairs: nans }
}

/**
 * Sorts what has a line by its strength: each strength has its places, as many as it counted.
 *
 * @param {AttentionData} attention
 * @param {Pairs} pairs
 * @param {Required<Rule>} rule
 * @param {Counted} counted
 */
function collect(attention, pairs, rule, { counts, cut, taken, nanPairs }) {
  const { data, masked } = attention
  const { domain, diverging, threshold, most } = rule
  const next = new Int32Array(MOST_STRENGTH + 2)
  for (let strength = cut; strength <= MOST_STRENGTH; strength++) {
    next[strength + 1] = next[strength] + (strength === cut ? taken : counts[strength])
  }
  const cells = new Int32Array(next[MOST_STRENGTH + 1])
  const firstStronger = next[cut + 1]
  const share = taken / counts[cut]
  const nan = new Int32Array(Math.min(nanPairs, most))
  const { low, high } = weakerThan(cut, domain, diverging)
  let nans = 0
  let drawnSum = 0
  let least = Number.NaN
  let candidate = 0
  for (const { start, end, step } of runs(attention, pairs)) {
    for (let index = start; index < end; index += step) {
      const value = data[index]
      if (value > low && value < high) continue
      if (masked !== null && masked[index] === 1) continue
      if (value !== value) {
        if (nans < nan.length) nan[nans++] = index
        continue
      }
      const magnitude = Math.abs(value)
      const strength = strengthOf(value, domain, diverging)
      if (strength < cut || magnitude < threshold) continue
      if (strength === cut) {
        if ((candidate++ * GOLDEN) % 1 >= share || next[cut] === firstStronger) continue
      }
      cells[next[strength]++] = index
      drawnSum += value
      if (!(magnitude >= least)) least = magnitude
    }
  }
  // A sample may come out a line or two short of its places.
  const short = firstStronger - next[cut]
  cells.copyWithin(next[cut], firstStronger)
  return { cells: cells.subarray(0, cells.length - short), nan, drawnSum, least }
}

/**
 * Values that are certainly too weak, found by a comparison rather than by their strength: those between
 * the two.
 *
 * @param {number} strength
 * @param {Domain} domain
 * @param {boolean} diverging
 */
function weakerThan(strength, [low, high], diverging) {
  // Half a step is the rounding's, half a step is to spare.
  const steps = (strength - 1) / MOST_STRENGTH
  if (!diverging) return { low: -Infinity, high: low + steps * (high - low) }
  const middle = (low + high) / 2
  const reach = (steps * (high - low)) / 2
  return { low: middle - reach, high: middle + reach }
}

/**
 * Where the pairs' weights stand in the data.
 *
 * @param {{ queries: number, keys: number }} sizes
 * @param {Pairs} pairs
 * @returns {{ start: number, end: number, step: number }[]}
 */
function runs({ queries, keys }, { planes, query, key }) {
  return planes.map((plane) => {
    const start = plane * queries * keys
    const end = start + queries * keys
    if (query !== null) {
      return { start: start + query * keys, end: start + (query + 1) * keys, step: 1 }
    }
    return key === null ? { start, end, step: 1 } : { start: start + key, end, step: keys }
  })
}
