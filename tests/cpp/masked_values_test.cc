// NaN and Inf: behind a mask they reach nothing, before it they show where they are attended to.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "attention_case.h"

namespace attention {
namespace {

constexpr float kBad[] = {std::numeric_limits<float>::quiet_NaN(), kInfinity, -kInfinity};

bool all_finite(const std::vector<float>& numbers) {
  for (const float x : numbers) {
    if (!std::isfinite(x)) return false;
  }
  return true;
}

bool is_row_finite(const std::vector<float>& matrix, int i, int columns) {
  return all_finite({matrix.begin() + i * columns, matrix.begin() + (i + 1) * columns});
}

/// A case in which key 2 is closed to everyone, by one of three masks.
AttentionCase with_hidden_key(int n, int m, int kind) {
  AttentionCase c(n, m, 6, 9);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      if (kind == 0) c.boolean_mask.push_back(j != 2);
      if (kind == 1)
        c.additive_mask.push_back(j != 2 ? 0.25f * static_cast<float>(j % 3) : -kInfinity);
    }
  }
  c.is_causal = kind == 2;  // Key 2 is then hidden from queries 0 and 1 only.
  return c;
}

TEST(MaskedValues, in_key_or_value_change_no_bit_of_the_result) {
  for (const int m : {4, 17, 300}) {
    for (const int kind : {0, 1, 2}) {
      const int n = kind == 2 ? 2 : 21;
      AttentionCase clean = with_hidden_key(n, m, kind);
      AttentionCase dirty = clean;
      for (const float bad : kBad) {
        std::fill_n(dirty.key.begin() + 2 * dirty.d_k, dirty.d_k, bad);
        std::fill_n(dirty.value.begin() + 2 * dirty.d_v, dirty.d_v, bad);
        for (const Keep keep : {Keep::weights, Keep::nothing}) {
          const Forward expected = clean.forward(keep), actual = dirty.forward(keep);
          ASSERT_TRUE(is_same_bits(actual.output, expected.output)) << m << " mask " << kind;
          ASSERT_TRUE(is_same_bits(actual.weights, expected.weights)) << m << " mask " << kind;
        }
      }
    }
  }
}

TEST(MaskedValues, change_no_bit_of_any_gradient) {
  for (const int m : {4, 17, 300}) {
    for (const int kind : {0, 1, 2}) {
      const int n = kind == 2 ? 2 : 70;
      AttentionCase clean = with_hidden_key(n, m, kind);
      AttentionCase dirty = clean;
      const std::vector<float> grad_output = random_floats(n * clean.d_v, 5);
      const std::vector<float> weights = clean.forward(Keep::weights).weights;
      for (const float bad : kBad) {
        std::fill_n(dirty.key.begin() + 2 * dirty.d_k, dirty.d_k, bad);
        std::fill_n(dirty.value.begin() + 2 * dirty.d_v, dirty.d_v, bad);
        for (const auto& kept : {weights, std::vector<float>()}) {
          const Backward expected = clean.backward(grad_output, weights);
          const Backward actual = dirty.backward(grad_output, kept);
          ASSERT_TRUE(is_same_bits(actual.query, expected.query)) << m << " mask " << kind;
          ASSERT_TRUE(is_same_bits(actual.key, expected.key)) << m << " mask " << kind;
          ASSERT_TRUE(is_same_bits(actual.value, expected.value)) << m << " mask " << kind;
          ASSERT_TRUE(is_same_bits(actual.scores, expected.scores)) << m << " mask " << kind;
          for (int i = 0; i < n; ++i) {
            EXPECT_EQ(actual.weights[i * m + 2], 0) << "∂A of a masked NaN";
          }
        }
      }
    }
  }
}

