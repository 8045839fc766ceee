// What must hold of attention weights and outputs, and how far it holds.
#pragma once

#include "attention/tensor.h"

namespace attention {

/// What a tensor of weights looks like. Rows are counted through all matrices.
struct WeightsAudit {
  double worst_row_sum_error;  ///< largest |row sum − 1| of rows neither empty nor with NaN, or 0
  double worst_row;            ///< where it is; −1 if there is no such row
  double smallest, largest;    ///< NaN left out; both NaN if there is no number
  double negative;             ///< how many weights are below 0
  double nan;                  ///< how many are NaN
  double empty_rows;           ///< rows whose weights are all exactly 0
  double nonzero_above;        ///< weights above the diagonal that are not exactly 0, NaN included
  double largest_above;        ///< largest |weight| above the diagonal, NaN left out, or 0
};

/// weights (matrices, rows, columns), row-major.
WeightsAudit audit_weights(const double* weights, Index matrices, Index rows, Index columns);

/// Norms of the rows of an output and of the values it was mixed from. A row of the output is a
/// convex combination of values, so its norm is at most the largest of theirs; there is no such
/// lower bound.
struct OutputAudit {
  double largest_output, largest_output_row, smallest_output;
  double largest_value, largest_value_row, smallest_value;
  double nan;  ///< numbers of the output that are NaN; rows with NaN are left out above
};

/// output (n, d_v), value (m, d_v). A norm that no row has is NaN, and its row −1.
OutputAudit audit_output(const double* output, Index n, const double* value, Index m, Index d_v);

/// out (rows): Euclidean norms of the rows of x (rows, columns).
void row_norms(const double* x, Index rows, Index columns, double* out);

}  // namespace attention
