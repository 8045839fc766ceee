#include <algorithm>

#include "attention/masked_product.h"
#include "attention/scaled_dot_product.h"

namespace attention {
namespace {

/// ∂A as it is, save that Inf and NaN of a masked value stay behind the mask.
void write_grad_weights(const float* row, const Mask& mask, Index i, Matrix grad_weights) {
  for (Index j = 0; j < grad_weights.columns; ++j) {
    const bool is_finite = row[j] - row[j] == 0;
    grad_weights(i, j) = is_finite || mask.is_open(i, j) ? row[j] : 0;
  }
}

/// Turns row i of ∂A into ∂S, over the `visible` keys; 0 in the padding and where masked.
void backward_row(float* row, Index visible, const Mask& mask, Index i, ConstMatrix weights,
                  const AttentionBackwardScratch& scratch) {
  float* weights_row = scratch.weights_row;
  const Index padded = padded_length(visible);
  std::fill(std::copy_n(weights.row(i), visible, weights_row), weights_row + padded, 0.0f);
  std::fill(row + visible, row + padded, 0.0f);
  const float* bias = nullptr;
  if (mask.kind != Mask::Kind::none) {
    mask.copy_row(i, 0, visible, scratch.bias);
    std::fill(scratch.bias + visible, scratch.bias + padded, -kInfinity);
    bias = scratch.bias;
  }
  softmax_backward_row(weights_row, bias, row, visible);
}

/// c += aᵀ·b for weights or score gradients `a` (queries, keys) of one strip, packing b.
void add_transposed_product(const Mask& mask, ConstMatrix a, ConstMatrix b,
                            const PackedMatrix& packed, Matrix c) {
  const Addend addend = Addend::matrix(c);
  if (pack(b, packed)) {
    multiply(a.transposed(), packed, c, addend);
  } else {
    multiply_open_transposed(mask, a.transposed(), packed, c, addend);
  }
}

}  // namespace

AttentionBackwardScratch::AttentionBackwardScratch(Arena& arena, const AttentionShape& shape)
    : key(arena, shape.m, shape.d_k),
      value_transposed(arena, shape.d_v, shape.m),
      query_strip(arena, kBackwardStripRows, shape.d_k),
      grad_output_strip(arena, kBackwardStripRows, shape.d_v) {
  strip = take_padded_rows(arena, kBackwardStripRows, shape.m);
  weights_row = take_padded_rows(arena, 1, shape.m).data;
  bias = take_padded_rows(arena, 1, shape.m).data;
}

void attend_backward(const AttentionKept& kept, float scale, const Mask& mask,
                     const AttentionGradients& gradients, const AttentionBackwardScratch& scratch) {
  const Index m = kept.key.rows;
  const bool is_key_finite = pack(kept.key, scratch.key);
  pack(kept.value.transposed(), scratch.value_transposed);

  for (Index first = 0; first < kept.query.rows; first += kBackwardStripRows) {
    const Index rows = std::min(kBackwardStripRows, kept.query.rows - first);
    const Index strip_keys = mask.visible(first + rows - 1, m);
    const Mask strip_mask = mask.from_row(first);
    const ConstMatrix grad_output = kept.grad_output.row_block(first, rows);
    const Matrix strip = scratch.strip.row_block(0, rows);

    // ∂a_ij = Σ_c ∂y_ic v_jc
    multiply(grad_output, scratch.value_transposed,
             strip.column_block(0, gradients.weights ? m : strip_keys));

    for (Index i = first; i < first + rows; ++i) {
      float* row = strip.row(i - first);
      const Index visible = mask.visible(i, m);
      if (gradients.weights) write_grad_weights(row, mask, i, gradients.weights);
      backward_row(row, visible, mask, i, kept.weights, scratch);
      if (gradients.scores) {
        float* out = gradients.scores.row(i);
        std::fill(std::copy_n(row, visible, out), out + m, 0.0f);
      }
      scale_row(row, visible, scale);
      std::fill(row + visible, row + strip_keys, 0.0f);
    }

    const ConstMatrix grad_logits = strip.column_block(0, strip_keys);
    if (gradients.query) {
      // ∂q_ik = scale Σ_j ∂s_ij k_jk
      const Matrix grad_query = gradients.query.row_block(first, rows);
      if (is_key_finite) {
        multiply(grad_logits, scratch.key, grad_query);
      } else {
        multiply_open(strip_mask, grad_logits, scratch.key, grad_query);
      }
    }
    if (gradients.key) {
      // ∂k_jk += scale Σ_i ∂s_ij q_ik
      add_transposed_product(strip_mask, grad_logits, kept.query.row_block(first, rows),
                             scratch.query_strip, gradients.key.row_block(0, strip_keys));
    }
    if (gradients.value) {
      // ∂v_jc += Σ_i a_ij ∂y_ic
      add_transposed_product(
          strip_mask, kept.weights.row_block(first, rows).column_block(0, strip_keys), grad_output,
          scratch.grad_output_strip, gradients.value.row_block(0, strip_keys));
    }
  }
}

}  // namespace attention
