// PCG64, NumPy's default bit generator: a 128-bit linear congruential generator whose state is
// folded to 64 bits and rotated (O'Neill's XSL-RR).
#pragma once

#include <cstdint>

namespace attention {

class Pcg64 {
 public:
  /// Seeded through SeedSequence, as np.random.default_rng(seed) does.
  explicit Pcg64(std::uint64_t seed);

  /// The next 64 random bits.
  std::uint64_t next();

 private:
  // Not ISO C++, but GCC and Clang have it on every target of this project, WebAssembly included.
  __extension__ using Wide = unsigned __int128;

  void step();

  Wide state_;
  Wide increment_;
};

}  // namespace attention
