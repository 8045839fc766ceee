// A multi-head layer's sizes and parameters, as they come and as the products want them.
#pragma once

#include "attention/gemm.h"

namespace attention {

struct MultiHeadShape {
  Index batch = 0;
  Index n = 0;  ///< rows of x
  Index m = 0;  ///< rows of the context; n without one
  Index d_model = 0;
  Index d_context = 0;  ///< d_model without a context
  Index num_heads = 0;
  Index num_kv_heads = 0;  ///< num_heads / num_kv_heads query heads share a key and value head
  Index d_k = 0;           ///< of one head
  Index d_v = 0;           ///< of one head
  Index d_out = 0;         ///< columns of wo; num_heads · d_v without it

  Index query_columns() const { return num_heads * d_k; }
  Index key_columns() const { return num_kv_heads * d_k; }
  Index value_columns() const { return num_kv_heads * d_v; }
  Index heads_columns() const { return num_heads * d_v; }
  Index group_size() const { return num_heads / num_kv_heads; }
};

/// Row-major and contiguous; null where absent.
struct MultiHeadParameters {
  const float* wq = nullptr;  ///< (d_model, num_heads · d_k)
  const float* wk = nullptr;  ///< (d_context, num_kv_heads · d_k)
  const float* wv = nullptr;  ///< (d_context, num_kv_heads · d_v)
  const float* wo = nullptr;  ///< (num_heads · d_v, d_out); without it the heads are the output
  const float *bq = nullptr, *bk = nullptr, *bv = nullptr;
  const float* bo = nullptr;  ///< only with wo
};

/// Packed for the forward pass; biases are copied, so nothing refers to the originals.
struct PackedParameters {
  PackedMatrix wq, wk, wv;
  PackedMatrix wo;  ///< no panels = no output projection
  float *bq = nullptr, *bk = nullptr, *bv = nullptr, *bo = nullptr;
  bool has_wo = false;

  PackedParameters() = default;
  PackedParameters(Arena& arena, const MultiHeadShape& shape,
                   const MultiHeadParameters& parameters);
  void pack(const MultiHeadParameters& parameters);
};

/// The transposed weights, packed for the gradients of what was projected: ∂X = ∂Q·W_Qᵀ + …
struct TransposedParameters {
  PackedMatrix wq, wk, wv, wo;
  bool has_wo = false;

  TransposedParameters() = default;
  TransposedParameters(Arena& arena, const MultiHeadShape& shape, bool has_wo);
  void pack(const MultiHeadParameters& parameters);
  /// From packed weights, where they are the only copy.
  void pack(const PackedParameters& packed);
};

}  // namespace attention
