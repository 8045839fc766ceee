#include "attention/scaled_dot_product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "attention_case.h"
#include "golden.h"

namespace attention {
namespace {

/// Everything that a forward pass gives, against the oracle.
testing::AssertionResult agrees(const AttentionCase& c) {
  const oracle::Attention expected = oracle::attend(c.problem());
  const Forward actual = c.forward(Keep::stages);
  const std::vector<int> cells = {c.n, c.m}, rows = {c.n};
  struct Stage {
    const char* name;
    const std::vector<float>& actual;
    const std::vector<double>& expected;
    const std::vector<double>& tolerance;
    std::vector<int> shape;
  };
  const Stage stages[] = {
      {"logits", actual.logits, expected.logits, expected.logits_tolerance, cells},
      {"scores", actual.scores, expected.scores, expected.scores_tolerance, cells},
      {"row_max", actual.row_max, expected.row_max, expected.row_max_tolerance, rows},
      {"exp", actual.exp, expected.exp, expected.exp_tolerance, cells},
      {"row_sum", actual.row_sum, expected.row_sum, expected.row_sum_tolerance, rows},
      {"weights", actual.weights, expected.weights, expected.weights_tolerance, cells},
      {"output", actual.output, expected.output, expected.output_tolerance, {c.n, c.d_v}},
  };
  for (const Stage& s : stages) {
    const auto result = is_near(s.actual, s.expected, s.tolerance, s.shape);
    if (!result) {
      return testing::AssertionFailure() << s.name << " of (" << c.n << ", " << c.m << ", " << c.d_k
                                         << ", " << c.d_v << "): " << result.message();
    }
  }
  // Weights alone, and no weights at all, give the same output.
  const Forward kept = c.forward(Keep::weights), streamed = c.forward(Keep::nothing);
  const auto same = is_same_bits(kept.output, actual.output);
  if (!same) return same;
  return is_near(streamed.output, expected.output, expected.output_tolerance, {c.n, c.d_v});
}

TEST(ScaledDotProduct, is_right_for_every_number_of_queries_and_keys) {
  for (int n = 1; n <= 17; ++n) {
    for (int m = 1; m <= 17; ++m) {
      AttentionCase c(n, m, 5, 6);
      ASSERT_TRUE(agrees(c));
      c.is_causal = true;
      ASSERT_TRUE(agrees(c)) << "causal";
    }
  }
}

TEST(ScaledDotProduct, is_right_for_every_width) {
  for (int d_k = 1; d_k <= 17; ++d_k) {
    for (int d_v = 1; d_v <= 17; ++d_v) ASSERT_TRUE(agrees(AttentionCase(7, 9, d_k, d_v)));
  }
}

TEST(ScaledDotProduct, is_right_across_strips_of_queries_and_blocks_of_keys) {
  for (const int n : {16, 33, 100}) {
    for (const int m : {255, 256, 257, 530}) {
      for (const bool is_causal : {false, true}) {
        AttentionCase c(n, m, 24, 10);
        c.is_causal = is_causal;
        ASSERT_TRUE(agrees(c)) << is_causal;
      }
    }
  }
  AttentionCase long_causal(530, 530, 8, 8);
  long_causal.is_causal = true;
  ASSERT_TRUE(agrees(long_causal));
}

TEST(ScaledDotProduct, is_right_with_any_scale_and_sharp_scores) {
  for (const float scale : {-1.0f, 0.0f, 1.0f, 30.0f}) {
    AttentionCase c(9, 21, 16, 3);
    c.scale = scale;
    ASSERT_TRUE(agrees(c)) << scale;
    c.is_causal = true;
    ASSERT_TRUE(agrees(c)) << scale << " causal";
  }
}

TEST(ScaledDotProduct, is_right_with_boolean_and_additive_masks) {
  for (const int m : {1, 5, 16, 31, 300}) {
    AttentionCase c(20, m, 4, 5);
    const std::vector<float> noise = random_floats(20 * m, 9);
    for (const bool is_causal : {false, true}) {
      c.is_causal = is_causal;
      c.additive_mask.clear();
      c.boolean_mask.clear();
      for (const float x : noise) c.boolean_mask.push_back(x > -0.2f ? 1 : 0);
      // Query 3 may attend to nothing.
      std::fill_n(c.boolean_mask.begin() + 3 * m, m, 0);
      ASSERT_TRUE(agrees(c)) << "boolean, m = " << m << (is_causal ? ", causal" : "");
      c.boolean_mask.clear();
      for (const float x : noise) c.additive_mask.push_back(x > 0.5f ? -kInfinity : 5 * x);
      std::fill_n(c.additive_mask.begin() + 3 * m, m, -kInfinity);
      ASSERT_TRUE(agrees(c)) << "additive, m = " << m << (is_causal ? ", causal" : "");
    }
  }
}

TEST(ScaledDotProduct, broadcasts_masks_by_strides) {
  AttentionCase c(6, 9, 4, 4);
  const std::vector<std::uint8_t> keys = {1, 0, 1, 1, 0, 1, 1, 1, 0};
  for (int i = 0; i < c.n; ++i) {
    c.boolean_mask.insert(c.boolean_mask.end(), keys.begin(), keys.end());
  }
  const Forward whole = c.forward(Keep::weights);
  AttentionBatch inputs = c.batch();
  inputs.mask.mask.data = keys.data();
  inputs.mask.mask.row_stride = 0;
  std::vector<float> output(whole.output.size()), weights(whole.weights.size());
  AttentionBatchResults results{output.data(), {}};
  results.scores.weights = weights.data();
  EXPECT_EQ(scaled_dot_product(inputs, results), Status::ok);
  EXPECT_TRUE(is_same_bits(output, whole.output));
  EXPECT_TRUE(is_same_bits(weights, whole.weights));
}

TEST(ScaledDotProduct, takes_slices_where_their_offsets_say) {
  // Two slices of queries over one of keys, the queries in reverse order.
  const AttentionCase first(5, 7, 3, 4, 1), second(5, 7, 3, 4, 20);
  std::vector<float> query = second.query;
  query.insert(query.end(), first.query.begin(), first.query.end());
  const std::int32_t query_offsets[] = {15, 0}, no_offsets[] = {0, 0};
  AttentionBatch inputs = first.batch();
  inputs.batch = 2;
  inputs.query = query.data();
  inputs.query_offsets = query_offsets;
  inputs.key_offsets = inputs.value_offsets = no_offsets;
  std::vector<float> output(2 * 5 * 4, kNaN), weights(2 * 5 * 7, kNaN);
  AttentionBatchResults results{output.data(), {}};
  results.scores.weights = weights.data();
  EXPECT_EQ(scaled_dot_product(inputs, results), Status::ok);

  AttentionCase shared = second;
  shared.key = first.key;
  shared.value = first.value;
  const Forward a = first.forward(Keep::weights), b = shared.forward(Keep::weights);
  EXPECT_TRUE(is_same_bits(output.data(), a.output.data(), 20));
  EXPECT_TRUE(is_same_bits(output.data() + 20, b.output.data(), 20));
  EXPECT_TRUE(is_same_bits(weights.data() + 35, b.weights.data(), 35));
}

TEST(ScaledDotProduct, works_for_sizes_of_zero) {
  EXPECT_TRUE(agrees(AttentionCase(0, 3, 2, 2)));
  EXPECT_TRUE(agrees(AttentionCase(3, 0, 2, 2))) << "nothing to attend: zero output";
  EXPECT_TRUE(agrees(AttentionCase(3, 4, 0, 2))) << "no features: the mean of the values";
  EXPECT_TRUE(agrees(AttentionCase(3, 4, 2, 0)));
  EXPECT_TRUE(agrees(AttentionCase(0, 0, 0, 0)));
  AttentionCase empty(3, 0, 2, 2);
  empty.is_causal = true;
  EXPECT_EQ(empty.forward(Keep::stages).output, std::vector<float>(6, 0.0f));
}

TEST(ScaledDotProduct, causal_weights_above_the_diagonal_are_exactly_zero) {
  AttentionCase c(40, 40, 8, 8);
  c.is_causal = true;
  const Forward result = c.forward(Keep::weights);
  for (int i = 0; i < 40; ++i) {
    for (int j = i + 1; j < 40; ++j) {
      EXPECT_EQ(result.weights[i * 40 + j], 0.0f) << i << ' ' << j;
      EXPECT_FALSE(std::signbit(result.weights[i * 40 + j])) << i << ' ' << j;
    }
  }
}

TEST(ScaledDotProduct, causal_first_output_is_exactly_the_first_value) {
  for (int d = 1; d <= 17; ++d) {
    AttentionCase c(d + 3, d + 3, d, d, static_cast<unsigned>(d));
    c.is_causal = true;
    for (const Keep keep : {Keep::weights, Keep::nothing}) {
      const Forward result = c.forward(keep);
      EXPECT_TRUE(is_same_bits(result.output.data(), c.value.data(), static_cast<std::size_t>(d)));
    }
  }
}

TEST(ScaledDotProduct, rows_of_weights_sum_to_one_within_a_millionth) {
  for (const int m : {1, 17, 4096, 20000}) {
    for (const float scale : {0.01f, 1.0f, 8.0f}) {
      AttentionCase c(5, m, 16, 1);
      c.scale = scale;
      const Forward result = c.forward(Keep::weights);
      for (int i = 0; i < c.n; ++i) {
        const float* row = result.weights.data() + i * m;
        EXPECT_NEAR(std::accumulate(row, row + m, 0.0), 1, 1e-6) << m << " scale " << scale;
      }
    }
  }
}

TEST(ScaledDotProduct, is_within_1e_5_of_float64_by_norm_at_lesson_sizes) {
  for (const int n : {12, 64, 300}) {
    AttentionCase c(n, n, 64, 64);
    c.scale = 0.125f;
    const oracle::Attention expected = oracle::attend(c.problem());
    const Forward kept = c.forward(Keep::weights), streamed = c.forward(Keep::nothing);
    EXPECT_TRUE(is_close(kept.weights, expected.weights, {n, n}, 1e-6));
    EXPECT_TRUE(is_close(kept.output, expected.output, {n, 64}, 1e-6));
    EXPECT_TRUE(is_close(streamed.output, expected.output, {n, 64}, 1e-6));
  }
}

TEST(ScaledDotProduct, says_how_much_memory_it_takes) {
  // Kept weights take a strip of rows, streamed ones a block of fixed size; neither n·m floats.
  AttentionCase c(4096, 4096, 8, 8);
  AttentionBatchResults streamed, kept;
  float some;
  kept.scores.weights = &some;
  const double cells = 4.0 * 4096 * 4096;
  EXPECT_LT(scaled_dot_product_workspace_bytes(c.batch(), streamed), cells / 50);
  EXPECT_LT(scaled_dot_product_workspace_bytes(c.batch(), kept), cells / 50);
  AttentionBatch huge = c.batch();
  huge.shape = {2000000000, 2000000000, 1000, 1000};
  EXPECT_GT(scaled_dot_product_workspace_bytes(huge, kept), 1.6e13) << "no overflow";
}

}  // namespace
}  // namespace attention
