#include "attention/streaming.h"

#include <algorithm>
#include <limits>

#include "attention/exp.h"
#include "attention/masked_product.h"
#include "attention/simd.h"

namespace attention {
namespace {

/// What a query has seen so far.
struct RunningRow {
  float maximum = -kInfinity;
  float sum = 0;
};

void scale_output(float* output, Index columns, float factor) {
  for (Index c = 0; c < columns; ++c) output[c] *= factor;
}

/// Takes a block's logits of one query into its running row: logits become exponentials, and what
/// was accumulated before is rescaled. `keys` of them are visible.
void stream_row(float* row, const float* bias, Index keys, float scale, RunningRow& running,
                float* output, Index d_v) {
  const float maximum = std::max(running.maximum, scale_and_mask(row, bias, keys, scale));
  // As long as every score is −∞ any finite reference gives the right exponentials: 0.
  const float reference = maximum == -kInfinity ? 0 : maximum;
  if (maximum != running.maximum) {
    const float correction = exp_nonpositive(running.maximum - reference);
    running.sum *= correction;
    scale_output(output, d_v, correction);
  }
  running.maximum = maximum;
  running.sum += exponentials(row, keys, reference);
}

/// Divides by the sum; says what the output is where the softmax is not defined.
void finish_row(const RunningRow& running, bool is_row_open, float* output, Index d_v) {
  if (running.sum > 0) {
    scale_output(output, d_v, 1 / running.sum);
  } else {
    // 0: nothing but −∞ among the scores. NaN: a score was NaN or +∞.
    std::fill_n(output, d_v, is_row_open ? std::numeric_limits<float>::quiet_NaN() : 0.0f);
  }
}

}  // namespace

StreamingScratch::StreamingScratch(Arena& arena) {
  block = Matrix(arena.take(kStreamQueries * kStreamKeys), kStreamQueries, kStreamKeys);
  bias = arena.take(kStreamKeys);
}

void attend_streaming(ConstMatrix query, const KeyValuePanels& panels, Index m, float scale,
                      const Mask& mask, Matrix output, const StreamingScratch& scratch) {
  const bool is_biased = mask.kind != Mask::Kind::none;
  for (Index first = 0; first < query.rows; first += kStreamQueries) {
    const Index rows = std::min(kStreamQueries, query.rows - first);
    const ConstMatrix strip_query = query.row_block(first, rows);
    const Matrix strip_output = output.row_block(first, rows);
    const Mask strip_mask = mask.from_row(first);
    const Index strip_keys = strip_mask.visible(rows - 1, m);
    RunningRow running[kStreamQueries];
    for (Index i = 0; i < rows; ++i) std::fill_n(strip_output.row(i), output.columns, 0.0f);

    for (Index key = 0; key < strip_keys; key += kStreamKeys) {
      const Index keys = std::min(kStreamKeys, strip_keys - key);
      const Matrix block = scratch.block.row_block(0, rows).column_block(0, keys);
      // s_ij = Σ_k q_ik k_jk
      multiply(strip_query, panels.key.from_column(key), block);
      for (Index i = 0; i < rows; ++i) {
        float* row = block.row(i);
        const Index visible = std::clamp<Index>(strip_mask.visible(i, m) - key, 0, keys);
        if (is_biased) strip_mask.copy_row(i, key, visible, scratch.bias);
        stream_row(row, is_biased ? scratch.bias : nullptr, visible, scale, running[i],
                   strip_output.row(i), output.columns);
        std::fill(row + visible, row + keys, 0.0f);
      }
      // y_ic += Σ_j e_ij v_jc
      const PackedMatrix values = panels.value.from_row(key);
      if (panels.is_value_finite) {
        multiply(block, values, strip_output, Addend::matrix(strip_output));
      } else {
        multiply_open(strip_mask.from_column(key), block, values, strip_output,
                      Addend::matrix(strip_output));
      }
    }
    for (Index i = 0; i < rows; ++i) {
      const bool is_defined = running[i].sum > 0;
      finish_row(running[i], !is_defined && strip_mask.is_row_open(i, m), strip_output.row(i),
                 output.columns);
    }
  }
}

}  // namespace attention
