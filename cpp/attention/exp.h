// eˣ for x ≤ 0, four at a time: the exponentials of a softmax.
//
//   x in [−87, 0]   relative error below 1.9e-7 (1.7e-7 where madd fuses)
//   x = 0           exactly 1
//   x < −87         exactly 0, also for −∞: a masked score weighs nothing
//   NaN             NaN
//
// e⁻⁸⁷ is 1.6e-38, the last round figure whose exponential is a normal float32.
#pragma once

#include "attention/simd.h"

namespace attention {

/// Below this the exponential is taken to be 0.
inline constexpr float kExpCutOff = -87.0f;

/// eˣ = 2ⁿ·eʳ with n = round(x / ln 2) and r = x − n·ln 2 in ±ln 2 / 2.
inline F32x4 exp_nonpositive(F32x4 x) {
  // Adding 1.5·2²³ leaves no bits for a fraction: the sum is x / ln 2 rounded, its low bits n.
  const F32x4 shift = splat(12582912.0f);
  const F32x4 shifted = madd(x, splat(1.44269504f), shift);
  const F32x4 n = shifted - shift;

  // ln 2 in two parts: the first has so few bits that n times it is exact.
  F32x4 r = madd(n, splat(-0.693359375f), x);
  r = madd(n, splat(2.12194440e-4f), r);

  // 1 + c₁r + … + c₅r⁵, the c fitted to the least largest relative error on ±ln 2 / 2, which is
  // 9.2e-8; with the first term fixed e⁰ is exact.
  F32x4 power = splat(8.290315108e-3f);
  power = madd(power, r, splat(4.189793364e-2f));
  power = madd(power, r, splat(1.666763622e-1f));
  power = madd(power, r, splat(4.999914950e-1f));
  power = madd(power, r, splat(9.999997072e-1f));
  power = madd(power, r, splat(1.0f));

  // By select: a clamped argument would leave 1e-38 where a masked score must leave 0.
  return select(less(x, splat(kExpCutOff)), splat(0.0f), power * power_of_two(shifted));
}

/// The same for one number, and the same bits as in a vector.
inline float exp_nonpositive(float x) {
  float lanes[kLanes];
  store(lanes, exp_nonpositive(splat(x)));
  return lanes[0];
}

}  // namespace attention
