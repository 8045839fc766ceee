// The tests' own oracles against the reference that the lessons show: two ways of writing the
// formulas down, and the same numbers.
#include "oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "attention/reference.h"
#include "attention/reference_multi_head.h"
#include "attention_case.h"
#include "multi_head_case.h"
#include "near.h"
#include "oracle_backward.h"

namespace attention {
namespace {

constexpr double kTolerance = 1e-13;  // sums of some twenty terms in float64

using Map = Eigen::Map<const reference::Matrix>;

reference::Matrix matrix(const std::vector<double>& numbers, int rows, int columns) {
  return Map(numbers.data(), rows, columns);
}

testing::AssertionResult is_same(const std::vector<double>& oracle, const reference::Matrix& m) {
  const std::vector<double> expected(m.data(), m.data() + m.size());
  return near(oracle, expected,
              {static_cast<int>(m.rows()), static_cast<int>(std::max<Eigen::Index>(m.cols(), 1))},
              kTolerance);
}

testing::AssertionResult is_same(const oracle::Bounded& oracle, const reference::Matrix& m) {
  return is_same(oracle.values(), m);
}

/// One mask written down twice: as the reference takes it, and as the kernels do.
reference::Mask reference_mask(const MultiHeadCase& c, int slice) {
  reference::Mask mask;
  mask.is_causal = c.is_causal;
  mask.row_stride = c.mask_row_stride;
  mask.column_stride = c.mask_column_stride;
  if (!c.boolean_mask.empty()) mask.allowed = c.boolean_mask.data() + c.mask_offsets[slice];
  return mask;
}

TEST(Oracle, agrees_with_the_reference_on_attention) {
  for (const bool is_causal : {false, true}) {
    AttentionCase c(9, 13, 5, 4);
    c.is_causal = is_causal;
    c.use_boolean_mask(61);
    reference::Mask mask;
    mask.allowed = c.boolean_mask.data();
    mask.row_stride = c.m;
    mask.column_stride = 1;
    mask.is_causal = is_causal;
    const oracle::Problem p = c.problem();
    const reference::Matrix q = matrix(p.query, p.n, p.d_k), k = matrix(p.key, p.m, p.d_k);
    const reference::Matrix v = matrix(p.value, p.m, p.d_v);
    const std::vector<double> grad_output = doubles(random_floats(p.n * p.d_v, 62));

    const oracle::Attention a = oracle::attend(p);
    const reference::Attention expected = reference::scaled_dot_product(q, k, v, p.scale, mask);
    EXPECT_TRUE(is_same(a.logits, expected.logits));
    EXPECT_TRUE(is_same(a.scores, expected.scores));
    EXPECT_TRUE(is_same(a.row_max, expected.row_max));
    EXPECT_TRUE(is_same(a.exp, expected.exp));
    EXPECT_TRUE(is_same(a.row_sum, expected.row_sum));
    EXPECT_TRUE(is_same(a.weights, expected.weights));
    EXPECT_TRUE(is_same(a.output, expected.output));

    const oracle::Gradients g = oracle::backward(p, {a.weights, grad_output});
    const reference::Gradients expected_gradients = reference::scaled_dot_product_backward(
        q, k, v, p.scale, mask, expected.weights, matrix(grad_output, p.n, p.d_v));
    EXPECT_TRUE(is_same(g.query, expected_gradients.query));
    EXPECT_TRUE(is_same(g.key, expected_gradients.key));
    EXPECT_TRUE(is_same(g.value, expected_gradients.value));
    EXPECT_TRUE(is_same(g.scores, expected_gradients.scores));
    EXPECT_TRUE(is_same(g.weights, expected_gradients.weights));
  }
}

TEST(Oracle, agrees_with_the_reference_on_layers) {
  MultiHeadCase c({.batch = 2,
                   .n = 6,
                   .m = 7,
                   .d_context = 5,
                   .num_heads = 4,
                   .num_kv_heads = 2,
                   .d_out = 5,
                   .has_context = true});
  c.use_boolean_mask(true, true, true, true);
  for (int b = 0; b < 2; ++b) {
    const oracle::MultiHeadProblem p = c.problem(b);
    const auto map = [](const oracle::Bounded& m) {
      return reference::ConstMap(m.value.data(), m.value.rows(), m.value.cols());
    };
    reference::Parameters parameters{.wq = map(p.wq),
                                     .wk = map(p.wk),
                                     .wv = map(p.wv),
                                     .wo = map(*p.wo),
                                     .bq = map(*p.bq),
                                     .bk = map(*p.bk),
                                     .bv = map(*p.bv),
                                     .bo = map(*p.bo)};
    parameters.num_heads = 4;
    parameters.num_kv_heads = 2;
    parameters.scale = p.scale;
    std::vector<reference::Mask> masks;
    for (int h = 0; h < 4; ++h) masks.push_back(reference_mask(c, b * 4 + h));

    const oracle::MultiHead forward = multi_head(p);
    const reference::MultiHead expected =
        reference::multi_head(parameters, p.x.value, p.context.value, masks);
    EXPECT_TRUE(is_same(forward.heads, expected.concatenated));
    EXPECT_TRUE(is_same(forward.output, expected.output));

    const auto grad_output = oracle::Bounded::exact(random_floats(6 * 5, 63), 6, 5);
    const oracle::MultiHeadGradients g = multi_head_backward(p, forward, grad_output);
    const reference::MultiHeadGradients r = reference::multi_head_backward(
        parameters, p.x.value, p.context.value, masks, expected, grad_output.value);
    EXPECT_TRUE(is_same(g.x, r.x));
    EXPECT_TRUE(is_same(g.context, r.context));
    EXPECT_TRUE(is_same(g.wq, r.wq));
    EXPECT_TRUE(is_same(g.wk, r.wk));
    EXPECT_TRUE(is_same(g.wv, r.wv));
    EXPECT_TRUE(is_same(*g.wo, r.wo));
    EXPECT_TRUE(is_same(g.bq, r.bq));
    EXPECT_TRUE(is_same(g.bk, r.bk));
    EXPECT_TRUE(is_same(g.bv, r.bv));
    EXPECT_TRUE(is_same(*g.bo, r.bo));
  }
}

}  // namespace
}  // namespace attention
