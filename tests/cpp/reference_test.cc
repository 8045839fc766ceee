// The float64 reference, forward: against golden figures, and what must hold for any input.

#include "attention/reference.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "eigen_golden.h"

namespace attention::reference {
namespace {

constexpr double kTolerance = 1e-13;  // a few roundings of float64 on numbers of size 1 to 10
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double default_scale(const Matrix& query) {
  return 1 / std::sqrt(static_cast<double>(query.cols()));
}

Mask causal_mask() {
  Mask mask;
  mask.is_causal = true;
  return mask;
}

TEST(Reference, ReproducesThePronounExample) {
  const std::string file = "scaled_dot_product.json";
  const Matrix x = golden_matrix(file, "/coreference/embeddings");
  const Attention a = scaled_dot_product(x, x, x, default_scale(x), Mask());
  EXPECT_TRUE(near_matrix(a.scores, golden_matrix(file, "/coreference/scores"), kTolerance));
  EXPECT_TRUE(near_matrix(a.weights, golden_matrix(file, "/coreference/weights"), kTolerance));
}

TEST(Reference, ReproducesTheConvexityCase) {
  const std::string file = "scaled_dot_product.json";
  const Matrix q = golden_matrix(file, "/properties/Q"), k = golden_matrix(file, "/properties/K");
  const Matrix v = golden_matrix(file, "/properties/V");
  const Attention a = scaled_dot_product(q, k, v, default_scale(q), Mask());
  EXPECT_TRUE(near_matrix(a.weights, golden_matrix(file, "/properties/A"), kTolerance));
  EXPECT_TRUE(near_matrix(a.output, golden_matrix(file, "/properties/Y"), kTolerance));
}

TEST(Reference, ReproducesTheTwoMeaningsOfBank) {
  const std::string file = "scaled_dot_product.json";
  for (const std::string sense : {"river", "investment"}) {
    const std::string words = "/disambiguation/sentence_" + sense;
    Matrix x(5, 8);
    for (Index i = 0; i < 5; ++i) {
      const std::string word = golden_string(file, words + "/" + std::to_string(i));
      x.row(i) = golden_matrix(file, "/disambiguation/vectors/" + word);
    }
    const Attention a = scaled_dot_product(x, x, x, default_scale(x), Mask());
    EXPECT_TRUE(
        near_matrix(a.output, golden_matrix(file, "/disambiguation/Y_" + sense), kTolerance))
        << sense;
  }
}

TEST(Reference, ReproducesTheCausalFigures) {
  const Matrix q = golden_matrix("causal.json", "/axioms/Q");
  const Matrix k = golden_matrix("causal.json", "/axioms/K");
  const Matrix v = golden_matrix("causal.json", "/axioms/V");
  const Attention a = scaled_dot_product(q, k, v, default_scale(q), causal_mask());
  EXPECT_TRUE(near_matrix(a.weights, golden_matrix("causal.json", "/axioms/A"), kTolerance));
  EXPECT_TRUE(near_matrix(a.output, golden_matrix("causal.json", "/axioms/Y"), kTolerance));
  EXPECT_EQ(a.output.row(0), v.row(0)) << "the first token sees itself alone";
}

TEST(Reference, AlignsCausalityTopLeftWhenQueriesAndKeysDiffer) {
  const std::string file = "backward.json", pointer = "/scaled_dot_product_unmasked";
  const Matrix q = golden_matrix(file, pointer + "/Q"), k = golden_matrix(file, pointer + "/K");
  const Matrix v = golden_matrix(file, pointer + "/V");
  const Attention a = scaled_dot_product(q, k, v, default_scale(q), causal_mask());
  EXPECT_TRUE(near_matrix(
      a.weights, golden_matrix("extra.json", "/causal/rectangular_5x6/top_left"), kTolerance));
}

TEST(Reference, ReproducesEveryMaskOfTheDemo) {
  const Matrix q = golden_matrix("causal.json", "/demo/Q"),
               k = golden_matrix("causal.json", "/demo/K");
  int masks = 0;
  for (const std::string& name : golden_keys("extra.json", "/causal/masks_on_demo")) {
    const std::string pointer = "/causal/masks_on_demo/" + name;
    const bool has_boolean_mask =
        name.find("alibi") == std::string::npos && name.find("minus_1e9") == std::string::npos;
    if (!has_boolean_mask) continue;
    const auto bytes = golden_mask("extra.json", pointer + "/mask");
    const Attention a =
        scaled_dot_product(q, k, q, default_scale(q), boolean_mask(bytes, k.rows()));
    EXPECT_TRUE(
        near_matrix(a.weights, golden_matrix("extra.json", pointer + "/weights"), kTolerance))
        << name;
    ++masks;
  }
  EXPECT_EQ(masks, 5);
}

TEST(Reference, AddsAnAdditiveMaskAndCombinesItWithCausality) {
  const Matrix q = golden_matrix("causal.json", "/demo/Q"),
               k = golden_matrix("causal.json", "/demo/K");
  const std::string pointer = "/causal/masks_on_demo/alibi_4_heads_causal";
  const Matrix bias = golden_matrix("extra.json", pointer + "/bias");  // 4 heads of 6 × 6
  const Matrix expected = golden_matrix("extra.json", pointer + "/weights");
  for (Index head = 0; head < 4; ++head) {
    Mask mask = causal_mask();
    mask.bias = bias.row(6 * head).data();
    mask.row_stride = 6;
    mask.column_stride = 1;
    const Attention a = scaled_dot_product(q, k, q, default_scale(q), mask);
    EXPECT_TRUE(near_matrix(a.weights, expected.middleRows(6 * head, 6), kTolerance)) << head;
  }
}

TEST(Reference, GivesRowsThatSumToOneForEverySize) {
  NumpyLegacy generator(3);
  for (Index size = 1; size <= 17; ++size) {
    for (const auto& [n, m, d] : {std::array<Index, 3>{size, 5, 3}, {4, size, 2}, {3, 6, size}}) {
      const Matrix q = random_matrix(generator, n, d), k = random_matrix(generator, m, d);
      const Matrix v = random_matrix(generator, m, size);
      const Attention a = scaled_dot_product(q, k, v, default_scale(q), Mask());
      EXPECT_TRUE(near_matrix(a.weights.rowwise().sum(), Vector::Ones(n), kTolerance));
      EXPECT_TRUE(near_matrix(a.output, a.weights * v, kTolerance));
      EXPECT_GE(a.weights.minCoeff(), 0);
    }
  }
}

TEST(Reference, TakesZeroLengths) {
  NumpyLegacy generator(3);
  const Matrix none(0, 4), q = random_matrix(generator, 3, 4), v = random_matrix(generator, 3, 2);
  EXPECT_EQ(scaled_dot_product(none, q, v, 0.5, Mask()).output.rows(), 0);
  const Attention no_keys = scaled_dot_product(q, none, Matrix(0, 2), 0.5, Mask());
  EXPECT_EQ(no_keys.output, Matrix::Zero(3, 2)) << "nothing to attend to";
  EXPECT_EQ(no_keys.row_max(1), -kInfinity);
  const Attention no_dims = scaled_dot_product(Matrix(3, 0), Matrix(3, 0), v, 1, Mask());
  EXPECT_TRUE(near_matrix(no_dims.weights, Matrix::Constant(3, 3, 1.0 / 3), kTolerance));
  EXPECT_EQ(scaled_dot_product(q, q, Matrix(3, 0), 0.5, Mask()).output.cols(), 0);
}

TEST(Reference, GivesARowWithoutOpenKeysZeros) {
  NumpyLegacy generator(4);
  const Matrix q = random_matrix(generator, 3, 4), v = random_matrix(generator, 3, 2);
  const std::vector<std::uint8_t> bytes = {1, 1, 0, 0, 0, 0, 1, 1, 1};
  const Attention a = scaled_dot_product(q, q, v, 0.5, boolean_mask(bytes, 3));
  EXPECT_EQ(a.weights.row(1), Matrix::Zero(1, 3));
  EXPECT_EQ(a.exp.row(1), Matrix::Zero(1, 3));
  EXPECT_EQ(a.output.row(1), Matrix::Zero(1, 2));
  EXPECT_EQ(a.row_max(1), -kInfinity);
  EXPECT_EQ(a.row_sum(1), 0);
}

TEST(Reference, GivesARowWhoseScoresAreAllMinusInfinityZeros) {
  const Matrix q{{1.0}, {0.5}}, k{{-kInfinity}, {-kInfinity}}, v{{1.0}, {2.0}};
  const Attention a = scaled_dot_product(q, k, v, 1, Mask());
  EXPECT_EQ(a.weights, Matrix::Zero(2, 2));
  EXPECT_EQ(a.output, Matrix::Zero(2, 1));
}

TEST(Reference, LetsNothingThatIsMaskedThrough) {
  NumpyLegacy generator(5);
  const Matrix q = random_matrix(generator, 4, 3), k = random_matrix(generator, 4, 3);
  const Matrix v = random_matrix(generator, 4, 2);
  const Attention clean = scaled_dot_product(q, k, v, 0.5, causal_mask());
  for (double poison : {kNaN, kInfinity, -kInfinity}) {
    Matrix bad_k = k, bad_v = v;
    bad_k.row(2).setConstant(poison);
    bad_v.row(2).setConstant(poison);
    const Attention a = scaled_dot_product(q, bad_k, bad_v, 0.5, causal_mask());
    EXPECT_EQ(a.weights.topRows(2), clean.weights.topRows(2)) << poison;
    EXPECT_TRUE(near_matrix(a.output.topRows(2), clean.output.topRows(2), kTolerance)) << poison;
    EXPECT_FALSE(a.output.row(2).allFinite()) << poison;
  }
}

TEST(Reference, ShowsANaNWhereItIsAttendedToAndOnlyThere) {
  NumpyLegacy generator(6);
  const Matrix q = random_matrix(generator, 5, 3), v = random_matrix(generator, 5, 2);
  Matrix k = q;
  k(3, 1) = kNaN;
  std::vector<std::uint8_t> bytes(25, 1);
  bytes[0 * 5 + 3] = bytes[4 * 5 + 3] = 0;  // queries 0 and 4 do not see key 3
  const Attention a = scaled_dot_product(q, k, v, 0.5, boolean_mask(bytes, 5));
  for (Index i = 0; i < 5; ++i) {
    const bool sees = i != 0 && i != 4;
    EXPECT_EQ(a.output.row(i).hasNaN(), sees) << "row " << i;
    EXPECT_EQ(a.weights.row(i).hasNaN(), sees) << "row " << i;
  }
}

TEST(Reference, TreatsMinusInfinityInAnAdditiveMaskAsMasked) {
  NumpyLegacy generator(7);
  const Matrix q = random_matrix(generator, 2, 3), v = random_matrix(generator, 3, 2);
  Matrix k = random_matrix(generator, 3, 3);
  k(1, 0) = kInfinity;
  const Matrix bias{{0, -kInfinity, 0}};
  Mask mask;
  mask.bias = bias.data();
  mask.column_stride = 1;  // one row for all queries
  const Attention a = scaled_dot_product(q, k, v, 0.5, mask);
  EXPECT_EQ(a.weights.col(1), Matrix::Zero(2, 1));
  EXPECT_TRUE(a.output.allFinite());
}

}  // namespace
}  // namespace attention::reference
