// Attention that keeps no weights: the online softmax of Milakov & Gimelshein 2018
// (arxiv.org/abs/1805.02867) with the blocks of FlashAttention, Dao et al. 2022
// (arxiv.org/abs/2205.14135).
//
// Keys are taken block by block. A query keeps the largest score m so far, the sum l of
// exp(score − m) and the output accumulated with those weights; when a block raises m, both are
// scaled by exp(old m − new m). At the end the output is divided by l. Memory is O(n + m), whatever
// n·m is.
#pragma once

#include "attention/scaled_dot_product.h"

namespace attention {

/// Queries and keys of a block of scores, 60 KB.
inline constexpr Index kStreamQueries = 60;
inline constexpr Index kStreamKeys = kFlushColumns;

/// Scratch memory of `attend_streaming`: one block of scores and one row of mask.
struct StreamingScratch {
  Matrix block;           ///< (kStreamQueries, kStreamKeys)
  float* bias = nullptr;  ///< kStreamKeys

  StreamingScratch() = default;
  explicit StreamingScratch(Arena& arena);
};

/// output (n, d_v) = softmax(scale·Q·Kᵀ + mask)·V over the first m keys of the panels, with the
/// rules of scaled_dot_product.h.
void attend_streaming(ConstMatrix query, const KeyValuePanels& panels, Index m, float scale,
                      const Mask& mask, Matrix output, const StreamingScratch& scratch);

}  // namespace attention
