// Layer normalisation, Ba et al. 2016 (arxiv.org/abs/1607.06450): each row to mean 0 and variance
// 1, then an affine map for each column.
//
//   y_j = (x_j − mean) / √(variance + eps) · weight_j + bias_j
//
// The variance is that of the population (divided by the number of columns), as in PyTorch.
#pragma once

#include "attention/tensor.h"

namespace attention {

struct LayerNorm {
  const float* weight = nullptr;  ///< (columns); null = ones
  const float* bias = nullptr;    ///< (columns); null = zeros
  double eps = 1e-5;
};

/// out (rows, columns); in place if it is x.
void layer_norm(ConstMatrix x, const LayerNorm& norm, Matrix out);

/// With x̂ the normalised row and g = ∂y ∘ weight:
///   ∂x = (g − mean(g) − x̂·mean(g ∘ x̂)) / √(variance + eps),
///   ∂weight = Σ_rows ∂y ∘ x̂,  ∂bias = Σ_rows ∂y.
/// What has no data is not wanted.
struct LayerNormGradients {
  Matrix x;
  float* weight = nullptr;
  float* bias = nullptr;
};
void layer_norm_backward(ConstMatrix x, const LayerNorm& norm, ConstMatrix grad_output,
                         const LayerNormGradients& gradients);

}  // namespace attention
