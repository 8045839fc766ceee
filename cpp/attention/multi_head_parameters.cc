#include "attention/multi_head_parameters.h"

#include <algorithm>

namespace attention {
namespace {

float* take_bias(Arena& arena, const float* bias, Index columns) {
  return bias ? arena.take(static_cast<double>(columns)) : nullptr;
}

void copy_bias(const float* bias, Index columns, float* copy) {
  if (bias) std::copy_n(bias, columns, copy);
}

}  // namespace

PackedParameters::PackedParameters(Arena& arena, const MultiHeadShape& shape,
                                   const MultiHeadParameters& parameters)
    : wq(arena, shape.d_model, shape.query_columns()),
      wk(arena, shape.d_context, shape.key_columns()),
      wv(arena, shape.d_context, shape.value_columns()),
      has_wo(parameters.wo != nullptr) {
  bq = take_bias(arena, parameters.bq, shape.query_columns());
  bk = take_bias(arena, parameters.bk, shape.key_columns());
  bv = take_bias(arena, parameters.bv, shape.value_columns());
  if (!has_wo) return;
  wo = PackedMatrix(arena, shape.heads_columns(), shape.d_out);
  bo = take_bias(arena, parameters.bo, shape.d_out);
}

void PackedParameters::pack(const MultiHeadParameters& parameters) {
  const auto pack_one = [](const float* weight, const PackedMatrix& packed) {
    attention::pack({weight, packed.depth, packed.columns}, packed);
  };
  pack_one(parameters.wq, wq);
  pack_one(parameters.wk, wk);
  pack_one(parameters.wv, wv);
  copy_bias(parameters.bq, wq.columns, bq);
  copy_bias(parameters.bk, wk.columns, bk);
  copy_bias(parameters.bv, wv.columns, bv);
  if (!has_wo) return;
  pack_one(parameters.wo, wo);
  copy_bias(parameters.bo, wo.columns, bo);
}

TransposedParameters::TransposedParameters(Arena& arena, const MultiHeadShape& shape, bool has_wo)
    : wq(arena, shape.query_columns(), shape.d_model),
      wk(arena, shape.key_columns(), shape.d_context),
      wv(arena, shape.value_columns(), shape.d_context),
      has_wo(has_wo) {
  if (has_wo) wo = PackedMatrix(arena, shape.d_out, shape.heads_columns());
}

void TransposedParameters::pack(const MultiHeadParameters& parameters) {
  const auto pack_one = [](const float* weight, const PackedMatrix& packed) {
    const ConstMatrix matrix(weight, packed.columns, packed.depth);
    attention::pack(matrix.transposed(), packed);
  };
  pack_one(parameters.wq, wq);
  pack_one(parameters.wk, wk);
  pack_one(parameters.wv, wv);
  if (has_wo) pack_one(parameters.wo, wo);
}

void TransposedParameters::pack(const PackedParameters& packed) {
  pack_transposed(packed.wq, wq);
  pack_transposed(packed.wk, wk);
  pack_transposed(packed.wv, wv);
  if (has_wo) pack_transposed(packed.wo, wo);
}

}  // namespace attention
