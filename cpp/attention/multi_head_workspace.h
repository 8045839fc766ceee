// What the forward and the backward pass of a multi-head layer share.
#pragma once

#include "attention/multi_head.h"

namespace attention {

/// Queries, keys and values of all heads of one batch entry, side by side as the products leave
/// them.
struct Projections {
  Matrix query;  ///< (n, num_heads · d_k)
  Matrix key;    ///< (m, num_kv_heads · d_k)
  Matrix value;  ///< (m, num_kv_heads · d_v)

  Projections() = default;
  Projections(Arena& arena, const MultiHeadShape& shape)
      : query(take_matrix(arena, shape.n, shape.query_columns())),
        key(take_matrix(arena, shape.m, shape.key_columns())),
        value(take_matrix(arena, shape.m, shape.value_columns())) {}

  /// Projects batch entry b.
  void compute(const MultiHeadShape& shape, const PackedParameters& parameters,
               const MultiHeadInputs& inputs, Index b) const {
    const ConstMatrix x = inputs.x_slice(shape, b);
    const ConstMatrix context = inputs.context_slice(shape, b);
    multiply(x, parameters.wq, query, Addend::bias(parameters.bq));
    multiply(context, parameters.wk, key, Addend::bias(parameters.bk));
    multiply(context, parameters.wv, value, Addend::bias(parameters.bv));
  }
};

}  // namespace attention
