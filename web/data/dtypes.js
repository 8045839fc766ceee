/**
 * Kinds of numbers, and how their bytes become numbers of JavaScript.
 *
 * @typedef {'bool' | 'int8' | 'uint8' | 'int16' | 'uint16' | 'int32' | 'uint32' | 'int64' | 'uint64'
 *   | 'float16' | 'bfloat16' | 'float32' | 'float64'} Dtype
 * @typedef {Float32Array | Float64Array | Uint8Array} NumberArray
 */

/** @type {Record<Dtype, number>} bytes of one number */
export const WIDTHS = {
  bool: 1,
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  int64: 8,
  uint64: 8,
  float16: 2,
  bfloat16: 2,
  float32: 4,
  float64: 8,
}

const VIEWS = {
  bool: Uint8Array,
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  float16: Uint16Array,
  bfloat16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
}

/** Of more bits than a float32 has. @type {readonly Dtype[]} */
const WIDE = ['int32', 'uint32', 'int64', 'uint64', 'float64']

/**
 * What numbers of a kind are kept in: the smallest of the package's three that loses nothing (but for whole
 * numbers above 2⁵³, which are rounded). A Uint8Array holds booleans, as in every tensor here.
 *
 * @param {Dtype} dtype
 */
export function arrayTypeOf(dtype) {
  if (dtype === 'bool') return Uint8Array
  return WIDE.includes(dtype) ? Float64Array : Float32Array
}

/**
 * @param {Uint8Array} bytes whole numbers of them
 * @param {{ dtype: Dtype, littleEndian: boolean }} kind
 * @param {NumberArray} target of `arrayTypeOf(dtype)`
 * @param {number} at where in the target they go
 */
export function decodeNumbers(bytes, { dtype, littleEndian }, target, at) {
  const width = WIDTHS[dtype]
  // WebAssembly, and every machine with a browser, has the lowest byte first.
  const ordered = littleEndian || width === 1 ? bytes : swapped(bytes, width)
  const { buffer, byteOffset, length } = aligned(ordered, width)
  if (dtype === 'int64' || dtype === 'uint64') {
    decodeHalves(/** @type {ArrayBuffer} */ (buffer), byteOffset, length, dtype, target, at)
    return
  }
  const numbers = new VIEWS[dtype](/** @type {ArrayBuffer} */ (buffer), byteOffset, length / width)
  if (dtype === 'float16') {
    const values = float16Values()
    for (let i = 0; i < numbers.length; i++) target[at + i] = values[numbers[i]]
  } else if (dtype === 'bfloat16') {
    // The upper half of a float32.
    const bits = new Uint32Array(numbers.length)
    for (let i = 0; i < bits.length; i++) bits[i] = numbers[i] << 16
    target.set(new Float32Array(bits.buffer), at)
  } else if (dtype === 'bool') {
    for (let i = 0; i < numbers.length; i++) target[at + i] = Number(numbers[i] !== 0)
  } else {
    target.set(numbers, at)
  }
}

/**
 * 64-bit whole numbers from two halves: a BigInt each would be garbage at once. The sum rounds once, to the
 * nearest number.
 *
 * @param {ArrayBuffer} buffer
 * @param {number} offset
 * @param {number} bytes
 * @param {'int64' | 'uint64'} dtype
 * @param {NumberArray} target
 * @param {number} at
 */
function decodeHalves(buffer, offset, bytes, dtype, target, at) {
  const low = new Uint32Array(buffer, offset, bytes / 4)
  const high = dtype === 'int64' ? new Int32Array(buffer, offset, bytes / 4) : low
  for (let i = 0; i < low.length; i += 2) target[at + i / 2] = high[i + 1] * 2 ** 32 + low[i]
}

/** @param {Uint8Array} bytes @param {number} width */
function aligned(bytes, width) {
  return bytes.byteOffset % width === 0 ? bytes : bytes.slice()
}

/** The bytes of each number in opposite order. @param {Uint8Array} bytes @param {number} width */
function swapped(bytes, width) {
  const result = new Uint8Array(bytes.length)
  for (let i = 0; i < bytes.length; i += width) {
    for (let j = 0; j < width; j++) result[i + j] = bytes[i + width - 1 - j]
  }
  return result
}

/** @type {Float32Array | undefined} */
let ofFloat16

/** The number of each of the 2¹⁶ float16. */
function float16Values() {
  if (ofFloat16) return ofFloat16
  const values = new Float32Array(2 ** 16)
  for (let bits = 0; bits < values.length; bits++) {
    const exponent = (bits >> 10) & 31
    const fraction = bits & 1023
    const size =
      exponent === 31
        ? fraction === 0
          ? Infinity
          : NaN
        : exponent === 0
          ? fraction * 2 ** -24
          : (1024 + fraction) * 2 ** (exponent - 25)
    values[bits] = bits >> 15 ? -size : size
  }
  return (ofFloat16 = values)
}
