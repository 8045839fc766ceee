// The spaces that matrices span: singular values, numerical rank, angles. Matrices are float64,
// row-major; the singular value decomposition is Eigen's.
#pragma once

#include "attention/tensor.h"

namespace attention {

/// Σ a_i b_i / (‖a‖‖b‖) over `count` elements, the cosine in Frobenius' inner product. It compares
/// two matrices entry by entry, not the spaces they span: the same space in a rotated basis may
/// give anything. NaN when either matrix is all zero.
double frobenius_cosine(const double* a, const double* b, Index count);

/// out (min(rows, columns)), largest first; all NaN when a (rows, columns) holds NaN or infinity.
void singular_values(const double* a, Index rows, Index columns, double* out);

/// How many σ > max(rows, columns)·ε·σ₁. ε is float32's 2⁻²³: the matrices come from kernels in
/// float32, whose rounding would pass for rank under a finer threshold. NaN as above.
double numerical_rank(const double* a, Index rows, Index columns);

/// The angles between the column spaces of a (rows, a_columns) and b (rows, b_columns) in radians,
/// smallest first (Björck and Golub, 1973; angles below 45° from their sines, where a cosine would
/// lose half the digits). Returns how many there are, the smaller numerical rank; what follows up
/// to min(a_columns, b_columns) in out is NaN. NaN or infinity in the input: 0.
Index principal_angles(const double* a, Index a_columns, const double* b, Index b_columns,
                       Index rows, double* out);

/// The most memory in bytes that a decomposition of a (rows, columns) takes, with its copies.
double decomposition_bytes(Index rows, Index columns);

}  // namespace attention
