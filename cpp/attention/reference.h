// The reference: attention in float64 with Eigen, as the formulas have it. The kernels are tested
// against it and the lessons open it up; it is written to be read, not to be fast.
//
//   S = scale·Q·Kᵀ + mask,   A = softmax(S) by rows,   Y = A·V
//
// What is masked contributes exactly 0, also where it holds a NaN or an infinity: masked keys are
// left out of every sum. A query that may attend to nothing, or whose scores are all −∞, has zero
// weights and a zero output.
#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace attention::reference {

using Index = Eigen::Index;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
/// A matrix to read: a Matrix, a block of one, or a Map of somebody's row-major memory.
using MatrixIn = Eigen::Ref<const Matrix>;

/// Which keys a query may attend to, and what is added to the scaled logits.
struct Mask {
  const std::uint8_t* allowed = nullptr;  ///< boolean mask: nonzero = may attend
  const double* bias = nullptr;           ///< additive mask: −∞ = may not attend
  Index row_stride = 0;                   ///< elements; 0 repeats a row
  Index column_stride = 0;
  bool is_causal = false;
  Index diagonal = 0;  ///< if causal: key j is open to query i when j ≤ i + diagonal

  /// May query `i` attend to key `j`?
  bool is_open(Index i, Index j) const;
  /// What is added to the score of an open pair.
  double added(Index i, Index j) const;
  /// The mask as seen from query `first` on.
  Mask from_row(Index first) const;
};

/// Every step from queries and keys to the output. (n, m) where nothing else is said.
struct Attention {
  Matrix logits;   ///< Q·Kᵀ
  Matrix scores;   ///< scale·logits + mask, −∞ where masked
  Vector row_max;  ///< (n), −∞ where there is nothing to attend to
  Matrix exp;      ///< exp(scores − row_max), 0 where masked
  Vector row_sum;  ///< (n)
  Matrix weights;  ///< exp / row_sum, 0 where masked
  Matrix output;   ///< (n, d_v), weights·V
};

/// Q (n, d_k), K (m, d_k), V (m, d_v). Any of the sizes may be 0.
Attention scaled_dot_product(const MatrixIn& query, const MatrixIn& key, const MatrixIn& value,
                             double scale, const Mask& mask);

/// Derivatives of a loss L, each of the shape of what it is taken by.
struct Gradients {
  Matrix query, key, value;
  Matrix scores;   ///< ∂L/∂S, 0 where masked
  Matrix weights;  ///< ∂L/∂A = ∂L/∂Y·Vᵀ, masked pairs included
};

/// `weights` (n, m) from the forward pass, `grad_output` (n, d_v) = ∂L/∂Y.
Gradients scaled_dot_product_backward(const MatrixIn& query, const MatrixIn& key,
                                      const MatrixIn& value, double scale, const Mask& mask,
                                      const MatrixIn& weights, const MatrixIn& grad_output);

}  // namespace attention::reference
