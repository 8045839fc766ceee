// Golden tensors and seeded numbers as Eigen matrices, for the tests of the reference.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "attention/reference.h"
#include "golden.h"
#include "near.h"
#include "random/numpy_legacy.h"

namespace attention::reference {

/// A golden tensor as a matrix; leading dimensions lie one below the other, a vector is one row.
inline Matrix golden_matrix(const std::string& file, const std::string& pointer) {
  const GoldenTensor tensor = golden_tensor(file, pointer);
  const Index columns = tensor.shape.empty() ? 1 : tensor.shape.back();
  const Index rows = columns == 0 ? 0 : static_cast<Index>(tensor.data.size()) / columns;
  return Eigen::Map<const Matrix>(tensor.data.data(), rows, columns);
}

/// A golden boolean mask as the bytes that Mask::allowed points to.
inline std::vector<std::uint8_t> golden_mask(const std::string& file, const std::string& pointer) {
  const GoldenTensor tensor = golden_tensor(file, pointer);
  return {tensor.data.begin(), tensor.data.end()};
}

inline Matrix random_matrix(NumpyLegacy& generator, Index rows, Index columns) {
  Matrix matrix(rows, columns);
  generator.normal({matrix.data(), static_cast<std::size_t>(matrix.size())}, 0, 1);
  return matrix;
}

/// near() for matrices: the worst element is named by its row and column.
template <typename Actual, typename Expected>
testing::AssertionResult near_matrix(const Actual& actual, const Expected& expected,
                                     double tolerance) {
  const Matrix a = actual, e = expected;
  if (a.rows() != e.rows() || a.cols() != e.cols()) {
    return testing::AssertionFailure()
           << a.rows() << " × " << a.cols() << " instead of " << e.rows() << " × " << e.cols();
  }
  const std::vector<double> expected_data(e.data(), e.data() + e.size());
  const std::vector<double> actual_data(a.data(), a.data() + a.size());
  return near(actual_data, expected_data, {static_cast<int>(e.rows()), static_cast<int>(e.cols())},
              tolerance);
}

/// A row-major (…, columns) array of bytes as a boolean mask.
inline Mask boolean_mask(const std::vector<std::uint8_t>& bytes, Index columns) {
  Mask mask;
  mask.allowed = bytes.data();
  mask.row_stride = columns;
  mask.column_stride = 1;
  return mask;
}

/// The parameter that a matrix holds; the matrix must outlive it.
inline Eigen::Map<const Matrix> map(const Matrix& matrix) {
  return {matrix.data(), matrix.rows(), matrix.cols()};
}

/// dL/dz for every element of *z by central differences of step h: error of order h² + ε/h.
inline Matrix differences(Matrix* z, const std::function<double()>& loss) {
  constexpr double kStep = 1e-5;
  Matrix gradient(z->rows(), z->cols());
  for (Index i = 0; i < z->size(); ++i) {
    const double kept = z->data()[i];
    z->data()[i] = kept + kStep;
    const double above = loss();
    z->data()[i] = kept - kStep;
    const double below = loss();
    z->data()[i] = kept;
    gradient.data()[i] = (above - below) / (2 * kStep);
  }
  return gradient;
}

}  // namespace attention::reference
