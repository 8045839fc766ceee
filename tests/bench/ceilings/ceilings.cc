// What the machine could do at most, in the variant that this is compiled for: multiply-adds that stay in registers,
// and copies. Compiled on its own, for the benchmark alone.
#include <wasm_simd128.h>

#include <cstring>

namespace {

/// V8 compiles no more than 8 accumulators to registers on x86 with the operands beside them.
constexpr int kAccumulators = 8;

v128_t multiply_add(v128_t a, v128_t b, v128_t c) {
#ifdef __wasm_relaxed_simd__
  return wasm_f32x4_relaxed_madd(a, b, c);
#else
  return wasm_f32x4_add(wasm_f32x4_mul(a, b), c);
#endif
}

alignas(16) char memory[2][1 << 24];

}  // namespace

extern "C" {

/// `count` rounds of 8 multiply-adds of 4 lanes: 64 FLOPs a round. Called often, so that V8 optimises it.
[[clang::export_name("multiplyAdds")]] float multiply_adds(int count, float seed) {
  v128_t sums[kAccumulators];
  for (int i = 0; i < kAccumulators; ++i) sums[i] = wasm_f32x4_splat(seed + static_cast<float>(i));
  const v128_t factor = wasm_f32x4_splat(seed * 0.999999f);
  for (int round = 0; round < count; ++round) {
    for (v128_t& sum : sums) sum = multiply_add(sum, factor, factor);
  }
  v128_t total = sums[0];
  for (int i = 1; i < kAccumulators; ++i) total = wasm_f32x4_add(total, sums[i]);
  return wasm_f32x4_extract_lane(total, 0);
}

/// Copies 16 MB, more than a cache holds.
[[clang::export_name("copy")]] int copy(int direction) {
  std::memcpy(memory[direction & 1], memory[1 - (direction & 1)], sizeof memory[0]);
  return memory[direction & 1][0];
}
}
