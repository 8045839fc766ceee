// Comparison of float32 results with float64 expectations. A failure names the worst element.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "near.h"

namespace attention {

/// Half the distance from 1 to the next float32: the relative error of one rounding.
inline constexpr double kUnitRoundoff = 0.5 * std::numeric_limits<float>::epsilon();

inline const float kNaN = std::numeric_limits<float>::quiet_NaN();

/// `count` numbers in [−1, 1), the same everywhere for the same seed.
inline std::vector<float> random_floats(std::ptrdiff_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<float> numbers(static_cast<std::size_t>(count));
  for (float& x : numbers) {
    x = static_cast<float>(static_cast<std::int32_t>(generator()) >> 8) / 8388608.0f;
  }
  return numbers;
}

inline std::vector<double> doubles(const std::vector<float>& numbers) {
  return {numbers.begin(), numbers.end()};
}

/// Each element within a tolerance of its own, e.g. the rounding-error bound of its sum. NaN is
/// near NaN only.
inline testing::AssertionResult is_near(const std::vector<float>& actual,
                                        const std::vector<double>& expected,
                                        const std::vector<double>& tolerance,
                                        const std::vector<int>& shape) {
  if (actual.size() != expected.size()) {
    return testing::AssertionFailure()
           << actual.size() << " elements instead of " << expected.size();
  }
  std::size_t worst = 0;
  double worst_ratio = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double x = actual[i];
    if (x == expected[i] || (std::isnan(x) && std::isnan(expected[i]))) continue;
    double ratio = std::abs(x - expected[i]) / tolerance[i];
    if (!std::isfinite(ratio)) ratio = std::numeric_limits<double>::infinity();
    if (ratio > worst_ratio) {
      worst = i;
      worst_ratio = ratio;
    }
  }
  if (worst_ratio <= 1) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << "worst at " << place(worst, shape) << ": " << testing::PrintToString(actual[worst])
         << " instead of " << testing::PrintToString(expected[worst]) << ", off by "
         << actual[worst] - expected[worst] << ", allowed " << tolerance[worst] << " ("
         << worst_ratio << " times as much)";
}

/// Norm-wise: ‖actual − expected‖ ≤ relative·‖expected‖ in the Frobenius norm. All must be finite.
inline testing::AssertionResult is_close(const std::vector<float>& actual,
                                         const std::vector<double>& expected,
                                         const std::vector<int>& shape, double relative = 1e-5) {
  if (actual.size() != expected.size()) {
    return testing::AssertionFailure()
           << actual.size() << " elements instead of " << expected.size();
  }
  std::size_t worst = 0;
  double worst_difference = 0, difference_squared = 0, expected_squared = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    double difference = std::abs(actual[i] - expected[i]);
    if (!std::isfinite(difference)) difference = std::numeric_limits<double>::infinity();
    difference_squared += difference * difference;
    expected_squared += expected[i] * expected[i];
    if (difference > worst_difference) {
      worst = i;
      worst_difference = difference;
    }
  }
  // A matrix of zeros has no norm to measure by; what comes out for it is rounding of ones.
  const double norm = expected_squared > 0 ? std::sqrt(expected_squared) : 1;
  const double error = std::sqrt(difference_squared) / norm;
  if (error <= relative) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << "relative error " << error << ", allowed " << relative << "; worst at "
         << place(worst, shape) << ": " << testing::PrintToString(actual[worst]) << " instead of "
         << testing::PrintToString(expected[worst]);
}

/// The same bits in every element: −0 is not +0 here, and NaN is NaN.
inline testing::AssertionResult is_same_bits(const float* actual, const float* expected,
                                             std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (std::isnan(actual[i]) && std::isnan(expected[i])) continue;
    if (std::memcmp(&actual[i], &expected[i], sizeof(float)) != 0) {
      return testing::AssertionFailure()
             << "element " << i << " of " << count << ": " << testing::PrintToString(actual[i])
             << " instead of " << testing::PrintToString(expected[i]) << ", "
             << actual[i] - expected[i] << " more";
    }
  }
  return testing::AssertionSuccess();
}

inline testing::AssertionResult is_same_bits(const std::vector<float>& actual,
                                             const std::vector<float>& expected) {
  if (actual.size() != expected.size()) {
    return testing::AssertionFailure()
           << actual.size() << " elements instead of " << expected.size();
  }
  return is_same_bits(actual.data(), expected.data(), actual.size());
}

}  // namespace attention
