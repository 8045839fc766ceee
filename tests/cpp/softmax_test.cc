#include "attention/softmax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "compare.h"
#include "golden.h"

namespace attention {
namespace {

std::vector<float> softmax_of(std::vector<float> scores, Index rows, Index columns) {
  const Matrix view(scores.data(), rows, columns);
  EXPECT_EQ(softmax(view, view), Status::ok);
  return scores;
}

/// The definition in float64, −∞ weighing nothing.
std::vector<double> oracle_softmax(const std::vector<float>& scores) {
  double max = -kInfinity, sum = 0;
  for (const double s : scores) max = std::max(max, s);
  std::vector<double> p;
  for (const double s : scores) p.push_back(max == -kInfinity ? 0 : std::exp(s - max));
  for (const double e : p) sum += e;
  for (double& e : p) e = sum > 0 ? e / sum : 0;
  return p;
}

/// Σ in float64.
double sum(const float* row, std::size_t count) { return std::accumulate(row, row + count, 0.0); }

TEST(Softmax, is_right_for_every_length) {
  for (int length = 1; length <= 67; ++length) {
    std::vector<float> scores = random_floats(length, 1);
    for (float& s : scores) s *= 20;
    std::vector<double> tolerance;
    for (const double p : oracle_softmax(scores)) tolerance.push_back(4e-6 * p + 1e-37);
    ASSERT_TRUE(is_near(softmax_of(scores, 1, length), oracle_softmax(scores), tolerance, {length}))
        << length;
  }
}

TEST(Softmax, is_right_for_every_number_of_rows_and_columns) {
  for (int rows = 1; rows <= 17; ++rows) {
    for (int columns = 1; columns <= 17; ++columns) {
      const std::vector<float> scores = random_floats(rows * columns, 7);
      std::vector<double> expected, tolerance;
      for (int i = 0; i < rows; ++i) {
        const auto row = scores.begin() + i * columns;
        for (const double p : oracle_softmax({row, row + columns})) {
          expected.push_back(p);
          // The exponential and the sum of exponentials, differences of at most 2, the division.
          tolerance.push_back((2 * 1.9e-7 + (2 * 2 + columns + 2) * kUnitRoundoff) * p);
        }
      }
      ASSERT_TRUE(is_near(softmax_of(scores, rows, columns), expected, tolerance, {rows, columns}));
    }
  }
}

TEST(Softmax, rows_sum_to_one_within_a_millionth) {
  for (const Index length : {1, 2, 15, 16, 17, 255, 256, 257, 4096, 4099, 65536, 100003}) {
    for (const float spread : {0.0f, 1e-6f, 1.0f, 10.0f, 100.0f}) {
      std::vector<float> scores = random_floats(length, 2);
      for (float& s : scores) s *= spread;
      const std::vector<float> p = softmax_of(scores, 1, length);
      EXPECT_NEAR(sum(p.data(), p.size()), 1, 1e-6) << length << " times " << spread;
    }
  }
}

TEST(Softmax, works_row_by_row_and_for_no_rows_or_columns) {
  const std::vector<float> scores = random_floats(5 * 21, 3);
  const std::vector<float> together = softmax_of(scores, 5, 21);
  for (int i = 0; i < 5; ++i) {
    const std::vector<float> row(scores.begin() + i * 21, scores.begin() + (i + 1) * 21);
    EXPECT_TRUE(is_same_bits(softmax_of(row, 1, 21).data(), &together[i * 21], 21)) << i;
  }
  EXPECT_TRUE(softmax_of({}, 0, 3).empty());
  EXPECT_TRUE(softmax_of({}, 3, 0).empty());
}

TEST(Softmax, takes_any_finite_scores) {
  EXPECT_EQ(softmax_of({3e38f, 3e38f, -3e38f}, 1, 3), (std::vector<float>{0.5f, 0.5f, 0}));
  EXPECT_EQ(softmax_of({-3e38f}, 1, 1), std::vector<float>{1});
}

TEST(Softmax, gives_masked_scores_exactly_nothing) {
  EXPECT_EQ(softmax_of({-kInfinity, 2, -kInfinity, 2}, 1, 4),
            (std::vector<float>{0, 0.5f, 0, 0.5f}));
  EXPECT_EQ(softmax_of({-kInfinity, -kInfinity}, 1, 2), (std::vector<float>{0, 0}));
}

TEST(Softmax, of_a_row_with_nan_or_infinity_is_nan_save_where_masked) {
  for (const float bad : {kNaN, kInfinity}) {
    for (std::size_t place = 0; place < 18; ++place) {
      std::vector<float> scores(18, 1.0f);
      scores[(place + 1) % 18] = -kInfinity;
      scores[place] = bad;
      const std::vector<float> p = softmax_of(scores, 1, 18);
      for (std::size_t j = 0; j < 18; ++j) {
        if (j == (place + 1) % 18) {
          EXPECT_EQ(p[j], 0) << j;
        } else {
          EXPECT_TRUE(std::isnan(p[j])) << j;
        }
      }
    }
  }
}

TEST(Softmax, jacobian_gives_the_golden_figures) {
  for (const std::string& multiplier :
       golden_keys("extra.json", "/scaled_dot_product/jacobian_row_it_score_multiplier")) {
    const GoldenTensor expected = golden_tensor(
        "extra.json", "/scaled_dot_product/jacobian_row_it_score_multiplier/" + multiplier);
    // The probabilities are in it: element (j, l) is −p_j p_l off the diagonal.
    const int n = expected.shape[0];
    const double p01 = -expected.data[1], p02 = -expected.data[2], p12 = -expected.data[n + 2];
    std::vector<double> p = {std::sqrt(p01 * p02 / p12)};
    for (int j = 1; j < n; ++j) p.push_back(-expected.data[j] / p[0]);
    const std::vector<float> probabilities(p.begin(), p.end());
    std::vector<float> jacobian(static_cast<std::size_t>(n) * n, kNaN);
    softmax_jacobian(ConstMatrix(probabilities.data(), 1, n), jacobian.data());
    EXPECT_TRUE(is_close(jacobian, expected.data, {n, n}, 1e-6)) << multiplier;
  }
}

TEST(Softmax, jacobian_agrees_with_central_differences) {
  const int n = 7;
  const std::vector<float> scores = random_floats(n, 4);
  const std::vector<double> p = oracle_softmax(scores);
  const std::vector<float> probabilities(p.begin(), p.end());
  std::vector<float> jacobian(2 * n * n, kNaN);
  std::vector<float> twice = probabilities;
  twice.insert(twice.end(), probabilities.begin(), probabilities.end());
  softmax_jacobian(ConstMatrix(twice.data(), 2, n), jacobian.data());
  for (int l = 0; l < n; ++l) {
    const float step = 1.0f / 128;
    std::vector<float> above = scores, below = scores;
    above[l] += step;
    below[l] -= step;
    const double distance = static_cast<double>(above[l]) - below[l];
    const std::vector<double> high = oracle_softmax(above), low = oracle_softmax(below);
    for (int j = 0; j < n; ++j) {
      EXPECT_NEAR(jacobian[j * n + l], (high[j] - low[j]) / distance, 1e-5);
      EXPECT_EQ(jacobian[(n + j) * n + l], jacobian[j * n + l]) << "second row";
    }
  }
}

TEST(Softmax, jacobian_is_right_for_every_number_of_rows_and_columns) {
  for (int rows = 1; rows <= 17; ++rows) {
    for (int columns = 1; columns <= 17; ++columns) {
      const std::vector<float> p = softmax_of(random_floats(rows * columns, 8), rows, columns);
      std::vector<float> jacobian(static_cast<std::size_t>(rows) * columns * columns, kNaN);
      softmax_jacobian(ConstMatrix(p.data(), rows, columns), jacobian.data());
      std::vector<double> expected, tolerance;
      for (int i = 0; i < rows; ++i) {
        const float* row = p.data() + i * columns;
        for (int j = 0; j < columns; ++j) {
          for (int l = 0; l < columns; ++l) {
            const double derivative = row[j] * ((j == l ? 1.0 : 0.0) - row[l]);
            expected.push_back(derivative);
            tolerance.push_back(2 * kUnitRoundoff * std::abs(derivative));
          }
        }
      }
      ASSERT_TRUE(is_near(jacobian, expected, tolerance, {rows, columns, columns}));
    }
  }
}

TEST(Softmax, jacobian_of_no_rows_or_columns_writes_nothing) {
  softmax_jacobian(ConstMatrix(nullptr, 0, 3), nullptr);
  softmax_jacobian(ConstMatrix(nullptr, 3, 0), nullptr);
}

TEST(SoftmaxBackward, works_row_by_row_and_for_no_rows_or_columns) {
  for (int rows = 0; rows <= 17; ++rows) {
    for (int columns = 0; columns <= 17; ++columns) {
      const std::vector<float> p = softmax_of(random_floats(rows * columns, 9), rows, columns);
      const std::vector<float> grad = random_floats(rows * columns, 10);
      std::vector<float> together(p.size(), kNaN), alone(columns, kNaN);
      const auto backward = [&](int first, int count, float* out) {
        const Index start = static_cast<Index>(first) * columns;
        return softmax_backward(ConstMatrix(p.data() + start, count, columns),
                                ConstMatrix(grad.data() + start, count, columns),
                                Matrix(out, count, columns));
      };
      EXPECT_EQ(backward(0, rows, together.data()), Status::ok);
      for (int i = 0; i < rows; ++i) {
        EXPECT_EQ(backward(i, 1, alone.data()), Status::ok);
        ASSERT_TRUE(is_same_bits(alone.data(), together.data() + i * columns, alone.size()));
      }
    }
  }
}

TEST(SoftmaxBackward, is_the_jacobian_times_the_gradient_for_every_length) {
  for (int n = 1; n <= 35; ++n) {
    const std::vector<double> p = oracle_softmax(random_floats(n, 5));
    const std::vector<float> probabilities(p.begin(), p.end()), grad = random_floats(n, 6);
    std::vector<float> result(n, kNaN);
    EXPECT_EQ(softmax_backward({probabilities.data(), 1, n}, {grad.data(), 1, n},
                               Matrix(result.data(), 1, n)),
              Status::ok);
    std::vector<double> expected, tolerance;
    for (int j = 0; j < n; ++j) {
      double sum = 0, magnitude = 0;
      for (int l = 0; l < n; ++l) {
        const double jacobian = p[j] * ((j == l ? 1 : 0) - p[l]);
        sum += jacobian * grad[l];
        magnitude += p[j] * ((j == l ? 1 : 0) + p[l]) * std::abs(grad[l]);
      }
      expected.push_back(sum);
      tolerance.push_back((n + 4) * kUnitRoundoff * magnitude);
    }
    ASSERT_TRUE(is_near(result, expected, tolerance, {n})) << n;
  }
}

}  // namespace
}  // namespace attention
