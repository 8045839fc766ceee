#include "random/mt19937.h"

namespace attention {
namespace {

constexpr int kShift = 397;  // m of the recurrence x_{k+n} = x_{k+m} ⊕ (upper bit | lower bits)·A

}  // namespace

Mt19937::Mt19937(std::uint32_t seed) {
  state_[0] = seed;
  for (int i = 1; i < kWords; ++i) {
    const std::uint32_t previous = state_[i - 1];
    state_[i] = 1812433253u * (previous ^ (previous >> 30)) + static_cast<std::uint32_t>(i);
  }
}

void Mt19937::refill() {
  for (int i = 0; i < kWords; ++i) {
    const std::uint32_t joined =
        (state_[i] & 0x80000000u) | (state_[(i + 1) % kWords] & 0x7fffffffu);
    state_[i] =
        state_[(i + kShift) % kWords] ^ (joined >> 1) ^ ((joined & 1u) != 0 ? 0x9908b0dfu : 0u);
  }
  position_ = 0;
}

std::uint32_t Mt19937::next() {
  if (position_ == kWords) refill();
  std::uint32_t word = state_[position_++];
  word ^= word >> 11;
  word ^= (word << 7) & 0x9d2c5680u;
  word ^= (word << 15) & 0xefc60000u;
  word ^= word >> 18;
  return word;
}

}  // namespace attention
