#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "attention/multi_head.h"
#include "multi_head_case.h"

namespace attention {
namespace {

testing::AssertionResult are_same_bits(const LayerBackward& a, const LayerBackward& b) {
  using Member = std::vector<float> LayerBackward::*;
  const std::pair<const char*, Member> members[] = {
      {"x", &LayerBackward::x},           {"context", &LayerBackward::context},
      {"wq", &LayerBackward::wq},         {"wk", &LayerBackward::wk},
      {"wv", &LayerBackward::wv},         {"wo", &LayerBackward::wo},
      {"bq", &LayerBackward::bq},         {"bk", &LayerBackward::bk},
      {"bv", &LayerBackward::bv},         {"bo", &LayerBackward::bo},
      {"scores", &LayerBackward::scores}, {"weights", &LayerBackward::weights},
  };
  for (const auto& [name, member] : members) {
    const auto result = is_same_bits(a.*member, b.*member);
    if (!result) return testing::AssertionFailure() << name << ": " << result.message();
  }
  return testing::AssertionSuccess();
}

/// What the oracle says of all entries of a batch.
struct Expected {
  std::vector<oracle::MultiHeadGradients> entries;
  oracle::MultiHeadGradients sum;  ///< its parameters' gradients

  Expected(const MultiHeadCase& c, const std::vector<float>& grad_output) {
    const auto& s = c.sizes;
    const oracle::Bounded all = oracle::Bounded::exact(grad_output, s.batch * s.n, s.d_out);
    for (int b = 0; b < s.batch; ++b) {
      const oracle::MultiHeadProblem problem = c.problem(b);
      entries.push_back(multi_head_backward(problem, multi_head(problem), all.rows(b * s.n, s.n)));
      if (b == 0) {
        sum = entries[0];
      } else {
        add_parameter_gradients(entries.back(), &sum);
      }
    }
  }
};

testing::AssertionResult entry_agrees(const MultiHeadCase& c, const LayerBackward& actual, int b,
                                      const oracle::MultiHeadGradients& expected) {
  const auto& s = c.sizes;
  if (s.has_context) {
    const auto x = part_is_near(actual.x, b * s.n, expected.x);
    if (!x) return testing::AssertionFailure() << "gradient of x: " << x.message();
    const auto context = part_is_near(actual.context, b * s.m, expected.context);
    if (!context) return testing::AssertionFailure() << "context: " << context.message();
  } else {
    const auto x = part_is_near(actual.x, b * s.n, expected.x + expected.context);
    if (!x) return testing::AssertionFailure() << "gradient of x: " << x.message();
  }
  using Map = Eigen::Map<const oracle::Bounded::Matrix>;
  for (int h = 0; h < s.num_heads; ++h) {
    const oracle::Gradients& g = expected.heads[h];
    const int row = (b * s.num_heads + h) * s.n;
    const auto scores =
        part_is_near(actual.scores, row,
                     {Map(g.scores.data(), s.n, s.m), Map(g.scores_tolerance.data(), s.n, s.m)});
    if (!scores) return testing::AssertionFailure() << "scores: " << scores.message();
    const auto weights =
        part_is_near(actual.weights, row,
                     {Map(g.weights.data(), s.n, s.m), Map(g.weights_tolerance.data(), s.n, s.m)});
    if (!weights) return testing::AssertionFailure() << "weights: " << weights.message();
  }
  return testing::AssertionSuccess();
}

/// All gradients against the oracle; and the same bits whether the forward pass was kept or is
/// recomputed, and whether the parameters were packed before.
testing::AssertionResult agrees(const MultiHeadCase& c) {
  const auto& s = c.sizes;
  const std::vector<float> grad_output = random_floats(s.batch * s.n * s.d_out, 91);
  const LayerBackward actual = c.backward(grad_output, nullptr);
  const Expected expected(c, grad_output);
  for (int b = 0; b < s.batch; ++b) {
    const auto result = entry_agrees(c, actual, b, expected.entries[b]);
    if (!result) return testing::AssertionFailure() << "entry " << b << ": " << result.message();
  }
  if (s.batch > 0) {
    const oracle::MultiHeadGradients& sum = expected.sum;
    const std::pair<const char*, testing::AssertionResult> parameters[] = {
        {"wq", is_near(actual.wq, sum.wq)},
        {"wk", is_near(actual.wk, sum.wk)},
        {"wv", is_near(actual.wv, sum.wv)},
        {"bq", is_near(actual.bq, sum.bq)},
        {"bk", is_near(actual.bk, sum.bk)},
        {"bv", is_near(actual.bv, sum.bv)},
        {"wo", sum.wo ? is_near(actual.wo, *sum.wo) : testing::AssertionSuccess()},
        {"bo", sum.bo ? is_near(actual.bo, *sum.bo) : testing::AssertionSuccess()},
    };
    for (const auto& [name, result] : parameters) {
      if (!result) {
        return testing::AssertionFailure() << "gradient of " << name << ": " << result.message();
      }
    }
  }
  const LayerForward forward = c.forward(Keep::stages);
  const std::pair<const char*, testing::AssertionResult> same[] = {
      {"kept", are_same_bits(c.backward(grad_output, &forward), actual)},
      {"prepared", are_same_bits(c.backward(grad_output, nullptr, Layer::prepared), actual)},
      {"kept and prepared",
       are_same_bits(c.backward(grad_output, &forward, Layer::prepared), actual)},
  };
  for (const auto& [name, result] : same) {
    if (!result) return testing::AssertionFailure() << name << ", " << result.message();
  }
  return testing::AssertionSuccess();
}

TEST(MultiHeadBackward, is_right_for_every_size_of_each_dimension) {
  for (int size = 1; size <= 17; ++size) {
    const MultiHeadSizes cases[] = {
        {.n = size, .d_out = 4},
        {.n = 5, .d_model = size, .d_out = 4},
        {.n = 4, .m = size, .d_context = 3, .d_out = 4, .has_context = true},
        {.n = 4, .m = 3, .d_context = size, .d_out = 4, .has_context = true},
        {.num_heads = size, .num_kv_heads = size, .d_out = 4},
        {.num_heads = size, .num_kv_heads = 1, .d_out = 4},
        {.d_k = size, .d_out = 4},
        {.d_v = size, .d_out = 4},
        {.d_v = size, .has_wo = false},
        {.d_out = size},
        {.batch = size, .d_out = 4},
    };
    for (const MultiHeadSizes& sizes : cases) {
      MultiHeadCase c(sizes);
      c.is_causal = size % 2 == 1;
      ASSERT_TRUE(agrees(c)) << "size " << size << ", case " << &sizes - cases;
    }
  }
}

TEST(MultiHeadBackward, is_right_for_every_two_widths_of_a_head) {
  for (int d_k = 1; d_k <= 17; ++d_k) {
    for (int d_v = 1; d_v <= 17; ++d_v) {
      ASSERT_TRUE(agrees(MultiHeadCase({.d_k = d_k, .d_v = d_v, .d_out = 5}))) << d_k << ' ' << d_v;
    }
  }
}

TEST(MultiHeadBackward, is_right_with_and_without_biases_and_output_projection) {
  for (const bool has_wo : {false, true}) {
    for (const bool has_biases : {false, true}) {
      for (const bool has_context : {false, true}) {
        const MultiHeadSizes sizes = {.batch = 2,
                                      .n = 7,
                                      .m = 9,
                                      .d_context = 6,
                                      .d_model = 5,
                                      .d_out = 4,
                                      .has_context = has_context,
                                      .has_wo = has_wo,
                                      .has_biases = has_biases};
        ASSERT_TRUE(agrees(MultiHeadCase(sizes))) << has_wo << has_biases << has_context;
      }
    }
  }
}

TEST(MultiHeadBackward, is_right_for_every_grouping_of_queries) {
  for (const auto& [heads, kv_heads] :
       {std::pair{1, 1}, {2, 1}, {4, 1}, {4, 2}, {4, 4}, {6, 3}, {6, 2}, {12, 4}}) {
    ASSERT_TRUE(agrees(MultiHeadCase(
        {.batch = 2, .n = 6, .num_heads = heads, .num_kv_heads = kv_heads, .d_out = 7})))
        << heads << ' ' << kv_heads;
  }
}

TEST(MultiHeadBackward, broadcasts_masks_over_every_dimension) {
  for (int kind = 0; kind < 16; ++kind) {
    const bool by_batch = kind & 1, by_head = kind & 2, by_query = kind & 4, by_key = kind & 8;
    MultiHeadCase boolean(
        {.batch = 3, .n = 5, .m = 7, .d_context = 4, .d_out = 4, .has_context = true});
    MultiHeadCase additive = boolean;
    boolean.use_boolean_mask(by_batch, by_head, by_query, by_key);
    additive.use_additive_mask(by_batch, by_head, by_query, by_key);
    ASSERT_TRUE(agrees(boolean)) << "boolean, dimensions " << kind;
    additive.is_causal = true;
    ASSERT_TRUE(agrees(additive)) << "additive and causal, dimensions " << kind;
  }
}

TEST(MultiHeadBackward, is_right_across_blocks_and_strips) {
  for (const bool is_causal : {false, true}) {
    MultiHeadCase lengths({.n = 130,
                           .m = 70,
                           .d_context = 3,
                           .num_heads = 2,
                           .num_kv_heads = 1,
                           .d_out = 4,
                           .has_context = true});
    lengths.is_causal = is_causal;
    ASSERT_TRUE(agrees(lengths)) << is_causal;
  }
  ASSERT_TRUE(agrees(MultiHeadCase({.d_model = 515, .d_out = 4})));
  ASSERT_TRUE(agrees(MultiHeadCase({.d_out = 515})));
}

TEST(MultiHeadBackward, works_for_sizes_of_zero) {
  const MultiHeadSizes cases[] = {
      {.batch = 0, .d_out = 4},
      {.n = 0, .d_out = 4},
      {.n = 4, .m = 0, .d_context = 3, .d_out = 4, .has_context = true},
      {.n = 0, .m = 5, .d_context = 3, .d_out = 4, .has_context = true},
      {.d_model = 0, .d_out = 4},
      {.d_k = 0, .d_out = 4},
      {.d_v = 0, .d_out = 4},
      {.d_v = 0, .has_wo = false},
      {.d_out = 0},
  };
  for (const MultiHeadSizes& sizes : cases) {
    EXPECT_TRUE(agrees(MultiHeadCase(sizes))) << "case " << &sizes - cases;
  }
}

TEST(MultiHeadBackward, of_no_entries_has_parameter_gradients_of_zero) {
  const MultiHeadCase c({.batch = 0, .d_out = 4});
  const LayerBackward result = c.backward({}, nullptr);
  for (const auto* gradient : {&result.wq, &result.wk, &result.wv, &result.wo, &result.bq,
                               &result.bk, &result.bv, &result.bo}) {
    EXPECT_EQ(*gradient, std::vector<float>(gradient->size(), 0.0f));
  }
}

TEST(MultiHeadBackward, computes_a_gradient_alone_as_among_others) {
  MultiHeadCase c({.batch = 2,
                   .n = 6,
                   .m = 5,
                   .d_context = 3,
                   .num_heads = 4,
                   .num_kv_heads = 2,
                   .d_out = 4,
                   .has_context = true});
  const std::vector<float> grad_output = random_floats(2 * 6 * 4, 92);
  const LayerBackward all = c.backward(grad_output, nullptr);
  const auto is_same_alone = [&](float* MultiHeadGradients::*member,
                                 const std::vector<float>& expected) {
    std::vector<float> alone(expected.size(), kNaN);
    MultiHeadGradients gradients;
    gradients.grad_output = grad_output.data();
    gradients.*member = alone.data();
    EXPECT_EQ(multi_head_backward(c.shape(), c.parameters(), c.inputs(), {}, gradients),
              Status::ok);
    return is_same_bits(alone, expected);
  };
  using Gradients = MultiHeadGradients;
  EXPECT_TRUE(is_same_alone(&Gradients::x, all.x));
  EXPECT_TRUE(is_same_alone(&Gradients::context, all.context));
  EXPECT_TRUE(is_same_alone(&Gradients::wq, all.wq));
  EXPECT_TRUE(is_same_alone(&Gradients::wk, all.wk));
  EXPECT_TRUE(is_same_alone(&Gradients::wv, all.wv));
  EXPECT_TRUE(is_same_alone(&Gradients::wo, all.wo));
  EXPECT_TRUE(is_same_alone(&Gradients::bq, all.bq));
  EXPECT_TRUE(is_same_alone(&Gradients::bk, all.bk));
  EXPECT_TRUE(is_same_alone(&Gradients::bv, all.bv));
  EXPECT_TRUE(is_same_alone(&Gradients::bo, all.bo));
  EXPECT_TRUE(is_same_alone(&Gradients::scores, all.scores));
  EXPECT_TRUE(is_same_alone(&Gradients::weights, all.weights));
}

}  // namespace
}  // namespace attention
