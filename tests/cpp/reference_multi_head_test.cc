// The float64 reference of multi-head attention, forward.

#include "attention/reference_multi_head.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "eigen_golden.h"

namespace attention::reference {
namespace {

constexpr double kTolerance = 1e-13;
constexpr double kFloat32 = 2e-6;  // figures that PyTorch computed in float32, sums of 32 terms

Mask causal_mask() {
  Mask mask;
  mask.is_causal = true;
  return mask;
}

/// The heads' weights, one below the other as (h·n, m).
Matrix stacked_weights(const MultiHead& result) {
  const Index n = result.heads[0].weights.rows();
  Matrix all(n * static_cast<Index>(result.heads.size()), result.heads[0].weights.cols());
  for (std::size_t i = 0; i < result.heads.size(); ++i) {
    all.middleRows(static_cast<Index>(i) * n, n) = result.heads[i].weights;
  }
  return all;
}

TEST(ReferenceMultiHead, ReproducesTheAttentionCubeForEveryNumberOfHeads) {
  const auto cube = [](const std::string& pointer) {
    return golden_matrix("attention_cube.json", pointer);
  };
  const Matrix x = cube("/X"), wq = cube("/W_Q"), wk = cube("/W_K"), wv = cube("/W_V");
  const Matrix wo = cube("/W_O");
  for (int h : {1, 2, 4, 8}) {
    Parameters parameters{.wq = map(wq), .wk = map(wk), .wv = map(wv), .wo = map(wo)};
    parameters.num_heads = parameters.num_kv_heads = h;
    parameters.scale = 1 / std::sqrt(8.0 / h);
    const MultiHead result =
        multi_head(parameters, x, x, std::vector<Mask>(static_cast<std::size_t>(h)));
    const std::string key = "/heads/" + std::to_string(h);
    EXPECT_TRUE(near_matrix(result.output, cube(key + "/output"), kTolerance)) << h << " heads";
    EXPECT_TRUE(near_matrix(stacked_weights(result), cube(key + "/attention"), kTolerance))
        << h << " heads";
    const std::string more = "/attention_cube/by_heads/" + std::to_string(h);
    EXPECT_TRUE(near_matrix(result.heads[0].logits,
                            golden_matrix("extra.json", more + "/logits").topRows(12), kTolerance));
    EXPECT_TRUE(near_matrix(result.heads[0].output,
                            golden_matrix("extra.json", more + "/heads").topRows(12), kTolerance));
  }
}

TEST(ReferenceMultiHead, ReproducesTheLayerOfFourHeads) {
  const auto layer = [](const std::string& name) {
    return golden_matrix("multi_head.json", "/numpy_layer/" + name);
  };
  const Matrix x = layer("X"), wq = layer("W_q"), wk = layer("W_k"), wv = layer("W_v");
  const Matrix wo = layer("W_o"), out = layer("out"), weights = layer("weights");
  Parameters parameters{.wq = map(wq), .wk = map(wk), .wv = map(wv), .wo = map(wo)};
  parameters.num_heads = parameters.num_kv_heads = 4;
  parameters.scale = 1 / std::sqrt(8.0);
  for (Index batch = 0; batch < 2; ++batch) {
    const Matrix sequence = x.middleRows(6 * batch, 6);
    const MultiHead result = multi_head(parameters, sequence, sequence, std::vector<Mask>(4));
    EXPECT_TRUE(near_matrix(result.output, out.middleRows(6 * batch, 6), kTolerance));
    EXPECT_TRUE(
        near_matrix(stacked_weights(result), weights.middleRows(24 * batch, 24), kTolerance));
  }
}

TEST(ReferenceMultiHead, ReproducesThePytorchModuleWithItsBiases) {
  const auto module = [](const std::string& name) {
    return golden_matrix("causal.json", "/torch_module/" + name);
  };
  // PyTorch keeps (out, in); here a row times the matrix, so (in, out).
  const Matrix wq = module("q_proj/weight").transpose(), wk = module("k_proj/weight").transpose();
  const Matrix wv = module("v_proj/weight").transpose(), wo = module("out_proj/weight").transpose();
  const Matrix bq = module("q_proj/bias"), bk = module("k_proj/bias");
  const Matrix bv = module("v_proj/bias"), bo = module("out_proj/bias");
  const Matrix x = module("x"), out = module("out"), weights = module("weights");
  Parameters parameters{.wq = map(wq),
                        .wk = map(wk),
                        .wv = map(wv),
                        .wo = map(wo),
                        .bq = map(bq),
                        .bk = map(bk),
                        .bv = map(bv),
                        .bo = map(bo)};
  parameters.num_heads = parameters.num_kv_heads = 4;
  parameters.scale = 1 / std::sqrt(8.0);
  for (Index batch = 0; batch < 2; ++batch) {
    const Matrix sequence = x.middleRows(6 * batch, 6);
    const MultiHead result =
        multi_head(parameters, sequence, sequence, std::vector<Mask>(4, causal_mask()));
    EXPECT_TRUE(near_matrix(result.output, out.middleRows(6 * batch, 6), kFloat32));
    EXPECT_TRUE(near_matrix(stacked_weights(result), weights.middleRows(24 * batch, 24), kFloat32));
  }
}

TEST(ReferenceMultiHead, TakesKeysAndValuesFromTheContext) {
  NumpyLegacy generator(11);
  const Matrix x = random_matrix(generator, 3, 4), context = random_matrix(generator, 5, 6);
  const Matrix wq = random_matrix(generator, 4, 4), wk = random_matrix(generator, 6, 4);
  const Matrix wv = random_matrix(generator, 6, 2);
  Parameters parameters{.wq = map(wq), .wk = map(wk), .wv = map(wv)};
  parameters.scale = 0.5;
  const MultiHead result = multi_head(parameters, x, context, {Mask()});
  const Attention alone = scaled_dot_product(x * wq, context * wk, context * wv, 0.5, Mask());
  EXPECT_TRUE(near_matrix(result.output, alone.output, kTolerance));
}

TEST(ReferenceMultiHead, LetsTheHeadsOfAGroupShareKeysAndValues) {
  NumpyLegacy generator(12);
  const Matrix x = random_matrix(generator, 5, 6), wq = random_matrix(generator, 6, 8);
  const Matrix wk = random_matrix(generator, 6, 4), wv = random_matrix(generator, 6, 6);
  Parameters grouped{.wq = map(wq), .wk = map(wk), .wv = map(wv)};
  grouped.num_heads = 4;
  grouped.num_kv_heads = 2;
  Matrix wk_repeated(6, 8), wv_repeated(6, 12);  // each block twice: four heads of their own
  wk_repeated << wk.leftCols(2), wk.leftCols(2), wk.rightCols(2), wk.rightCols(2);
  wv_repeated << wv.leftCols(3), wv.leftCols(3), wv.rightCols(3), wv.rightCols(3);
  Parameters separate{.wq = map(wq), .wk = map(wk_repeated), .wv = map(wv_repeated)};
  separate.num_heads = separate.num_kv_heads = 4;
  const std::vector<Mask> masks(4);
  EXPECT_TRUE(near_matrix(multi_head(grouped, x, x, masks).output,
                          multi_head(separate, x, x, masks).output, kTolerance));
}

TEST(ReferenceMultiHead, TakesEverySmallSize) {
  NumpyLegacy generator(13);
  for (Index size = 1; size <= 17; ++size) {
    for (const auto& [n, d, h] : {std::array<Index, 3>{size, 3, 2}, {3, size, 1}, {2, 4, size}}) {
      const Matrix x = random_matrix(generator, n, d), wq = random_matrix(generator, d, 2 * h);
      const Matrix wk = random_matrix(generator, d, 2), wv = random_matrix(generator, d, 3);
      const Matrix wo = random_matrix(generator, 3 * h, d);
      Parameters parameters{.wq = map(wq), .wk = map(wk), .wv = map(wv), .wo = map(wo)};
      parameters.num_heads = static_cast<int>(h);
      const MultiHead result =
          multi_head(parameters, x, x, std::vector<Mask>(static_cast<std::size_t>(h)));
      EXPECT_EQ(result.output.rows(), n);
      EXPECT_EQ(result.output.cols(), d);
      EXPECT_TRUE(result.output.allFinite());
    }
  }
}

}  // namespace
}  // namespace attention::reference
