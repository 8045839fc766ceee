/** Colours that a series can have: rules in the charts' style sheet. */
const COLORS = 4

/**
 * @param {{ color?: number }} series
 * @param {number} place in the list of all series
 * @returns {string} a colour for CSS
 */
export function seriesColor({ color }, place) {
  return `var(--series-${(color ?? place) % COLORS})`
}
