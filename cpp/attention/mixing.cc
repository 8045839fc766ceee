#include "attention/mixing.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

/// A = residual·I + (1 − residual)·mean over heads (heads, n, n)
void layer_with_residual(const double* weights, Index heads, Index n, double residual, double* a) {
  const double share = (1 - residual) / static_cast<double>(heads);
  std::fill_n(a, n * n, 0.0);
  for (Index head = 0; head < heads; ++head) {
    for (Index i = 0; i < n * n; ++i) a[i] += share * weights[head * n * n + i];
  }
  for (Index i = 0; i < n; ++i) a[i * n + i] += residual;
}

/// c_ij = Σ_k a_ik b_kj, all (n, n)
void multiply(const double* a, const double* b, Index n, double* c) {
  std::fill_n(c, n * n, 0.0);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < n; ++k) {
      for (Index j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
}

}  // namespace

void entropy(const double* weights, Index rows, Index columns, double* out) {
  for (Index i = 0; i < rows; ++i) {
    double sum = 0;
    for (Index j = 0; j < columns; ++j) {
      const double p = weights[i * columns + j];
      if (p != 0) sum -= p * std::log(p);
    }
    out[i] = sum;
  }
}

void rollout(const double* weights, Index layers, Index heads, Index n, double residual,
             double* scratch, double* out) {
  double* layer = scratch;
  double* before = scratch + n * n;
  std::fill_n(out, n * n, 0.0);
  for (Index i = 0; i < n; ++i) out[i * n + i] = 1;
  for (Index l = 0; l < layers; ++l) {
    layer_with_residual(weights + l * heads * n * n, heads, n, residual, layer);
    std::copy_n(out, n * n, before);
    multiply(layer, before, n, out);
  }
}

}  // namespace attention
