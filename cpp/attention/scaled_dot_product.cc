#include "attention/scaled_dot_product.h"

#include <algorithm>

#include "attention/masked_product.h"

namespace attention {
namespace {

/// Copies the leading part of a row and fills the rest of it.
void write_row(const float* row, Index length, float rest, Matrix out, Index i) {
  std::fill(std::copy_n(row, length, out.row(i)), out.row(i) + out.columns, rest);
}

/// Turns one row of logits into weights, over the `visible` keys; bias is null or the mask's row.
/// Everything is written out at i, but for weights that are there already.
void attend_row(float* row, const float* bias, Index visible, float scale, const Mask& mask,
                Index i, const AttentionResults& results) {
  if (results.logits) write_row(row, results.logits.columns, 0, results.logits, i);

  RowStatistics statistics;
  statistics.maximum = scale_and_mask(row, bias, visible, scale);
  if (results.scores) write_row(row, visible, -kInfinity, results.scores, i);

  statistics.sum = exponentials(row, visible, statistics.maximum);
  const bool is_defined = statistics.sum == statistics.sum;
  if (!is_defined) {
    statistics = settle_undefined_row(row, visible, statistics.maximum,
                                      [&](Index j) { return mask.is_open(i, j); });
  }
  if (results.exp) write_row(row, visible, 0, results.exp, i);
  if (results.row_max) results.row_max[i] = statistics.maximum;
  if (results.row_sum) results.row_sum[i] = statistics.sum;

  if (is_defined) scale_row(row, visible, 1 / statistics.sum);
  if (results.weights && results.weights.row(i) != row) {
    write_row(row, visible, 0, results.weights, i);
  }
}

}  // namespace

void KeyValuePanels::pack(ConstMatrix key_rows, ConstMatrix value_rows) {
  attention::pack(key_rows.transposed(), key);
  is_value_finite = attention::pack(value_rows, value);
}

AttentionScratch::AttentionScratch(Arena& arena, Index m) {
  strip = take_padded_rows(arena, kStripRows, m);
  bias = take_padded_rows(arena, 1, m).data;
}

void attend(ConstMatrix query, const KeyValuePanels& panels, Index m, float scale, const Mask& mask,
            const AttentionResults& results, const AttentionScratch& scratch) {
  const bool is_biased = mask.kind != Mask::Kind::none;
  // Rows without padding can be worked on where their weights are to lie, which spares a copy.
  const bool is_in_place = results.weights && m % kRowStep == 0;
  for (Index first = 0; first < query.rows; first += kStripRows) {
    const Index rows = std::min(kStripRows, query.rows - first);
    // No query of this strip sees a key past these.
    const Index strip_keys = mask.visible(first + rows - 1, m);
    const Matrix strip =
        is_in_place ? results.weights.row_block(first, rows) : scratch.strip.row_block(0, rows);

    // s_ij = Σ_k q_ik k_jk
    multiply(query.row_block(first, rows), panels.key,
             strip.column_block(0, results.logits ? m : strip_keys));

    for (Index i = first; i < first + rows; ++i) {
      float* row = strip.row(i - first);
      const Index visible = mask.visible(i, m);
      if (is_biased) mask.copy_row(i, 0, visible, scratch.bias);
      attend_row(row, is_biased ? scratch.bias : nullptr, visible, scale, mask, i, results);
      std::fill(row + visible, row + (is_in_place ? m : strip_keys), 0.0f);
    }

    if (!results.output) continue;
    // y_ic = Σ_j a_ij v_jc
    const ConstMatrix weights = strip.column_block(0, strip_keys);
    const Matrix output = results.output.row_block(first, rows);
    if (panels.is_value_finite) {
      multiply(weights, panels.value, output);
    } else {
      multiply_open(mask.from_row(first), weights, panels.value, output);
    }
  }
}

}  // namespace attention
