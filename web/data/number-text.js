/**
 * Numbers as text.
 */

/**
 * The shortest decimal text that reads back as the same number of its kind: 0.1 for the float32 that is nearest
 * to it, which is 0.10000000149011612 as a float64.
 *
 * @param {number} value
 * @param {boolean} [isFloat32]
 * @returns {string} also 'NaN', 'Infinity', '-Infinity' and '-0'
 */
export function numberText(value, isFloat32 = false) {
  if (Object.is(value, -0)) return '-0'
  if (!isFloat32 || !Number.isFinite(value)) return String(value)
  // Nine digits always do. A text of more digits is nearer, so the fewest can be searched for by halving.
  let low = 1
  let high = 9
  while (low < high) {
    const digits = (low + high) >> 1
    if (Math.fround(Number(value.toPrecision(digits))) === value) high = digits
    else low = digits + 1
  }
  return String(Number(value.toPrecision(high)))
}
