// Multi-head attention in float64: the reference for one sequence.
//
//   Q = X·W_Q + b_Q,  K = C·W_K + b_K,  V = C·W_V + b_V       C = X in self-attention
//   head_i = Attention(Q_i, K_g, V_g),  g = ⌊i·kv/h⌋           head i owns column block i of Q
//   output = [head_1 ⋯ head_h]·W_O + b_O
#pragma once

#include <Eigen/Core>
#include <vector>

#include "attention/reference.h"

namespace attention::reference {

using ConstMap = Eigen::Map<const Matrix>;

/// A layer's parameters. What is absent has no data.
struct Parameters {
  ConstMap wq{nullptr, 0, 0};  ///< (d_model, num_heads·d_k)
  ConstMap wk{nullptr, 0, 0};  ///< (d_context, num_kv_heads·d_k)
  ConstMap wv{nullptr, 0, 0};  ///< (d_context, num_kv_heads·d_v)
  ConstMap wo{nullptr, 0, 0};  ///< (num_heads·d_v, d_out); absent: the heads are the output
  ConstMap bq{nullptr, 0, 0}, bk{nullptr, 0, 0}, bv{nullptr, 0, 0}, bo{nullptr, 0, 0};  ///< rows
  int num_heads = 1;
  int num_kv_heads = 1;  ///< divides num_heads; that many query heads share a key and value head
  double scale = 1;
};

/// What one sequence goes through.
struct MultiHead {
  Matrix query;                  ///< (n, num_heads·d_k)
  Matrix key;                    ///< (m, num_kv_heads·d_k)
  Matrix value;                  ///< (m, num_kv_heads·d_v)
  std::vector<Attention> heads;  ///< num_heads
  Matrix concatenated;           ///< (n, num_heads·d_v), the heads' outputs side by side
  Matrix output;                 ///< (n, d_out)
};

/// x (n, d_model), context (m, d_context) or x itself; one mask for each head.
MultiHead multi_head(const Parameters& parameters, const MatrixIn& x, const MatrixIn& context,
                     const std::vector<Mask>& masks);

/// Derivatives of a loss, each of the shape of what it is taken by; those of absent parameters are
/// to be ignored.
struct MultiHeadGradients {
  Matrix x;        ///< through the queries alone; in self-attention add `context`
  Matrix context;  ///< through keys and values
  Matrix wq, wk, wv, wo, bq, bk, bv, bo;
  std::vector<Gradients> heads;  ///< num_heads
};

MultiHeadGradients multi_head_backward(const Parameters& parameters, const MatrixIn& x,
                                       const MatrixIn& context, const std::vector<Mask>& masks,
                                       const MultiHead& forward, const MatrixIn& grad_output);

}  // namespace attention::reference
