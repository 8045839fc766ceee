// Why scores are divided by √d_k: the product of a random query and key has variance d_k.
//
// For q, k with independent components of mean 0 and variance 1, q·k = Σ q_i k_i has mean 0 and
// variance d_k. If k correlates with q, k = ρq + √(1 − ρ²)g, then q·k has mean ρ·d_k and variance
// (1 + ρ²)·d_k, and division by √d_k no longer gives unit variance.
#pragma once

#include <cstdint>
#include <memory>

#include "attention/tensor.h"
#include "experiments/moments.h"
#include "random/numpy_legacy.h"

namespace attention {

class VarianceExperiment {
 public:
  struct Setup {
    std::uint32_t seed = 0;  ///< of NumPy's legacy normals: q (d_k), then g (d_k), for each trial
    Index d_k = 1;
    std::int64_t trials = 1;
    double correlation = 0;  ///< ρ, −1 to 1
    Index bins = 1;          ///< of each histogram, over [−limit, limit)
    double raw_limit = 1;
    double scaled_limit = 1;
  };

  /// Null when there is not enough memory.
  static std::unique_ptr<VarianceExperiment> create(const Setup& setup);

  /// Does at most `count` more trials; returns how many are done. The portions do not matter.
  std::int64_t run(std::int64_t count);

  std::int64_t done() const { return done_; }
  std::int64_t total() const { return setup_.trials; }
  Index d_k() const { return setup_.d_k; }
  Index bins() const { return setup_.bins; }

  /// Of q·k, and of q·k/√d_k, in the trials done so far.
  const Moments& raw() const { return raw_; }
  const Moments& scaled() const { return scaled_; }
  /// bins + 2 counts: below −limit, the bins, from limit on.
  const double* raw_histogram() const { return raw_histogram_; }
  const double* scaled_histogram() const { return scaled_histogram_; }
  /// Share of the trials with |q·k| > 25, where a softmax over a few keys is one-hot in effect.
  double share_beyond_25() const;

  /// What theory says.
  double raw_mean() const;
  double raw_variance() const;

 private:
  explicit VarianceExperiment(const Setup& setup);
  void divide(Arena* arena);
  void add_trial();
  void count(double value, double limit, double* histogram) const;

  Setup setup_;
  NumpyLegacy generator_;
  std::int64_t done_ = 0;
  double beyond_25_ = 0;
  Moments raw_, scaled_;
  Buffer memory_;
  double* query_ = nullptr;             // (d_k)
  double* raw_histogram_ = nullptr;     // (bins + 2)
  double* scaled_histogram_ = nullptr;  // (bins + 2)
};

}  // namespace attention
