/**
 * Arrays on their way between Python and the page: one trait `{ shape, dtype, bytes }`, so that numbers never
 * meet another array's shape, with the bytes apart from the JSON around them.
 *
 * @typedef {{ shape: number[], dtype: 'float32' | 'float64' | 'bool', bytes: DataView }} TensorTrait
 */

/** Booleans are bytes, as in the engine's masks. */
const ARRAYS = { float32: Float32Array, float64: Float64Array, bool: Uint8Array }

/**
 * @param {TensorTrait | null | undefined} trait
 * @returns {{ data: Float32Array | Float64Array | Uint8Array, shape: number[] } | null} with numbers of its own
 */
export function tensorOf(trait) {
  if (!trait) return null
  const { shape, dtype, bytes } = trait
  const Numbers = ARRAYS[dtype]
  if (!Numbers)
    throw new TypeError(`an array of ${dtype} came; it had to be float32, float64 or bool`)
  // Copied: the bytes may begin anywhere in their buffer, and the host may use it again.
  const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  return { data: new Numbers(/** @type {ArrayBuffer} */ (copy)), shape: [...shape] }
}
