#include "attention/multi_head.h"

#include <algorithm>

#include "attention/multi_head_workspace.h"
#include "attention/streaming.h"

namespace attention {
namespace {

/// Scratch memory of a forward pass: what one batch entry needs, one head after another.
struct ForwardWorkspace {
  Projections projections;
  Matrix heads;  ///< (n, num_heads · d_v), where an output projection follows
  KeyValuePanels panels;
  AttentionScratch scratch;
  StreamingScratch streaming;

  ForwardWorkspace(Arena& arena, const MultiHeadShape& shape, bool has_wo, bool is_streaming)
      : projections(arena, shape), panels(arena, shape.m, shape.d_k, shape.d_v) {
    if (has_wo) heads = take_matrix(arena, shape.n, shape.heads_columns());
    if (is_streaming) {
      streaming = StreamingScratch(arena);
    } else {
      scratch = AttentionScratch(arena, shape.m);
    }
  }
};

/// Copies the column blocks of a (rows, heads · width) matrix into an array (heads, rows, width).
void copy_heads(ConstMatrix side_by_side, Index heads, float* out) {
  if (!out) return;
  const Index width = side_by_side.columns / heads;
  for (Index h = 0; h < heads; ++h) {
    for (Index i = 0; i < side_by_side.rows; ++i) {
      out = std::copy_n(side_by_side.row(i) + h * width, width, out);
    }
  }
}

/// Attention in every head of batch entry b, into the columns of `heads`.
void attend_heads(const MultiHeadShape& shape, const MultiHeadInputs& inputs, Index b,
                  const ScoreArrays& scores, Matrix heads, ForwardWorkspace& workspace) {
  const Projections& projections = workspace.projections;
  for (Index h = 0; h < shape.num_heads; ++h) {
    const Index group = h / shape.group_size();
    if (h % shape.group_size() == 0) {
      workspace.panels.pack(projections.key.column_block(group * shape.d_k, shape.d_k),
                            projections.value.column_block(group * shape.d_v, shape.d_v));
    }
    const ConstMatrix query = projections.query.column_block(h * shape.d_k, shape.d_k);
    const Index slice = b * shape.num_heads + h;
    const Mask mask = inputs.mask.slice(slice);
    AttentionResults results = scores.slice(slice, shape.n, shape.m);
    results.output = heads.column_block(h * shape.d_v, shape.d_v);
    if (scores.is_empty()) {
      attend_streaming(query, workspace.panels, shape.m, inputs.scale, mask, results.output,
                       workspace.streaming);
    } else {
      attend(query, workspace.panels, shape.m, inputs.scale, mask, results, workspace.scratch);
    }
  }
}

void run(const MultiHeadShape& shape, const PackedParameters& parameters,
         const MultiHeadInputs& inputs, const MultiHeadResults& results,
         ForwardWorkspace& workspace) {
  const Projections& projections = workspace.projections;
  for (Index b = 0; b < shape.batch; ++b) {
    projections.compute(shape, parameters, inputs, b);
    const Matrix output = slice_of(results.output, b, shape.n, shape.d_out);
    const Matrix heads = parameters.has_wo ? workspace.heads : output;
    attend_heads(shape, inputs, b, results.scores, heads, workspace);
    if (parameters.has_wo) multiply(heads, parameters.wo, output, Addend::bias(parameters.bo));

    copy_heads(projections.query, shape.num_heads,
               slice_of(results.query, b, shape.n, shape.query_columns()).data);
    copy_heads(projections.key, shape.num_kv_heads,
               slice_of(results.key, b, shape.m, shape.key_columns()).data);
    copy_heads(projections.value, shape.num_kv_heads,
               slice_of(results.value, b, shape.m, shape.value_columns()).data);
    copy_heads(heads, shape.num_heads,
               slice_of(results.heads, b, shape.n, shape.heads_columns()).data);
  }
}

}  // namespace

Status multi_head(const MultiHeadShape& shape, const PackedParameters& parameters,
                  const MultiHeadInputs& inputs, const MultiHeadResults& results) {
  const auto lay_out = [&](Arena& arena) {
    return ForwardWorkspace(arena, shape, parameters.has_wo, results.scores.is_empty());
  };
  Arena count;
  lay_out(count);
  Buffer memory;
  if (memory.allocate(count.bytes()) != Status::ok) return Status::out_of_memory;
  Arena arena(memory.data());
  ForwardWorkspace workspace = lay_out(arena);
  run(shape, parameters, inputs, results, workspace);
  return Status::ok;
}

Status multi_head(const MultiHeadShape& shape, const MultiHeadParameters& parameters,
                  const MultiHeadInputs& inputs, const MultiHeadResults& results) {
  PreparedParameters prepared;
  if (prepared.prepare(shape, parameters) != Status::ok) return Status::out_of_memory;
  return multi_head(shape, prepared.packed(), inputs, results);
}

double multi_head_workspace_bytes(const MultiHeadShape& shape,
                                  const MultiHeadParameters& parameters,
                                  const MultiHeadResults& results) {
  Arena count;
  PackedParameters(count, shape, parameters);
  ForwardWorkspace(count, shape, parameters.wo != nullptr, results.scores.is_empty());
  return count.bytes();
}

Status PreparedParameters::prepare(const MultiHeadShape& shape,
                                   const MultiHeadParameters& parameters) {
  if (memory_.allocate(bytes(shape, parameters)) != Status::ok) return Status::out_of_memory;
  Arena arena(memory_.data());
  packed_ = PackedParameters(arena, shape, parameters);
  packed_.pack(parameters);
  return Status::ok;
}

double PreparedParameters::bytes(const MultiHeadShape& shape,
                                 const MultiHeadParameters& parameters) {
  Arena count;
  PackedParameters(count, shape, parameters);
  return count.bytes();
}

}  // namespace attention
