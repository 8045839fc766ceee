// Entropy and rollout.

#include "attention/mixing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "golden.h"
#include "near.h"

namespace attention {
namespace {

constexpr double kTolerance = 1e-14;

std::vector<double> entropy_of(const std::vector<double>& weights, Index rows, Index columns) {
  std::vector<double> out(static_cast<std::size_t>(rows));
  entropy(weights.data(), rows, columns, out.data());
  return out;
}

std::vector<double> rollout_of(const std::vector<double>& weights, Index layers, Index heads,
                               Index n, double residual) {
  std::vector<double> scratch(static_cast<std::size_t>(2 * n * n));
  std::vector<double> out(static_cast<std::size_t>(n * n));
  rollout(weights.data(), layers, heads, n, residual, scratch.data(), out.data());
  return out;
}

TEST(Entropy, ReproducesTheFiguresOfTheCube) {
  for (int h : {1, 2, 4, 8}) {
    const std::string heads = std::to_string(h);
    const GoldenTensor w = golden_tensor("attention_cube.json", "/heads/" + heads + "/attention");
    const GoldenTensor expected =
        golden_tensor("extra.json", "/attention_cube/by_heads/" + heads + "/entropy_nats");
    EXPECT_TRUE(near(entropy_of(w.data, h * 12, 12), expected.data, expected.shape, kTolerance));
  }
}

TEST(Entropy, ReproducesTheFiguresOfTheHandMadeHeads) {
  for (const std::string head : {"local", "syntactic", "global", "modifier"}) {
    const GoldenTensor w = golden_tensor("multi_head.json", "/specialised_heads/" + head);
    const GoldenTensor expected =
        golden_tensor("extra.json", "/multi_head/specialised/" + head + "/entropy_nats");
    EXPECT_TRUE(near(entropy_of(w.data, 7, 7), expected.data, kTolerance)) << head;
  }
}

TEST(Entropy, IsTheLogarithmOfTheNumberOfKeysWhenAttentionIsUniform) {
  for (Index m = 1; m <= 17; ++m) {
    const std::vector<double> uniform(static_cast<std::size_t>(m), 1.0 / static_cast<double>(m));
    EXPECT_NEAR(entropy_of(uniform, 1, m)[0], std::log(static_cast<double>(m)), kTolerance);
  }
}

TEST(Entropy, IsZeroForAnEmptyRowAndNaNForARowWithNaN) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(near(entropy_of({0, 0, 1, 0, nan, 0.5}, 3, 2), {0, 0, nan}, 0));
  EXPECT_TRUE(near(entropy_of({}, 2, 0), {0, 0}, 0));
}

TEST(Rollout, ReproducesTheFigureForTwoLayers) {
  const GoldenTensor w = golden_tensor("causal.json", "/torch_module/weights");  // (2, 4, 6, 6)
  const std::string key =
      "/multi_head/rollout (layers = the two batch items of causal.torch_module; 0.5 mean over "
      "heads + 0.5 I; later layer left)";
  const GoldenTensor expected = golden_tensor("extra.json", key);
  EXPECT_TRUE(near(rollout_of(w.data, 2, 4, 6, 0.5), expected.data, expected.shape, kTolerance));
}

TEST(Rollout, PutsTheLaterLayerOnTheLeft) {
  // Layer 0 sends every query to key 0, layer 1 to key 1: seen from the end, all comes from key 0.
  const std::vector<double> weights = {1, 0, 1, 0, 0, 1, 0, 1};
  EXPECT_TRUE(near(rollout_of(weights, 2, 1, 2, 0), {1, 0, 1, 0}, 0));
}

TEST(Rollout, IsTheIdentityWithoutLayersAndWithAllInTheResidual) {
  EXPECT_TRUE(near(rollout_of({}, 0, 1, 2, 0.5), {1, 0, 0, 1}, 0));
  EXPECT_TRUE(near(rollout_of({0.5, 0.5, 0.5, 0.5}, 1, 1, 2, 1), {1, 0, 0, 1}, 0));
  EXPECT_TRUE(rollout_of({}, 3, 2, 0, 0.5).empty());
}

}  // namespace
}  // namespace attention
