/**
 * Where a logarithmic axis is marked: at powers of ten, or closer where there are few of them. Lines at each of
 * 2, 3 … 9 between two powers would say less than they hide.
 */

/** More marks than these lie too close on an axis of a chart's height. */
const MOST = 7

/**
 * @param {number} low > 0
 * @param {number} high >= low
 * @returns {number[]} ascending, none beyond the two
 */
export function logTicks(low, high) {
  // Ends that are powers of ten belong to the axis in spite of rounding.
  const [from, to] = [Math.log10(low) - 1e-9, Math.log10(high) + 1e-9]
  const steps = to - from < 2 ? [1, 2, 5] : [1]
  const every = Math.ceil((to - from) / MOST)
  /** @type {number[]} */
  const ticks = []
  for (let power = Math.floor(from); power <= Math.ceil(to); power++) {
    if (power % every !== 0) continue
    for (const step of steps) {
      const tick = Number(`${step}e${power}`)
      if (Math.log10(tick) >= from && Math.log10(tick) <= to) ticks.push(tick)
    }
  }
  return ticks
}

/**
 * The whole powers of ten around what a logarithm can show of some numbers.
 *
 * @param {Iterable<number>} values
 * @returns {[number, number]} 1 and 10 where there is nothing to show
 */
export function logDomain(values) {
  let [low, high] = [Infinity, 0]
  for (const value of values) {
    if (!(value > 0 && value < Infinity)) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (high === 0) return [1, 10]
  const from = Math.floor(Math.log10(low))
  const to = Math.max(from + 1, Math.ceil(Math.log10(high)))
  return [Number(`1e${from}`), Number(`1e${to}`)]
}

const compact = new Intl.NumberFormat('en', { notation: 'compact' })

/** @param {number} value @returns {string} such as 0.01, 100 and 10K */
export function formatTick(value) {
  return value < 1e4 ? String(value).replace('-', '−') : compact.format(value)
}
