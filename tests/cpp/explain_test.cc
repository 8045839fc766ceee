// One query taken apart, against the golden tables of every step.

#include "attention/explain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "eigen_golden.h"

namespace attention::reference {
namespace {

constexpr double kTolerance = 1e-13;

void expect_golden_steps(const Explanation& e, const std::string& pointer) {
  const auto step = [&](const char* name) {
    return golden_tensor("extra.json", pointer + "/" + name).data;
  };
  EXPECT_TRUE(near(e.raw, step("raw"), kTolerance));
  EXPECT_TRUE(near(e.scaled, step("scaled"), kTolerance));
  EXPECT_TRUE(near(e.masked, step("masked"), kTolerance));
  EXPECT_TRUE(near(e.exp, step("exp"), kTolerance));
  EXPECT_TRUE(near(e.weights, step("weights"), kTolerance));
  EXPECT_TRUE(near(e.rank_in_row, step("rank_in_row"), 0));
  EXPECT_TRUE(near(e.contribution_norms, step("contribution_norms"), kTolerance));
  EXPECT_TRUE(near(e.share_along_output, step("share_along_output"), kTolerance));
  EXPECT_TRUE(near(e.output, step("output"), kTolerance));
  EXPECT_NEAR(e.row_max, golden_number("extra.json", pointer + "/row_max"), kTolerance);
  EXPECT_NEAR(e.row_sum, golden_number("extra.json", pointer + "/row_sum"), kTolerance);
}

TEST(Explain, ReproducesHowItFindsTheAnimal) {
  const Matrix x = golden_matrix("scaled_dot_product.json", "/coreference/embeddings");
  const Explanation e = explain(x, x, x, 1 / std::sqrt(32.0), Mask(), 7, 1);
  expect_golden_steps(e, "/scaled_dot_product/coreference/steps_it");
  EXPECT_NEAR(e.terms.sum(), e.raw(1), kTolerance);
  EXPECT_NEAR(e.share_along_output.sum(), 1, kTolerance);
}

TEST(Explain, ReproducesACausalRow) {
  const Matrix q = golden_matrix("causal.json", "/axioms/Q");
  const Matrix k = golden_matrix("causal.json", "/axioms/K");
  const Matrix v = golden_matrix("causal.json", "/axioms/V");
  Mask mask;
  mask.is_causal = true;
  const Explanation e = explain(q, k, v, 1 / std::sqrt(16.0), mask, 3, 6);
  expect_golden_steps(e, "/causal/steps_row_3");
  EXPECT_TRUE(near(
      e.terms,
      [&] {
        const Vector terms = q.row(3).cwiseProduct(k.row(6));
        return std::vector<double>(terms.begin(), terms.end());
      }(),
      0));
}

TEST(Explain, SeesTheSameMaskAsTheWholePassInEveryRow) {
  NumpyLegacy generator(8);
  const Matrix q = random_matrix(generator, 5, 3), k = random_matrix(generator, 6, 3);
  const Matrix v = random_matrix(generator, 6, 2), bias = random_matrix(generator, 5, 6);
  Mask mask;
  mask.bias = bias.data();
  mask.row_stride = 6;
  mask.column_stride = 1;
  mask.is_causal = true;
  const Attention a = scaled_dot_product(q, k, v, 0.5, mask);
  for (Index row = 0; row < 5; ++row) {
    const Explanation e = explain(q, k, v, 0.5, mask, row, 0);
    EXPECT_TRUE(near_matrix(e.masked.transpose(), a.scores.row(row), kTolerance)) << row;
    EXPECT_TRUE(near_matrix(e.output.transpose(), a.output.row(row), kTolerance)) << row;
  }
}

TEST(Explain, GivesAMaskedValueNoContributionWhateverItHolds) {
  NumpyLegacy generator(9);
  const Matrix q = random_matrix(generator, 3, 2);
  Matrix v = random_matrix(generator, 3, 2);
  v.row(2).setConstant(std::numeric_limits<double>::quiet_NaN());
  Mask mask;
  mask.is_causal = true;
  const Explanation e = explain(q, q, v, 1, mask, 1, 2);
  EXPECT_EQ(e.contribution_norms(2), 0);
  EXPECT_EQ(e.share_along_output(2), 0);
  EXPECT_TRUE(e.output.allFinite());
}

TEST(Explain, SharesNothingOutWhenTheOutputIsZero) {
  NumpyLegacy generator(10);
  const Matrix q = random_matrix(generator, 2, 2);
  const Explanation e = explain(q, q, Matrix::Zero(2, 2), 1, Mask(), 0, 0);
  EXPECT_EQ(e.share_along_output, Vector::Zero(2));
}

TEST(Explain, RanksEqualWeightsInTheOrderOfTheirKeysAndNaNLast) {
  const Matrix q{{1.0}}, k{{2.0}, {3.0}, {2.0}, {3.0}};
  const Explanation e = explain(q, k, k, 1, Mask(), 0, 0);
  EXPECT_TRUE(near(e.rank_in_row, {3, 1, 4, 2}, 0));
  const Matrix bad{{2.0}, {std::numeric_limits<double>::quiet_NaN()}, {3.0}};
  Matrix bias{{0, 0, -std::numeric_limits<double>::infinity()}};
  Mask mask;
  mask.bias = bias.data();
  mask.column_stride = 1;
  EXPECT_TRUE(near(explain(q, bad, bad, 1, mask, 0, 0).rank_in_row, {2, 3, 1}, 0));
}

}  // namespace
}  // namespace attention::reference
