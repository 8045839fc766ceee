// NumPy's SeedSequence: spreads a small seed over as many well mixed bits as a generator asks for
// (after M. E. O'Neill's seed_seq).
#pragma once

#include <array>
#include <cstdint>

namespace attention {

class SeedSequence {
 public:
  /// Mixes the 32-bit words of `seed`, least significant first, into a pool of four words.
  explicit SeedSequence(std::uint64_t seed);

  /// Four 64-bit words: what PCG64 is seeded with.
  std::array<std::uint64_t, 4> generate() const;

 private:
  std::array<std::uint32_t, 4> pool_;
};

}  // namespace attention
