// A cached step is its row of the full causal pass with weights kept, bit for bit.
#include "attention/kv_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "golden.h"
#include "multi_head_case.h"

namespace attention {
namespace {

MultiHeadCase causal_layer(MultiHeadSizes sizes) {
  MultiHeadCase c(sizes);
  c.is_causal = true;
  return c;
}

/// A cache for a layer of one sequence; its parameters are copies.
KvCache cache_for(const MultiHeadCase& c, Index max_length) {
  KvCache cache;
  EXPECT_EQ(cache.create(c.shape(), c.parameters(), c.scale, max_length), Status::ok);
  return cache;
}

/// Takes `rows` tokens in and compares their output and weights with the full pass.
testing::AssertionResult step_agrees(const MultiHeadCase& c, const LayerForward& full, int rows,
                                     KvCache* cache) {
  const auto& s = c.sizes;
  const int first = static_cast<int>(cache->length()), length = first + rows;
  std::vector<float> x(c.x.begin() + first * s.d_model, c.x.begin() + length * s.d_model);
  std::vector<float> output(rows * s.d_out, kNaN), weights(s.num_heads * rows * length, kNaN);
  EXPECT_EQ(cache->step(x.data(), rows, output.data(), weights.data()), Status::ok);
  const auto same_output = is_same_bits(output.data(), full.output.data() + first * s.d_out,
                                        static_cast<std::size_t>(rows * s.d_out));
  if (!same_output) {
    return testing::AssertionFailure()
           << "output from token " << first << ": " << same_output.message();
  }
  for (int h = 0; h < s.num_heads; ++h) {
    for (int r = 0; r < rows; ++r) {
      const auto same_weights = is_same_bits(weights.data() + (h * rows + r) * length,
                                             full.weights.data() + (h * s.n + first + r) * s.n,
                                             static_cast<std::size_t>(length));
      if (!same_weights) {
        return testing::AssertionFailure() << "weights of token " << first + r << " in head " << h
                                           << ": " << same_weights.message();
      }
    }
  }
  return testing::AssertionSuccess();
}

/// All tokens, so many at a time, into a cache that just holds them.
testing::AssertionResult agrees(const MultiHeadCase& c, int rows_at_a_time = 1) {
  const LayerForward full = c.forward(Keep::weights);
  KvCache cache = cache_for(c, c.sizes.n);
  while (cache.length() < c.sizes.n) {
    const int rows = std::min(rows_at_a_time, c.sizes.n - static_cast<int>(cache.length()));
    const auto result = step_agrees(c, full, rows, &cache);
    if (!result) return result;
  }
  return testing::AssertionSuccess();
}

TEST(KvCache, step_is_its_row_of_the_full_pass_for_every_two_widths_of_a_head) {
  for (int d_k = 1; d_k <= 17; ++d_k) {
    for (int d_v = 1; d_v <= 17; ++d_v) {
      ASSERT_TRUE(agrees(causal_layer({.n = 9, .d_k = d_k, .d_v = d_v, .d_out = 5})))
          << d_k << ' ' << d_v;
    }
  }
}

TEST(KvCache, step_is_its_row_of_the_full_pass_for_every_length_and_portion) {
  for (int length = 1; length <= 17; ++length) {
    for (int rows = 1; rows <= length; ++rows) {
      ASSERT_TRUE(agrees(causal_layer({.n = length, .d_out = 4}), rows)) << length << ' ' << rows;
    }
  }
}

TEST(KvCache, step_is_its_row_of_the_full_pass_for_every_grouping_bias_and_projection) {
  for (const auto& [heads, kv_heads] :
       {std::pair{1, 1}, {2, 1}, {4, 1}, {4, 2}, {4, 4}, {6, 3}, {17, 17}}) {
    for (const bool has_wo : {false, true}) {
      for (const bool has_biases : {false, true}) {
        ASSERT_TRUE(agrees(causal_layer({.n = 20,
                                         .num_heads = heads,
                                         .num_kv_heads = kv_heads,
                                         .d_out = 7,
                                         .has_wo = has_wo,
                                         .has_biases = has_biases})))
            << heads << ' ' << kv_heads << has_wo << has_biases;
      }
    }
  }
}

TEST(KvCache, step_is_its_row_of_the_full_pass_across_all_blocks_of_keys) {
  // Panels of 8 keys, row steps of 16, sums flushed after 256, 512 terms in a block of a product.
  for (const float scale : {0.3f, 8.0f}) {
    MultiHeadCase c =
        causal_layer({.n = 530, .num_heads = 2, .num_kv_heads = 1, .d_k = 5, .d_v = 9, .d_out = 3});
    c.scale = scale;
    ASSERT_TRUE(agrees(c)) << scale;
    ASSERT_TRUE(agrees(c, 67)) << scale << ", 67 at a time";
  }
}

TEST(KvCache, step_is_its_row_of_the_full_pass_across_all_blocks_of_widths) {
  ASSERT_TRUE(agrees(causal_layer({.n = 20, .d_model = 1030, .d_out = 4}))) << "tokens";
  ASSERT_TRUE(agrees(causal_layer({.n = 20, .d_k = 520, .d_out = 4}))) << "keys";
  ASSERT_TRUE(agrees(causal_layer({.n = 20, .d_v = 520, .d_out = 4}))) << "values";
  ASSERT_TRUE(agrees(causal_layer({.n = 70, .d_out = 515}))) << "outputs";
}

TEST(KvCache, may_be_longer_than_what_it_holds) {
  const MultiHeadCase c = causal_layer({.n = 12, .d_out = 4});
  const LayerForward full = c.forward(Keep::weights);
  for (const Index max_length : {13, 16, 17, 100}) {
    KvCache cache = cache_for(c, max_length);
    for (int i = 0; i < c.sizes.n; ++i) ASSERT_TRUE(step_agrees(c, full, 1, &cache)) << max_length;
  }
}

TEST(KvCache, computes_the_same_output_when_no_weights_are_wanted) {
  const MultiHeadCase c = causal_layer({.n = 300, .d_out = 4});
  const LayerForward full = c.forward(Keep::weights);
  KvCache cache = cache_for(c, 300);
  std::vector<float> output(300 * 4, kNaN);
  EXPECT_EQ(cache.step(c.x.data(), 290, output.data(), nullptr), Status::ok);
  EXPECT_EQ(cache.step(c.x.data() + 290 * 4, 10, output.data() + 290 * 4, nullptr), Status::ok);
  EXPECT_TRUE(is_same_bits(output, full.output));
}

TEST(KvCache, keeps_nan_from_the_tokens_before_it_and_to_the_bit) {
  for (const float bad : {kNaN, kInfinity, -kInfinity}) {
    for (const int place : {0, 5, 19}) {
      MultiHeadCase c = causal_layer({.n = 20, .num_heads = 4, .num_kv_heads = 2, .d_out = 4});
      c.x[place * 4 + 2] = bad;
      ASSERT_TRUE(agrees(c)) << bad << " in token " << place;
      ASSERT_TRUE(agrees(c, 7)) << bad << " in token " << place;
    }
  }
}

TEST(KvCache, starts_anew_after_reset) {
  MultiHeadCase with_nan = causal_layer({.n = 20, .d_out = 4});
  const MultiHeadCase clean = with_nan;
  with_nan.x[3 * 4] = kNaN;
  KvCache cache = cache_for(clean, 20);
  for (const MultiHeadCase& c : {with_nan, clean, with_nan}) {
    const LayerForward full = c.forward(Keep::weights);
    for (int i = 0; i < 15; ++i) ASSERT_TRUE(step_agrees(c, full, 1, &cache)) << i;
    EXPECT_EQ(cache.length(), 15);
    cache.reset();
    EXPECT_EQ(cache.length(), 0);
  }
}

TEST(KvCache, hands_out_keys_and_values_as_the_full_pass_projects_them) {
  const MultiHeadCase c =
      causal_layer({.n = 19, .num_heads = 6, .num_kv_heads = 3, .d_k = 5, .d_v = 9, .d_out = 4});
  KvCache cache = cache_for(c, 40);
  std::vector<float> output(19 * 4);
  EXPECT_EQ(cache.step(c.x.data(), 12, output.data(), nullptr), Status::ok);
  EXPECT_EQ(cache.step(c.x.data() + 12 * 4, 7, output.data(), nullptr), Status::ok);
  std::vector<float> keys(3 * 19 * 5, kNaN), values(3 * 19 * 9, kNaN);
  cache.copy_keys(keys.data());
  cache.copy_values(values.data());
  const LayerForward full = c.forward(Keep::stages);
  EXPECT_TRUE(is_same_bits(keys, full.key));
  EXPECT_TRUE(is_same_bits(values, full.value));
}

TEST(KvCache, takes_no_tokens_at_a_time_and_layers_without_width) {
  const MultiHeadCase c = causal_layer({.n = 5, .d_out = 4});
  KvCache cache = cache_for(c, 5);
  EXPECT_EQ(cache.step(nullptr, 0, nullptr, nullptr), Status::ok);
  EXPECT_EQ(cache.length(), 0);
  EXPECT_TRUE(agrees(causal_layer({.n = 5, .d_k = 0, .d_out = 4})));
  EXPECT_TRUE(agrees(causal_layer({.n = 5, .d_v = 0, .d_out = 4})));
  EXPECT_TRUE(agrees(causal_layer({.n = 5, .d_out = 0})));
}

TEST(KvCache, gives_the_golden_figures) {
  const auto figure = [](const char* name) {
    return golden_tensor("causal.json", std::string("/kv_cache/") + name);
  };
  const GoldenTensor tokens = figure("tokens"), expected = figure("Y_full");
  MultiHeadCase c = causal_layer({.n = tokens.shape[0],
                                  .d_model = 16,
                                  .num_heads = 1,
                                  .num_kv_heads = 1,
                                  .d_k = 16,
                                  .d_v = 16,
                                  .has_wo = false,
                                  .has_biases = false});
  c.scale = 0.25f;
  c.x = tokens.floats();
  c.wq = figure("W_q").floats();
  c.wk = figure("W_k").floats();
  c.wv = figure("W_v").floats();
  oracle::MultiHeadProblem problem = c.problem(0);
  for (auto* m : {&problem.x, &problem.context, &problem.wq, &problem.wk, &problem.wv}) {
    m->error = kUnitRoundoff * m->value.cwiseAbs();
  }
  const oracle::MultiHead bounds = multi_head(problem);
  KvCache cache = cache_for(c, 5);
  std::vector<float> output(5 * 16, kNaN);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(cache.step(c.x.data() + i * 16, 1, output.data() + i * 16, nullptr), Status::ok);
  }
  EXPECT_TRUE(is_near(output, expected.data, bounds.output.errors(), expected.shape));
}

TEST(KvCache, says_how_much_memory_it_takes_however_long_it_may_grow) {
  // In 32 bits heads · max_length is 2³¹ here, and the bytes of keys and values a multiple of 2³².
  const MultiHeadCase c =
      causal_layer({.num_heads = 8, .num_kv_heads = 8, .d_k = 8, .d_v = 8, .has_wo = false});
  const Index length = Index{1} << 28;
  const double keys_and_values = 2 * 4.0 * 8 * 8 * static_cast<double>(length);
  const double parameters = PreparedParameters::bytes(c.shape(), c.parameters());
  EXPECT_EQ(KvCache::bytes(c.shape(), c.parameters(), length), keys_and_values + parameters);

  KvCache cache = cache_for(c, 4096);
  EXPECT_LT(cache.step_workspace_bytes(1), 4096 * 4 * 20) << "linear in what is cached";
}

}  // namespace
}  // namespace attention
