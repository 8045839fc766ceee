// Who may attend to whom, and the bias that a score gets.
#pragma once

#include <cstdint>

#include "attention/tensor.h"

namespace attention {

/// The mask of one (n, m) matrix of scores: nothing, booleans or floats, and causality on top.
///
/// A masked position is one that a boolean mask closes, that holds −∞ in a float mask, or that lies
/// after its query in a causal pass. It is decided by comparing, not by adding: what a masked key
/// holds is never looked at. +∞ and NaN in a float mask are numbers like others and flow on.
struct Mask {
  enum class Kind { none, boolean, additive };

  Kind kind = Kind::none;
  const void* data = nullptr;  ///< bytes (nonzero = open) or floats
  Index row_stride = 0;        ///< in elements; 0 repeats a row
  Index column_stride = 0;     ///< in elements; 0 repeats a column
  bool is_causal = false;
  Index diagonal = 0;  ///< if causal: query i sees keys j ≤ i + diagonal

  /// The mask that starts `element` elements further on in memory.
  Mask from_element(Index element) const;
  /// The mask as seen from query `first` on.
  Mask from_row(Index first) const;
  /// The mask as seen by keys from `first` on.
  Mask from_column(Index first) const;

  /// Keys that causality leaves to query i: 0 … visible(i, m) − 1 of m.
  Index visible(Index i, Index m) const;

  /// May query i attend to key j?
  bool is_open(Index i, Index j) const;
  /// May query i attend to any of m keys?
  bool is_row_open(Index i, Index m) const;
  /// May any of n queries attend to key j?
  bool is_column_open(Index j, Index n) const;

  /// Writes what is added to row i's scores, for keys first … first + count − 1: 0 where open and
  /// −∞ where closed, or the float mask itself. Causality is not in it.
  void copy_row(Index i, Index first, Index count, float* row) const;
};

/// A mask for each slice of a batch: they differ only in where they start.
struct BatchMask {
  Mask mask;
  const std::int32_t* offsets = nullptr;  ///< elements, one for each slice; null = all at 0

  Mask slice(Index b) const;
};

// Builders. Masks of bytes hold 1 where attention is open, row-major (n, m).

/// Query i sees keys j ≤ i.
void causal_mask(std::uint8_t* out, Index n, Index m);
/// Query i sees the last `size` keys up to its own: i − size + 1 ≤ j ≤ i.
void window_mask(std::uint8_t* out, Index n, Index m, Index size);
/// All see keys j < length, and after them query i those with j ≤ i.
void prefix_mask(std::uint8_t* out, Index n, Index m, Index length);
/// (batch, m): sequence b has lengths[b] keys, the rest is padding.
void padding_mask(const std::int32_t* lengths, std::uint8_t* out, Index batch, Index m);

/// Head h's slope in ALiBi, Press et al. 2022 (arxiv.org/abs/2108.12409): 2^(−8(h+1)/heads) for a
/// power of two. Other numbers of heads take, as the authors' code does, the slopes of the next
/// lower power of two and then every second one of the next higher.
float alibi_slope(Index h, Index heads);
/// (heads, n, m) floats: −slope·(i − j), above the diagonal as well, where it is positive: ALiBi is
/// made for causal attention, which closes that half.
void alibi_bias(float* out, Index heads, Index n, Index m);

}  // namespace attention
