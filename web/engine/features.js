/**
 * What this JavaScript engine's WebAssembly can do.
 */

// A function that swizzles a v128 by the relaxed opcode (0xFD 0x100). An engine that does not know
// it finds the whole module invalid, which is why there are two binaries.
const RELAXED_SIMD = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0, 65, 1, 253, 15,
  65, 2, 253, 15, 253, 128, 2, 11,
]

// The same with i8x16.swizzle (0xFD 14), of the first SIMD proposal.
const SIMD = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 14, 1, 12, 0, 65, 1, 253, 15,
  65, 2, 253, 15, 253, 14, 11,
]

/** Whether relaxed SIMD (fused multiply-add) is there. */
export function hasRelaxedSimd() {
  return validates(RELAXED_SIMD)
}

/** Whether 128-bit SIMD is there. */
export function hasSimd() {
  return validates(SIMD)
}

/** @param {number[]} bytes */
function validates(bytes) {
  return typeof WebAssembly === 'object' && WebAssembly.validate(Uint8Array.from(bytes))
}
