#include "attention/layer_norm.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

/// The mean of term(0) … term(count − 1), summed in double: a row with a mean far from 0 would
/// otherwise lose the digits that its variance lives in. Four sums, so that none waits for another.
template <typename Term>
double mean(Index count, Term term) {
  double sum[4] = {0, 0, 0, 0};
  for (Index j = 0; j < count; ++j) sum[j % 4] += term(j);
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) / static_cast<double>(count);
}

/// x̂_j = (x_j − mean)·inverse.
struct RowNorm {
  double mean;
  double inverse;  ///< 1 / √(variance + eps)

  double normalised(float x) const { return (x - mean) * inverse; }
};

RowNorm row_norm(const float* x, Index columns, double eps) {
  const double center = mean(columns, [=](Index j) { return x[j]; });
  const double variance = mean(columns, [=](Index j) { return (x[j] - center) * (x[j] - center); });
  return {center, 1 / std::sqrt(variance + eps)};
}

}  // namespace

void layer_norm(ConstMatrix x, const LayerNorm& norm, Matrix out) {
  for (Index i = 0; i < x.rows; ++i) {
    const RowNorm row = row_norm(x.row(i), x.columns, norm.eps);
    for (Index j = 0; j < x.columns; ++j) {
      const double weight = norm.weight ? norm.weight[j] : 1;
      const double bias = norm.bias ? norm.bias[j] : 0;
      out(i, j) = static_cast<float>(row.normalised(x(i, j)) * weight + bias);
    }
  }
}

void layer_norm_backward(ConstMatrix x, const LayerNorm& norm, ConstMatrix grad_output,
                         const LayerNormGradients& gradients) {
  const Index columns = x.columns;
  if (gradients.weight) std::fill_n(gradients.weight, columns, 0.0f);
  if (gradients.bias) std::fill_n(gradients.bias, columns, 0.0f);
  for (Index i = 0; i < x.rows; ++i) {
    const float* x_row = x.row(i);
    const float* grad_row = grad_output.row(i);
    const RowNorm row = row_norm(x_row, columns, norm.eps);
    const auto weighted = [&](Index j) {
      return grad_row[j] * static_cast<double>(norm.weight ? norm.weight[j] : 1);
    };
    if (gradients.x) {
      const double mean_grad = mean(columns, weighted);
      const double mean_product =
          mean(columns, [&](Index j) { return weighted(j) * row.normalised(x_row[j]); });
      for (Index j = 0; j < columns; ++j) {
        gradients.x(i, j) = static_cast<float>(
            (weighted(j) - mean_grad - row.normalised(x_row[j]) * mean_product) * row.inverse);
      }
    }
    for (Index j = 0; j < columns; ++j) {
      if (gradients.weight) {
        gradients.weight[j] += grad_row[j] * static_cast<float>(row.normalised(x_row[j]));
      }
      if (gradients.bias) gradients.bias[j] += grad_row[j];
    }
  }
}

}  // namespace attention
