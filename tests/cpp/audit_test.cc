// Audits of weights and outputs.

#include "attention/audit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "golden.h"
#include "near.h"

namespace attention {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

WeightsAudit audit_golden(const std::string& file, const std::string& pointer) {
  const GoldenTensor w = golden_tensor(file, pointer);
  const auto axes = w.shape.size();
  Index matrices = 1;
  for (std::size_t axis = 0; axis + 2 < axes; ++axis) matrices *= w.shape[axis];
  return audit_weights(w.data.data(), matrices, w.shape[axes - 2], w.shape[axes - 1]);
}

TEST(Audit, FindsNothingWrongWithCausalWeights) {
  const WeightsAudit audit = audit_golden("causal.json", "/axioms/A");
  EXPECT_LE(audit.worst_row_sum_error, 1e-15);
  EXPECT_EQ(audit.smallest, 0);
  EXPECT_EQ(audit.largest, 1);
  EXPECT_EQ(audit.negative + audit.nan + audit.empty_rows + audit.nonzero_above, 0);
  EXPECT_EQ(audit.largest_above, 0);
}

TEST(Audit, SeesThatBidirectionalWeightsLookAhead) {
  const WeightsAudit audit = audit_golden("causal.json", "/demo/bidirectional");
  EXPECT_EQ(audit.nonzero_above, 6 * 5 / 2);
  EXPECT_NEAR(audit.largest_above, 0.4392898593783007, 1e-15);
}

TEST(Audit, CountsRowsThroughAllMatrices) {
  const std::vector<double> weights = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.4};  // (2, 2, 2)
  const WeightsAudit audit = audit_weights(weights.data(), 2, 2, 2);
  EXPECT_NEAR(audit.worst_row_sum_error, 0.1, 1e-15);
  EXPECT_EQ(audit.worst_row, 3);
  EXPECT_EQ(audit.nonzero_above, 2);
}

TEST(Audit, KeepsNegativeWeightsNaNAndEmptyRowsApart) {
  const std::vector<double> weights = {1.5, -0.5, kNaN, 1, 0, 0, 0.25, 0.75};  // (1, 4, 2)
  const WeightsAudit audit = audit_weights(weights.data(), 1, 4, 2);
  EXPECT_EQ(audit.worst_row_sum_error, 0);
  EXPECT_EQ(audit.worst_row, 0);
  EXPECT_EQ(audit.smallest, -0.5);
  EXPECT_EQ(audit.largest, 1.5);
  EXPECT_EQ(audit.negative, 1);
  EXPECT_EQ(audit.nan, 1);
  EXPECT_EQ(audit.empty_rows, 1);
}

TEST(Audit, CountsANaNAboveTheDiagonalAsLeakage) {
  const std::vector<double> weights = {1, kNaN, 0.5, 0.5};
  const WeightsAudit audit = audit_weights(weights.data(), 1, 2, 2);
  EXPECT_EQ(audit.nonzero_above, 1);
  EXPECT_EQ(audit.largest_above, 0);
}

TEST(Audit, HasNoWorstRowWhereThereIsNone) {
  const WeightsAudit nothing = audit_weights(nullptr, 0, 0, 0);
  EXPECT_EQ(nothing.worst_row, -1);
  EXPECT_TRUE(std::isnan(nothing.smallest) && std::isnan(nothing.largest));
  const std::vector<double> zeros(4, 0.0);
  EXPECT_EQ(audit_weights(zeros.data(), 1, 2, 2).worst_row, -1);
  EXPECT_EQ(audit_weights(nullptr, 1, 3, 0).empty_rows, 3) << "three rows of no keys";
}

TEST(Audit, ComparesOutputNormsWithValueNorms) {
  const GoldenTensor y = golden_tensor("scaled_dot_product.json", "/properties/Y");
  const GoldenTensor v = golden_tensor("scaled_dot_product.json", "/properties/V");
  const auto y_norms = golden_tensor("extra.json", "/scaled_dot_product/hull/y_norms").data;
  const auto v_norms = golden_tensor("extra.json", "/scaled_dot_product/hull/v_norms").data;
  std::vector<double> measured(5);
  row_norms(y.data.data(), 5, 8, measured.data());
  EXPECT_TRUE(near(measured, y_norms, 1e-14));

  const OutputAudit audit = audit_output(y.data.data(), 5, v.data.data(), 6, 8);
  EXPECT_NEAR(audit.largest_output, y_norms[1], 1e-14);
  EXPECT_EQ(audit.largest_output_row, 1);
  EXPECT_NEAR(audit.smallest_output, y_norms[2], 1e-14);
  EXPECT_NEAR(audit.largest_value, v_norms[4], 1e-14);
  EXPECT_EQ(audit.largest_value_row, 4);
  EXPECT_NEAR(audit.smallest_value, v_norms[2], 1e-14);
  EXPECT_LE(audit.largest_output, audit.largest_value);
  EXPECT_LT(audit.smallest_output, audit.smallest_value) << "there is no lower bound";
}

TEST(Audit, LeavesRowsWithNaNOutOfTheNorms) {
  const std::vector<double> y = {3, 4, kNaN, 9}, v = {kNaN, kNaN};
  const OutputAudit audit = audit_output(y.data(), 2, v.data(), 1, 2);
  EXPECT_EQ(audit.nan, 1);
  EXPECT_EQ(audit.largest_output, 5);
  EXPECT_TRUE(std::isnan(audit.largest_value));
  EXPECT_EQ(audit.largest_value_row, -1);
}

TEST(Audit, TakesNormsOfHugeTinyAndInfiniteRows) {
  const std::vector<double> x = {3e200, 4e200, 3e-200, 4e-200, kInfinity, 1, 0, 0};
  std::vector<double> norms(4);
  row_norms(x.data(), 4, 2, norms.data());
  EXPECT_NEAR(norms[0] / 5e200, 1, 1e-15);
  EXPECT_NEAR(norms[1] / 5e-200, 1, 1e-15);
  EXPECT_EQ(norms[2], kInfinity);
  EXPECT_EQ(norms[3], 0);
}

}  // namespace
}  // namespace attention
