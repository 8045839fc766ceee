#include "random/pcg64.h"

#include <bit>

#include "random/seed_sequence.h"

namespace attention {

Pcg64::Pcg64(std::uint64_t seed) {
  const auto words = SeedSequence(seed).generate();
  const Wide start = (Wide{words[0]} << 64) | words[1];
  const Wide stream = (Wide{words[2]} << 64) | words[3];
  increment_ = (stream << 1) | 1;  // odd, so that the generator has its full period
  state_ = 0;
  step();
  state_ += start;
  step();
}

void Pcg64::step() {
  constexpr Wide kMultiplier = (Wide{0x2360ed051fc65da4u} << 64) | 0x4385df649fccf645u;
  state_ = state_ * kMultiplier + increment_;
}

std::uint64_t Pcg64::next() {
  step();
  const auto high = static_cast<std::uint64_t>(state_ >> 64);
  const auto low = static_cast<std::uint64_t>(state_);
  return std::rotr(high ^ low, static_cast<int>(high >> 58));
}

}  // namespace attention
