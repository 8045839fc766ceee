// Exact counts of operations and bytes.

#include "attention/cost.h"

#include <gtest/gtest.h>

#include <string>

#include "golden.h"

namespace attention {
namespace {

CostShape self_attention(double n, double d_model, double heads, double batch) {
  return {.batch = batch,
          .n = n,
          .m = n,
          .d_model = d_model,
          .d_context = d_model,
          .num_heads = heads,
          .num_kv_heads = heads,
          .d_k = d_model / heads,
          .d_v = d_model / heads,
          .d_out = d_model};
}

TEST(Cost, ReproducesTheCountsForEveryNumberOfHeads) {
  const std::size_t cases = golden_size("extra.json", "/multi_head/cost");
  ASSERT_EQ(cases, 8u);
  for (std::size_t i = 0; i < cases; ++i) {
    const auto figure = [&](const std::string& name) {
      return golden_number("extra.json", "/multi_head/cost/" + std::to_string(i) + "/" + name);
    };
    const double batch = figure("batch");
    const Cost c = attention_cost(
        self_attention(figure("N"), figure("d_model"), figure("heads"), batch), false);
    EXPECT_EQ(c.query_projection + c.key_projection + c.value_projection + c.output_projection,
              figure("projections"));
    EXPECT_EQ(c.scores, figure("scores"));
    EXPECT_EQ(c.values, figure("values"));
    EXPECT_EQ(c.scale, figure("scale"));
    EXPECT_EQ(c.softmax_max, figure("softmax/max"));
    EXPECT_EQ(c.softmax_subtract, figure("softmax/subtract"));
    EXPECT_EQ(c.softmax_exp, figure("softmax/exp"));
    EXPECT_EQ(c.softmax_add, figure("softmax/add"));
    EXPECT_EQ(c.softmax_divide, figure("softmax/divide"));
    EXPECT_EQ(c.weights_bytes, figure("weights_bytes"));
    const double multiply_adds = (c.query_projection + c.key_projection + c.value_projection +
                                  c.output_projection + c.scores + c.values) /
                                 2;
    EXPECT_EQ(multiply_adds / batch, figure("notebook_formula_multiply_adds"));
  }
}

TEST(Cost, ReproducesTheCountsOfEveryCacheStep) {
  const std::string key = "/causal/kv_steps (flops: projections + scores + values, softmax apart)";
  const std::size_t steps = golden_size("extra.json", key);
  ASSERT_EQ(steps, 5u);
  const CostShape shape{.d_model = 16, .d_context = 16, .d_k = 16, .d_v = 16};
  for (std::size_t t = 0; t < steps; ++t) {
    const auto figure = [&](const std::string& name) {
      return golden_number("extra.json", key + "/" + std::to_string(t) + "/" + name);
    };
    const StepCost step = kv_step_cost(shape, static_cast<double>(t + 1));
    EXPECT_EQ(step.cached, figure("flops/cached"));
    EXPECT_EQ(step.last_row_recomputed, figure("flops/last_row_recomputed"));
    EXPECT_EQ(step.full_pass, figure("flops/full_pass"));
    EXPECT_EQ(step.cache_bytes, figure("cache_bytes_float32"));
  }
}

TEST(Cost, AgreesBetweenAFullPassAndTheSumOfItsStages) {
  CostShape shape = self_attention(9, 12, 4, 1);
  shape.num_kv_heads = 2;
  const Cost c = attention_cost(shape, false);
  EXPECT_EQ(kv_step_cost(shape, 9).full_pass, c.query_projection + c.key_projection +
                                                  c.value_projection + c.output_projection +
                                                  c.scores + c.values);
  EXPECT_EQ(kv_step_cost(shape, 9).cache_bytes, c.cache_bytes);
}

TEST(Cost, CountsOnlyThePairsThatCausalityLeaves) {
  for (int n = 1; n <= 17; ++n) {
    for (int m = 1; m <= 17; ++m) {
      double pairs = 0;
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < m; ++j) pairs += j <= i ? 1 : 0;
      }
      const Cost c = attention_cost({.n = static_cast<double>(n),
                                     .m = static_cast<double>(m),
                                     .d_k = 3,
                                     .d_v = 5,
                                     .is_causal = true},
                                    false);
      EXPECT_EQ(c.scale, pairs) << n << " queries, " << m << " keys";
      EXPECT_EQ(c.scores, 6 * pairs);
      EXPECT_EQ(c.values, 10 * pairs);
      EXPECT_EQ(c.softmax_max, pairs - n);
    }
  }
}

TEST(Cost, LeavesTheProjectionsOutOfScaledDotProductAttention) {
  const Cost c =
      attention_cost({.batch = 2, .n = 3, .m = 4, .d_k = 5, .d_v = 6, .has_mask = true}, false);
  EXPECT_EQ(c.query_projection + c.key_projection + c.value_projection + c.output_projection, 0);
  EXPECT_EQ(c.input_bytes + c.parameter_bytes, 0);
  EXPECT_EQ(c.mask, 2 * 3 * 4);
  EXPECT_EQ(c.output_bytes, 4 * 2 * 3 * 6);
  EXPECT_EQ(c.projected_bytes, 4 * 2 * (3 * 5 + 4 * (5 + 6)));
}

TEST(Cost, MakesKeysAndValuesCheaperForGroupedQueriesAlone) {
  CostShape shape = self_attention(10, 16, 8, 1);
  const Cost full = attention_cost(shape, false);
  shape.num_kv_heads = 2;
  const Cost grouped = attention_cost(shape, false);
  EXPECT_EQ(grouped.key_projection, full.key_projection / 4);
  EXPECT_EQ(grouped.value_projection, full.value_projection / 4);
  EXPECT_EQ(grouped.cache_bytes, full.cache_bytes / 4);
  EXPECT_EQ(grouped.scores, full.scores);
  EXPECT_EQ(grouped.query_projection, full.query_projection);
}

TEST(Cost, CountsContextAndBiases) {
  const CostShape shape{.batch = 1,
                        .n = 3,
                        .m = 5,
                        .d_model = 4,
                        .d_context = 6,
                        .num_heads = 2,
                        .num_kv_heads = 1,
                        .d_k = 2,
                        .d_v = 3,
                        .d_out = 4,
                        .has_bias = true};
  const Cost c = attention_cost(shape, true);
  EXPECT_EQ(c.key_projection, 2 * 5 * 6 * 2);
  EXPECT_EQ(c.value_projection, 2 * 5 * 6 * 3);
  EXPECT_EQ(c.biases, 3 * 4 + 5 * 2 + 5 * 3 + 3 * 4);
  EXPECT_EQ(c.input_bytes, 4 * (3 * 4 + 5 * 6));
  EXPECT_EQ(c.parameter_bytes, 4 * (4 * 4 + 6 * 2 + 6 * 3 + 6 * 4 + 4 + 2 + 3 + 4));
}

TEST(Cost, IsZeroForNothing) {
  EXPECT_EQ(attention_cost({}, false).total, 0);
  EXPECT_EQ(attention_cost({.n = 3, .d_k = 2, .d_v = 2}, false).softmax_max, 0) << "no keys";
}

}  // namespace
}  // namespace attention
