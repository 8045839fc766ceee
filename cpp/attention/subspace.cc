#include "attention/subspace.h"

#include <Eigen/Core>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

namespace attention {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A thin decomposition: the one instantiation of an SVD in the program, which is what its size
/// depends on. With U and V, though not all callers want them, for the same reason.
struct Decomposition {
  MatrixXd u;      ///< (rows, min(rows, columns))
  VectorXd sigma;  ///< largest first
};

Decomposition decompose(const MatrixXd& a) {
  if (a.size() == 0) return {MatrixXd::Zero(a.rows(), 0), VectorXd()};
#if EIGEN_VERSION_AT_LEAST(3, 4, 90)
  const Eigen::JacobiSVD<MatrixXd, Eigen::ComputeThinU | Eigen::ComputeThinV> svd(a);
#else
  const Eigen::JacobiSVD<MatrixXd> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
#endif
  return {svd.matrixU(), svd.singularValues()};
}

Eigen::Map<const RowMajor> map(const double* a, Index rows, Index columns) {
  return {a, rows, columns};
}

Index rank_of(const VectorXd& sigma, Index rows, Index columns) {
  if (sigma.size() == 0) return 0;
  const double threshold = static_cast<double>(std::max(rows, columns)) *
                           std::numeric_limits<float>::epsilon() * sigma(0);
  return (sigma.array() > threshold).count();
}

/// An orthonormal basis of a's column space: as many left singular vectors as its rank.
MatrixXd basis(const MatrixXd& a) {
  const Decomposition svd = decompose(a);
  return svd.u.leftCols(rank_of(svd.sigma, a.rows(), a.cols()));
}

}  // namespace

double frobenius_cosine(const double* a, const double* b, Index count) {
  const Eigen::Map<const VectorXd> x(a, count), y(b, count);
  // Norms and product of matrices whose squares would overflow are still in range this way.
  const double x_norm = x.stableNorm(), y_norm = y.stableNorm();
  return x_norm == 0 || y_norm == 0 ? kNaN : (x / x_norm).dot(y / y_norm);
}

void singular_values(const double* a, Index rows, Index columns, double* out) {
  const MatrixXd matrix = map(a, rows, columns);
  Eigen::Map<VectorXd> sigma(out, std::min(rows, columns));
  if (matrix.allFinite()) {
    sigma = decompose(matrix).sigma;
  } else {
    sigma.setConstant(kNaN);
  }
}

double numerical_rank(const double* a, Index rows, Index columns) {
  const MatrixXd matrix = map(a, rows, columns);
  if (!matrix.allFinite()) return kNaN;
  return static_cast<double>(rank_of(decompose(matrix).sigma, rows, columns));
}

Index principal_angles(const double* a, Index a_columns, const double* b, Index b_columns,
                       Index rows, double* out) {
  Eigen::Map<VectorXd> angles(out, std::min(a_columns, b_columns));
  angles.setConstant(kNaN);
  const MatrixXd a_matrix = map(a, rows, a_columns), b_matrix = map(b, rows, b_columns);
  if (!a_matrix.allFinite() || !b_matrix.allFinite()) return 0;

  MatrixXd larger = basis(a_matrix), smaller = basis(b_matrix);
  if (larger.cols() < smaller.cols()) larger.swap(smaller);
  const Index count = smaller.cols();

  // Cosines: the singular values of AᵀB. Sines: those of what B has outside A.
  const MatrixXd overlap = larger.transpose() * smaller;
  const VectorXd cosines = decompose(overlap).sigma;
  const VectorXd sines = decompose(smaller - larger * overlap).sigma;
  for (Index i = 0; i < count; ++i) {
    const double cosine = std::min(cosines(i), 1.0);
    const double sine = std::min(sines(count - 1 - i), 1.0);  // ascending as the angles are
    angles(i) = cosine * cosine > 0.5 ? std::asin(sine) : std::acos(cosine);
  }
  return count;
}

double decomposition_bytes(Index rows, Index columns) {
  // The matrix and its copy, U, V, what is swept, the QR that goes before it and their transposes:
  // fewer than ten, none larger than the matrix.
  return 10 * sizeof(double) * static_cast<double>(rows) * static_cast<double>(columns);
}

}  // namespace attention
