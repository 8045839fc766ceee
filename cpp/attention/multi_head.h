// Multi-head attention with its projections, Vaswani et al. 2017 (arxiv.org/abs/1706.03762),
// section 3.2.2, and grouped queries, Ainslie et al. 2023 (arxiv.org/abs/2305.13245).
//
//   Q = X·W_Q + b_Q,  K = C·W_K + b_K,  V = C·W_V + b_V     C = context, or X without one
//   head_h = softmax(scale·Q_h·K_gᵀ + mask)·V_g              g = h / (num_heads / num_kv_heads)
//   Y = [head_0 … head_{H−1}]·W_O + b_O
//
// Row vectors: a token is a row, head h owns column block h of W_Q and row block h of W_O. The
// rules of scaled_dot_product.h hold in every head.
#pragma once

#include "attention/batch_attention.h"
#include "attention/multi_head_parameters.h"

namespace attention {

struct MultiHeadInputs {
  const float* x = nullptr;        ///< (batch, n, d_model)
  const float* context = nullptr;  ///< (batch, m, d_context); null = x
  float scale = 1;
  BatchMask mask;  ///< (batch · num_heads) slices

  /// (n, d_model): the tokens that ask.
  ConstMatrix x_slice(const MultiHeadShape& shape, Index b) const {
    return slice_of(x, b, shape.n, shape.d_model);
  }
  /// (m, d_context): the tokens that are attended to.
  ConstMatrix context_slice(const MultiHeadShape& shape, Index b) const {
    return context ? slice_of(context, b, shape.m, shape.d_context) : x_slice(shape, b);
  }
};

/// Null where not wanted.
struct MultiHeadResults {
  float* output = nullptr;  ///< (batch, n, d_out)
  ScoreArrays scores;       ///< (batch · num_heads) slices
  float* query = nullptr;   ///< (batch, num_heads, n, d_k)
  float* key = nullptr;     ///< (batch, num_kv_heads, m, d_k)
  float* value = nullptr;   ///< (batch, num_kv_heads, m, d_v)
  float* heads = nullptr;   ///< (batch, num_heads, n, d_v)
};

/// What a backward pass may be given of the forward pass: all of it, or nothing, and then it is
/// recomputed. Shapes as in MultiHeadResults.
struct MultiHeadKept {
  const float* weights = nullptr;
  const float* query = nullptr;
  const float* key = nullptr;
  const float* value = nullptr;
  const float* heads = nullptr;

  bool is_complete() const { return weights && query && key && value && heads; }
};

/// Null where not wanted.
struct MultiHeadGradients {
  const float* grad_output = nullptr;                                ///< (batch, n, d_out), input
  float* x = nullptr;                                                ///< (batch, n, d_model)
  float* context = nullptr;                                          ///< (batch, m, d_context)
  float *wq = nullptr, *wk = nullptr, *wv = nullptr, *wo = nullptr;  ///< as the parameters
  float *bq = nullptr, *bk = nullptr, *bv = nullptr, *bo = nullptr;
  float *scores = nullptr, *weights = nullptr;  ///< (batch, num_heads, n, m)
};

Status multi_head(const MultiHeadShape& shape, const MultiHeadParameters& parameters,
                  const MultiHeadInputs& inputs, const MultiHeadResults& results);

Status multi_head_backward(const MultiHeadShape& shape, const MultiHeadParameters& parameters,
                           const MultiHeadInputs& inputs, const MultiHeadKept& kept,
                           const MultiHeadGradients& gradients);

/// The memory that these calls take beyond what they are given, in bytes.
double multi_head_workspace_bytes(const MultiHeadShape& shape,
                                  const MultiHeadParameters& parameters,
                                  const MultiHeadResults& results);
double multi_head_backward_workspace_bytes(const MultiHeadShape& shape,
                                           const MultiHeadParameters& parameters,
                                           const MultiHeadKept& kept);

// ---- With parameters packed beforehand ----

Status multi_head(const MultiHeadShape& shape, const PackedParameters& parameters,
                  const MultiHeadInputs& inputs, const MultiHeadResults& results);

Status multi_head_backward(const MultiHeadShape& shape, const PackedParameters& parameters,
                           const MultiHeadInputs& inputs, const MultiHeadKept& kept,
                           const MultiHeadGradients& gradients);

/// A layer's packed parameters and the memory they lie in, for any batch and length.
class PreparedParameters {
 public:
  /// Packs copies. Of the shape only widths and numbers of heads count.
  Status prepare(const MultiHeadShape& shape, const MultiHeadParameters& parameters);
  static double bytes(const MultiHeadShape& shape, const MultiHeadParameters& parameters);

  const PackedParameters& packed() const { return packed_; }

 private:
  Buffer memory_;
  PackedParameters packed_;
};

}  // namespace attention
