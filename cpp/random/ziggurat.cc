#include "random/ziggurat.h"

#include <cmath>
#include <numbers>

namespace attention {
namespace {

double density(double x) { return std::exp(-0.5 * x * x); }

std::uint64_t whole(double value) { return static_cast<std::uint64_t>(std::floor(value)); }

}  // namespace

Ziggurat::Ziggurat() {
  constexpr double r = kTail;
  constexpr double kScale = 4503599627370496.0;  // 2⁵²
  const double tail_area = std::sqrt(std::numbers::pi / 2) * std::erfc(r / std::numbers::sqrt2);
  const double area = r * density(r) + tail_area;

  // The lowest layer is a rectangle of the same area V and height f(r); what is drawn beyond r
  // stands for the tail.
  width[0] = area / density(r) / kScale;
  limit[0] = whole(r * density(r) / area * kScale);
  height[0] = 1;

  double x = r;
  for (int i = kLayers - 1; i >= 1; --i) {
    width[i] = x / kScale;
    height[i] = density(x);
    // Above the top layer there is none to the left of which a point would be safe.
    const double above = i > 1 ? std::sqrt(-2 * std::log(area / x + density(x))) : 0;
    limit[i] = whole(above / x * kScale);
    x = above;
  }
}

const Ziggurat& Ziggurat::tables() {
  static const Ziggurat tables;
  return tables;
}

}  // namespace attention
