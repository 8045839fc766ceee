#include "random/numpy_generator.h"

#include <cmath>

#include "random/ziggurat.h"

namespace attention {

double NumpyGenerator::random() {
  return static_cast<double>(engine_.next() >> 11) / 9007199254740992.0;
}

double NumpyGenerator::normal() {
  const Ziggurat& ziggurat = Ziggurat::tables();
  for (;;) {
    // From the low end: 8 bits choose the layer, one the sign, 52 the place.
    const std::uint64_t word = engine_.next();
    const auto layer = static_cast<int>(word & 0xff);
    const bool is_negative = (word >> 8 & 1) != 0;
    const std::uint64_t place = (word >> 9) & 0xfffffffffffffu;

    const double distance = static_cast<double>(place) * ziggurat.width[layer];
    const double x = is_negative ? -distance : distance;
    if (place < ziggurat.limit[layer]) return x;
    if (layer == 0) return tail(place);
    // Between the layer above and the curve's edge: a height drawn within the layer decides.
    const double bottom = ziggurat.height[layer];
    const double layer_height = ziggurat.height[layer - 1] - bottom;
    if (layer_height * random() + bottom < std::exp(-0.5 * x * x)) return x;
  }
}

// Beyond r, by Marsaglia's method for the tail; a bit of the place gives the sign.
double NumpyGenerator::tail(std::uint64_t place) {
  constexpr double r = Ziggurat::kTail;
  for (;;) {
    const double beyond = -std::log1p(-random()) / r;
    const double height = -std::log1p(-random());
    if (height + height > beyond * beyond) {
      return (place >> 8 & 1) != 0 ? -(r + beyond) : r + beyond;
    }
  }
}

void NumpyGenerator::random(std::span<double> out) {
  for (double& value : out) value = random();
}

void NumpyGenerator::normal(std::span<double> out, double mean, double std) {
  for (double& value : out) value = mean + std * normal();
}

}  // namespace attention
