/**
 * Equality that rounding does not blur.
 */

/**
 * How many numbers of two float32 results have other bits: 0 says that they are the same, bit for bit. So −0
 * is not 0, and a NaN is itself.
 * @param {Float32Array} a
 * @param {Float32Array} b as many
 * @returns {number}
 */
export function differentBits(a, b) {
  const [left, right] = [bitsOf(a), bitsOf(b)]
  let different = Math.abs(left.length - right.length)
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    if (left[index] !== right[index]) different++
  }
  return different
}

/** @param {Float32Array} values */
function bitsOf({ buffer, byteOffset, length }) {
  return new Uint32Array(buffer, byteOffset, length)
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
