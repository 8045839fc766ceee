// What a call from JavaScript means to the reference: addresses of float64 become matrices.
#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "attention/reference.h"
#include "bindings/calls.h"

namespace attention::bindings {

using reference::Index;
using reference::MatrixIn;
using ConstMap = Eigen::Map<const reference::Matrix>;

/// Eigen's products keep packed panels of their factors besides the results.
inline constexpr double kPanelBytes = 4 << 20;

/// The mask of a call's slice (of a multi-head call: batch entry · num_heads + head).
template <typename Call>
reference::Mask reference_mask(const Call& call, Index slice) {
  reference::Mask mask;
  mask.is_causal = call.is_causal;
  if (call.mask_kind == kNoMask) return mask;
  const Index offset = at<const std::int32_t>(call.mask_offsets)[slice];
  mask.row_stride = call.mask_row_stride;
  mask.column_stride = call.mask_column_stride;
  if (call.mask_kind == kBooleanMask) {
    mask.allowed = at<const std::uint8_t>(call.mask) + offset;
  } else {
    mask.bias = at<const double>(call.mask) + offset;
  }
  return mask;
}

/// The (rows, columns) matrix that starts `offset` elements behind an address.
inline ConstMap matrix_at(Address address, Index rows, Index columns, Index offset = 0) {
  return {at<const double>(address) + offset, rows, columns};
}

/// Writes slice `slice` of an array of matrices of this shape, unless it is not wanted.
inline void store(const MatrixIn& matrix, Address array, Index slice) {
  if (array == 0) return;
  Eigen::Map<reference::Matrix>(at<double>(array) + slice * matrix.size(), matrix.rows(),
                                matrix.cols()) = matrix;
}

/// The steps that both kinds of call can ask for.
template <typename Call>
void store_steps(const reference::Attention& attention, const Call& call, Index slice) {
  store(attention.logits, call.logits, slice);
  store(attention.scores, call.scores, slice);
  store(attention.row_max.transpose(), call.row_max, slice);
  store(attention.exp, call.exp, slice);
  store(attention.row_sum.transpose(), call.row_sum, slice);
  store(attention.weights, call.weights, slice);
}

}  // namespace attention::bindings
