#include "attention/exp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>

#include "compare.h"

namespace attention {
namespace {

std::uint32_t bits_of(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

float float_of(std::uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

/// The largest relative error over floats from `from` down to `to`, every `step`-th of them.
double worst_relative_error(float from, float to, std::uint32_t step) {
  double worst = 0;
  for (std::uint32_t bits = bits_of(from); bits <= bits_of(to); bits += step) {
    const double x = float_of(bits);
    const double exact = std::exp(x);
    worst = std::max(worst, std::abs(exp_nonpositive(float_of(bits)) - exact) / exact);
  }
  return worst;
}

TEST(Exp, keeps_to_its_table_of_errors) {
  struct Row {
    float from, to;
    std::uint32_t step;  ///< every how many floats
    double allowed;      ///< relative error
  };
  const Row table[] = {
      // from    to        step   relative error
      {-0.0f, -1e-30f, 65536, 0.0},     // so close to 0 that 1 is the nearest float
      {-1e-30f, -1e-6f, 4096, 1.2e-7},  // 1, or its neighbour
      {-1e-6f, -0.35f, 512, 1.7e-7},    // n = 0: the polynomial alone
      {-0.35f, -1.0f, 16, 1.9e-7},     {-1.0f, -10.0f, 64, 1.9e-7}, {-10.0f, -87.0f, 64, 1.9e-7},
  };
  for (const Row& row : table) {
    EXPECT_LE(worst_relative_error(row.from, row.to, row.step), row.allowed)
        << "from " << row.from << " to " << row.to;
  }
}

TEST(Exp, is_exactly_one_at_zero) {
  EXPECT_EQ(exp_nonpositive(0.0f), 1.0f);
  EXPECT_EQ(exp_nonpositive(-0.0f), 1.0f);
}

TEST(Exp, is_exactly_zero_below_its_cut_off) {
  EXPECT_GT(exp_nonpositive(kExpCutOff), 0.0f);
  for (const float x :
       {std::nextafter(kExpCutOff, -kInfinity), -88.0f, -1000.0f, -3e38f, -kInfinity}) {
    EXPECT_EQ(bits_of(exp_nonpositive(x)), 0u) << x;
  }
}

TEST(Exp, keeps_nan) { EXPECT_TRUE(std::isnan(exp_nonpositive(kNaN))); }

TEST(Exp, gives_each_lane_what_it_gives_alone) {
  const float x[kLanes] = {-0.5f, -kInfinity, -86.9f, 0.0f};
  float together[kLanes];
  store(together, exp_nonpositive(load(x)));
  for (int lane = 0; lane < kLanes; ++lane) {
    EXPECT_EQ(bits_of(together[lane]), bits_of(exp_nonpositive(x[lane]))) << lane;
  }
}

}  // namespace
}  // namespace attention
