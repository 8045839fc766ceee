// Scaled dot-product attention over a batch: slices that share shape and scale, each with keys,
// values and a mask of its own or shared with others.
#pragma once

#include "attention/scaled_dot_product.h"

namespace attention {

/// Arrays are contiguous and row-major. Inputs start at an offset (in elements) for each slice, so
/// that leading dimensions broadcast without a copy; results have a slice for each batch entry.
struct AttentionBatch {
  Index batch = 0;
  AttentionShape shape;
  float scale = 1;
  BatchMask mask;

  const float* query = nullptr;  ///< slices (n, d_k)
  const float* key = nullptr;    ///< slices (m, d_k)
  const float* value = nullptr;  ///< slices (m, d_v)
  const std::int32_t* query_offsets = nullptr;
  const std::int32_t* key_offsets = nullptr;
  const std::int32_t* value_offsets = nullptr;

  ConstMatrix query_slice(Index b) const { return {query + query_offsets[b], shape.n, shape.d_k}; }
  ConstMatrix key_slice(Index b) const { return {key + key_offsets[b], shape.m, shape.d_k}; }
  ConstMatrix value_slice(Index b) const { return {value + value_offsets[b], shape.m, shape.d_v}; }
};

/// What is wanted of the scores of each slice; null where not. If nothing is, no weights are kept
/// anywhere (streaming.h).
struct ScoreArrays {
  float* weights = nullptr;                                    ///< (batch, n, m)
  float *logits = nullptr, *scores = nullptr, *exp = nullptr;  ///< (batch, n, m)
  float *row_max = nullptr, *row_sum = nullptr;                ///< (batch, n)

  bool is_empty() const { return !weights && !logits && !scores && !exp && !row_max && !row_sum; }
  /// The results of slice b, without an output.
  AttentionResults slice(Index b, Index n, Index m) const;
};

struct AttentionBatchResults {
  float* output = nullptr;  ///< (batch, n, d_v)
  ScoreArrays scores;
};

/// Null where not wanted.
struct AttentionBatchGradients {
  const float* grad_output = nullptr;                ///< (batch, n, d_v), input
  const float* weights = nullptr;                    ///< (batch, n, m), input; null = recomputed
  float* query = nullptr;                            ///< (batch, n, d_k)
  float* key = nullptr;                              ///< (batch, m, d_k)
  float* value = nullptr;                            ///< (batch, m, d_v)
  float *scores = nullptr, *grad_weights = nullptr;  ///< (batch, n, m)
};

Status scaled_dot_product(const AttentionBatch& inputs, const AttentionBatchResults& results);
Status scaled_dot_product_backward(const AttentionBatch& inputs,
                                   const AttentionBatchGradients& gradients);

/// The memory that these calls take beyond what they are given, in bytes.
double scaled_dot_product_workspace_bytes(const AttentionBatch& inputs,
                                          const AttentionBatchResults& results);
double scaled_dot_product_backward_workspace_bytes(const AttentionBatch& inputs,
                                                   const AttentionBatchGradients& gradients);

}  // namespace attention
