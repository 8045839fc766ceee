// Four floats at a time: the one file with intrinsics.
//
// Three implementations of the same few operations: WebAssembly SIMD, SSE2 (so that native tests
// under sanitizers run the very algorithms that ship) and plain C++ (ATTENTION_PORTABLE_SIMD forces
// it). They agree in every bit but one: `madd` rounds once where the machine fuses (relaxed SIMD,
// FMA) and twice elsewhere. Within one build it always does the same, and nothing else here rounds
// differently, which is what the KV cache's bit-for-bit promise stands on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "attention/tensor.h"

#if defined(__wasm_simd128__) && !defined(ATTENTION_PORTABLE_SIMD)
#include <wasm_simd128.h>
#define ATTENTION_WASM_SIMD 1
#elif defined(__SSE2__) && !defined(ATTENTION_PORTABLE_SIMD)
#include <immintrin.h>
#define ATTENTION_SSE 1
#endif

namespace attention {

/// Lanes in a vector.
inline constexpr int kLanes = 4;

#if defined(ATTENTION_WASM_SIMD)

struct F32x4 {
  v128_t v;
};
/// For each lane all ones (true) or all zeros (false).
struct Mask32x4 {
  v128_t v;
};

inline F32x4 load(const float* p) { return {wasm_v128_load(p)}; }
inline void store(float* p, F32x4 a) { wasm_v128_store(p, a.v); }
inline F32x4 splat(float x) { return {wasm_f32x4_splat(x)}; }
inline F32x4 load_splat(const float* p) { return {wasm_v128_load32_splat(p)}; }

inline F32x4 operator+(F32x4 a, F32x4 b) { return {wasm_f32x4_add(a.v, b.v)}; }
inline F32x4 operator-(F32x4 a, F32x4 b) { return {wasm_f32x4_sub(a.v, b.v)}; }
inline F32x4 operator*(F32x4 a, F32x4 b) { return {wasm_f32x4_mul(a.v, b.v)}; }

/// a·b + c.
inline F32x4 madd(F32x4 a, F32x4 b, F32x4 c) {
#if defined(__wasm_relaxed_simd__)
  return {wasm_f32x4_relaxed_madd(a.v, b.v, c.v)};
#else
  return {wasm_f32x4_add(wasm_f32x4_mul(a.v, b.v), c.v)};
#endif
}

/// The larger of each pair; where `x` is NaN, `best`: a running maximum that passes over NaN.
/// (f32x4.max, which keeps NaN, takes five times as long on x86.)
inline F32x4 running_max(F32x4 best, F32x4 x) { return {wasm_f32x4_pmax(best.v, x.v)}; }

inline Mask32x4 equal(F32x4 a, F32x4 b) { return {wasm_f32x4_eq(a.v, b.v)}; }
inline Mask32x4 less(F32x4 a, F32x4 b) { return {wasm_f32x4_lt(a.v, b.v)}; }
/// `yes` where the mask is set, `no` elsewhere, whatever either holds.
inline F32x4 select(Mask32x4 mask, F32x4 yes, F32x4 no) {
  return {wasm_v128_bitselect(yes.v, no.v, mask.v)};
}

/// 2ⁿ, where `shifted` is n + 1.5·2²³ and −126 ≤ n ≤ 127: the sum's low bits are n, to be moved
/// into the exponent's place.
inline F32x4 power_of_two(F32x4 shifted) {
  return {wasm_i32x4_add(wasm_i32x4_shl(shifted.v, 23), wasm_i32x4_splat(127 << 23))};
}

#elif defined(ATTENTION_SSE)

struct F32x4 {
  __m128 v;
};
struct Mask32x4 {
  __m128 v;
};

inline F32x4 load(const float* p) { return {_mm_loadu_ps(p)}; }
inline void store(float* p, F32x4 a) { _mm_storeu_ps(p, a.v); }
inline F32x4 splat(float x) { return {_mm_set1_ps(x)}; }
inline F32x4 load_splat(const float* p) { return splat(*p); }

inline F32x4 operator+(F32x4 a, F32x4 b) { return {_mm_add_ps(a.v, b.v)}; }
inline F32x4 operator-(F32x4 a, F32x4 b) { return {_mm_sub_ps(a.v, b.v)}; }
inline F32x4 operator*(F32x4 a, F32x4 b) { return {_mm_mul_ps(a.v, b.v)}; }

inline F32x4 madd(F32x4 a, F32x4 b, F32x4 c) {
#if defined(__FMA__)
  return {_mm_fmadd_ps(a.v, b.v, c.v)};
#else
  return a * b + c;
#endif
}

// maxps returns its second operand where either is NaN.
inline F32x4 running_max(F32x4 best, F32x4 x) { return {_mm_max_ps(x.v, best.v)}; }

inline Mask32x4 equal(F32x4 a, F32x4 b) { return {_mm_cmpeq_ps(a.v, b.v)}; }
inline Mask32x4 less(F32x4 a, F32x4 b) { return {_mm_cmplt_ps(a.v, b.v)}; }
inline F32x4 select(Mask32x4 mask, F32x4 yes, F32x4 no) {
  return {_mm_or_ps(_mm_and_ps(mask.v, yes.v), _mm_andnot_ps(mask.v, no.v))};
}

inline F32x4 power_of_two(F32x4 shifted) {
  const __m128i exponent = _mm_slli_epi32(_mm_castps_si128(shifted.v), 23);
  return {_mm_castsi128_ps(_mm_add_epi32(exponent, _mm_set1_epi32(127 << 23)))};
}

#else  // Plain C++: what the operations mean.

struct F32x4 {
  float v[kLanes];
};
struct Mask32x4 {
  bool v[kLanes];
};

template <typename Operation>
inline F32x4 each_lane(Operation operation) {
  return {{operation(0), operation(1), operation(2), operation(3)}};
}

inline F32x4 load(const float* p) { return {{p[0], p[1], p[2], p[3]}}; }
inline void store(float* p, F32x4 a) { std::memcpy(p, a.v, sizeof a.v); }
inline F32x4 splat(float x) { return {{x, x, x, x}}; }
inline F32x4 load_splat(const float* p) { return splat(*p); }

inline F32x4 operator+(F32x4 a, F32x4 b) {
  return each_lane([&](int i) { return a.v[i] + b.v[i]; });
}
inline F32x4 operator-(F32x4 a, F32x4 b) {
  return each_lane([&](int i) { return a.v[i] - b.v[i]; });
}
inline F32x4 operator*(F32x4 a, F32x4 b) {
  return each_lane([&](int i) { return a.v[i] * b.v[i]; });
}
inline F32x4 madd(F32x4 a, F32x4 b, F32x4 c) { return a * b + c; }

inline F32x4 running_max(F32x4 best, F32x4 x) {
  return each_lane([&](int i) { return best.v[i] < x.v[i] ? x.v[i] : best.v[i]; });
}

inline Mask32x4 equal(F32x4 a, F32x4 b) {
  return {{a.v[0] == b.v[0], a.v[1] == b.v[1], a.v[2] == b.v[2], a.v[3] == b.v[3]}};
}
inline Mask32x4 less(F32x4 a, F32x4 b) {
  return {{a.v[0] < b.v[0], a.v[1] < b.v[1], a.v[2] < b.v[2], a.v[3] < b.v[3]}};
}
inline F32x4 select(Mask32x4 mask, F32x4 yes, F32x4 no) {
  return each_lane([&](int i) { return mask.v[i] ? yes.v[i] : no.v[i]; });
}

inline F32x4 power_of_two(F32x4 shifted) {
  return each_lane([&](int i) {
    std::uint32_t bits;
    std::memcpy(&bits, &shifted.v[i], sizeof bits);
    bits = (bits << 23) + (127u << 23);
    float power;
    std::memcpy(&power, &bits, sizeof power);
    return power;
  });
}

#endif

/// Rows of a tile of two vectors that V8 keeps in 16 registers on x86: 12 accumulators, two vectors
/// of B and one of A are 15. Where madd is a product and a sum, the product takes one more.
#if defined(__wasm_relaxed_simd__) || defined(__FMA__)
inline constexpr int kFastestTileRows = 6;
#else
inline constexpr int kFastestTileRows = 5;
#endif

// ---- What follows is written in the operations above ----

/// The first `count` lanes of `a` (none if negative, at most all), `other` in the rest.
inline F32x4 keep_first(F32x4 a, std::ptrdiff_t count, F32x4 other) {
  const float lane_numbers[kLanes] = {0, 1, 2, 3};
  const std::ptrdiff_t kept = count < 0 ? 0 : (count > kLanes ? kLanes : count);
  return select(less(load(lane_numbers), splat(static_cast<float>(kept))), a, other);
}

/// The sum of the lanes, always in this order.
inline float lane_sum(F32x4 a) {
  float x[kLanes];
  store(x, a);
  return (x[0] + x[1]) + (x[2] + x[3]);
}

/// The largest lane that is not NaN; −∞ if there is none.
inline float lane_max(F32x4 a) {
  float x[kLanes];
  store(x, a);
  float best = -kInfinity;
  for (float lane : x) best = best < lane ? lane : best;
  return best;
}

}  // namespace attention
