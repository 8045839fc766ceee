#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "attention/scaled_dot_product.h"
#include "attention_case.h"
#include "golden.h"
#include "oracle_backward.h"

namespace attention {
namespace {

/// All gradients within the bounds of `expected`.
testing::AssertionResult are_near(const Backward& actual, const oracle::Gradients& expected, int n,
                                  int m, int d_k, int d_v) {
  struct Gradient {
    const char* name;
    const std::vector<float>& actual;
    const std::vector<double>& expected;
    const std::vector<double>& tolerance;
    std::vector<int> shape;
  };
  const Gradient gradients[] = {
      {"weights", actual.weights, expected.weights, expected.weights_tolerance, {n, m}},
      {"scores", actual.scores, expected.scores, expected.scores_tolerance, {n, m}},
      {"query", actual.query, expected.query, expected.query_tolerance, {n, d_k}},
      {"key", actual.key, expected.key, expected.key_tolerance, {m, d_k}},
      {"value", actual.value, expected.value, expected.value_tolerance, {m, d_v}},
  };
  for (const Gradient& g : gradients) {
    const auto result = is_near(g.actual, g.expected, g.tolerance, g.shape);
    if (!result) {
      return testing::AssertionFailure() << "gradient of " << g.name << " of (" << n << ", " << m
                                         << ", " << d_k << ", " << d_v << "): " << result.message();
    }
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult are_same_bits(const Backward& a, const Backward& b) {
  for (const auto member : {&Backward::weights, &Backward::scores, &Backward::query, &Backward::key,
                            &Backward::value}) {
    const auto result = is_same_bits(a.*member, b.*member);
    if (!result) return result;
  }
  return testing::AssertionSuccess();
}

/// The gradients from kept weights against the oracle's from the same weights, and those from
/// recomputed weights, which must be the same to the bit.
testing::AssertionResult agrees(const AttentionCase& c) {
  const std::vector<float> grad_output = random_floats(c.n * c.d_v, 77);
  const std::vector<float> weights = c.forward(Keep::weights).weights;
  const Backward kept = c.backward(grad_output, weights);
  const oracle::Gradients expected =
      oracle::backward(c.problem(), {doubles(weights), doubles(grad_output)});
  const auto result = are_near(kept, expected, c.n, c.m, c.d_k, c.d_v);
  if (!result) return result;
  return are_same_bits(c.backward(grad_output, {}), kept);
}

TEST(ScaledDotProductBackward, is_right_for_every_size_beside_every_other) {
  // For each pair of dimensions all of 17 × 17 sizes, under each mask in turn.
  for (std::size_t first = 0; first < 4; ++first) {
    for (std::size_t second = first + 1; second < 4; ++second) {
      for (int a = 1; a <= 17; ++a) {
        for (int b = 1; b <= 17; ++b) {
          std::array<int, 4> sizes = {6, 5, 3, 4};
          sizes[first] = a;
          sizes[second] = b;
          AttentionCase c(sizes[0], sizes[1], sizes[2], sizes[3]);
          c.is_causal = (a + b) % 2 == 1;
          if ((a + b) % 3 == 1) c.use_boolean_mask(31);
          if ((a + b) % 3 == 2) c.use_additive_mask(32);
          ASSERT_TRUE(agrees(c)) << "masks " << (a + b) % 6;
        }
      }
    }
  }
}

TEST(ScaledDotProductBackward, is_right_under_every_mask_for_every_number_of_queries_and_keys) {
  for (int n = 1; n <= 17; ++n) {
    for (int m = 1; m <= 17; ++m) {
      for (const bool is_causal : {false, true}) {
        AttentionCase plain(n, m, 3, 2);
        plain.is_causal = is_causal;
        ASSERT_TRUE(agrees(plain)) << (is_causal ? "causal" : "no mask");
        AttentionCase boolean = plain, additive = plain;
        boolean.use_boolean_mask(33);
        ASSERT_TRUE(agrees(boolean)) << "boolean" << (is_causal ? ", causal" : "");
        additive.use_additive_mask(34);
        ASSERT_TRUE(agrees(additive)) << "additive" << (is_causal ? ", causal" : "");
      }
    }
  }
}

TEST(ScaledDotProductBackward, is_right_across_strips_of_queries_and_blocks_of_keys_and_widths) {
  // Strips of 64 queries, row steps of 16 and sums of 256 keys, 512 terms of a product.
  for (const int n : {63, 64, 65, 130}) {
    for (const int m : {15, 16, 33, 257, 514}) {
      AttentionCase c(n, m, 3, 2);
      c.is_causal = n % 2 == 1;
      ASSERT_TRUE(agrees(c)) << c.is_causal;
    }
  }
  ASSERT_TRUE(agrees(AttentionCase(5, 7, 515, 3)));
  ASSERT_TRUE(agrees(AttentionCase(5, 7, 3, 515)));
}

TEST(ScaledDotProductBackward, is_right_with_any_scale_and_sharp_weights) {
  for (const float scale : {-1.0f, 0.0f, 1.0f, 30.0f}) {
    for (const bool is_causal : {false, true}) {
      AttentionCase c(9, 21, 16, 3);
      c.scale = scale;
      c.is_causal = is_causal;
      ASSERT_TRUE(agrees(c)) << scale << (is_causal ? " causal" : "");
    }
  }
}

TEST(ScaledDotProductBackward, works_for_sizes_of_zero) {
  for (const bool is_causal : {false, true}) {
    for (const std::array<int, 4>& sizes :
         {std::array<int, 4>{0, 3, 2, 2}, {3, 0, 2, 2}, {3, 4, 0, 2}, {3, 4, 2, 0}, {0, 0, 0, 0}}) {
      AttentionCase c(sizes[0], sizes[1], sizes[2], sizes[3]);
      c.is_causal = is_causal;
      EXPECT_TRUE(agrees(c));
    }
  }
}

TEST(ScaledDotProductBackward, is_exactly_zero_where_nothing_attends) {
  AttentionCase c(5, 9, 3, 4);
  c.is_causal = true;
  const Backward result = c.backward(random_floats(5 * 4, 1), {});
  for (int i = 0; i < c.n; ++i) {
    for (int j = i + 1; j < c.m; ++j) EXPECT_EQ(result.scores[i * c.m + j], 0) << i << ' ' << j;
  }
  for (int j = c.n; j < c.m; ++j) {
    for (int k = 0; k < c.d_k; ++k) EXPECT_EQ(result.key[j * c.d_k + k], 0) << "key " << j;
    for (int v = 0; v < c.d_v; ++v) EXPECT_EQ(result.value[j * c.d_v + v], 0) << "value " << j;
  }
}

/// Rows first … of two (…, columns) matrices.
testing::AssertionResult same_rows(const std::vector<float>& a, const std::vector<float>& b,
                                   int first, int count, int columns) {
  return is_same_bits(a.data() + first * columns, b.data() + first * columns,
                      static_cast<std::size_t>(count * columns));
}

bool all_nan(const std::vector<float>& matrix, int first, int count, int columns) {
  return std::all_of(matrix.begin() + first * columns, matrix.begin() + (first + count) * columns,
                     [](float x) { return std::isnan(x); });
}

TEST(ScaledDotProductBackward, keeps_nan_behind_the_diagonal_in_every_strip) {
  // Token 100 of 130 lies in the second strip of queries; those before it do not see it.
  AttentionCase clean(130, 130, 3, 2);
  clean.is_causal = true;
  const std::vector<float> grad_output = random_floats(130 * 2, 4);
  const Backward expected = clean.backward(grad_output, {});

  AttentionCase bad_key = clean, bad_value = clean, bad_query = clean;
  std::fill_n(bad_key.key.begin() + 100 * 3, 3, kNaN);
  std::fill_n(bad_value.value.begin() + 100 * 2, 2, kNaN);
  std::fill_n(bad_query.query.begin() + 100 * 3, 3, kNaN);
  for (const AttentionCase& c : {bad_key, bad_value}) {
    const Backward actual = c.backward(grad_output, {});
    EXPECT_TRUE(same_rows(actual.query, expected.query, 0, 100, 3));
    EXPECT_TRUE(all_nan(actual.query, 100, 30, 3));
    EXPECT_TRUE(same_rows(actual.scores, expected.scores, 0, 100, 130));
  }
  EXPECT_TRUE(is_same_bits(bad_value.backward(grad_output, {}).value, expected.value))
      << "no matter of the values";

  std::vector<float> bad_grad_output = grad_output;
  std::fill_n(bad_grad_output.begin() + 100 * 2, 2, kNaN);
  for (const Backward& actual :
       {bad_query.backward(grad_output, {}), clean.backward(bad_grad_output, {})}) {
    EXPECT_TRUE(same_rows(actual.query, expected.query, 0, 100, 3));
    EXPECT_TRUE(all_nan(actual.query, 100, 1, 3));
    EXPECT_TRUE(same_rows(actual.query, expected.query, 101, 29, 3));
    EXPECT_TRUE(all_nan(actual.key, 0, 101, 3));
    EXPECT_TRUE(same_rows(actual.key, expected.key, 101, 29, 3));
    EXPECT_TRUE(all_nan(actual.value, 0, 101, 2));
    EXPECT_TRUE(same_rows(actual.value, expected.value, 101, 29, 2));
  }
}

TEST(ScaledDotProductBackward, computes_a_gradient_alone_as_among_others) {
  AttentionCase c(70, 19, 5, 6);
  c.use_boolean_mask(35);
  const std::vector<float> grad_output = random_floats(70 * 6, 2);
  const Backward all = c.backward(grad_output, {});
  const auto alone = [&](float* AttentionBatchGradients::*member, std::size_t size) {
    std::vector<float> result(size, kNaN);
    AttentionBatchGradients gradients;
    gradients.grad_output = grad_output.data();
    gradients.*member = result.data();
    EXPECT_EQ(scaled_dot_product_backward(c.batch(), gradients), Status::ok);
    return result;
  };
  using Gradients = AttentionBatchGradients;
  EXPECT_TRUE(is_same_bits(alone(&Gradients::query, all.query.size()), all.query));
  EXPECT_TRUE(is_same_bits(alone(&Gradients::key, all.key.size()), all.key));
  EXPECT_TRUE(is_same_bits(alone(&Gradients::value, all.value.size()), all.value));
  EXPECT_TRUE(is_same_bits(alone(&Gradients::scores, all.scores.size()), all.scores));
  EXPECT_TRUE(is_same_bits(alone(&Gradients::grad_weights, all.weights.size()), all.weights));
}

TEST(ScaledDotProductBackward, has_a_slice_of_gradients_for_each_slice_of_the_batch) {
  // Two slices of queries over the same keys, with masks of their own.
  AttentionCase first(5, 7, 3, 4, 1), second(5, 7, 3, 4, 20);
  second.key = first.key;
  second.value = first.value;
  first.use_boolean_mask(36);
  second.use_boolean_mask(37);
  const auto joined = [](auto a, const auto& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  const std::vector<float> query = joined(first.query, second.query);
  const auto bytes = joined(first.boolean_mask, second.boolean_mask);
  const std::vector<float> grad_output = random_floats(2 * 5 * 4, 3);
  const std::int32_t query_offsets[] = {0, 15}, mask_offsets[] = {0, 35}, none[] = {0, 0};
  AttentionBatch inputs = first.batch();
  inputs.batch = 2;
  inputs.query = query.data();
  inputs.query_offsets = query_offsets;
  inputs.key_offsets = inputs.value_offsets = none;
  inputs.mask.mask.data = bytes.data();
  inputs.mask.offsets = mask_offsets;

  Backward both;
  for (auto* cells : {&both.scores, &both.weights}) cells->assign(2 * 5 * 7, kNaN);
  both.query.assign(2 * 5 * 3, kNaN);
  both.key.assign(2 * 7 * 3, kNaN);
  both.value.assign(2 * 7 * 4, kNaN);
  AttentionBatchGradients gradients;
  gradients.grad_output = grad_output.data();
  gradients.query = both.query.data();
  gradients.key = both.key.data();
  gradients.value = both.value.data();
  gradients.scores = both.scores.data();
  gradients.grad_weights = both.weights.data();
  EXPECT_EQ(scaled_dot_product_backward(inputs, gradients), Status::ok);

  const Backward a = first.backward({grad_output.begin(), grad_output.begin() + 20}, {});
  const Backward b = second.backward({grad_output.begin() + 20, grad_output.end()}, {});
  EXPECT_TRUE(is_same_bits(both.query, joined(a.query, b.query)));
  EXPECT_TRUE(is_same_bits(both.key, joined(a.key, b.key)));
  EXPECT_TRUE(is_same_bits(both.value, joined(a.value, b.value)));
  EXPECT_TRUE(is_same_bits(both.scores, joined(a.scores, b.scores)));
  EXPECT_TRUE(is_same_bits(both.weights, joined(a.weights, b.weights)));
}

/// The gradients that PyTorch's autograd gave in float64.
void expect_golden(const std::string& inputs, const std::string& mask_file,
                   const std::string& mask_key, const std::string& file, const std::string& key) {
  const auto input = [&](const char* name) {
    return golden_tensor("backward.json", inputs + name);
  };
  const GoldenTensor q = input("/Q"), k = input("/K"), v = input("/V");
  const std::vector<double> mask = golden_tensor(mask_file, mask_key).data;
  AttentionCase c(q.shape[0], k.shape[0], q.shape[1], v.shape[1]);
  c.scale = 1 / std::sqrt(static_cast<float>(c.d_k));
  c.query = q.floats();
  c.key = k.floats();
  c.value = v.floats();
  c.boolean_mask.assign(mask.begin(), mask.end());

  // The kernel's inputs are the golden ones rounded to float32.
  oracle::Problem problem = c.problem();
  problem.query_error = oracle::rounding_of(q.data);
  problem.key_error = oracle::rounding_of(k.data);
  problem.value_error = oracle::rounding_of(v.data);
  const oracle::Attention attention = oracle::attend(problem);
  const GoldenTensor grad_output = input("/grad_output");
  oracle::Gradients expected =
      oracle::backward(problem, {attention.weights, grad_output.data, attention.weights_tolerance,
                                 oracle::rounding_of(grad_output.data)});

  const auto figure = [&](const char* name) { return golden_tensor(file, key + name).data; };
  const Forward forward = c.forward(Keep::weights);
  EXPECT_TRUE(
      is_near(forward.weights, figure("/weights"), attention.weights_tolerance, {c.n, c.m}));
  EXPECT_TRUE(is_near(forward.output, figure("/output"), attention.output_tolerance, {c.n, c.d_v}));
  expected.query = figure("/grad_query");
  expected.key = figure("/grad_key");
  expected.value = figure("/grad_value");
  if (key == inputs) {
    expected.scores = figure("/grad_scores");
    expected.weights = golden_tensor("extra.json", "/backward" + inputs + "/grad_weights").data;
  }
  for (const auto& weights : {forward.weights, std::vector<float>()}) {
    EXPECT_TRUE(
        are_near(c.backward(grad_output.floats(), weights), expected, c.n, c.m, c.d_k, c.d_v))
        << key;
  }
}

TEST(ScaledDotProductBackward, gives_the_golden_figures) {
  for (const std::string key : {"/scaled_dot_product", "/scaled_dot_product_unmasked"}) {
    expect_golden(key, "backward.json", key + "/mask", "backward.json", key);
  }
}

TEST(ScaledDotProductBackward, gives_the_golden_figures_where_a_row_is_empty) {
  const std::string key = "/backward/row_1_empty";
  expect_golden("/scaled_dot_product", "extra.json", key + "/mask", "extra.json", key);
}

TEST(ScaledDotProductBackward, says_how_much_memory_it_takes) {
  // Weights that are kept spare the room for recomputed ones; nothing else is as large as they.
  AttentionCase c(4096, 4096, 8, 8);
  AttentionBatchGradients recomputed, kept;
  const float some = 0;
  kept.weights = &some;
  const double cells = 4.0 * 4096 * 4096;
  const double kept_bytes = scaled_dot_product_backward_workspace_bytes(c.batch(), kept);
  const double all_bytes = scaled_dot_product_backward_workspace_bytes(c.batch(), recomputed);
  EXPECT_LT(kept_bytes, cells / 20);
  EXPECT_GE(all_bytes, cells);
  EXPECT_LT(all_bytes, cells * 1.1);
  AttentionBatch huge = c.batch();
  huge.shape = {2000000000, 2000000000, 1000, 1000};
  EXPECT_GT(scaled_dot_product_backward_workspace_bytes(huge, recomputed), 1.6e19) << "no overflow";
}

}  // namespace
}  // namespace attention
