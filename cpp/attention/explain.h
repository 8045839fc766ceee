// One query, taken apart: from the products of its components to its output, in float64.
#pragma once

#include <Eigen/Core>

#include "attention/reference.h"

namespace attention::reference {

struct Explanation {
  Vector terms;               ///< (d_k) q_k·k_k for the chosen key; they add up to its raw product
  Vector raw;                 ///< (m) q·k_j
  Vector scaled;              ///< (m) scale·q·k_j
  Vector masked;              ///< (m) mask added, −∞ where the query may not attend
  double row_max = 0;         ///< of `masked`
  Vector exp;                 ///< (m) exp(masked − row_max)
  double row_sum = 0;         ///< of `exp`
  Vector weights;             ///< (m) exp / row_sum
  Vector rank_in_row;         ///< (m) 1 = the largest weight; equal weights in the order of keys
  Vector contribution_norms;  ///< (m) ‖w_j·v_j‖
  Vector share_along_output;  ///< (m) w_j·(v_j·y)/‖y‖²; they add up to 1 (all 0 when y = 0)
  Vector output;              ///< (d_v) y = Σ_j w_j v_j
};

/// How query `row` comes to its output, and its product with key `column`.
Explanation explain(const MatrixIn& query, const MatrixIn& key, const MatrixIn& value, double scale,
                    const Mask& mask, Index row, Index column);

}  // namespace attention::reference
