#include "attention/reference.h"

#include <Eigen/Core>
#include <cmath>
#include <limits>

namespace attention::reference {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The largest open score; NaN if one of them is NaN, −∞ if nothing is open.
double largest_open(const Matrix& scores, const Mask& mask, Index i) {
  double largest = -kInfinity;
  for (Index j = 0; j < scores.cols(); ++j) {
    if (!mask.is_open(i, j)) continue;
    if (std::isnan(scores(i, j))) return scores(i, j);
    largest = std::fmax(largest, scores(i, j));
  }
  return largest;
}

/// y_i = Σ_j c_ij x_j over the open pairs alone. c_ij = 0 elsewhere, so for finite x the plain
/// product is the same; but 0·NaN is NaN.
Matrix sum_over_open_keys(const Matrix& coefficients, const MatrixIn& x, const Mask& mask) {
  if (x.allFinite()) return coefficients * x;
  Matrix y = Matrix::Zero(coefficients.rows(), x.cols());
  for (Index i = 0; i < coefficients.rows(); ++i) {
    for (Index j = 0; j < coefficients.cols(); ++j) {
      if (mask.is_open(i, j)) y.row(i) += coefficients(i, j) * x.row(j);
    }
  }
  return y;
}

/// y_j = Σ_i c_ij x_i over the open pairs alone.
Matrix sum_over_open_queries(const Matrix& coefficients, const MatrixIn& x, const Mask& mask) {
  if (x.allFinite()) return coefficients.transpose() * x;
  Matrix y = Matrix::Zero(coefficients.cols(), x.cols());
  for (Index i = 0; i < coefficients.rows(); ++i) {
    for (Index j = 0; j < coefficients.cols(); ++j) {
      if (mask.is_open(i, j)) y.row(j) += coefficients(i, j) * x.row(i);
    }
  }
  return y;
}

}  // namespace

bool Mask::is_open(Index i, Index j) const {
  if (is_causal && j > diagonal + i) return false;
  const Index at = i * row_stride + j * column_stride;
  if (allowed != nullptr && allowed[at] == 0) return false;
  return bias == nullptr || bias[at] != -kInfinity;
}

double Mask::added(Index i, Index j) const {
  return bias == nullptr ? 0 : bias[i * row_stride + j * column_stride];
}

Mask Mask::from_row(Index first) const {
  Mask mask = *this;
  if (allowed != nullptr) mask.allowed += first * row_stride;
  if (bias != nullptr) mask.bias += first * row_stride;
  mask.diagonal += first;
  return mask;
}

Attention scaled_dot_product(const MatrixIn& query, const MatrixIn& key, const MatrixIn& value,
                             double scale, const Mask& mask) {
  const Index n = query.rows(), m = key.rows();
  Attention a;

  a.logits = query * key.transpose();  // l_ij = Σ_k q_ik k_jk

  a.scores.resize(n, m);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < m; ++j) {
      a.scores(i, j) = mask.is_open(i, j) ? scale * a.logits(i, j) + mask.added(i, j) : -kInfinity;
    }
  }

  a.row_max.resize(n);
  a.exp = Matrix::Zero(n, m);
  a.row_sum.resize(n);
  a.weights = Matrix::Zero(n, m);
  for (Index i = 0; i < n; ++i) {
    a.row_max(i) = largest_open(a.scores, mask, i);
    a.row_sum(i) = 0;
    if (a.row_max(i) == -kInfinity) continue;  // nothing to attend to: zeros, not 0/0
    for (Index j = 0; j < m; ++j) {
      if (mask.is_open(i, j)) a.exp(i, j) = std::exp(a.scores(i, j) - a.row_max(i));
    }
    a.row_sum(i) = a.exp.row(i).sum();
    for (Index j = 0; j < m; ++j) {
      if (mask.is_open(i, j)) a.weights(i, j) = a.exp(i, j) / a.row_sum(i);
    }
  }

  a.output = sum_over_open_keys(a.weights, value, mask);  // y_i = Σ_j a_ij v_j
  return a;
}

Gradients scaled_dot_product_backward(const MatrixIn& query, const MatrixIn& key,
                                      const MatrixIn& value, double scale, const Mask& mask,
                                      const MatrixIn& weights, const MatrixIn& grad_output) {
  const Index n = query.rows(), m = key.rows();
  Gradients g;

  g.value = sum_over_open_queries(weights, grad_output, mask);  // Aᵀ·∂Y
  g.weights = grad_output * value.transpose();                  // ∂Y·Vᵀ
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < m; ++j) {
      // Inf and NaN of a masked value stay behind the mask.
      if (!mask.is_open(i, j) && !std::isfinite(g.weights(i, j))) g.weights(i, j) = 0;
    }
  }

  // Through the softmax of a row: ∂s_ij = a_ij (∂a_ij − Σ_k ∂a_ik a_ik).
  g.scores = Matrix::Zero(n, m);
  for (Index i = 0; i < n; ++i) {
    double mean = 0;
    for (Index k = 0; k < m; ++k) {
      if (mask.is_open(i, k)) mean += g.weights(i, k) * weights(i, k);
    }
    for (Index j = 0; j < m; ++j) {
      if (mask.is_open(i, j)) g.scores(i, j) = weights(i, j) * (g.weights(i, j) - mean);
    }
  }

  g.query = scale * sum_over_open_keys(g.scores, key, mask);     // scale·∂S·K
  g.key = scale * sum_over_open_queries(g.scores, query, mask);  // scale·∂Sᵀ·Q
  return g;
}

}  // namespace attention::reference
