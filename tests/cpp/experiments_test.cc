// The experiments on variance and saturation: golden figures, theory, and running in portions.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "experiments/saturation.h"
#include "experiments/variance.h"
#include "golden.h"
#include "near.h"

namespace attention {
namespace {

// The position of the first lesson's stream after its embeddings.
constexpr std::uint32_t kLessonSeed = 1337;
constexpr Index kLessonSkip = 11 * 32 + 32;
const std::vector<std::int32_t> kLessonSizes = {4, 8, 16, 32, 64, 128, 256, 512};

std::unique_ptr<SaturationExperiment> lesson(std::int64_t trials = 200) {
  return SaturationExperiment::create({.seed = kLessonSeed,
                                       .skip = kLessonSkip,
                                       .sizes = kLessonSizes,
                                       .trials = trials,
                                       .keys = 10});
}

TEST(Saturation, ReproducesTheFiguresForEverySize) {
  const auto experiment = lesson();
  ASSERT_EQ(experiment->run(experiment->total()), 8 * 200);
  for (Index i = 0; i < 8; ++i) {
    const SaturationFigures f = experiment->figures(i);
    const std::string key = "/scaled_dot_product/saturation/" + std::to_string(i);
    const auto expect = [&](double value, const std::string& name, double tolerance = 1e-12) {
      const double expected = golden_number("extra.json", key + "/" + name);
      EXPECT_LE(deviation(value, expected), tolerance) << name << " at size " << i;
    };
    expect(static_cast<double>(f.d_k), "d_k");
    expect(f.raw_variance, "var_raw");
    expect(f.scaled_variance, "var_scaled");
    expect(f.raw_mean, "mean_raw");
    expect(f.share_beyond_25, "frac_abs_over_25");
    for (const auto& [name, figures] :
         {std::pair<std::string, SoftmaxFigures>{"unscaled/", f.unscaled}, {"scaled/", f.scaled}}) {
      expect(figures.diagonal, name + "mean_p1mp");
      expect(figures.relative_to_uniform, name + "relative_to_uniform");
      // This figure was computed as √(Σp² − 2Σp³ + (Σp²)²), which cancels where p is near one-hot.
      expect(figures.jacobian_norm, name + "jacobian_frobenius_mean", 1e-9);
      expect(figures.largest, name + "max_p_mean");
      expect(figures.entropy, name + "entropy_mean");
    }
    const std::string index = "/" + std::to_string(i);
    EXPECT_NEAR(f.scaled.diagonal,
                golden_number("scaled_dot_product.json", "/gradient_vs_dk/scaled" + index), 1e-12);
    EXPECT_NEAR(f.unscaled.diagonal,
                golden_number("scaled_dot_product.json", "/gradient_vs_dk/unscaled" + index),
                1e-12);
  }
}

TEST(Saturation, GivesTheSameInPortionsOfAnySize) {
  const auto whole = lesson(20), portions = lesson(20);
  whole->run(whole->total());
  for (std::int64_t count = 1; portions->done() < portions->total(); count = count * 3 % 17 + 1) {
    portions->run(count);
  }
  for (Index i = 0; i < 8; ++i) {
    EXPECT_EQ(whole->figures(i).raw_variance, portions->figures(i).raw_variance);
    EXPECT_EQ(whole->figures(i).unscaled.jacobian_norm,
              portions->figures(i).unscaled.jacobian_norm);
  }
}

TEST(Saturation, StopsAtItsTotalAndKnowsNothingOfSizesToCome) {
  const auto experiment = lesson(3);
  EXPECT_EQ(experiment->run(0), 0);
  EXPECT_TRUE(std::isnan(experiment->figures(0).raw_mean));
  EXPECT_EQ(experiment->run(4), 4);
  EXPECT_EQ(experiment->figures(0).trials, 3);
  EXPECT_EQ(experiment->figures(1).trials, 1);
  EXPECT_TRUE(std::isnan(experiment->figures(2).scaled.entropy));
  EXPECT_EQ(experiment->run(1000), 24);
  EXPECT_EQ(experiment->run(1000), 24);
}

TEST(Saturation, HasNoUniformJacobianToCompareWithForASingleKey) {
  const std::vector<std::int32_t> sizes = {4};
  const auto experiment = SaturationExperiment::create({.seed = 1, .sizes = sizes, .trials = 5});
  experiment->run(5);
  const SaturationFigures f = experiment->figures(0);
  EXPECT_EQ(f.unscaled.diagonal, 0);
  EXPECT_EQ(f.unscaled.largest, 1);
  EXPECT_TRUE(std::isnan(f.unscaled.relative_to_uniform));
}

TEST(Saturation, IsRefusedWhenItDoesNotFitIntoMemory) {
  const std::vector<std::int32_t> sizes = {1 << 30};
  EXPECT_EQ(SaturationExperiment::create({.sizes = sizes, .trials = std::int64_t{1} << 40}),
            nullptr);
}

std::unique_ptr<VarianceExperiment> variance(Index d_k, std::int64_t trials,
                                             double correlation = 0) {
  return VarianceExperiment::create({.seed = 42,
                                     .d_k = d_k,
                                     .trials = trials,
                                     .correlation = correlation,
                                     .bins = 20,
                                     .raw_limit = 3 * std::sqrt(static_cast<double>(d_k)),
                                     .scaled_limit = 3});
}

TEST(Variance, IsTheDimensionForRawProductsAndOneForScaledOnes) {
  constexpr double kTrials = 20000;
  for (Index d_k : {1, 4, 16, 64}) {
    const auto experiment = variance(d_k, static_cast<std::int64_t>(kTrials));
    experiment->run(experiment->total());
    // The sample variance of products of kurtosis 3 + 6/d_k scatters by √((2 + 6/d_k)/trials).
    const auto d = static_cast<double>(d_k);
    const double scatter = 5 * std::sqrt((2 + 6 / d) / kTrials);
    EXPECT_NEAR(experiment->raw().variance() / experiment->raw_variance(), 1, scatter) << d_k;
    EXPECT_NEAR(experiment->scaled().variance(), 1, scatter) << d_k;
    EXPECT_NEAR(experiment->scaled().mean(), 0, 5 / std::sqrt(kTrials)) << d_k;
    EXPECT_EQ(experiment->raw_variance(), d);
  }
}

TEST(Variance, GrowsWithTheCorrelationOfQueryAndKey) {
  constexpr Index kDim = 16, kTrials = 20000;
  for (double rho : {-1.0, 0.5, 1.0}) {
    const auto experiment = variance(kDim, kTrials, rho);
    experiment->run(kTrials);
    EXPECT_EQ(experiment->raw_mean(), rho * kDim);
    EXPECT_NEAR(experiment->raw().mean(), rho * kDim, 5 * std::sqrt(2.0 * kDim / kTrials));
    EXPECT_NEAR(experiment->raw().variance() / ((1 + rho * rho) * kDim), 1, 0.08) << rho;
  }
}

TEST(Variance, DrawsEachTrialsQueryAndThenItsKey) {
  constexpr Index kDim = 3;
  const auto experiment = variance(kDim, 2);
  NumpyLegacy generator(42);
  std::vector<double> q(kDim), k(kDim);
  double sum = 0;
  for (int trial = 0; trial < 2; ++trial) {
    generator.normal(q, 0, 1);
    generator.normal(k, 0, 1);
    for (std::size_t i = 0; i < kDim; ++i) sum += q[i] * k[i];
  }
  experiment->run(2);
  EXPECT_NEAR(experiment->raw().mean(), sum / 2, 1e-14);
}

TEST(Variance, CountsEveryTrialInOneSlotOfEachHistogram) {
  const auto experiment = variance(2, 1000);
  experiment->run(700);
  double raw = 0, scaled = 0;
  for (Index slot = 0; slot < experiment->bins() + 2; ++slot) {
    raw += experiment->raw_histogram()[slot];
    scaled += experiment->scaled_histogram()[slot];
  }
  EXPECT_EQ(raw, 700);
  EXPECT_EQ(scaled, 700);
  EXPECT_GT(experiment->raw_histogram()[0], 0) << "two dimensions have heavy tails";
  EXPECT_GT(experiment->raw_histogram()[21], 0);
  EXPECT_GT(experiment->raw_histogram()[10] + experiment->raw_histogram()[11],
            experiment->raw_histogram()[5] + experiment->raw_histogram()[16]);
}

TEST(Variance, GivesTheSameInPortionsOfAnySize) {
  const auto whole = variance(5, 100), portions = variance(5, 100);
  whole->run(100);
  EXPECT_EQ(portions->run(1), 1);
  EXPECT_EQ(portions->run(0), 1);
  EXPECT_EQ(portions->run(98), 99);
  EXPECT_EQ(portions->run(98), 100);
  EXPECT_EQ(whole->raw().variance(), portions->raw().variance());
  EXPECT_EQ(whole->share_beyond_25(), portions->share_beyond_25());
}

TEST(Variance, KnowsNothingBeforeTheFirstTrial) {
  const auto experiment = variance(4, 10);
  EXPECT_TRUE(std::isnan(experiment->raw().mean()));
  EXPECT_TRUE(std::isnan(experiment->raw().variance()));
  EXPECT_TRUE(std::isnan(experiment->share_beyond_25()));
}

TEST(Variance, IsRefusedWhenItDoesNotFitIntoMemory) {
  EXPECT_EQ(VarianceExperiment::create({.d_k = PTRDIFF_MAX / 4}), nullptr);
}

}  // namespace
}  // namespace attention
