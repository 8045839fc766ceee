// NumPy's Generator: what np.random.default_rng(seed).random and .normal give.
#pragma once

#include <cstdint>
#include <span>

#include "random/pcg64.h"

namespace attention {

class NumpyGenerator {
 public:
  explicit NumpyGenerator(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in [0, 1): the upper 53 bits of a word.
  double random();
  /// Standard normal by the ziggurat.
  double normal();

  void random(std::span<double> out);
  /// mean + std·normal() each.
  void normal(std::span<double> out, double mean, double std);

 private:
  double tail(std::uint64_t place);

  Pcg64 engine_;
};

}  // namespace attention
