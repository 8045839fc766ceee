// PyTorch's CPU generator: what torch.manual_seed(seed) followed by torch.randn, torch.rand and
// nn.Linear give.
#pragma once

#include <cstdint>
#include <span>

#include "random/mt19937.h"

namespace attention {

class TorchGenerator {
 public:
  /// PyTorch seeds its engine with the lower 32 bits.
  explicit TorchGenerator(std::uint64_t seed) : engine_(static_cast<std::uint32_t>(seed)) {}

  /// torch.rand(out.size()): uniform in [0, 1), 24 bits.
  void rand(std::span<float> out);

  /// torch.randn(out.size()). Sixteen and more are filled in blocks of 16, fewer one by one by
  /// another formula, so the size of a call is part of what it gives. PyTorch's vectorised log,
  /// sine and cosine approximate: the results agree with it to 5e-7·max(1, |x|).
  void randn(std::span<float> out);

  /// nn.Linear(in, out) as it comes: weight (out, in) row-major, then bias (out), uniform in
  /// ±1/√in. An empty bias draws none, as bias=False does.
  void linear(int in, int out, std::span<float> weight, std::span<float> bias);

 private:
  float uniform();
  double uniform_double();
  double normal_double();
  void uniform(std::span<float> out, double bound);

  Mt19937 engine_;
  bool has_spare_ = false;
  double spare_ = 0;
};

}  // namespace attention
