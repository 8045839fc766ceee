#include "attention/multi_head.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "multi_head_case.h"

namespace attention {
namespace {

testing::AssertionResult named(const std::string& name, const testing::AssertionResult& result) {
  if (result) return result;
  return testing::AssertionFailure() << name << ": " << result.message();
}

oracle::Bounded matrix(const std::vector<double>& values, const std::vector<double>& errors,
                       int rows, int columns) {
  using Map = Eigen::Map<const oracle::Bounded::Matrix>;
  return {Map(values.data(), rows, columns), Map(errors.data(), rows, columns)};
}

/// All that head h of entry b has of its own.
testing::AssertionResult head_agrees(const MultiHeadCase& c, const LayerForward& actual,
                                     const oracle::MultiHead& expected, int b, int h) {
  const auto& s = c.sizes;
  const oracle::Attention& a = expected.attention[h];
  const int slice = b * s.num_heads + h, group_size = s.num_heads / s.num_kv_heads;
  const int group = h / group_size, kv_slice = b * s.num_kv_heads + group;
  const std::pair<const char*, testing::AssertionResult> checks[] = {
      {"query", part_is_near(actual.query, slice * s.n, expected.query.columns(h * s.d_k, s.d_k))},
      {"key", part_is_near(actual.key, kv_slice * s.m, expected.key.columns(group * s.d_k, s.d_k))},
      {"value",
       part_is_near(actual.value, kv_slice * s.m, expected.value.columns(group * s.d_v, s.d_v))},
      {"logits",
       part_is_near(actual.logits, slice * s.n, matrix(a.logits, a.logits_tolerance, s.n, s.m))},
      {"scores",
       part_is_near(actual.scores, slice * s.n, matrix(a.scores, a.scores_tolerance, s.n, s.m))},
      {"exp", part_is_near(actual.exp, slice * s.n, matrix(a.exp, a.exp_tolerance, s.n, s.m))},
      {"row_max",
       part_is_near(actual.row_max, slice * s.n, matrix(a.row_max, a.row_max_tolerance, s.n, 1))},
      {"row_sum",
       part_is_near(actual.row_sum, slice * s.n, matrix(a.row_sum, a.row_sum_tolerance, s.n, 1))},
      {"weights",
       part_is_near(actual.weights, slice * s.n, matrix(a.weights, a.weights_tolerance, s.n, s.m))},
      {"heads", part_is_near(actual.heads, slice * s.n, expected.heads.columns(h * s.d_v, s.d_v))},
  };
  for (const auto& [name, result] : checks) {
    if (!result) return named(std::string(name) + " of head " + std::to_string(h), result);
  }
  return testing::AssertionSuccess();
}

/// Everything that a forward pass gives, against the oracle; and that it does not matter for the
/// output what else is asked for, nor whether the parameters were packed before.
testing::AssertionResult agrees(const MultiHeadCase& c) {
  const LayerForward actual = c.forward(Keep::stages), streamed = c.forward(Keep::nothing);
  for (int b = 0; b < c.sizes.batch; ++b) {
    const oracle::MultiHead expected = oracle::multi_head(c.problem(b));
    for (int h = 0; h < c.sizes.num_heads; ++h) {
      const auto result = head_agrees(c, actual, expected, b, h);
      if (!result) return result;
    }
    const auto kept = part_is_near(actual.output, b * c.sizes.n, expected.output);
    if (!kept) return named("output of entry " + std::to_string(b), kept);
    const auto without = part_is_near(streamed.output, b * c.sizes.n, expected.output);
    if (!without) return named("streamed output of entry " + std::to_string(b), without);
  }
  const LayerForward prepared = c.forward(Keep::weights, Layer::prepared);
  const std::pair<const char*, testing::AssertionResult> same[] = {
      {"prepared, output", is_same_bits(prepared.output, actual.output)},
      {"prepared, weights", is_same_bits(prepared.weights, actual.weights)},
      {"prepared, streamed output",
       is_same_bits(c.forward(Keep::nothing, Layer::prepared).output, streamed.output)},
  };
  for (const auto& [name, result] : same) {
    if (!result) return named(name, result);
  }
  return testing::AssertionSuccess();
}

TEST(MultiHead, is_right_for_every_size_of_each_dimension) {
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

TEST(MultiHead, is_right_for_every_two_widths_of_a_head) {
  for (int d_k = 1; d_k <= 17; ++d_k) {
    for (int d_v = 1; d_v <= 17; ++d_v) {
      ASSERT_TRUE(agrees(MultiHeadCase({.d_k = d_k, .d_v = d_v, .d_out = 5}))) << d_k << ' ' << d_v;
    }
  }
}

TEST(MultiHead, is_right_with_and_without_biases_and_output_projection) {
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

TEST(MultiHead, is_right_when_some_of_the_biases_are_absent) {
  const MultiHeadCase all({.d_out = 4});
  MultiHeadParameters some = all.parameters();
  some.bq = some.bv = nullptr;
  MultiHeadCase zeros = all;
  for (auto* bias : {&zeros.bq, &zeros.bv}) std::fill(bias->begin(), bias->end(), 0.0f);
  std::vector<float> output(3 * 4, kNaN);
  MultiHeadResults results;
  results.output = output.data();
  EXPECT_EQ(multi_head(all.shape(), some, all.inputs(), results), Status::ok);
  EXPECT_TRUE(is_same_bits(output, zeros.forward(Keep::nothing).output));
}

TEST(MultiHead, is_right_for_every_grouping_of_queries) {
  for (const auto& [heads, kv_heads] :
       {std::pair{1, 1}, {2, 1}, {4, 1}, {4, 2}, {4, 4}, {6, 3}, {6, 2}, {12, 4}}) {
    ASSERT_TRUE(agrees(MultiHeadCase(
        {.batch = 2, .n = 6, .num_heads = heads, .num_kv_heads = kv_heads, .d_out = 7})))
        << heads << ' ' << kv_heads;
  }
}

TEST(MultiHead, broadcasts_masks_over_every_dimension) {
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

TEST(MultiHead, is_right_across_blocks_and_strips) {
  // 16 queries a strip, 64 rows and 512 terms a block of products, 256 keys a block of streaming.
  for (const bool is_causal : {false, true}) {
    MultiHeadCase lengths({.n = 70, .m = 300, .d_context = 3, .d_out = 4, .has_context = true});
    lengths.is_causal = is_causal;
    ASSERT_TRUE(agrees(lengths)) << is_causal;
  }
  ASSERT_TRUE(agrees(MultiHeadCase({.d_model = 515, .d_out = 4})));
  ASSERT_TRUE(agrees(MultiHeadCase({.d_k = 3, .d_v = 260, .d_out = 4})));
}

TEST(MultiHead, works_for_sizes_of_zero) {
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

TEST(MultiHead, without_anything_to_attend_to_puts_out_the_bias_alone) {
  MultiHeadCase c({.batch = 2, .n = 5, .d_out = 4});
  c.use_boolean_mask(false, false, true, false);
  std::fill(c.boolean_mask.begin(), c.boolean_mask.end(), 1);
  c.boolean_mask[3] = 0;
  for (const Keep keep : {Keep::weights, Keep::nothing}) {
    const LayerForward result = c.forward(keep);
    for (const int row : {3, 5 + 3}) {
      EXPECT_TRUE(is_same_bits(result.output.data() + row * 4, c.bo.data(), 4)) << row;
    }
  }
}

TEST(MultiHead, causal_first_output_without_projection_is_exactly_the_first_value) {
  for (const int kv_heads : {1, 2, 4}) {
    MultiHeadCase c(
        {.batch = 2, .n = 9, .num_heads = 4, .num_kv_heads = kv_heads, .d_v = 5, .has_wo = false});
    c.is_causal = true;
    const LayerForward kept = c.forward(Keep::stages), streamed = c.forward(Keep::nothing);
    for (int b = 0; b < 2; ++b) {
      for (int h = 0; h < 4; ++h) {
        const float* value = kept.value.data() + (b * kv_heads + h * kv_heads / 4) * 9 * 5;
        EXPECT_TRUE(is_same_bits(kept.output.data() + b * 9 * 20 + h * 5, value, 5));
        EXPECT_TRUE(is_same_bits(streamed.output.data() + b * 9 * 20 + h * 5, value, 5));
      }
    }
  }
}

TEST(MultiHead, is_within_1e_5_of_float64_by_norm_at_lesson_sizes) {
  for (const int n : {12, 64}) {
    MultiHeadCase c({.n = n,
                     .d_model = 64,
                     .num_heads = 4,
                     .num_kv_heads = 4,
                     .d_k = 16,
                     .d_v = 16,
                     .d_out = 64});
    for (auto* weights : {&c.wq, &c.wk, &c.wv, &c.wo}) {
      for (float& w : *weights) w *= 0.2f;
    }
    const oracle::MultiHead expected = oracle::multi_head(c.problem(0));
    for (const Keep keep : {Keep::weights, Keep::nothing}) {
      EXPECT_TRUE(is_close(c.forward(keep).output, expected.output.values(), {n, 64}, 2e-6));
    }
  }
}

TEST(MultiHead, says_how_much_memory_it_takes) {
  MultiHeadCase c({.n = 1, .d_out = 4});
  MultiHeadShape huge = c.shape();
  huge.n = huge.m = 2000000000;
  huge.d_model = huge.d_context = huge.d_out = 30000;
  EXPECT_GT(multi_head_workspace_bytes(huge, c.parameters(), {}), 1e11) << "no overflow";
  EXPECT_GT(multi_head_backward_workspace_bytes(huge, c.parameters(), {}), 1.6e19)
      << "recomputed weights";
  const float some = 0;
  EXPECT_LT(multi_head_backward_workspace_bytes(huge, c.parameters(),
                                                {&some, &some, &some, &some, &some}),
            1e16)
      << "kept weights";
}

}  // namespace
}  // namespace attention
