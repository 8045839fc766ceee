// Matrices of float64 that know how far float32 may be off: every step of a longer computation hands
// on what it may have lost, to first order in the unit roundoff u.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "compare.h"

namespace attention::oracle {

struct Bounded {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  Matrix value;
  Matrix error;  ///< at most so far from the value

  static Bounded exact(const Matrix& value) {
    return {value, Matrix::Zero(value.rows(), value.cols())};
  }
  /// Row-major numbers that the kernels are given as they are.
  static Bounded exact(const std::vector<float>& numbers, int rows, int columns) {
    return exact(
        Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
            numbers.data(), rows, columns)
            .cast<double>());
  }
  /// Row-major numbers that the kernels are given rounded to float32.
  static Bounded rounded(const std::vector<double>& numbers, int rows, int columns) {
    const Eigen::Map<const Matrix> value(numbers.data(), rows, columns);
    return {value, kUnitRoundoff * value.cwiseAbs()};
  }

  Bounded transposed() const { return {value.transpose(), error.transpose()}; }
  Bounded rows(int first, int count) const {
    return {value.middleRows(first, count), error.middleRows(first, count)};
  }
  Bounded columns(int first, int count) const {
    return {value.middleCols(first, count), error.middleCols(first, count)};
  }
  /// Row-major, as vectors.
  std::vector<double> values() const { return {value.data(), value.data() + value.size()}; }
  std::vector<double> errors() const { return {error.data(), error.data() + error.size()}; }
};

/// A·B. Each element is a sum of products: (depth + 1) u Σ|terms|, in any order.
inline Bounded operator*(const Bounded& a, const Bounded& b) {
  const Bounded::Matrix a_size = a.value.cwiseAbs(), b_size = b.value.cwiseAbs();
  const double roundings = static_cast<double>(a.value.cols() + 1) * kUnitRoundoff;
  return {a.value * b.value,
          a_size * b.error + a.error * (b_size + b.error) + roundings * a_size * b_size};
}

inline Bounded operator+(const Bounded& a, const Bounded& b) {
  return {a.value + b.value,
          a.error + b.error + kUnitRoundoff * (a.value.cwiseAbs() + b.value.cwiseAbs())};
}

/// One row: the sums of the columns.
inline Bounded column_sums(const Bounded& a) {
  return Bounded::exact(Bounded::Matrix::Ones(1, a.value.rows())) * a;
}

/// The same row added to all rows.
inline Bounded with_row(const Bounded& a, const Bounded& row) {
  const auto repeated = [&](const Bounded::Matrix& one) {
    return Bounded::Matrix(one.replicate(a.value.rows(), 1));
  };
  return a + Bounded{repeated(row.value), repeated(row.error)};
}

/// Within the bounds. The numbers are the matrix's, row by row.
inline testing::AssertionResult is_near(const std::vector<float>& actual, const Bounded& expected) {
  return attention::is_near(
      actual, expected.values(), expected.errors(),
      {static_cast<int>(expected.value.rows()), static_cast<int>(expected.value.cols())});
}

}  // namespace attention::oracle
