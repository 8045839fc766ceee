#include "attention/kv_cache.h"

#include <algorithm>
#include <utility>

#include "attention/masked_product.h"
#include "attention/multi_head_workspace.h"

namespace attention {
namespace {

/// The memory of all cached keys and values.
struct CachePanels {
  float *keys, *values;

  CachePanels(Arena& arena, const MultiHeadShape& shape, Index max_length) {
    const double heads = static_cast<double>(shape.num_kv_heads);
    keys = arena.take(heads * PackedMatrix::elements(shape.d_k, max_length));
    values = arena.take(heads * PackedMatrix::elements(max_length, shape.d_v));
  }
};

/// The scratch memory of a step.
struct StepWorkspace {
  Projections projections;
  Matrix heads;  ///< (rows, num_heads · d_v), where an output projection follows
  AttentionScratch attention;

  StepWorkspace(Arena& arena, const MultiHeadShape& step, bool has_wo, Index length)
      : projections(arena, step), attention(arena, length) {
    if (has_wo) heads = take_matrix(arena, step.n, step.heads_columns());
  }
};

/// The shape of a step: so many tokens, of which keys and values are made as well.
MultiHeadShape step_shape(const MultiHeadShape& shape, Index rows) {
  MultiHeadShape step = shape;
  step.batch = 1;
  step.n = step.m = rows;
  return step;
}

}  // namespace

double KvCache::bytes(const MultiHeadShape& shape, const MultiHeadParameters& parameters,
                      Index max_length) {
  Arena count;
  CachePanels(count, shape, max_length);
  return count.bytes() + PreparedParameters::bytes(shape, parameters);
}

Status KvCache::create(const MultiHeadShape& shape, const MultiHeadParameters& parameters,
                       float scale, Index max_length) {
  Arena count;
  CachePanels(count, shape, max_length);
  Buffer memory;
  PreparedParameters prepared;
  if (memory.allocate(count.bytes()) != Status::ok) return Status::out_of_memory;
  if (prepared.prepare(shape, parameters) != Status::ok) return Status::out_of_memory;
  // Places that no token has filled yet take part in whole tiles, whose other columns are used.
  std::fill_n(static_cast<char*>(memory.data()), static_cast<std::size_t>(count.bytes()), 0);
  Arena arena(memory.data());
  const CachePanels panels(arena, shape, max_length);
  keys_ = panels.keys;
  values_ = panels.values;
  memory_ = std::move(memory);
  parameters_ = std::move(prepared);
  shape_ = shape;
  scale_ = scale;
  max_length_ = max_length;
  reset();
  return Status::ok;
}

void KvCache::reset() {
  length_ = 0;
  is_value_finite_ = true;
}

KeyValuePanels KvCache::panels(Index group) const {
  const Index key_elements = shape_.d_k * whole_panels(max_length_);
  const Index value_elements = max_length_ * whole_panels(shape_.d_v);
  KeyValuePanels head;
  head.key = PackedMatrix(keys_ + group * key_elements, shape_.d_k, max_length_);
  head.value = PackedMatrix(values_ + group * value_elements, max_length_, shape_.d_v);
  head.is_value_finite = is_value_finite_;
  return head;
}

void KvCache::append(Index group, ConstMatrix key, ConstMatrix value) {
  const KeyValuePanels head = panels(group);
  for (Index r = 0; r < key.rows; ++r) {
    for (Index c = 0; c < key.columns; ++c) head.key(c, length_ + r) = key(r, c);
    for (Index c = 0; c < value.columns; ++c) head.value(length_ + r, c) = value(r, c);
  }
}

double KvCache::step_workspace_bytes(Index rows) const {
  Arena count;
  StepWorkspace(count, step_shape(shape_, rows), parameters_.packed().has_wo, length_ + rows);
  return count.bytes();
}

Status KvCache::step(const float* x, Index rows, float* output, float* weights) {
  Buffer memory;
  if (memory.allocate(step_workspace_bytes(rows)) != Status::ok) return Status::out_of_memory;
  Arena arena(memory.data());
  const PackedParameters& parameters = parameters_.packed();
  const MultiHeadShape step = step_shape(shape_, rows);
  const Index length = length_ + rows;
  StepWorkspace workspace(arena, step, parameters.has_wo, length);

  MultiHeadInputs inputs;
  inputs.x = x;
  const Projections& projections = workspace.projections;
  projections.compute(step, parameters, inputs, 0);
  for (Index g = 0; g < shape_.num_kv_heads; ++g) {
    append(g, projections.key.column_block(g * shape_.d_k, shape_.d_k),
           projections.value.column_block(g * shape_.d_v, shape_.d_v));
  }
  is_value_finite_ = is_value_finite_ && is_finite(projections.value);

  // Token r of this step is the token length_ + r of the sequence.
  Mask mask;
  mask.is_causal = true;
  mask.diagonal = length_;
  const Matrix heads =
      parameters.has_wo ? workspace.heads : Matrix(output, rows, shape_.heads_columns());
  for (Index h = 0; h < shape_.num_heads; ++h) {
    AttentionResults results;
    results.output = heads.column_block(h * shape_.d_v, shape_.d_v);
    results.weights = slice_of(weights, h, rows, length);
    attend(projections.query.column_block(h * shape_.d_k, shape_.d_k),
           panels(h / shape_.group_size()), length, scale_, mask, results, workspace.attention);
  }
  if (parameters.has_wo) {
    multiply(heads, parameters.wo, Matrix(output, rows, shape_.d_out), Addend::bias(parameters.bo));
  }
  length_ = length;
  return Status::ok;
}

void KvCache::copy_keys(float* out) const {
  for (Index g = 0; g < shape_.num_kv_heads; ++g) {
    const PackedMatrix key = panels(g).key;
    for (Index j = 0; j < length_; ++j) {
      for (Index c = 0; c < shape_.d_k; ++c) *out++ = key(c, j);
    }
  }
}

void KvCache::copy_values(float* out) const {
  for (Index g = 0; g < shape_.num_kv_heads; ++g) {
    const PackedMatrix value = panels(g).value;
    for (Index j = 0; j < length_; ++j) {
      for (Index c = 0; c < shape_.d_v; ++c) *out++ = value(j, c);
    }
  }
}

}  // namespace attention
