// The Mersenne Twister MT19937 (Matsumoto and Nishimura, 1998), seeded by Knuth's recurrence: the
// engine under NumPy's legacy generator and PyTorch's CPU generator alike.
#pragma once

#include <array>
#include <cstdint>

namespace attention {

class Mt19937 {
 public:
  explicit Mt19937(std::uint32_t seed);

  /// The next 32 random bits.
  std::uint32_t next();

 private:
  static constexpr int kWords = 624;

  void refill();

  std::array<std::uint32_t, kWords> state_;
  int position_ = kWords;
};

}  // namespace attention
