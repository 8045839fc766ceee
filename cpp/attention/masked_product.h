// Products with masked weights when a masked row of B may hold Inf or NaN.
//
// A masked weight is 0, but 0·NaN is not: in `multiply` a NaN behind the mask would reach the
// result. These skip masked terms instead. They are for the rare case only; where all is finite
// they give the same bits as `multiply`, since skipping a term and adding 0 come to the same.
#pragma once

#include "attention/gemm.h"
#include "attention/mask.h"

namespace attention {

/// c_ic = Σ_j a_ij b_jc + addend_ic over the keys j that query i may attend to.
/// a (n, m), b (m, columns): weights times values, score gradients times keys.
void multiply_open(const Mask& mask, ConstMatrix a, const PackedMatrix& b, Matrix c,
                   Addend addend = Addend::none());

/// c_jc = Σ_i a_ji b_ic + addend_jc over the queries i that may attend to key j.
/// a (m, n) is the transposed view of an (n, m) matrix, b (n, columns): score gradients times
/// queries, weights times output gradients.
void multiply_open_transposed(const Mask& mask, ConstMatrix a, const PackedMatrix& b, Matrix c,
                              Addend addend = Addend::none());

/// Is there neither Inf nor NaN in it?
bool is_finite(ConstMatrix matrix);

}  // namespace attention
