#include "attention/layer_norm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "compare.h"
#include "golden.h"

namespace attention {
namespace {

constexpr double kDoubleRoundoff = 0.5 * std::numeric_limits<double>::epsilon();

/// Rows to be normalised, and what for.
struct LayerNormCase {
  int rows, columns;
  std::vector<float> x, weight, bias, grad_output;
  double eps = 1e-5;

  LayerNormCase(int rows, int columns)
      : rows(rows),
        columns(columns),
        x(random_floats(rows * columns, 1)),
        weight(random_floats(columns, 2)),
        bias(random_floats(columns, 3)),
        grad_output(random_floats(rows * columns, 4)) {}

  ConstMatrix view(const std::vector<float>& numbers) const {
    return {numbers.data(), rows, columns};
  }
  LayerNorm norm() const { return {weight.data(), bias.data(), eps}; }

  std::vector<float> forward() const {
    std::vector<float> out(x.size(), kNaN);
    layer_norm(view(x), norm(), Matrix(out.data(), rows, columns));
    return out;
  }
};

struct Gradients {
  std::vector<float> x, weight, bias;
};

Gradients backward(const LayerNormCase& c) {
  Gradients g;
  g.x.assign(c.x.size(), kNaN);
  g.weight.assign(c.weight.size(), kNaN);
  g.bias.assign(c.bias.size(), kNaN);
  layer_norm_backward(c.view(c.x), c.norm(), c.view(c.grad_output),
                      {Matrix(g.x.data(), c.rows, c.columns), g.weight.data(), g.bias.data()});
  return g;
}

struct Expected {
  std::vector<double> value, tolerance;

  void add(double x, double bound) {
    value.push_back(x);
    tolerance.push_back(bound);
  }
};

/// The definition in float64. Its own rounding counts too where a row lies far from 0: the mean of
/// c numbers is off by (c + 2)·2⁻⁵³·mean|x|, and all of x̂ with it.
struct Oracle {
  Expected y, grad_x, grad_weight, grad_bias;

