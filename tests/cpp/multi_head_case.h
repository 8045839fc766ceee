// A multi-head layer as a test sets it up and runs it, all in buffers of exactly their size, so that
// AddressSanitizer sees a step too far.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "attention/multi_head.h"
#include "attention_case.h"
#include "compare.h"
#include "oracle_multi_head.h"

namespace attention {

/// What a forward pass wrote. Everything starts as NaN: what is not written shows.
struct LayerForward {
  std::vector<float> output, weights, logits, scores, exp, row_max, row_sum;
  std::vector<float> query, key, value, heads;
};

struct LayerBackward {
  std::vector<float> x, context, wq, wk, wv, wo, bq, bk, bv, bo, scores, weights;
};

/// Are parameters packed by the call, or before it?
enum class Layer { plain, prepared };

struct MultiHeadSizes {
  int batch = 1, n = 3;
  int m = 0, d_context = 0;  ///< only with a context
  int d_model = 4;
  int num_heads = 2, num_kv_heads = 2;
  int d_k = 3, d_v = 2;
  int d_out = 0;  ///< only with an output projection
  bool has_context = false, has_wo = true, has_biases = true;
};

struct MultiHeadCase {
  MultiHeadSizes sizes;
  float scale = 0.5f;
  std::vector<float> x, context;
  std::vector<float> wq, wk, wv, wo, bq, bk, bv, bo;
  std::vector<std::uint8_t> boolean_mask;
  std::vector<float> additive_mask;
  int mask_row_stride = 0, mask_column_stride = 1;
  std::vector<std::int32_t> mask_offsets;  ///< (batch · num_heads); empty = all at 0
  bool is_causal = false;

  /// Inputs in [−1, 1).
  explicit MultiHeadCase(const MultiHeadSizes& given, unsigned seed = 1) : sizes(given) {
    if (!sizes.has_context) {
      sizes.m = sizes.n;
      sizes.d_context = sizes.d_model;
    }
    if (!sizes.has_wo) sizes.d_out = sizes.num_heads * sizes.d_v;
    const auto& [batch, n, m, d_context, d_model, h, kv, d_k, d_v, d_out, cross, has_wo, biases] =
        sizes;
    const auto random = [&](int count) { return random_floats(count, seed++); };
    x = random(batch * n * d_model);
    if (cross) context = random(batch * m * d_context);
    wq = random(d_model * h * d_k);
    wk = random(d_context * kv * d_k);
    wv = random(d_context * kv * d_v);
    if (has_wo) wo = random(h * d_v * d_out);
    if (!biases) return;
    bq = random(h * d_k);
    bk = random(kv * d_k);
    bv = random(kv * d_v);
    if (has_wo) bo = random(d_out);
  }

  /// Closes two of five positions by a mask (batch, num_heads, n, m), or by one that broadcasts over
  /// the dimensions that are false.
  void use_boolean_mask(bool by_batch, bool by_head, bool by_query, bool by_key) {
    const int count = lay_out_mask(by_batch, by_head, by_query, by_key);
    for (const float x : random_floats(count, 51)) boolean_mask.push_back(x > -0.2f ? 1 : 0);
  }
  /// Adds something to every score, and −∞ to every fourth.
  void use_additive_mask(bool by_batch, bool by_head, bool by_query, bool by_key) {
    const int count = lay_out_mask(by_batch, by_head, by_query, by_key);
    for (const float x : random_floats(count, 52)) {
      additive_mask.push_back(x > 0.5f ? -kInfinity : 2 * x);
    }
  }

  MultiHeadShape shape() const {
    return {
        sizes.batch,        sizes.n,   sizes.m,   sizes.d_model, sizes.d_context, sizes.num_heads,
        sizes.num_kv_heads, sizes.d_k, sizes.d_v, sizes.d_out};
  }

  MultiHeadParameters parameters() const {
    MultiHeadParameters parameters;
    parameters.wq = present(wq);
    parameters.wk = present(wk);
    parameters.wv = present(wv);
    if (sizes.has_wo) parameters.wo = present(wo);
    if (!sizes.has_biases) return parameters;
    parameters.bq = present(bq);
    parameters.bk = present(bk);
    parameters.bv = present(bv);
    if (sizes.has_wo) parameters.bo = present(bo);
    return parameters;
  }

