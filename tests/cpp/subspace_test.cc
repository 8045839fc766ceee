// Singular values, rank, and two ways of comparing heads: entry by entry and as subspaces.

#include "attention/subspace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "eigen_golden.h"
#include "golden.h"
#include "near.h"

namespace attention {
namespace {

using reference::golden_matrix;
using reference::random_matrix;
using Dense = reference::Matrix;

constexpr double kTolerance = 1e-13;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<double> singular_values_of(const Dense& a) {
  std::vector<double> out(static_cast<std::size_t>(std::min(a.rows(), a.cols())));
  singular_values(a.data(), a.rows(), a.cols(), out.data());
  return out;
}

double rank_of(const Dense& a) { return numerical_rank(a.data(), a.rows(), a.cols()); }

std::vector<double> angles_between(const Dense& a, const Dense& b, Index* count = nullptr) {
  std::vector<double> out(static_cast<std::size_t>(std::min(a.cols(), b.cols())));
  const Index n = principal_angles(a.data(), a.cols(), b.data(), b.cols(), a.rows(), out.data());
  if (count != nullptr) *count = n;
  return out;
}

TEST(SingularValues, ReproduceTheFiguresOfHeadsAndOfTheirConcatenation) {
  for (int h : {1, 2, 4, 8}) {
    const std::string key = "/attention_cube/by_heads/" + std::to_string(h);
    const Dense heads = golden_matrix("extra.json", key + "/heads");  // h of (12, 8/h)
    const GoldenTensor expected = golden_tensor("extra.json", key + "/singular_values_heads");
    std::vector<double> all;
    Dense concatenated(12, 8);
    for (Index i = 0; i < h; ++i) {
      const Dense head = heads.middleRows(12 * i, 12);
      for (double sigma : singular_values_of(head)) all.push_back(sigma);
      concatenated.middleCols(i * head.cols(), head.cols()) = head;
    }
    EXPECT_TRUE(near(all, expected.data, expected.shape, kTolerance)) << h << " heads";
    EXPECT_TRUE(near(singular_values_of(concatenated),
                     golden_tensor("extra.json", key + "/singular_values_concat").data, kTolerance))
        << h << " heads";
  }
}

TEST(NumericalRank, ReproducesTheFigures) {
  for (int h : {1, 2, 4, 8}) {
    const std::string heads = std::to_string(h), key = "/attention_cube/by_heads/" + heads;
    const auto golden_ranks = [&](const char* name) {
      return golden_tensor("extra.json", key + name).data;
    };
    const Dense logits = golden_matrix("extra.json", key + "/logits");
    const Dense outputs = golden_matrix("extra.json", key + "/heads");
    const Dense weights = golden_matrix("attention_cube.json", "/heads/" + heads + "/attention");
    std::vector<double> logits_ranks, weights_ranks, outputs_ranks;
    for (Index i = 0; i < h; ++i) {
      logits_ranks.push_back(rank_of(logits.middleRows(12 * i, 12)));
      weights_ranks.push_back(rank_of(weights.middleRows(12 * i, 12)));
      outputs_ranks.push_back(rank_of(outputs.middleRows(12 * i, 12)));
    }
    EXPECT_TRUE(near(logits_ranks, golden_ranks("/rank_logits"), 0)) << heads << " heads";
    EXPECT_TRUE(near(weights_ranks, golden_ranks("/rank_weights"), 0)) << heads << " heads";
    EXPECT_TRUE(near(outputs_ranks, golden_ranks("/rank_heads"), 0)) << heads << " heads";
  }
}

TEST(NumericalRank, DoesNotTakeRoundingInFloat32ForRank) {
  NumpyLegacy generator(31);
  const Dense low = random_matrix(generator, 20, 3) * random_matrix(generator, 3, 15);
  const Dense rounded = low.cast<float>().cast<double>();
  EXPECT_EQ(rank_of(rounded), 3);
}

TEST(NumericalRank, IsTheNumberOfIndependentRowsForEveryShape) {
  NumpyLegacy generator(32);
  for (Index size = 1; size <= 17; ++size) {
    EXPECT_EQ(rank_of(random_matrix(generator, size, 5)), std::min<Index>(size, 5));
    EXPECT_EQ(rank_of(random_matrix(generator, 5, size)), std::min<Index>(size, 5));
  }
  EXPECT_EQ(rank_of(Dense::Zero(4, 3)), 0);
  EXPECT_EQ(rank_of(Dense(0, 3)), 0);
  EXPECT_EQ(rank_of(Dense(3, 0)), 0);
}

TEST(NumericalRank, IsNaNForAMatrixThatIsNotFinite) {
  for (double poison : {kNaN, std::numeric_limits<double>::infinity()}) {
    Dense a = Dense::Identity(3, 3);
    a(1, 2) = poison;
    EXPECT_TRUE(std::isnan(rank_of(a)));
    EXPECT_TRUE(near(singular_values_of(a), {kNaN, kNaN, kNaN}, 0));
  }
}

TEST(FrobeniusCosine, ReproducesTheFiguresOfPytorchsQueryBlocks) {
  const GoldenTensor blocks = golden_tensor("multi_head.json", "/subspaces/W_q_heads");
  const GoldenTensor expected = golden_tensor("multi_head.json", "/subspaces/frobenius_cosine");
  constexpr Index kBlock = 8 * 32;
  std::vector<double> cosines;
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j < 4; ++j) {
      cosines.push_back(frobenius_cosine(blocks.data.data() + i * kBlock,
                                         blocks.data.data() + j * kBlock, kBlock));
    }
  }
  EXPECT_TRUE(near(cosines, expected.data, {4, 4}, 1e-6)) << "the figures are float32";
}

