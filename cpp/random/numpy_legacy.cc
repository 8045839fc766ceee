#include "random/numpy_legacy.h"

#include <cmath>

namespace attention {

double NumpyLegacy::random() {
  const double high = engine_.next() >> 5;
  const double low = engine_.next() >> 6;
  return (high * 67108864.0 + low) / 9007199254740992.0;
}

double NumpyLegacy::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  double x1, x2, r2;
  do {  // a point in the unit disc, its centre left out
    x1 = 2.0 * random() - 1.0;
    x2 = 2.0 * random() - 1.0;
    r2 = x1 * x1 + x2 * x2;
  } while (r2 >= 1.0 || r2 == 0.0);
  const double factor = std::sqrt(-2.0 * std::log(r2) / r2);
  spare_ = factor * x1;
  has_spare_ = true;
  return factor * x2;
}

void NumpyLegacy::random(std::span<double> out) {
  for (double& value : out) value = random();
}

void NumpyLegacy::normal(std::span<double> out, double mean, double std) {
  for (double& value : out) value = mean + std * normal();
}

}  // namespace attention
