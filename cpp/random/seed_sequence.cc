#include "random/seed_sequence.h"

namespace attention {
namespace {

/// A multiplicative hash whose constant moves on with every word hashed.
struct Hash {
  std::uint32_t constant;
  std::uint32_t multiplier;

  std::uint32_t operator()(std::uint32_t word) {
    word ^= constant;
    constant *= multiplier;
    word *= constant;
    return word ^ (word >> 16);
  }
};

std::uint32_t mix(std::uint32_t x, std::uint32_t y) {
  const std::uint32_t mixed = 0xca01f9ddu * x - 0x4973f715u * y;
  return mixed ^ (mixed >> 16);
}

}  // namespace

SeedSequence::SeedSequence(std::uint64_t seed) {
  // A seed below 2³² is one word and the rest of the pool is filled with zeros, so it is the same
  // as two words of which the second is 0.
  Hash hash{0x43b0d7e5u, 0x931e8875u};
  pool_[0] = hash(static_cast<std::uint32_t>(seed));
  pool_[1] = hash(static_cast<std::uint32_t>(seed >> 32));
  pool_[2] = hash(0);
  pool_[3] = hash(0);
  for (int from = 0; from < 4; ++from) {
    for (int to = 0; to < 4; ++to) {
      if (from != to) pool_[to] = mix(pool_[to], hash(pool_[from]));
    }
  }
}

std::array<std::uint64_t, 4> SeedSequence::generate() const {
  Hash hash{0x8b51f9ddu, 0x58f38dedu};
  std::array<std::uint64_t, 4> words{};
  for (int i = 0; i < 4; ++i) {
    const std::uint64_t low = hash(pool_[(2 * i) % 4]);
    const std::uint64_t high = hash(pool_[(2 * i + 1) % 4]);
    words[i] = (high << 32) | low;
  }
  return words;
}

}  // namespace attention