  explicit Oracle(const LayerNormCase& c) {
    std::vector<double> weight_sum(c.columns), weight_error(c.columns), bias_sum(c.columns),
        bias_error(c.columns);
    for (int i = 0; i < c.rows; ++i) {
      const float* x = c.x.data() + i * c.columns;
      const float* grad = c.grad_output.data() + i * c.columns;
      double mean = 0, size = 0, variance = 0;
      for (int j = 0; j < c.columns; ++j) mean += x[j] / static_cast<double>(c.columns);
      for (int j = 0; j < c.columns; ++j) {
        size += std::abs(x[j]) / static_cast<double>(c.columns);
        variance += (x[j] - mean) * (x[j] - mean) / c.columns;
      }
      const double inverse = 1 / std::sqrt(variance + c.eps);
      const double mean_error = 2 * (c.columns + 2) * kDoubleRoundoff * size;

      double mean_grad = 0, mean_product = 0, largest = 0;
      for (int j = 0; j < c.columns; ++j) {
        const double normalised = (x[j] - mean) * inverse;
        const double weighted = static_cast<double>(grad[j]) * c.weight[j];
        mean_grad += weighted / c.columns;
        mean_product += weighted * normalised / c.columns;
        largest = std::max(largest, std::abs(weighted) * (1 + normalised * normalised));
      }
      for (int j = 0; j < c.columns; ++j) {
        const double normalised = (x[j] - mean) * inverse;
        // Relative errors of the sums are like the mean's; they count where the mean's is 0.
        const double error = mean_error * inverse + 2 * (c.columns + 4) * kDoubleRoundoff;
        const double result = normalised * c.weight[j] + c.bias[j];
        y.add(result, kUnitRoundoff * std::abs(result) +
                          error * std::abs(c.weight[j]) * (1 + std::abs(normalised)));
        const double weighted = static_cast<double>(grad[j]) * c.weight[j];
        const double grad_result = (weighted - mean_grad - normalised * mean_product) * inverse;
        grad_x.add(grad_result,
                   kUnitRoundoff * std::abs(grad_result) + 4 * error * largest * inverse);
        weight_sum[j] += grad[j] * normalised;
        weight_error[j] +=
            std::abs(grad[j]) * ((c.rows + 2) * kUnitRoundoff * std::abs(normalised) +
                                 error * (1 + std::abs(normalised)));
        bias_sum[j] += grad[j];
        bias_error[j] += c.rows * kUnitRoundoff * std::abs(grad[j]);
      }
    }
    grad_weight = {weight_sum, weight_error};
    grad_bias = {bias_sum, bias_error};
  }
};

testing::AssertionResult agrees(const LayerNormCase& c) {
  const Oracle oracle(c);
  const auto near = [](const char* name, const std::vector<float>& actual, const Expected& expected,
                       const std::vector<int>& shape) {
    const auto result = is_near(actual, expected.value, expected.tolerance, shape);
    if (result) return result;
    return testing::AssertionFailure() << name << ": " << result.message();
  };
  const auto forward = near("output", c.forward(), oracle.y, {c.rows, c.columns});
  if (!forward) return forward;
  const Gradients g = backward(c);
  const auto x = near("gradient of x", g.x, oracle.grad_x, {c.rows, c.columns});
  if (!x) return x;
  const auto weight = near("gradient of weight", g.weight, oracle.grad_weight, {c.columns});
  if (!weight) return weight;
  return near("gradient of bias", g.bias, oracle.grad_bias, {c.columns});
}

TEST(LayerNorm, is_right_for_every_width_and_number_of_rows) {
  for (int columns = 1; columns <= 17; ++columns) {
    for (int rows = 1; rows <= 17; ++rows) {
      ASSERT_TRUE(agrees(LayerNormCase(rows, columns))) << rows << " × " << columns;
    }
  }
}

TEST(LayerNorm, is_right_for_long_rows) {
  for (const int columns : {255, 256, 257, 768, 4099}) {
    ASSERT_TRUE(agrees(LayerNormCase(3, columns))) << columns;
  }
}

TEST(LayerNorm, keeps_its_digits_far_from_zero) {
  // Numbers of 1 in 16 million apart: a variance as E[x²] − E[x]², or a mean in float32, would hold
  // nothing but rounding.
  for (const float offset : {1e3f, -1e5f, 1e6f}) {
    for (const int columns : {2, 7, 64, 1000}) {
      LayerNormCase c(4, columns);
      for (float& x : c.x) x += offset;
      ASSERT_TRUE(agrees(c)) << offset << " × " << columns;
    }
  }
}

TEST(LayerNorm, takes_numbers_whose_squares_are_out_of_float32s_range) {
  for (const float size : {1e-25f, 1e25f}) {
    LayerNormCase c(2, 9);
    c.eps = 0;
    for (float& x : c.x) x *= size;
    const std::vector<float> y = c.forward();
    const Oracle oracle(c);
    EXPECT_TRUE(is_near(y, oracle.y.value, oracle.y.tolerance, {2, 9})) << size;
  }
}

TEST(LayerNorm, of_a_constant_row_is_exactly_the_bias) {
  for (const int columns : {1, 2, 3, 7, 16, 100}) {
    LayerNormCase c(3, columns);
    for (int i = 0; i < 3; ++i) std::fill_n(c.x.begin() + i * columns, columns, 0.1f + 1e3f * i);
    const std::vector<float> y = c.forward();
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(is_same_bits(y.data() + i * columns, c.bias.data(), c.bias.size())) << columns;
    }
  }
}

TEST(LayerNorm, does_without_weight_or_bias) {
  LayerNormCase ones(3, 5);
  std::fill(ones.weight.begin(), ones.weight.end(), 1.0f);
  std::fill(ones.bias.begin(), ones.bias.end(), 0.0f);
  std::vector<float> y(ones.x.size(), kNaN), grad_x(ones.x.size(), kNaN);
  layer_norm(ones.view(ones.x), {}, Matrix(y.data(), 3, 5));
  EXPECT_TRUE(is_same_bits(y, ones.forward()));
  layer_norm_backward(ones.view(ones.x), {}, ones.view(ones.grad_output),
                      {Matrix(grad_x.data(), 3, 5)});
  EXPECT_TRUE(is_same_bits(grad_x, backward(ones).x)) << "and without gradients of them";
}

TEST(LayerNorm, works_in_place) {
  const LayerNormCase c(5, 9);
  std::vector<float> x = c.x;
  layer_norm(c.view(x), c.norm(), Matrix(x.data(), 5, 9));
  EXPECT_TRUE(is_same_bits(x, c.forward()));
}

TEST(LayerNorm, works_for_no_rows_or_columns) {
  LayerNormCase no_rows(0, 3), no_columns(3, 0);
  EXPECT_TRUE(no_rows.forward().empty());
  EXPECT_TRUE(no_columns.forward().empty());
  EXPECT_EQ(backward(no_rows).weight, std::vector<float>(3, 0.0f));
  EXPECT_TRUE(backward(no_columns).x.empty());
}

TEST(LayerNorm, shows_what_is_not_finite_in_its_own_row_only) {
  const LayerNormCase clean(5, 9);
  const std::vector<float> expected = clean.forward(), expected_grad = backward(clean).x;
  for (const float bad : {kNaN, kInfinity, -kInfinity}) {
    LayerNormCase dirty = clean;
    dirty.x[3 * 9 + 4] = bad;
    const std::vector<float> y = dirty.forward();
    const Gradients g = backward(dirty);
    for (int i = 0; i < 5; ++i) {
      for (int j = 0; j < 9; ++j) {
        const int at = i * 9 + j;
        if (i == 3) {
          EXPECT_TRUE(std::isnan(y[at])) << j;
          EXPECT_TRUE(std::isnan(g.x[at])) << j;
        } else {
          EXPECT_EQ(y[at], expected[at]) << i << ' ' << j;
          EXPECT_EQ(g.x[at], expected_grad[at]) << i << ' ' << j;
        }
      }
    }
    for (const float sum : g.bias) EXPECT_TRUE(std::isfinite(sum)) << "no matter of x";
  }
}

TEST(LayerNorm, gives_the_golden_figures_of_autograd) {
  const auto figure = [](const char* name) {
    return golden_tensor("extra.json", std::string("/backward/layer_norm/") + name);
  };
  const GoldenTensor x = figure("x");
  LayerNormCase c(x.shape[0], x.shape[1]);
  c.x = x.floats();
  c.weight = figure("weight").floats();
  c.bias = figure("bias").floats();
  c.grad_output = figure("grad_output").floats();
  c.eps = golden_number("extra.json", "/backward/layer_norm/eps");
  // Inputs rounded to float32 move a row of 7 numbers by a few roundings of its largest ones.
  const double tolerance = 7 * 4 * kUnitRoundoff;
  const Gradients g = backward(c);
  EXPECT_TRUE(is_close(c.forward(), figure("output").data, x.shape, tolerance));
  EXPECT_TRUE(is_close(g.x, figure("grad_x").data, x.shape, tolerance));
  EXPECT_TRUE(is_close(g.weight, figure("grad_weight").data, {c.columns}, tolerance));
  EXPECT_TRUE(is_close(g.bias, figure("grad_bias").data, {c.columns}, tolerance));
}

TEST(LayerNorm, gives_the_golden_figures_after_a_residual) {
  const GoldenTensor residual = golden_tensor("extra.json", "/multi_head/post_norm/residual");
  const int columns = residual.shape.back();
  LayerNormCase c(static_cast<int>(residual.data.size()) / columns, columns);
  c.x = residual.floats();
  c.eps = golden_number("extra.json", "/multi_head/post_norm/eps");
  std::vector<float> y(c.x.size(), kNaN);
  layer_norm(c.view(c.x), {nullptr, nullptr, c.eps}, Matrix(y.data(), c.rows, columns));
  EXPECT_TRUE(is_close(y, golden_tensor("extra.json", "/multi_head/post_norm/output").data,
                       residual.shape, 4 * kUnitRoundoff));
}

}  // namespace
}  // namespace attention
