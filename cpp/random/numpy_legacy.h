// NumPy's legacy generator: what np.random.seed(s) followed by np.random.randn, normal, rand gives.
#pragma once

#include <cstdint>
#include <span>

#include "random/mt19937.h"

namespace attention {

class NumpyLegacy {
 public:
  explicit NumpyLegacy(std::uint32_t seed) : engine_(seed) {}

  /// Uniform in [0, 1), 53 bits: ((a >> 5)·2²⁶ + (b >> 6)) / 2⁵³ of two words a, b.
  double random();
  /// Standard normal by Marsaglia's polar method. It yields two at a time; the second is kept for
  /// the next call, also when uniforms are drawn in between.
  double normal();

  void random(std::span<double> out);
  /// mean + std·normal() each; randn is mean 0, std 1.
  void normal(std::span<double> out, double mean, double std);

 private:
  Mt19937 engine_;
  bool has_spare_ = false;
  double spare_ = 0;
};

}  // namespace attention
