// How attention mixes: how widely a row spreads, and what layers come to together.
#pragma once

#include "attention/tensor.h"

namespace attention {

/// out (rows): −Σ_j p_j ln p_j of each row of weights (rows, columns), in nats. 0·ln 0 = 0, so an
/// empty row has 0; a row with NaN has NaN. Uniform attention over m keys has ln m.
void entropy(const double* weights, Index rows, Index columns, double* out);

/// Attention rollout (Abnar and Zuidema, 2020, arxiv.org/abs/2005.00928): weights
/// (layers, heads, n, n), layer 0 nearest the input, out (n, n) = A_{L−1}⋯A_1·A_0 with
/// A_l = residual·I + (1 − residual)·(mean of layer l over its heads). The paper's residual is ½.
/// `scratch` holds 2·n² numbers.
void rollout(const double* weights, Index layers, Index heads, Index n, double residual,
             double* scratch, double* out);

}  // namespace attention
