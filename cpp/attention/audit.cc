#include "attention/audit.h"

#include <cmath>
#include <limits>

namespace attention {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A row of weights joins the audit.
void add_row(const double* row, Index columns, Index index, WeightsAudit* audit) {
  double sum = 0;
  bool has_nan = false, is_empty = true;
  for (Index j = 0; j < columns; ++j) {
    const double weight = row[j];
    sum += weight;
    if (weight != 0) is_empty = false;
    if (std::isnan(weight)) {
      has_nan = true;
      audit->nan += 1;
      continue;
    }
    if (weight < 0) audit->negative += 1;
    audit->smallest = std::fmin(audit->smallest, weight);
    audit->largest = std::fmax(audit->largest, weight);
  }
  if (is_empty) {
    audit->empty_rows += 1;
  } else if (!has_nan) {
    const double error = std::abs(sum - 1);
    if (audit->worst_row < 0 || error > audit->worst_row_sum_error) {
      audit->worst_row_sum_error = error;
      audit->worst_row = static_cast<double>(index);
    }
  }
}

/// The weights of row i that lie above the diagonal, where a causal pass has exact zeros.
void add_future(const double* row, Index columns, Index i, WeightsAudit* audit) {
  for (Index j = i + 1; j < columns; ++j) {
    if (row[j] == 0) continue;
    audit->nonzero_above += 1;
    audit->largest_above = std::fmax(audit->largest_above, std::abs(row[j]));
  }
}

struct Norms {
  double largest = kNaN, largest_row = -1, smallest = kNaN;
};

double norm(const double* row, Index columns) {
  // Scaled by the largest element, so that squares neither overflow nor vanish.
  double scale = 0;
  for (Index k = 0; k < columns; ++k) {
    if (std::isnan(row[k])) return kNaN;
    scale = std::fmax(scale, std::abs(row[k]));
  }
  if (scale == 0 || std::isinf(scale)) return scale;
  double sum = 0;
  for (Index k = 0; k < columns; ++k) sum += (row[k] / scale) * (row[k] / scale);
  return scale * std::sqrt(sum);
}

Norms norms(const double* x, Index rows, Index columns) {
  Norms norms;
  for (Index i = 0; i < rows; ++i) {
    const double length = norm(x + i * columns, columns);
    if (std::isnan(length)) continue;
    if (!(length <= norms.largest)) {
      norms.largest = length;
      norms.largest_row = static_cast<double>(i);
    }
    norms.smallest = std::fmin(norms.smallest, length);
  }
  return norms;
}

}  // namespace

WeightsAudit audit_weights(const double* weights, Index matrices, Index rows, Index columns) {
  WeightsAudit audit{.worst_row_sum_error = 0,
                     .worst_row = -1,
                     .smallest = kNaN,
                     .largest = kNaN,
                     .negative = 0,
                     .nan = 0,
                     .empty_rows = 0,
                     .nonzero_above = 0,
                     .largest_above = 0};
  for (Index index = 0; index < matrices * rows; ++index) {
    const double* row = weights + index * columns;
    add_row(row, columns, index, &audit);
    add_future(row, columns, index % rows, &audit);
  }
  return audit;
}

OutputAudit audit_output(const double* output, Index n, const double* value, Index m, Index d_v) {
  const Norms outputs = norms(output, n, d_v), values = norms(value, m, d_v);
  double nan = 0;
  for (Index i = 0; i < n * d_v; ++i) nan += std::isnan(output[i]) ? 1 : 0;
  return {.largest_output = outputs.largest,
          .largest_output_row = outputs.largest_row,
          .smallest_output = outputs.smallest,
          .largest_value = values.largest,
          .largest_value_row = values.largest_row,
          .smallest_value = values.smallest,
          .nan = nan};
}

void row_norms(const double* x, Index rows, Index columns, double* out) {
  for (Index i = 0; i < rows; ++i) out[i] = norm(x + i * columns, columns);
}

}  // namespace attention
