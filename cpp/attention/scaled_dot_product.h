// Scaled dot-product attention, Vaswani et al. 2017 (arxiv.org/abs/1706.03762), equation 1:
//
//   A = softmax(scale·Q·Kᵀ + mask),  Y = A·V
//
// for one slice: Q (n, d_k), K (m, d_k), V (m, d_v), A (n, m), Y (n, d_v). streaming.h computes the
// same Y without ever holding A.
//
// What a masked key or value holds, NaN included, reaches nothing. A query that may attend to no
// key gets weights and an output of 0. NaN in what a query does attend to, or in the query itself,
// shows in its row and in no other (softmax.h says when weights are NaN).
#pragma once

#include "attention/gemm.h"
#include "attention/mask.h"
#include "attention/softmax.h"
#include "attention/tensor.h"

namespace attention {

struct AttentionShape {
  Index n = 0;    ///< queries
  Index m = 0;    ///< keys
  Index d_k = 0;  ///< length of a query and of a key
  Index d_v = 0;  ///< length of a value
};

/// Keys and values as the products want them. One set serves any number of queries: those of all
/// heads of a group, or of one more token.
struct KeyValuePanels {
  PackedMatrix key;    ///< Kᵀ (d_k, m)
  PackedMatrix value;  ///< V (m, d_v)
  bool is_value_finite = true;

  KeyValuePanels() = default;
  KeyValuePanels(Arena& arena, Index m, Index d_k, Index d_v)
      : key(arena, d_k, m), value(arena, m, d_v) {}
  void pack(ConstMatrix key_rows, ConstMatrix value_rows);
};

/// Where results go; what has no data is not wanted.
struct AttentionResults {
  Matrix output;             ///< (n, d_v)
  Matrix weights;            ///< (n, m)
  Matrix logits;             ///< Q·Kᵀ (n, m), of masked positions too
  Matrix scores;             ///< scale·logits + mask (n, m), −∞ where masked
  Matrix exp;                ///< exp(scores − row maximum) (n, m)
  float* row_max = nullptr;  ///< (n)
  float* row_sum = nullptr;  ///< of exp (n)
};

/// Queries that are worked on together: their scores against 512 keys are 60 KB.
inline constexpr Index kStripRows = 30;

/// Scratch memory of `attend`: a strip of scores, padded for the row passes, and one row of mask.
struct AttentionScratch {
  Matrix strip;           ///< (kStripRows, m), rows with room for padded_length(m)
  float* bias = nullptr;  ///< padded_length(m)

  AttentionScratch() = default;
  AttentionScratch(Arena& arena, Index m);
};

/// Attention of `query` (n, d_k) over the first m keys of the panels, for one slice, with the
/// weights kept as long as their strip is worked on and written out if wanted.
void attend(ConstMatrix query, const KeyValuePanels& panels, Index m, float scale, const Mask& mask,
            const AttentionResults& results, const AttentionScratch& scratch);

// ---- Backward ----

/// Queries whose gradients are worked on together: so many terms each strip adds to a gradient of
/// keys and values.
inline constexpr Index kBackwardStripRows = 64;

/// What the gradients are computed from, for one slice.
struct AttentionKept {
  ConstMatrix query;        ///< (n, d_k)
  ConstMatrix key;          ///< (m, d_k)
  ConstMatrix value;        ///< (m, d_v)
  ConstMatrix weights;      ///< (n, m), from the forward pass
  ConstMatrix grad_output;  ///< (n, d_v)
};

/// Where gradients go; what has no data is not wanted.
struct AttentionGradients {
  Matrix query;   ///< (n, d_k)
  Matrix key;     ///< (m, d_k), added to: heads of a group share a key
  Matrix value;   ///< (m, d_v), added to
  Matrix scores;  ///< ∂/∂scores (n, m), 0 where masked
  Matrix weights;  ///< ∂/∂A = ∂Y·Vᵀ (n, m), of masked positions too, 0 where that is not finite
};

/// Scratch memory of `attend_backward`.
struct AttentionBackwardScratch {
  PackedMatrix key;                ///< K (m, d_k)
  PackedMatrix value_transposed;   ///< Vᵀ (d_v, m)
  PackedMatrix query_strip;        ///< (kBackwardStripRows, d_k)
  PackedMatrix grad_output_strip;  ///< (kBackwardStripRows, d_v)
  Matrix strip;                    ///< (kBackwardStripRows, m), padded
  float* weights_row = nullptr;    ///< padded_length(m)
  float* bias = nullptr;           ///< padded_length(m)

  AttentionBackwardScratch() = default;
  AttentionBackwardScratch(Arena& arena, const AttentionShape& shape);
};

/// The backward pass for one slice:
///   ∂A = ∂Y·Vᵀ,  ∂S = A ∘ (∂A − rowsum(A ∘ ∂A)),
///   ∂Q = scale·∂S·K,  ∂K = scale·∂Sᵀ·Q,  ∂V = Aᵀ·∂Y.
void attend_backward(const AttentionKept& kept, float scale, const Mask& mask,
                     const AttentionGradients& gradients, const AttentionBackwardScratch& scratch);

}  // namespace attention