TEST(Nan, in_a_value_shows_in_every_row_that_attends_to_it_and_only_there) {
  AttentionCase c(30, 30, 4, 6);
  c.is_causal = true;
  c.value[12 * c.d_v + 3] = kNaN;
  for (const Keep keep : {Keep::weights, Keep::nothing}) {
    const Forward result = c.forward(keep);
    for (int i = 0; i < c.n; ++i) {
      for (int column = 0; column < c.d_v; ++column) {
        EXPECT_EQ(std::isnan(result.output[i * c.d_v + column]), i >= 12 && column == 3)
            << i << ' ' << column;
      }
    }
    EXPECT_TRUE(all_finite(result.weights));
  }
}

TEST(Nan, in_a_value_shows_even_where_its_weight_underflows_to_zero) {
  AttentionCase c(1, 2, 1, 1);
  c.scale = 1;
  c.query = {1};
  c.key = {200, 0};
  c.value = {1, kNaN};
  for (const Keep keep : {Keep::weights, Keep::nothing}) {
    EXPECT_TRUE(std::isnan(c.forward(keep).output[0]));
  }
  EXPECT_EQ(c.forward(Keep::weights).weights[1], 0);
}

TEST(Nan, in_a_key_makes_the_weights_of_its_rows_nan_and_masked_ones_stay_zero) {
  AttentionCase c(30, 30, 4, 6);
  c.is_causal = true;
  c.key[12 * c.d_k] = kNaN;
  const Forward kept = c.forward(Keep::stages), streamed = c.forward(Keep::nothing);
  for (int i = 0; i < c.n; ++i) {
    for (int j = 0; j < c.m; ++j) {
      const float weight = kept.weights[i * c.m + j];
      if (j > i) {
        EXPECT_EQ(weight, 0) << i << ' ' << j;
        EXPECT_EQ(kept.exp[i * c.m + j], 0) << i << ' ' << j;
      } else {
        EXPECT_EQ(std::isnan(weight), i >= 12) << i << ' ' << j;
      }
    }
    EXPECT_EQ(is_row_finite(kept.output, i, c.d_v), i < 12) << i;
    EXPECT_EQ(is_row_finite(streamed.output, i, c.d_v), i < 12) << i;
    EXPECT_EQ(std::isnan(kept.row_max[i]), i >= 12);
    EXPECT_EQ(std::isnan(kept.row_sum[i]), i >= 12);
  }
}

TEST(Nan, in_a_query_shows_in_its_own_row_only) {
  for (const float bad : kBad) {
    AttentionCase c = with_hidden_key(9, 7, 0);
    c.query[5 * c.d_k + 1] = bad;
    const Forward kept = c.forward(Keep::weights), streamed = c.forward(Keep::nothing);
    for (int i = 0; i < c.n; ++i) {
      EXPECT_EQ(is_row_finite(kept.output, i, c.d_v), i != 5) << i;
      EXPECT_EQ(is_row_finite(streamed.output, i, c.d_v), i != 5) << i;
      EXPECT_EQ(kept.weights[i * c.m + 2], 0) << i;
    }
    for (int j = 0; j < c.m; ++j) {
      EXPECT_EQ(std::isnan(kept.weights[5 * c.m + j]), j != 2) << j;
    }
  }
}

TEST(Nan, in_a_query_reaches_the_gradients_of_the_keys_it_attends_to_and_no_others) {
  AttentionCase c(6, 6, 4, 4);
  c.is_causal = true;
  c.query[3 * c.d_k] = kNaN;
  const Backward result = c.backward(random_floats(6 * 4, 5), c.forward(Keep::weights).weights);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(is_row_finite(result.query, i, 4), i != 3) << "query " << i;
    EXPECT_EQ(is_row_finite(result.key, i, 4), i > 3) << "key " << i;
    EXPECT_EQ(is_row_finite(result.value, i, 4), i > 3) << "value " << i;
  }
}

TEST(Nan, in_an_output_gradient_reaches_what_its_row_attends_to_and_nothing_else) {
  AttentionCase c(6, 6, 4, 4);
  c.is_causal = true;
  std::vector<float> grad_output = random_floats(6 * 4, 5);
  grad_output[3 * 4] = kNaN;
  const Backward result = c.backward(grad_output, c.forward(Keep::weights).weights);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(is_row_finite(result.query, i, 4), i != 3) << "query " << i;
    EXPECT_EQ(is_row_finite(result.key, i, 4), i > 3) << "key " << i;
    EXPECT_EQ(is_row_finite(result.value, i, 4), i > 3) << "value " << i;
  }
}

