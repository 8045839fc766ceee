// One slice of attention as a test sets it up and runs it: inputs, mask, results, all in buffers of
// exactly their size, so that AddressSanitizer sees a step too far.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "attention/batch_attention.h"
#include "compare.h"
#include "oracle.h"

namespace attention {

/// What a forward pass wrote. Everything starts as NaN: what is not written shows.
struct Forward {
  std::vector<float> output, weights, logits, scores, exp, row_max, row_sum;
};

struct Backward {
  std::vector<float> query, key, value, scores, weights;
};

/// Which results a forward pass is asked for, besides its output.
enum class Keep { nothing, weights, stages };

struct AttentionCase {
  int n, m, d_k, d_v;
  float scale = 0.5f;
  std::vector<float> query, key, value;
  std::vector<std::uint8_t> boolean_mask;  ///< (n, m) or empty
  std::vector<float> additive_mask;        ///< (n, m) or empty
  bool is_causal = false;

  /// Inputs in [−1, 1).
  AttentionCase(int n, int m, int d_k, int d_v, unsigned seed = 1)
      : n(n),
        m(m),
        d_k(d_k),
        d_v(d_v),
        query(random_floats(n * d_k, seed)),
        key(random_floats(m * d_k, seed + 1)),
        value(random_floats(m * d_v, seed + 2)) {}

  /// Closes two of five positions, and all of them to the last query.
  void use_boolean_mask(unsigned seed) {
    for (const float x : random_floats(n * m, seed)) boolean_mask.push_back(x > -0.2f ? 1 : 0);
    if (n > 0) std::fill_n(boolean_mask.end() - m, m, 0);
  }
  /// Adds something to every score and −∞ to every fourth, and to all of the last query's.
  void use_additive_mask(unsigned seed) {
    for (const float x : random_floats(n * m, seed)) {
      additive_mask.push_back(x > 0.5f ? -kInfinity : 5 * x);
    }
    if (n > 0) std::fill_n(additive_mask.end() - m, m, -kInfinity);
  }

  AttentionBatch batch() const {
    static constexpr std::int32_t kNoOffset[] = {0};
    AttentionBatch inputs;
    inputs.batch = 1;
    inputs.shape = {n, m, d_k, d_v};
    inputs.scale = scale;
    inputs.query = query.data();
    inputs.key = key.data();
    inputs.value = value.data();
    inputs.query_offsets = inputs.key_offsets = inputs.value_offsets = kNoOffset;
    inputs.mask.mask = mask();
    return inputs;
  }

  Mask mask() const {
    Mask mask;
    mask.is_causal = is_causal;
    mask.row_stride = m;
    mask.column_stride = 1;
    if (!boolean_mask.empty()) {
      mask.kind = Mask::Kind::boolean;
      mask.data = boolean_mask.data();
    } else if (!additive_mask.empty()) {
      mask.kind = Mask::Kind::additive;
      mask.data = additive_mask.data();
    }
    return mask;
  }

  /// The same for the oracle.
  oracle::Problem problem() const {
    const auto bias = [this](int i, int j) {
      if (is_causal && j > i) return oracle::kMasked;
      if (!boolean_mask.empty()) return boolean_mask[i * m + j] ? 0.0 : oracle::kMasked;
      return additive_mask.empty() ? 0.0 : static_cast<double>(additive_mask[i * m + j]);
    };
    return {n, m, d_k, d_v, doubles(query), doubles(key), doubles(value), scale, bias};
  }

  Forward forward(Keep keep) const {
    const std::size_t cells = static_cast<std::size_t>(n) * m;
    Forward result;
    result.output.assign(static_cast<std::size_t>(n) * d_v, kNaN);
    AttentionBatchResults results;
    results.output = result.output.data();
    if (keep != Keep::nothing) {
      result.weights.assign(cells, kNaN);
      results.scores.weights = result.weights.data();
    }
    if (keep == Keep::stages) {
      for (auto* stage : {&result.logits, &result.scores, &result.exp}) stage->assign(cells, kNaN);
      for (auto* stage : {&result.row_max, &result.row_sum}) stage->assign(n, kNaN);
      results.scores.logits = result.logits.data();
      results.scores.scores = result.scores.data();
      results.scores.exp = result.exp.data();
      results.scores.row_max = result.row_max.data();
      results.scores.row_sum = result.row_sum.data();
    }
    EXPECT_EQ(scaled_dot_product(batch(), results), Status::ok);
    return result;
  }

  /// With weights kept from the forward pass, or recomputed if `weights` is empty.
  Backward backward(const std::vector<float>& grad_output,
                    const std::vector<float>& weights) const {
    const std::size_t cells = static_cast<std::size_t>(n) * m;
    Backward result;
    result.query.assign(query.size(), kNaN);
    result.key.assign(key.size(), kNaN);
    result.value.assign(value.size(), kNaN);
    result.scores.assign(cells, kNaN);
    result.weights.assign(cells, kNaN);
    AttentionBatchGradients gradients;
    gradients.grad_output = grad_output.data();
    gradients.weights = weights.empty() ? nullptr : weights.data();
    gradients.query = result.query.data();
    gradients.key = result.key.data();
    gradients.value = result.value.data();
    gradients.scores = result.scores.data();
    gradients.grad_weights = result.weights.data();
    EXPECT_EQ(scaled_dot_product_backward(batch(), gradients), Status::ok);
    return result;
  }
};

}  // namespace attention