  MultiHeadInputs inputs() const {
    MultiHeadInputs inputs;
    inputs.x = present(x);
    if (sizes.has_context) inputs.context = present(context);
    inputs.scale = scale;
    Mask& mask = inputs.mask.mask;
    mask.is_causal = is_causal;
    mask.row_stride = mask_row_stride;
    mask.column_stride = mask_column_stride;
    if (!boolean_mask.empty()) {
      mask.kind = Mask::Kind::boolean;
      mask.data = boolean_mask.data();
    } else if (!additive_mask.empty()) {
      mask.kind = Mask::Kind::additive;
      mask.data = additive_mask.data();
    }
    if (!mask_offsets.empty()) inputs.mask.offsets = mask_offsets.data();
    return inputs;
  }

  /// Entry b for the oracle.
  oracle::MultiHeadProblem problem(int b) const {
    using oracle::Bounded;
    const auto& [batch, n, m, d_context, d_model, h, kv, d_k, d_v, d_out, cross, has_wo, biases] =
        sizes;
    oracle::MultiHeadProblem p;
    p.num_heads = h;
    p.num_kv_heads = kv;
    p.d_k = d_k;
    p.d_v = d_v;
    p.scale = scale;
    for (int head = 0; head < h; ++head) {
      const int offset = mask_offsets.empty() ? 0 : mask_offsets[b * h + head];
      p.bias.push_back([this, offset](int i, int j) { return bias(offset, i, j); });
    }
    p.x = Bounded::exact(x, batch * n, d_model).rows(b * n, n);
    p.context = cross ? Bounded::exact(context, batch * m, d_context).rows(b * m, m) : p.x;
    p.wq = Bounded::exact(wq, d_model, h * d_k);
    p.wk = Bounded::exact(wk, d_context, kv * d_k);
    p.wv = Bounded::exact(wv, d_context, kv * d_v);
    if (has_wo) p.wo = Bounded::exact(wo, h * d_v, d_out);
    if (!biases) return p;
    p.bq = Bounded::exact(bq, 1, h * d_k);
    p.bk = Bounded::exact(bk, 1, kv * d_k);
    p.bv = Bounded::exact(bv, 1, kv * d_v);
    if (has_wo) p.bo = Bounded::exact(bo, 1, d_out);
    return p;
  }

  LayerForward forward(Keep keep, Layer layer = Layer::plain) const {
    const std::size_t batch = sizes.batch, n = sizes.n, m = sizes.m;
    const std::size_t rows = batch * sizes.num_heads * n, cells = rows * m;
    LayerForward result;
    MultiHeadResults results;
    results.output = unwritten(batch * n * sizes.d_out, &result.output);
    if (keep != Keep::nothing) results.scores.weights = unwritten(cells, &result.weights);
    if (keep == Keep::stages) {
      results.scores.logits = unwritten(cells, &result.logits);
      results.scores.scores = unwritten(cells, &result.scores);
      results.scores.exp = unwritten(cells, &result.exp);
      results.scores.row_max = unwritten(rows, &result.row_max);
      results.scores.row_sum = unwritten(rows, &result.row_sum);
      results.query = unwritten(rows * sizes.d_k, &result.query);
      results.key = unwritten(batch * sizes.num_kv_heads * m * sizes.d_k, &result.key);
      results.value = unwritten(batch * sizes.num_kv_heads * m * sizes.d_v, &result.value);
      results.heads = unwritten(rows * sizes.d_v, &result.heads);
    }
    if (layer == Layer::prepared) {
      EXPECT_EQ(multi_head(shape(), prepared().packed(), inputs(), results), Status::ok);
    } else {
      EXPECT_EQ(multi_head(shape(), parameters(), inputs(), results), Status::ok);
    }
    return result;
  }

