// The ziggurat (Marsaglia and Tsang, 2000): the normal density covered by 256 layers of equal area.
//
// NumPy ships the tables as constants; here they are made from their definition. Layer i has its
// right edge at x_i, x_255 = r, and every layer the area V, the lowest (0) with the tail beyond r:
//
//   f(x) = exp(−x²/2),   V = r·f(r) + ∫_r^∞ f,   x_{i−1} = √(−2 ln(V/x_i + f(x_i)))
//
// A layer is drawn with 8 bits and a place in it with 52 more. A place left of the layer above
// (below limit_i) is under the curve for certain.
#pragma once

#include <array>
#include <cstdint>

namespace attention {

struct Ziggurat {
  static constexpr int kLayers = 256;
  /// r for 256 layers: where V, computed downwards, closes the pile at x = 0.
  static constexpr double kTail = 3.6541528853610087963519472518;

  std::array<double, kLayers> width;         ///< w_i: x = bits·w_i, bits < 2⁵²
  std::array<std::uint64_t, kLayers> limit;  ///< k_i: bits below are under the curve
  std::array<double, kLayers> height;        ///< f(x_i), with f(x_0) = 1 for the top

  /// The tables, made on first use.
  static const Ziggurat& tables();

 private:
  Ziggurat();
};

}  // namespace attention
