// The float64 reference, backward: against PyTorch's autograd, against differences, and with NaN
// behind a mask.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "attention/reference.h"
#include "eigen_golden.h"

namespace attention::reference {
namespace {

constexpr double kTolerance = 1e-13;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(ReferenceBackward, ReproducesAutogradWithAndWithoutAMask) {
  for (const std::string key : {"/scaled_dot_product", "/scaled_dot_product_unmasked"}) {
    const auto figure = [&](const char* name) {
      return golden_matrix("backward.json", key + name);
    };
    const Matrix q = figure("/Q"), k = figure("/K"), v = figure("/V");
    const auto bytes = golden_mask("backward.json", key + "/mask");
    const Mask mask = boolean_mask(bytes, 6);
    const Attention a = scaled_dot_product(q, k, v, 0.25, mask);
    const Gradients g =
        scaled_dot_product_backward(q, k, v, 0.25, mask, a.weights, figure("/grad_output"));
    EXPECT_TRUE(near_matrix(a.weights, figure("/weights"), kTolerance)) << key;
    EXPECT_TRUE(near_matrix(a.output, figure("/output"), kTolerance)) << key;
    EXPECT_TRUE(near_matrix(g.query, figure("/grad_query"), kTolerance)) << key;
    EXPECT_TRUE(near_matrix(g.key, figure("/grad_key"), kTolerance)) << key;
    EXPECT_TRUE(near_matrix(g.value, figure("/grad_value"), kTolerance)) << key;
    EXPECT_TRUE(near_matrix(g.scores, figure("/grad_scores"), kTolerance)) << key;
    EXPECT_TRUE(near_matrix(
        g.weights, golden_matrix("extra.json", "/backward" + key + "/grad_weights"), kTolerance))
        << key;
  }
}

TEST(ReferenceBackward, GivesARowWithoutOpenKeysNoGradient) {
  const std::string inputs = "/scaled_dot_product", key = "/backward/row_1_empty";
  const Matrix q = golden_matrix("backward.json", inputs + "/Q");
  const Matrix k = golden_matrix("backward.json", inputs + "/K");
  const Matrix v = golden_matrix("backward.json", inputs + "/V");
  const auto bytes = golden_mask("extra.json", key + "/mask");
  const Mask mask = boolean_mask(bytes, 6);
  const Attention a = scaled_dot_product(q, k, v, 0.25, mask);
  const Gradients g = scaled_dot_product_backward(
      q, k, v, 0.25, mask, a.weights, golden_matrix("backward.json", inputs + "/grad_output"));
  const auto figure = [&](const char* name) { return golden_matrix("extra.json", key + name); };
  EXPECT_TRUE(near_matrix(a.output, figure("/output"), kTolerance));
  EXPECT_TRUE(near_matrix(g.query, figure("/grad_query"), kTolerance));
  EXPECT_TRUE(near_matrix(g.key, figure("/grad_key"), kTolerance));
  EXPECT_TRUE(near_matrix(g.value, figure("/grad_value"), kTolerance));
  EXPECT_EQ(g.query.row(1), Matrix::Zero(1, 16));
}

TEST(ReferenceBackward, AgreesWithCentralDifferencesForEverySize) {
  constexpr double kDifference = 1e-8;
  NumpyLegacy generator(21);
  for (Index size = 1; size <= 17; ++size) {
    for (const auto& [n, m, d] : {std::array<Index, 3>{size, 3, 2}, {2, size, 2}, {2, 3, size}}) {
      Matrix q = random_matrix(generator, n, d), k = random_matrix(generator, m, d);
      Matrix v = random_matrix(generator, m, 2);
      const Matrix grad_output = random_matrix(generator, n, 2);
      Mask mask;
      mask.is_causal = size % 2 == 1;
      const auto loss = [&] {
        return scaled_dot_product(q, k, v, 0.7, mask).output.cwiseProduct(grad_output).sum();
      };
      const Attention a = scaled_dot_product(q, k, v, 0.7, mask);
      const Gradients g = scaled_dot_product_backward(q, k, v, 0.7, mask, a.weights, grad_output);
      EXPECT_TRUE(near_matrix(g.query, differences(&q, loss), kDifference)) << n << m << d;
      EXPECT_TRUE(near_matrix(g.key, differences(&k, loss), kDifference)) << n << m << d;
      EXPECT_TRUE(near_matrix(g.value, differences(&v, loss), kDifference)) << n << m << d;
    }
  }
}

TEST(ReferenceBackward, LetsNothingThatIsMaskedThrough) {
  NumpyLegacy generator(23);
  Matrix q = random_matrix(generator, 4, 3), k = random_matrix(generator, 4, 3);
  Matrix v = random_matrix(generator, 4, 2);
  const Matrix grad_output = random_matrix(generator, 4, 2);
  std::vector<std::uint8_t> bytes(16, 1);
  for (std::size_t i = 0; i < 4; ++i) bytes[i * 4 + 3] = 0;  // key 3 is padding
  const Mask mask = boolean_mask(bytes, 4);
  const Attention a = scaled_dot_product(q, k, v, 0.5, mask);
  const Gradients clean = scaled_dot_product_backward(q, k, v, 0.5, mask, a.weights, grad_output);
  k.row(3).setConstant(kNaN);
  v.row(3).setConstant(kNaN);
  const Attention b = scaled_dot_product(q, k, v, 0.5, mask);
  const Gradients g = scaled_dot_product_backward(q, k, v, 0.5, mask, b.weights, grad_output);
  EXPECT_TRUE(near_matrix(g.query, clean.query, kTolerance));
  EXPECT_TRUE(near_matrix(g.key, clean.key, kTolerance));
  EXPECT_TRUE(near_matrix(g.value, clean.value, kTolerance));
  EXPECT_TRUE(near_matrix(g.scores, clean.scores, kTolerance));
  EXPECT_EQ(g.key.row(3), Matrix::Zero(1, 3));
}

TEST(ReferenceBackward, KeepsANaNOfAQueryFromTheKeysThatItDoesNotSee) {
  NumpyLegacy generator(25);
  Matrix q = random_matrix(generator, 3, 2), grad_output = random_matrix(generator, 3, 2);
  const Matrix k = random_matrix(generator, 3, 2), v = random_matrix(generator, 3, 2);
  q(0, 1) = grad_output(0, 0) = kNaN;  // causal: query 0 sees key 0 alone
  Mask mask;
  mask.is_causal = true;
  const Attention a = scaled_dot_product(q, k, v, 0.5, mask);
  const Gradients g = scaled_dot_product_backward(q, k, v, 0.5, mask, a.weights, grad_output);
  EXPECT_TRUE(g.key.row(0).hasNaN());
  EXPECT_TRUE(g.value.row(0).hasNaN());
  EXPECT_TRUE(g.key.bottomRows(2).allFinite());
  EXPECT_TRUE(g.value.bottomRows(2).allFinite());
}

}  // namespace
}  // namespace attention::reference
