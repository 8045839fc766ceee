/**
 * Equality that rounding does not blur.
 */

/**
 * How many numbers of two results have other bits: 0 says that they are the same, bit for bit. So −0 is not 0;
 * a NaN is a NaN.
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b as many; what one has more is different
 * @returns {number}
 */
export function differentBits(a, b) {
  let different = Math.abs(a.length - b.length)
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    if (!Object.is(a[index], b[index])) different++
  }
  return different
}

/**
 * max |aᵢ − bᵢ|
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b as many
 * @returns {number}
 */
export function largestDifference(a, b) {
  let largest = 0
  for (let index = 0; index < a.length; index++) {
    largest = Math.max(largest, Math.abs(a[index] - b[index]))
  }
  return largest
}
