// Random streams against figures of NumPy 1.24 and PyTorch 1.13.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "golden.h"
#include "near.h"
#include "random/numpy_generator.h"
#include "random/numpy_legacy.h"
#include "random/torch_generator.h"
#include "random/ziggurat.h"

namespace attention {
namespace {

constexpr double kExact = 0;
constexpr double kRounding = 1e-12;    // libm's log and exp differ in the last bits
constexpr double kTorchNormal = 5e-7;  // PyTorch's vectorised log, sine and cosine approximate

template <typename Generator>
std::vector<double> normal(Generator& generator, int count, double mean = 0, double std = 1) {
  std::vector<double> out(static_cast<std::size_t>(count));
  generator.normal(out, mean, std);
  return out;
}

template <typename Generator>
std::vector<double> uniform(Generator& generator, int count) {
  std::vector<double> out(static_cast<std::size_t>(count));
  generator.random(out);
  return out;
}

std::vector<float> randn(TorchGenerator& generator, int count) {
  std::vector<float> out(static_cast<std::size_t>(count));
  generator.randn(out);
  return out;
}

std::vector<double> golden(const std::string& file, const std::string& pointer) {
  return golden_tensor(file, pointer).data;
}

TEST(NumpyLegacy, DrawsTheNormalsThatNumpyDraws) {
  NumpyLegacy standard(42);
  EXPECT_TRUE(near(normal(standard, 64), golden("rng.json", "/legacy_42_randn"), kRounding));
  NumpyLegacy narrow(1337);
  EXPECT_TRUE(
      near(normal(narrow, 64, 0, 0.5), golden("rng.json", "/legacy_1337_normal_0.5"), kRounding));
}

TEST(NumpyLegacy, DrawsTheUniformsThatNumpyDraws) {
  NumpyLegacy generator(42);
  EXPECT_TRUE(near(uniform(generator, 16), golden("extra.json", "/rng/legacy_42_rand"), kExact));
}

TEST(NumpyLegacy, KeepsTheSpareNormalWhileUniformsAreDrawn) {
  const std::string key =
      "/rng/legacy_42_randn3_rand2_normal4_rand1 (odd counts: the spare normal survives a rand)";
  NumpyLegacy generator(42);
  EXPECT_TRUE(near(normal(generator, 3), golden("extra.json", key + "/randn3"), kRounding));
  EXPECT_TRUE(near(uniform(generator, 2), golden("extra.json", key + "/rand2"), kExact));
  EXPECT_TRUE(
      near(normal(generator, 4, 1, 2), golden("extra.json", key + "/normal_1_2_4"), kRounding));
  EXPECT_TRUE(near(uniform(generator, 1), golden("extra.json", key + "/rand1"), kExact));
}

TEST(NumpyLegacy, IsWhereNumpyIsAfterThousandsOfNormals) {
  // The first lesson's stream: embeddings, noise, then queries and keys for eight sizes.
  NumpyLegacy generator(1337);
  int drawn = 11 * 32 + 32;
  for (int d = 4; d <= 512; d *= 2) drawn += 200 * d + 200 * 10 * d;
  normal(generator, drawn);
  EXPECT_TRUE(
      near(normal(generator, 4),
           golden("extra.json", "/rng/legacy_1337_next_randn_after_all_of_notebook_50_first_cell"),
           kRounding));
}

TEST(NumpyGenerator, DrawsTheNormalsThatNumpyDraws) {
  NumpyGenerator generator(0);
  const auto stream = normal(generator, 485);
  const std::vector<double> start(stream.begin(), stream.begin() + 256);
  EXPECT_TRUE(near(start, golden("rng.json", "/default_rng_0_normal"), kRounding));
}

TEST(NumpyGenerator, DrawsFromTheTailAsNumpyDoes) {
  NumpyGenerator generator(0);
  const auto stream = normal(generator, 485);
  const auto around = [&](int first) {
    return std::vector<double>(stream.begin() + first, stream.begin() + first + 10);
  };
  EXPECT_TRUE(near(around(300),
                   golden("extra.json", "/rng/default_rng_0_normal_300_310 (ziggurat tail at 303)"),
                   kRounding));
  EXPECT_TRUE(near(around(475),
                   golden("extra.json", "/rng/default_rng_0_normal_475_485 (tail at 478)"),
                   kRounding));
  EXPECT_GT(std::abs(stream[303]), Ziggurat::kTail);
  EXPECT_GT(std::abs(stream[478]), Ziggurat::kTail);
}

TEST(NumpyGenerator, DrawsTheUniformsThatNumpyDraws) {
  NumpyGenerator generator(123);
  EXPECT_TRUE(near(uniform(generator, 64), golden("rng.json", "/default_rng_123_random"), kExact));
}

TEST(NumpyGenerator, MixesUniformsAndNormalsAsNumpyDoes) {
  const auto expected = golden("extra.json", "/rng/default_rng_5_random3_normal3_random3");
  NumpyGenerator generator(5);
  std::vector<double> drawn = uniform(generator, 3);
  for (double x : normal(generator, 3)) drawn.push_back(x);
  for (double x : uniform(generator, 3)) drawn.push_back(x);
  EXPECT_TRUE(near(drawn, expected, {3, 3}, kRounding));
}

TEST(NumpyGenerator, UsesAllOfASeedBeyond32Bits) {
  NumpyGenerator small(1), large((std::uint64_t{1} << 32) + 1);
  EXPECT_NE(small.random(), large.random());
}

TEST(NumpyStreams, GiveTheSameNumbersInPiecesAsAtOnce) {
  NumpyLegacy legacy(3), legacy_pieces(3);
  NumpyGenerator generator(3), generator_pieces(3);
  const auto all_legacy = normal(legacy, 8), all = normal(generator, 8);
  auto pieces_legacy = normal(legacy_pieces, 3), pieces = normal(generator_pieces, 3);
  for (double x : normal(legacy_pieces, 5)) pieces_legacy.push_back(x);
  for (double x : normal(generator_pieces, 5)) pieces.push_back(x);
  EXPECT_EQ(all_legacy, pieces_legacy);
  EXPECT_EQ(all, pieces);
}

TEST(Ziggurat, HasLayersOfEqualAreaThatCloseAtTheTop) {
  const Ziggurat& tables = Ziggurat::tables();
  const double scale = std::ldexp(1.0, 52);
  const double area = tables.width[0] * scale * tables.height[Ziggurat::kLayers - 1];
  EXPECT_NEAR(area, 0.0049286732, 1e-10);
  for (int i = 1; i < Ziggurat::kLayers; ++i) {
    const double x = tables.width[i] * scale;
    EXPECT_NEAR(x * (tables.height[i - 1] - tables.height[i]), area, 1e-15) << "layer " << i;
  }
  EXPECT_EQ(tables.limit[1], 0u);
}

TEST(TorchGenerator, DrawsTheUniformsThatPytorchDraws) {
  TorchGenerator generator(42);
  std::vector<float> drawn(32);
  generator.rand(drawn);
  EXPECT_TRUE(near(drawn, golden("rng.json", "/torch_42_rand_32"), kExact));
}

TEST(TorchGenerator, DrawsTheNormalsThatPytorchDrawsForEveryKindOfLength) {
  for (int count : {7, 32}) {
    TorchGenerator generator(42);
    const auto expected = golden("rng.json", "/torch_42_randn_" + std::to_string(count));
    EXPECT_TRUE(near(randn(generator, count), expected, kTorchNormal)) << count << " numbers";
  }
  for (int count : {15, 16, 17, 40, 100}) {
    TorchGenerator generator(42);
    const auto expected = golden("extra.json", "/rng/torch_42_randn_" + std::to_string(count));
    EXPECT_TRUE(near(randn(generator, count), expected, kTorchNormal)) << count << " numbers";
  }
}

TEST(TorchGenerator, KeepsTheSpareNormalAcrossCalls) {
  TorchGenerator whole(42), pieces(42);
  const auto all = randn(whole, 8);
  auto drawn = randn(pieces, 3);
  for (float x : randn(pieces, 5)) drawn.push_back(x);
  EXPECT_EQ(all, drawn);
}

TEST(TorchGenerator, InitialisesALinearLayerAsPytorchDoes) {
  const std::string key = "/rng/torch_42_linear_5_3_then_randn_4";
  TorchGenerator generator(42);
  std::vector<float> weight(15), bias(3);
  generator.linear(5, 3, weight, bias);
  EXPECT_TRUE(near(weight, golden("extra.json", key + "/weight_out_in"), {3, 5}, kExact));
  EXPECT_TRUE(near(bias, golden("extra.json", key + "/bias"), kExact));
  EXPECT_TRUE(near(randn(generator, 4), golden("extra.json", key + "/randn"), kTorchNormal));
}

TEST(TorchGenerator, DrawsNoBiasForALayerWithoutOne) {
  TorchGenerator with(1), without(1);
  std::vector<float> weight_with(6), weight_without(6), bias(2), next(1);
  with.linear(3, 2, weight_with, bias);
  without.linear(3, 2, weight_without, {});
  without.rand(next);
  EXPECT_EQ(weight_with, weight_without);
  EXPECT_NEAR(bias[0], (2 * next[0] - 1) / std::sqrt(3.0), 1e-7);
}

TEST(TorchGenerator, InitialisesLayersOfNoInputsOrNoOutputs) {
  TorchGenerator generator(1);
  std::vector<float> bias(2, 7.0f);
  generator.linear(0, 2, {}, bias);
  EXPECT_EQ(bias, std::vector<float>({0, 0}));
  generator.linear(2, 0, {}, {});
}

TEST(RandomStreams, LeaveTheStreamAloneWhenNothingIsAskedFor) {
  NumpyLegacy legacy(9), legacy_again(9);
  NumpyGenerator generator(9), generator_again(9);
  TorchGenerator torch(9), torch_again(9);
  normal(legacy, 0), normal(generator, 0), randn(torch, 0);
  EXPECT_EQ(legacy.normal(), legacy_again.normal());
  EXPECT_EQ(generator.normal(), generator_again.normal());
  EXPECT_EQ(randn(torch, 1), randn(torch_again, 1));
}

}  // namespace
}  // namespace attention
