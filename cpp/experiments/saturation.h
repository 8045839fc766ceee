// What an unscaled softmax does to gradients: over growing d_k its rows turn one-hot, and the
// Jacobian diag(p) − ppᵀ vanishes.
//
// For each size: `trials` queries and for each of them `keys` keys, all standard normal, drawn as
// NumPy would draw q (trials, d_k) and then k (trials, keys, d_k) from its legacy generator.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "attention/tensor.h"
#include "experiments/moments.h"
#include "random/numpy_legacy.h"

namespace attention {

/// Means over the trials done so far, NaN before the first.
struct SoftmaxFigures {
  double diagonal;             ///< of p(1 − p), the Jacobian's diagonal
  double relative_to_uniform;  ///< the same over (1/keys)(1 − 1/keys), which uniform rows have
  double jacobian_norm;        ///< Frobenius norm of diag(p) − ppᵀ
  double largest;              ///< largest p of a row
  double entropy;              ///< −Σ p ln p, nats
};

/// What is known of one size.
struct SaturationFigures {
  Index d_k;
  std::int64_t trials;            ///< done
  double raw_variance, raw_mean;  ///< of q·k, over all keys
  double scaled_variance;         ///< of q·k/√d_k
  double share_beyond_25;         ///< of |q·k| > 25
  SoftmaxFigures unscaled, scaled;
};

class SaturationExperiment {
 public:
  struct Setup {
    std::uint32_t seed = 0;
    std::int64_t skip = 0;                ///< normals drawn and thrown away before the first size
    std::span<const std::int32_t> sizes;  ///< the d_k, copied
    std::int64_t trials = 1;              ///< of each size
    Index keys = 1;
  };

  /// Null when there is not enough memory.
  static std::unique_ptr<SaturationExperiment> create(const Setup& setup);

  /// Does at most `count` more trials; returns how many are done. The portions do not matter.
  std::int64_t run(std::int64_t count);

  std::int64_t done() const { return done_; }
  std::int64_t total() const { return sizes_ * trials_; }
  Index sizes() const { return sizes_; }
  SaturationFigures figures(Index size) const;

 private:
  /// Sums over trials.
  struct SoftmaxSums {
    double diagonal = 0, jacobian_norm = 0, largest = 0, entropy = 0;

    void add(const double* p, Index keys);
    SoftmaxFigures means(std::int64_t trials, Index keys) const;
  };
  struct Sums {
    Index d_k = 0;
    std::int64_t trials = 0;
    Moments raw, scaled;
    double beyond_25 = 0;
    SoftmaxSums unscaled_softmax, scaled_softmax;
  };

  explicit SaturationExperiment(const Setup& setup);
  void divide(const Setup& setup, Arena* arena);
  void add_trial();

  NumpyLegacy generator_;
  std::int64_t skip_, trials_, done_ = 0;
  Index sizes_, keys_;
  Buffer memory_;
  Sums* sums_ = nullptr;             // (sizes)
  double* queries_ = nullptr;        // (trials, d_k) of the size at hand
  double* products_ = nullptr;       // (keys)
  double* probabilities_ = nullptr;  // (keys)
};

}  // namespace attention