TEST(FloatMask, lets_infinity_and_nan_flow_into_their_rows) {
  for (const float bad : {kBad[0], kInfinity}) {
    AttentionCase c(5, 20, 4, 4);
    c.additive_mask.assign(5 * 20, 0.0f);
    c.additive_mask[2 * 20 + 7] = bad;
    c.additive_mask[2 * 20 + 8] = -kInfinity;
    const Forward kept = c.forward(Keep::weights), streamed = c.forward(Keep::nothing);
    for (int i = 0; i < 5; ++i) {
      EXPECT_EQ(is_row_finite(kept.output, i, 4), i != 2) << i;
      EXPECT_EQ(is_row_finite(streamed.output, i, 4), i != 2) << i;
    }
    EXPECT_EQ(kept.weights[2 * 20 + 8], 0);
    EXPECT_TRUE(std::isnan(kept.weights[2 * 20 + 7]));
  }
}

TEST(InfiniteScores, of_attended_keys_are_no_mask) {
  // −Inf · 1 for the one open key of row 0: a softmax of −Inf alone is not defined. Beside a finite
  // score it weighs nothing.
  AttentionCase c(2, 2, 1, 1);
  c.scale = 1;
  c.query = {1, 1};
  c.key = {-kInfinity, 3};
  c.value = {5, 7};
  c.boolean_mask = {1, 0, 1, 1};
  const Forward kept = c.forward(Keep::stages), streamed = c.forward(Keep::nothing);
  EXPECT_TRUE(std::isnan(kept.weights[0]));
  EXPECT_EQ(kept.weights[1], 0);
  EXPECT_TRUE(std::isnan(kept.output[0]));
  EXPECT_TRUE(std::isnan(streamed.output[0]));
  EXPECT_EQ(kept.row_max[0], -kInfinity);
  EXPECT_EQ(kept.output[1], 7);
  EXPECT_EQ(streamed.output[1], 7);
}

TEST(EmptyRows, have_zero_weights_and_output_and_no_gradient) {
  for (const int m : {1, 16, 270}) {
    AttentionCase c(20, m, 3, 5);
    c.boolean_mask.assign(20 * m, 1);
    std::fill_n(c.boolean_mask.begin() + 4 * m, m, 0);
    // Nothing in the row's query or its gradient matters either.
    c.query[4 * 3] = kNaN;
    std::vector<float> grad_output = random_floats(20 * 5, 5);
    grad_output[4 * 5] = kNaN;
    const Forward kept = c.forward(Keep::stages), streamed = c.forward(Keep::nothing);
    for (int j = 0; j < m; ++j) {
      EXPECT_EQ(kept.weights[4 * m + j], 0);
      EXPECT_EQ(kept.exp[4 * m + j], 0);
      EXPECT_EQ(kept.scores[4 * m + j], -kInfinity);
    }
    EXPECT_EQ(kept.row_max[4], -kInfinity);
    EXPECT_EQ(kept.row_sum[4], 0);
    for (int column = 0; column < 5; ++column) {
      EXPECT_EQ(kept.output[4 * 5 + column], 0);
      EXPECT_EQ(streamed.output[4 * 5 + column], 0);
    }
    EXPECT_TRUE(all_finite(kept.output));
    const Backward gradients = c.backward(grad_output, kept.weights);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(gradients.query[4 * 3 + k], 0);
    EXPECT_TRUE(all_finite(gradients.query));
    EXPECT_TRUE(all_finite(gradients.key));
    EXPECT_TRUE(all_finite(gradients.value));
    EXPECT_TRUE(all_finite(gradients.scores));
  }
}

}  // namespace
}  // namespace attention