TEST(FrobeniusCosine, IsNaNForAMatrixOfZerosAndSafeForHugeEntries) {
  const std::vector<double> zeros(2, 0.0), huge = {3e200, 4e200}, plain = {3, 4};
  EXPECT_TRUE(std::isnan(frobenius_cosine(zeros.data(), plain.data(), 2)));
  EXPECT_TRUE(std::isnan(frobenius_cosine(nullptr, nullptr, 0)));
  EXPECT_NEAR(frobenius_cosine(huge.data(), plain.data(), 2), 1, kTolerance);
}

TEST(PrincipalAngles, ReproduceTheFiguresOfPytorchsQueryBlocks) {
  const GoldenTensor expected = golden_tensor("multi_head.json", "/subspaces/principal_angles_rad");
  const Dense blocks = golden_matrix("multi_head.json", "/subspaces/W_q_heads");  // (out, in) each
  std::vector<double> angles;
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j < 4; ++j) {
      const Dense a = blocks.middleRows(8 * i, 8).transpose();
      const Dense b = blocks.middleRows(8 * j, 8).transpose();
      for (double angle : angles_between(a, b)) angles.push_back(angle);
    }
  }
  // The figures come from cosines alone, which leaves √ε of an angle near 0.
  EXPECT_TRUE(near(angles, expected.data, expected.shape, 1e-7));
  for (Index i = 0; i < 4; ++i) {
    for (Index j = i + 1; j < 4; ++j) {
      const std::string pair = std::to_string(i + 1) + "-" + std::to_string(j + 1);
      const double smallest = angles[static_cast<std::size_t>((4 * i + j) * 8)];
      const double degrees = golden_number(
          "extra.json", "/multi_head/subspace_facts/smallest_principal_angle_deg/" + pair);
      EXPECT_NEAR(smallest * 180 / std::numbers::pi, degrees, 1e-10) << pair;
    }
  }
}

TEST(PrincipalAngles, AreZeroBetweenTwoBasesOfOneSpaceWhereTheCosineIsNot) {
  NumpyLegacy generator(33);
  const Dense a = random_matrix(generator, 9, 4), rotated = a * random_matrix(generator, 4, 4);
  for (double angle : angles_between(a, rotated)) EXPECT_LT(angle, 1e-13);
  EXPECT_LT(std::abs(frobenius_cosine(a.data(), rotated.data(), a.size())), 0.9);
}

TEST(PrincipalAngles, AreExactBetweenPlanesTurnedByKnownAngles) {
  for (double angle : {1e-9, 0.3, std::numbers::pi / 4, 1.2, std::numbers::pi / 2}) {
    const Dense a{{1, 0}, {0, 1}, {0, 0}, {0, 0}};
    const Dense b{{std::cos(angle), 0}, {0, 1}, {std::sin(angle), 0}, {0, 0}};
    EXPECT_TRUE(near(angles_between(a, b), {0, angle}, 1e-15)) << angle;
  }
}

TEST(PrincipalAngles, AreAsManyAsTheSmallerRank) {
  NumpyLegacy generator(34);
  const Dense plane = random_matrix(generator, 6, 2);
  Dense dependent(6, 3);
  dependent << plane, plane.col(0) + plane.col(1);
  Index count = 0;
  const auto angles = angles_between(dependent, random_matrix(generator, 6, 5), &count);
  EXPECT_EQ(count, 2);
  EXPECT_TRUE(std::isfinite(angles[1]) && std::isnan(angles[2]));
  angles_between(Dense::Zero(6, 2), plane, &count);
  EXPECT_EQ(count, 0);
  const auto swapped = angles_between(random_matrix(generator, 6, 5), dependent, &count);
  EXPECT_EQ(count, 2);
  Dense bad = plane;
  bad(0, 0) = kNaN;
  EXPECT_TRUE(near(angles_between(bad, plane, &count), {kNaN, kNaN}, 0));
  EXPECT_EQ(count, 0);
}

}  // namespace
}  // namespace attention
