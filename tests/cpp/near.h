// Element-wise comparison of float64 results with expected figures, for what is not judged by a
// norm: random numbers, counts, the reference.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace attention {

/// "[1, 0, 3]": where element `index` stands in a row-major array of this shape.
inline std::string place(std::size_t index, const std::vector<int>& shape) {
  std::string text = "]";
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    const auto extent = static_cast<std::size_t>(shape[axis]);
    text = std::to_string(index % extent) + text;
    if (axis > 0) text = ", " + text;
    index /= extent;
  }
  return "[" + text;
}

/// |actual − expected| / max(1, |expected|); 0 where both are the same infinity or both NaN, ∞
/// where only one of them is.
inline double deviation(double actual, double expected) {
  if (actual == expected || (std::isnan(actual) && std::isnan(expected))) return 0;
  const double difference = std::abs(actual - expected) / std::fmax(1, std::abs(expected));
  return std::isfinite(difference) ? difference : std::numeric_limits<double>::infinity();
}

/// Succeeds when no element deviates by more than `tolerance`; otherwise names the worst.
template <typename Actual>
testing::AssertionResult near(const Actual& actual, const std::vector<double>& expected,
                              const std::vector<int>& shape, double tolerance) {
  const auto elements = static_cast<std::size_t>(std::size(actual));
  if (elements != expected.size()) {
    return testing::AssertionFailure() << elements << " elements instead of " << expected.size();
  }
  std::size_t worst = 0;
  double worst_deviation = -1;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double d = deviation(static_cast<double>(actual[i]), expected[i]);
    if (d > worst_deviation) {
      worst = i;
      worst_deviation = d;
    }
  }
  if (worst_deviation <= tolerance) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << "worst at " << place(worst, shape) << ": " << testing::PrintToString(actual[worst])
         << " instead of " << testing::PrintToString(expected[worst]) << ", off by "
         << worst_deviation << ", allowed " << tolerance;
}

template <typename Actual>
testing::AssertionResult near(const Actual& actual, const std::vector<double>& expected,
                              double tolerance) {
  return near(actual, expected, {static_cast<int>(expected.size())}, tolerance);
}

}  // namespace attention
