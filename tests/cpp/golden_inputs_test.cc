// The inputs of the golden figures, drawn again from their seeds: what a lesson starts from is what
// the figures were computed from.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "golden.h"
#include "near.h"
#include "random/numpy_generator.h"
#include "random/numpy_legacy.h"
#include "random/torch_generator.h"

namespace attention {
namespace {

constexpr double kRounding = 1e-12;
constexpr double kTorchNormal = 5e-7;

/// Draws rows·columns normals, divided by `divisor`.
template <typename Generator>
std::vector<double> matrix(Generator& generator, int rows, int columns, double divisor = 1) {
  std::vector<double> out(static_cast<std::size_t>(rows * columns));
  generator.normal(out, 0, 1);
  for (double& x : out) x /= divisor;
  return out;
}

testing::AssertionResult is_golden(const std::vector<double>& drawn, const std::string& file,
                                   const std::string& pointer) {
  const GoldenTensor expected = golden_tensor(file, pointer);
  return near(drawn, expected.data, expected.shape, kRounding);
}

TEST(GoldenInputs, OfTheAttentionCubeComeFromDefaultRng0) {
  constexpr int kDim = 8, kClusters = 3, kPerCluster = 4;
  NumpyGenerator generator(0);
  const auto centers = matrix(generator, kClusters, kDim);
  std::vector<double> x;
  for (int cluster = 0; cluster < kClusters; ++cluster) {
    const double* center = centers.data() + cluster * kDim;
    double norm = 0;
    for (int k = 0; k < kDim; ++k) norm += center[k] * center[k];
    norm = std::sqrt(norm);
    const auto noise = matrix(generator, kPerCluster, kDim);
    for (int i = 0; i < kPerCluster * kDim; ++i) {
      x.push_back(center[i % kDim] / norm + 0.2 * noise[static_cast<std::size_t>(i)]);
    }
  }
  EXPECT_TRUE(is_golden(x, "attention_cube.json", "/X"));
  for (const char* name : {"/W_Q", "/W_K", "/W_V", "/W_O"}) {
    EXPECT_TRUE(
        is_golden(matrix(generator, kDim, kDim, std::sqrt(8.0)), "attention_cube.json", name))
        << name;
  }
}

TEST(GoldenInputs, OfTheCausalFiguresComeFromTheLegacyGenerator) {
  NumpyLegacy demo(42);
  EXPECT_TRUE(is_golden(matrix(demo, 6, 16), "causal.json", "/demo/Q"));
  EXPECT_TRUE(is_golden(matrix(demo, 6, 16), "causal.json", "/demo/K"));

  NumpyLegacy axioms(1337);
  EXPECT_TRUE(is_golden(matrix(axioms, 8, 16), "causal.json", "/axioms/Q"));
  EXPECT_TRUE(is_golden(matrix(axioms, 8, 16), "causal.json", "/axioms/K"));
  EXPECT_TRUE(is_golden(matrix(axioms, 8, 8), "causal.json", "/axioms/V"));

  NumpyLegacy cache(42);
  for (const char* name : {"/kv_cache/W_q", "/kv_cache/W_k", "/kv_cache/W_v"}) {
    EXPECT_TRUE(is_golden(matrix(cache, 16, 16), "causal.json", name)) << name;
  }
  EXPECT_TRUE(is_golden(matrix(cache, 5, 16), "causal.json", "/kv_cache/tokens"));
}

TEST(GoldenInputs, OfTheMultiHeadLayerComeFromTheLegacyGenerator) {
  NumpyLegacy generator(42);
  EXPECT_TRUE(is_golden(matrix(generator, 12, 32), "multi_head.json", "/numpy_layer/X"));
  for (const char* name : {"/W_q", "/W_k", "/W_v", "/W_o"}) {
    EXPECT_TRUE(is_golden(matrix(generator, 32, 32, std::sqrt(32.0)), "multi_head.json",
                          std::string("/numpy_layer") + name))
        << name;
  }
}

TEST(GoldenInputs, OfTheConvexityCaseComeFromTheLegacyGenerator) {
  NumpyLegacy generator(42);
  EXPECT_TRUE(is_golden(matrix(generator, 5, 16), "scaled_dot_product.json", "/properties/Q"));
  EXPECT_TRUE(is_golden(matrix(generator, 6, 16), "scaled_dot_product.json", "/properties/K"));
  EXPECT_TRUE(is_golden(matrix(generator, 6, 8), "scaled_dot_product.json", "/properties/V"));
}

TEST(GoldenInputs, OfThePronounExampleComeFromTheLegacyGenerator) {
  constexpr int kDim = 32, kAnimal = 1, kIt = 7, kTired = 10;
  NumpyLegacy generator(1337);
  std::vector<double> embeddings(11 * kDim), noise(kDim);
  generator.normal(embeddings, 0, 0.5);
  generator.normal(noise, 0, 1);
  for (std::size_t k = 0; k < kDim; ++k) {
    const double animal = embeddings[kAnimal * kDim + k];
    double& tired = embeddings[kTired * kDim + k];
    embeddings[kIt * kDim + k] = 0.7 * animal + 0.3 * tired + 0.1 * noise[k];
    tired += 0.4 * animal;
  }
  EXPECT_TRUE(is_golden(embeddings, "scaled_dot_product.json", "/coreference/embeddings"));
}

TEST(GoldenInputs, OfTheGradientsComeFromTheLegacyGenerator) {
  NumpyLegacy generator(7);
  const std::string key = "/scaled_dot_product_unmasked";
  EXPECT_TRUE(is_golden(matrix(generator, 5, 16), "backward.json", key + "/Q"));
  EXPECT_TRUE(is_golden(matrix(generator, 6, 16), "backward.json", key + "/K"));
  EXPECT_TRUE(is_golden(matrix(generator, 6, 8), "backward.json", key + "/V"));
}

TEST(GoldenInputs, OfThePytorchModulesComeFromItsGenerator) {
  constexpr int kDim = 32;
  TorchGenerator generator(42);
  std::vector<float> weight(kDim * kDim), bias(kDim), x(2 * 6 * kDim);
  for (const char* layer : {"/q_proj", "/k_proj", "/v_proj", "/out_proj"}) {
    const std::string key = std::string("/torch_module") + layer;
    generator.linear(kDim, kDim, weight, bias);
    const GoldenTensor expected = golden_tensor("causal.json", key + "/weight");
    EXPECT_TRUE(near(weight, expected.data, expected.shape, 0)) << layer;
    EXPECT_TRUE(near(bias, golden_tensor("causal.json", key + "/bias").data, 0)) << layer;
  }
  generator.randn(x);
  const GoldenTensor expected = golden_tensor("causal.json", "/torch_module/x");
  EXPECT_TRUE(near(x, expected.data, expected.shape, kTorchNormal));

  TorchGenerator again(42);
  again.linear(kDim, kDim, weight, bias);
  const GoldenTensor blocks = golden_tensor("multi_head.json", "/subspaces/W_q_heads");
  EXPECT_TRUE(near(weight, blocks.data, blocks.shape, 0));
}

}  // namespace
}  // namespace attention
