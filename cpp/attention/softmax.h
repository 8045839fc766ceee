// Row softmax, its Jacobian and its backward pass; and the row passes of which attention is made.
//
//   p_j = exp(s_j − max s) / Σ_l exp(s_l − max s)
//
// A softmax over no number at all, or one in which Inf − Inf or NaN occurs, is not defined by the
// formula. Here a row without any open position is all 0, and a row with a NaN, with +Inf, or with
// nothing but −Inf in its open positions is NaN in all of them (PyTorch's answer) and 0 elsewhere.
#pragma once

#include <limits>

#include "attention/tensor.h"

namespace attention {

// ---- Whole matrices ----

/// out = softmax of each row of scores; in place if they are the same. −∞ counts as masked: its
/// probability is 0 in every row, and a row of −∞ is all 0.
Status softmax(ConstMatrix scores, Matrix out);

/// out (rows, columns, columns): ∂p_j / ∂s_l = p_j (δ_jl − p_l) for each row of probabilities.
void softmax_jacobian(ConstMatrix probabilities, float* out);

/// grad_scores_ij = p_ij (g_ij − Σ_l p_il g_il), where g is the gradient of the probabilities.
Status softmax_backward(ConstMatrix probabilities, ConstMatrix grad_probabilities,
                        Matrix grad_scores);

// ---- One row at a time, in memory padded to whole steps ----

/// Rows are worked off in steps of four vectors, so that element j always meets accumulator
/// j mod 16, however long the row is.
inline constexpr Index kRowStep = 16;
/// Sums are kept for so many columns and then added to a total: a plain float32 sum over 4,096
/// weights is off by 9e-7, one flushed like this by 2.5e-7.
inline constexpr Index kFlushColumns = 256;

/// The room that a row of `length` elements needs.
constexpr Index padded_length(Index length) {
  return (length + kRowStep - 1) / kRowStep * kRowStep;
}

/// Takes the room for `rows` rows from `arena`.
inline Matrix take_padded_rows(Arena& arena, Index rows, Index length) {
  const double row = rounded_up(static_cast<double>(length), kRowStep);
  return {arena.take(static_cast<double>(rows) * row), rows, length, padded_length(length)};
}

/// row_j ← scale·row_j + bias_j, −∞ where bias_j is −∞ whatever the row holds; without a bias just
/// scaled. The padding becomes −∞. Returns the largest element, passing over NaN.
/// Row and bias have room for padded_length(length).
float scale_and_mask(float* row, const float* bias, Index length, float scale);

/// row_j ← exp(row_j − maximum). Returns the sum, which is NaN if the softmax is undefined.
/// The padding must hold −∞.
float exponentials(float* row, Index length, float maximum);

/// row_j ← factor·row_j.
void scale_row(float* row, Index length, float factor);

/// What a row's softmax was divided by.
struct RowStatistics {
  float maximum;
  float sum;
};

/// Settles a row whose sum came out as NaN: NaN in its open positions and 0 in the others, and
/// statistics of (−∞, 0) if none is open.
template <typename IsOpen>
RowStatistics settle_undefined_row(float* row, Index length, float maximum, IsOpen is_open) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  bool any_open = false;
  for (Index j = 0; j < length; ++j) {
    const bool open = is_open(j);
    any_open = any_open || open;
    row[j] = open ? kNaN : 0.0f;
  }
  if (!any_open) return {-kInfinity, 0};
  // A finite maximum and an undefined sum: there was a NaN, which the maximum passed over.
  const bool is_finite = maximum - maximum == 0;
  return {is_finite ? kNaN : maximum, kNaN};
}

/// Σ_j a_j b_j over whole steps; the padding of one of them must be 0 and the other's finite.
float dot(const float* a, const float* b, Index length);

/// grad_j ← p_j (grad_j − Σ_l p_l grad_l), and 0 where bias_j is −∞, whatever grad_j holds.
/// All rows have room for padded_length(length); p and grad are 0 in the padding.
void softmax_backward_row(const float* p, const float* bias, float* grad, Index length);

}  // namespace attention
