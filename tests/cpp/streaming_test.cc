// Attention without weights: what is carried from one block of 256 keys to the next.
#include "attention/streaming.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "attention/multi_head.h"
#include "attention_case.h"

namespace attention {
namespace {

/// The oracle's bound, and what rescaling adds: each block after the first may raise the maximum,
/// and then multiplies sum and output by an exponential of its own.
std::vector<double> streamed_tolerance(const oracle::Problem& p, const oracle::Attention& a) {
  const int rescalings = p.m > 0 ? static_cast<int>((p.m - 1) / kStreamKeys) : 0;
  const double relative = 2 * rescalings * (oracle::kExpError + 2 * kUnitRoundoff);
  std::vector<double> tolerance = a.output_tolerance;
  for (int i = 0; i < p.n; ++i) {
    for (int j = 0; j < p.m; ++j) {
      if (!p.is_open(i, j)) continue;
      for (int c = 0; c < p.d_v; ++c) {
        tolerance[i * p.d_v + c] +=
            relative * a.weights[i * p.m + j] * std::abs(p.value[j * p.d_v + c]);
      }
    }
  }
  return tolerance;
}

testing::AssertionResult agrees(const AttentionCase& c) {
  const oracle::Problem problem = c.problem();
  const oracle::Attention expected = oracle::attend(problem);
  const auto result = is_near(c.forward(Keep::nothing).output, expected.output,
                              streamed_tolerance(problem, expected), {c.n, c.d_v});
  if (result) return result;
  return testing::AssertionFailure() << "(" << c.n << ", " << c.m << ", " << c.d_k << ", " << c.d_v
                                     << "): " << result.message();
}

/// Scores of about ±`size`, in any order.
void spread_scores(AttentionCase* c, float size) {
  for (float& x : c->key) x *= size;
}

TEST(Streaming, is_right_around_blocks_of_keys_and_strips_of_queries_under_every_mask) {
  for (const int m : {255, 256, 257, 511, 512, 513, 600}) {
    for (const int n : {1, 32, 33}) {
      for (const bool is_causal : {false, true}) {
        AttentionCase plain(n, m, 2, 3);
        plain.is_causal = is_causal;
        ASSERT_TRUE(agrees(plain)) << (is_causal ? "causal" : "no mask");
        AttentionCase boolean = plain, additive = plain;
        boolean.use_boolean_mask(41);
        ASSERT_TRUE(agrees(boolean)) << "boolean" << (is_causal ? ", causal" : "");
        additive.use_additive_mask(42);
        ASSERT_TRUE(agrees(additive)) << "additive" << (is_causal ? ", causal" : "");
      }
    }
  }
}

TEST(Streaming, is_right_for_every_width_with_more_than_one_block) {
  for (int d_k = 1; d_k <= 17; ++d_k) {
    for (int d_v = 1; d_v <= 17; ++d_v) ASSERT_TRUE(agrees(AttentionCase(2, 259, d_k, d_v)));
  }
}

TEST(Streaming, is_right_past_the_diagonal_of_long_causal_passes) {
  for (const auto& [n, m] : {std::pair{600, 600}, {600, 270}, {40, 600}}) {
    AttentionCase c(n, m, 4, 2);
    c.is_causal = true;
    ASSERT_TRUE(agrees(c));
  }
}

TEST(Streaming, is_right_for_long_rows) {
  for (const float spread : {0.1f, 4.0f, 40.0f}) {
    AttentionCase c(3, 20011, 4, 2);
    spread_scores(&c, spread);
    ASSERT_TRUE(agrees(c)) << spread;
  }
}

TEST(Streaming, is_right_when_every_block_raises_the_maximum_or_none_does) {
  // One feature, so that key j is the score: rising or falling by `step` from block to block.
  for (const float step : {0.01f, 1.0f, 30.0f, 200.0f}) {
    for (const float direction : {1.0f, -1.0f}) {
      AttentionCase c(2, 6 * kStreamKeys, 1, 3);
      c.scale = 1;
      c.query = {direction, direction};
      for (int j = 0; j < c.m; ++j) {
        c.key[j] += step * static_cast<float>(j / static_cast<int>(kStreamKeys));
      }
      ASSERT_TRUE(agrees(c)) << step << ' ' << direction;
    }
  }
}

TEST(Streaming, is_right_where_first_blocks_are_closed) {
  // Rows that see nothing of the first one, two or two and a half blocks, or only the last key.
  for (const int closed : {256, 512, 600, 699}) {
    AttentionCase boolean(5, 700, 3, 4), additive(5, 700, 3, 4);
    boolean.boolean_mask.assign(5 * 700, 1);
    additive.additive_mask.assign(5 * 700, 0.5f);
    for (const int i : {1, 3}) {
      std::fill_n(boolean.boolean_mask.begin() + i * 700, closed, 0);
      std::fill_n(additive.additive_mask.begin() + i * 700, closed, -kInfinity);
    }
    ASSERT_TRUE(agrees(boolean)) << closed;
    ASSERT_TRUE(agrees(additive)) << closed;
  }
}

TEST(Streaming, lets_nothing_out_of_closed_blocks) {
  AttentionCase clean(5, 700, 3, 4);
  clean.boolean_mask.assign(5 * 700, 1);
  for (int i = 0; i < 5; ++i) std::fill_n(clean.boolean_mask.begin() + i * 700, 300, 0);
  const Forward expected = clean.forward(Keep::nothing);
  for (const float bad : {kNaN, kInfinity, -kInfinity}) {
    AttentionCase dirty = clean;
    std::fill_n(dirty.key.begin(), 300 * 3, bad);
    std::fill_n(dirty.value.begin(), 300 * 4, bad);
    EXPECT_TRUE(is_same_bits(dirty.forward(Keep::nothing).output, expected.output)) << bad;
  }
}

TEST(Streaming, shows_what_is_not_finite_in_the_rows_that_attend_to_it) {
  // In the second block, with maxima that rise before and after it.
  for (const float bad : {kNaN, kInfinity, -kInfinity}) {
    AttentionCase c(600, 600, 1, 2);
    c.is_causal = true;
    c.scale = 1;
    std::fill(c.query.begin(), c.query.end(), 1.0f);
    for (int j = 0; j < c.m; ++j) c.key[j] = 0.1f * static_cast<float>(j);
    c.value[300 * 2 + 1] = bad;
    const Forward result = c.forward(Keep::nothing);
    for (int i = 0; i < c.n; ++i) {
      EXPECT_TRUE(std::isfinite(result.output[i * 2])) << i;
      EXPECT_EQ(std::isfinite(result.output[i * 2 + 1]), i < 300) << i;
    }
  }
}

TEST(Streaming, gives_scores_of_minus_infinity_no_weight_where_there_are_others) {
  // −∞ as a score, not as a mask, throughout the first block and beyond.
  AttentionCase c(2, 600, 1, 2);
  c.scale = 1;
  c.query = {1, 1};
  std::fill_n(c.key.begin(), 400, -kInfinity);
  AttentionCase rest(2, 200, 1, 2);
  rest.scale = 1;
  rest.query = c.query;
  rest.key.assign(c.key.begin() + 400, c.key.end());
  rest.value.assign(c.value.begin() + 400 * 2, c.value.end());
  const oracle::Problem problem = rest.problem();
  const oracle::Attention expected = oracle::attend(problem);
  EXPECT_TRUE(is_near(c.forward(Keep::nothing).output, expected.output,
                      streamed_tolerance(problem, expected), {2, 2}));
  // Nothing but −∞: not defined, and not the same as nothing to attend to.
  std::fill(c.key.begin(), c.key.end(), -kInfinity);
  for (const float y : c.forward(Keep::nothing).output) EXPECT_TRUE(std::isnan(y));
}

TEST(Streaming, takes_no_memory_that_grows_with_queries_times_keys) {
  const auto bytes = [](int n, int m) {
    return scaled_dot_product_workspace_bytes(AttentionCase(n, m, 8, 8).batch(), {});
  };
  EXPECT_EQ(bytes(64, 4096), bytes(6400, 4096)) << "queries cost nothing";
  const double packed_keys_and_values = 4096 * 16 * 4;
  EXPECT_EQ(bytes(64, 8192) - bytes(64, 4096), packed_keys_and_values);

  const auto multi_head_bytes = [](Index length) {
    const MultiHeadShape shape{1, length, length, 32, 32, 4, 4, 8, 8, 32};
    return multi_head_workspace_bytes(shape, {}, {});
  };
  EXPECT_EQ(multi_head_bytes(16384) - multi_head_bytes(8192),
            2 * (multi_head_bytes(8192) - multi_head_bytes(4096)))
      << "linear in the length";
}

}  // namespace
}  // namespace attention