  /// With what the forward pass kept (all stages), or all of it recomputed if that is null.
  LayerBackward backward(const std::vector<float>& grad_output, const LayerForward* forward,
                         Layer layer = Layer::plain) const {
    MultiHeadKept kept;
    if (forward) {
      kept = {present(forward->weights), present(forward->query), present(forward->key),
              present(forward->value), present(forward->heads)};
    }
    const std::size_t cells = static_cast<std::size_t>(sizes.batch) * sizes.num_heads * sizes.n *
                              static_cast<std::size_t>(sizes.m);
    LayerBackward result;
    MultiHeadGradients gradients;
    gradients.grad_output = present(grad_output);
    gradients.x = unwritten(x.size(), &result.x);
    if (sizes.has_context) gradients.context = unwritten(context.size(), &result.context);
    gradients.wq = unwritten(wq.size(), &result.wq);
    gradients.wk = unwritten(wk.size(), &result.wk);
    gradients.wv = unwritten(wv.size(), &result.wv);
    gradients.bq = unwritten(sizes.num_heads * sizes.d_k, &result.bq);
    gradients.bk = unwritten(sizes.num_kv_heads * sizes.d_k, &result.bk);
    gradients.bv = unwritten(sizes.num_kv_heads * sizes.d_v, &result.bv);
    if (sizes.has_wo) {
      gradients.wo = unwritten(wo.size(), &result.wo);
      gradients.bo = unwritten(sizes.d_out, &result.bo);
    }
    gradients.scores = unwritten(cells, &result.scores);
    gradients.weights = unwritten(cells, &result.weights);
    if (layer == Layer::prepared) {
      EXPECT_EQ(multi_head_backward(shape(), prepared().packed(), inputs(), kept, gradients),
                Status::ok);
    } else {
      EXPECT_EQ(multi_head_backward(shape(), parameters(), inputs(), kept, gradients), Status::ok);
    }
    return result;
  }

 private:
  /// An array that is there, even if it holds nothing.
  static const float* present(const std::vector<float>& numbers) {
    static const float nothing = kNaN;
    return numbers.empty() ? &nothing : numbers.data();
  }
  static float* unwritten(std::size_t count, std::vector<float>* result) {
    static float nothing;
    result->assign(count, kNaN);
    return count == 0 ? &nothing : result->data();
  }

  /// A layer prepared for any batch and length. Its parameters are copies: what they were made from
  /// is gone before they are used.
  PreparedParameters prepared() const {
    PreparedParameters prepared;
    const MultiHeadCase copy = *this;
    MultiHeadShape widths = shape();
    widths.batch = widths.n = widths.m = 0;
    EXPECT_EQ(prepared.prepare(widths, copy.parameters()), Status::ok);
    return prepared;
  }

  /// Strides and offsets of a contiguous mask; returns its size.
  int lay_out_mask(bool by_batch, bool by_head, bool by_query, bool by_key) {
    const int columns = by_key ? sizes.m : 1, rows = by_query ? sizes.n : 1;
    const int heads = by_head ? sizes.num_heads : 1, batch = by_batch ? sizes.batch : 1;
    mask_column_stride = by_key ? 1 : 0;
    mask_row_stride = by_query ? columns : 0;
    for (int b = 0; b < sizes.batch; ++b) {
      for (int h = 0; h < sizes.num_heads; ++h) {
        mask_offsets.push_back(((by_batch ? b : 0) * heads + (by_head ? h : 0)) * rows * columns);
      }
    }
    return batch * heads * rows * columns;
  }

  double bias(int offset, int i, int j) const {
    if (is_causal && j > i) return oracle::kMasked;
    const int at = offset + i * mask_row_stride + j * mask_column_stride;
    if (!boolean_mask.empty()) return boolean_mask[at] ? 0.0 : oracle::kMasked;
    return additive_mask.empty() ? 0.0 : static_cast<double>(additive_mask[at]);
  }
};

/// Rows first … of a (…, columns) array, as many as `expected` has, within its bounds.
inline testing::AssertionResult part_is_near(const std::vector<float>& actual, int first_row,
                                             const oracle::Bounded& expected) {
  const auto begin = actual.begin() + first_row * expected.value.cols();
  return is_near(std::vector<float>(begin, begin + expected.value.size()), expected);
}

}  // namespace attention
