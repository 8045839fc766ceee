// The float64 reference of multi-head attention, backward.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "attention/reference_multi_head.h"
#include "eigen_golden.h"

namespace attention::reference {
namespace {

constexpr double kTolerance = 1e-13;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A golden multi-head case: all sequences of its batch forward and backward, gradients summed.
void expect_golden_multi_head(const std::string& file, const std::string& key, bool is_causal,
                              bool has_bias, const char* additive_mask) {
  const auto figure = [&](const char* name) { return golden_matrix(file, key + name); };
  const auto optional = [&](const char* name) { return has_bias ? figure(name) : Matrix(); };
  const Matrix wq = figure("/wq"), wk = figure("/wk"), wv = figure("/wv"), wo = figure("/wo");
  const Matrix bq = optional("/bq"), bk = optional("/bk"), bv = optional("/bv"),
               bo = optional("/bo");
  Parameters parameters{.wq = map(wq),
                        .wk = map(wk),
                        .wv = map(wv),
                        .wo = map(wo),
                        .bq = map(bq),
                        .bk = map(bk),
                        .bv = map(bv),
                        .bo = map(bo)};
  const int h = static_cast<int>(golden_number(file, key + "/num_heads"));
  parameters.num_heads = h;
  parameters.num_kv_heads = static_cast<int>(golden_number(file, key + "/num_kv_heads"));
  parameters.scale = 1 / std::sqrt(static_cast<double>(wq.cols() / h));

  const Matrix x = figure("/x"), grad_output = figure("/grad_output");
  const Index batch = golden_tensor(file, key + "/x").shape[0], n = x.rows() / batch;
  const Matrix bias = additive_mask ? figure(additive_mask) : Matrix();
  std::vector<Mask> masks(static_cast<std::size_t>(h));
  for (Index i = 0; i < h; ++i) {
    Mask& mask = masks[static_cast<std::size_t>(i)];
    mask.is_causal = is_causal;
    if (additive_mask == nullptr) continue;
    mask.bias = bias.row(i * n).data();
    mask.row_stride = n;
    mask.column_stride = 1;
  }

  MultiHeadGradients sum;
  Matrix output(x.rows(), wo.cols()), weights(batch * h * n, n), grad_x(x.rows(), x.cols());
  Matrix grad_bias = Matrix::Zero(h * n, n);
  for (Index b = 0; b < batch; ++b) {
    const Matrix sequence = x.middleRows(b * n, n);
    const MultiHead forward = multi_head(parameters, sequence, sequence, masks);
    const MultiHeadGradients g = multi_head_backward(parameters, sequence, sequence, masks, forward,
                                                     grad_output.middleRows(b * n, n));
    output.middleRows(b * n, n) = forward.output;
    grad_x.middleRows(b * n, n) = g.x + g.context;
    for (Index i = 0; i < h; ++i) {
      const auto head = static_cast<std::size_t>(i);
      weights.middleRows((b * h + i) * n, n) = forward.heads[head].weights;
      grad_bias.middleRows(i * n, n) += g.heads[head].scores;
    }
    if (b == 0) {
      sum = g;
    } else {
      sum.wq += g.wq, sum.wk += g.wk, sum.wv += g.wv, sum.wo += g.wo;
      sum.bq += g.bq, sum.bk += g.bk, sum.bv += g.bv, sum.bo += g.bo;
    }
  }

  EXPECT_TRUE(near_matrix(output, figure("/output"), kTolerance)) << key;
  EXPECT_TRUE(near_matrix(weights, figure("/weights"), kTolerance)) << key;
  EXPECT_TRUE(near_matrix(grad_x, figure("/grad_x"), kTolerance)) << key;
  EXPECT_TRUE(near_matrix(sum.wq, figure("/grad_wq"), kTolerance)) << key;
  EXPECT_TRUE(near_matrix(sum.wk, figure("/grad_wk"), kTolerance)) << key;
  EXPECT_TRUE(near_matrix(sum.wv, figure("/grad_wv"), kTolerance)) << key;
  EXPECT_TRUE(near_matrix(sum.wo, figure("/grad_wo"), kTolerance)) << key;
  if (has_bias) {
    EXPECT_TRUE(near_matrix(sum.bq, figure("/grad_bq"), kTolerance)) << key;
    EXPECT_TRUE(near_matrix(sum.bk, figure("/grad_bk"), kTolerance)) << key;
    EXPECT_TRUE(near_matrix(sum.bv, figure("/grad_bv"), kTolerance)) << key;
    EXPECT_TRUE(near_matrix(sum.bo, figure("/grad_bo"), kTolerance)) << key;
  }
  if (additive_mask) {
    EXPECT_TRUE(near_matrix(grad_bias, figure("/grad_bias"), kTolerance)) << key;
  }
}

TEST(ReferenceMultiHeadBackward, ReproducesAutogradForMultiHeadAttention) {
  expect_golden_multi_head("backward.json", "/multi_head", false, false, nullptr);
  expect_golden_multi_head("backward.json", "/multi_head_causal", true, false, nullptr);
}

TEST(ReferenceMultiHeadBackward, ReproducesAutogradForGroupedQueriesBiasesAndAnAdditiveMask) {
  expect_golden_multi_head("backward.json", "/grouped_query_causal", true, false, nullptr);
  expect_golden_multi_head("extra.json", "/backward/grouped_query_biased_alibi_causal", true, true,
                           "/bias");
}

TEST(ReferenceMultiHeadBackward, AgreesWithCentralDifferencesThroughAContext) {
  NumpyLegacy generator(22);
  Matrix x = random_matrix(generator, 3, 4), context = random_matrix(generator, 5, 6);
  Matrix wq = random_matrix(generator, 4, 4), wk = random_matrix(generator, 6, 2);
  Matrix wv = random_matrix(generator, 6, 3), bv = random_matrix(generator, 1, 3);
  const Matrix grad_output = random_matrix(generator, 3, 6);
  Parameters parameters{.wq = map(wq), .wk = map(wk), .wv = map(wv), .bv = map(bv)};
  parameters.num_heads = 2;
  parameters.scale = 0.3;
  const std::vector<Mask> masks(2);
  const auto loss = [&] {
    return multi_head(parameters, x, context, masks).output.cwiseProduct(grad_output).sum();
  };
  const MultiHead forward = multi_head(parameters, x, context, masks);
  const MultiHeadGradients g =
      multi_head_backward(parameters, x, context, masks, forward, grad_output);
  EXPECT_TRUE(near_matrix(g.x, differences(&x, loss), 1e-8));
  EXPECT_TRUE(near_matrix(g.context, differences(&context, loss), 1e-8));
  EXPECT_TRUE(near_matrix(g.wk, differences(&wk, loss), 1e-8));
  EXPECT_TRUE(near_matrix(g.bv, differences(&bv, loss), 1e-8));
}

TEST(ReferenceMultiHeadBackward, KeepsPaddingOutOfTheParametersGradients) {
  NumpyLegacy generator(24);
  const Matrix x = random_matrix(generator, 3, 4);
  Matrix context = random_matrix(generator, 4, 4);
  const Matrix wq = random_matrix(generator, 4, 4), wk = random_matrix(generator, 4, 4);
  const Matrix wv = random_matrix(generator, 4, 4), grad_output = random_matrix(generator, 3, 4);
  Parameters parameters{.wq = map(wq), .wk = map(wk), .wv = map(wv)};
  parameters.num_heads = parameters.num_kv_heads = 2;
  std::vector<std::uint8_t> bytes(12, 1);
  for (std::size_t i = 0; i < 3; ++i) bytes[i * 4 + 2] = 0;
  const std::vector<Mask> masks(2, boolean_mask(bytes, 4));
  const auto backward = [&] {
    return multi_head_backward(parameters, x, context, masks,
                               multi_head(parameters, x, context, masks), grad_output);
  };
  const MultiHeadGradients clean = backward();
  context.row(2).setConstant(kNaN);
  const MultiHeadGradients g = backward();
  // Without the padding the key's row is zero, so the sums are the same.
  EXPECT_TRUE(near_matrix(g.wk, clean.wk, kTolerance));
  EXPECT_TRUE(near_matrix(g.wv, clean.wv, kTolerance));
  EXPECT_TRUE(near_matrix(g.wq, clean.wq, kTolerance));
  EXPECT_TRUE(near_matrix(g.x, clean.x, kTolerance));
}

}  // namespace
}  // namespace attention::reference
