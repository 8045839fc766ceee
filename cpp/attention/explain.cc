#include "attention/explain.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace attention::reference {
namespace {

/// 1 for the largest weight, 2 for the next; equal ones in the order of their keys, NaN last.
Vector ranks(const Vector& weights) {
  std::vector<Index> order(static_cast<std::size_t>(weights.size()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto size = [&](Index j) { return std::isnan(weights(j)) ? -1.0 : weights(j); };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return size(a) > size(b); });
  Vector rank(weights.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    rank(order[place]) = static_cast<double>(place + 1);
  }
  return rank;
}

}  // namespace

Explanation explain(const MatrixIn& query, const MatrixIn& key, const MatrixIn& value, double scale,
                    const Mask& mask, Index row, Index column) {
  const Mask row_mask = mask.from_row(row);
  const Attention a = scaled_dot_product(query.row(row), key, value, scale, row_mask);

  Explanation e;
  e.terms = query.row(row).cwiseProduct(key.row(column));
  e.raw = a.logits.row(0);
  e.scaled = scale * e.raw;
  e.masked = a.scores.row(0);
  e.row_max = a.row_max(0);
  e.exp = a.exp.row(0);
  e.row_sum = a.row_sum(0);
  e.weights = a.weights.row(0);
  e.rank_in_row = ranks(e.weights);
  e.output = a.output.row(0);

  e.contribution_norms = Vector::Zero(key.rows());
  e.share_along_output = Vector::Zero(key.rows());
  const double output_norm2 = e.output.squaredNorm();
  for (Index j = 0; j < key.rows(); ++j) {
    if (!row_mask.is_open(0, j)) continue;  // whatever its value holds
    e.contribution_norms(j) = e.weights(j) * value.row(j).norm();
    if (output_norm2 != 0) {
      e.share_along_output(j) = e.weights(j) * value.row(j).dot(e.output) / output_norm2;
    }
  }
  return e;
}

}  // namespace attention::reference
