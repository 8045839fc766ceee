#include "attention/batch_attention.h"

#include <algorithm>

#include "attention/streaming.h"

namespace attention {
namespace {

/// The scratch memory of a forward pass.
struct ForwardWorkspace {
  KeyValuePanels panels;
  AttentionScratch scratch;
  StreamingScratch streaming;

  ForwardWorkspace(Arena& arena, const AttentionShape& shape, bool is_streaming)
      : panels(arena, shape.m, shape.d_k, shape.d_v) {
    if (is_streaming) {
      streaming = StreamingScratch(arena);
    } else {
      scratch = AttentionScratch(arena, shape.m);
    }
  }
};

/// The scratch memory of a backward pass, and of the forward pass where weights must be recomputed.
struct BackwardWorkspace {
  AttentionBackwardScratch backward;
  Matrix weights;
  KeyValuePanels panels;
  AttentionScratch forward;

  BackwardWorkspace(Arena& arena, const AttentionShape& shape, bool recomputes)
      : backward(arena, shape) {
    if (!recomputes) return;
    weights = take_matrix(arena, shape.n, shape.m);
    panels = KeyValuePanels(arena, shape.m, shape.d_k, shape.d_v);
    forward = AttentionScratch(arena, shape.m);
  }
};

}  // namespace

AttentionResults ScoreArrays::slice(Index b, Index n, Index m) const {
  AttentionResults one;
  one.weights = slice_of(weights, b, n, m);
  one.logits = slice_of(logits, b, n, m);
  one.scores = slice_of(scores, b, n, m);
  one.exp = slice_of(exp, b, n, m);
  one.row_max = row_max ? row_max + b * n : nullptr;
  one.row_sum = row_sum ? row_sum + b * n : nullptr;
  return one;
}

double scaled_dot_product_workspace_bytes(const AttentionBatch& inputs,
                                          const AttentionBatchResults& results) {
  Arena count;
  ForwardWorkspace(count, inputs.shape, results.scores.is_empty());
  return count.bytes();
}

Status scaled_dot_product(const AttentionBatch& inputs, const AttentionBatchResults& results) {
  Buffer memory;
  if (memory.allocate(scaled_dot_product_workspace_bytes(inputs, results)) != Status::ok) {
    return Status::out_of_memory;
  }
  Arena arena(memory.data());
  const AttentionShape& shape = inputs.shape;
  const bool is_streaming = results.scores.is_empty();
  ForwardWorkspace workspace(arena, shape, is_streaming);
  for (Index b = 0; b < inputs.batch; ++b) {
    workspace.panels.pack(inputs.key_slice(b), inputs.value_slice(b));
    AttentionResults slice = results.scores.slice(b, shape.n, shape.m);
    slice.output = slice_of(results.output, b, shape.n, shape.d_v);
    const ConstMatrix query = inputs.query_slice(b);
    const Mask mask = inputs.mask.slice(b);
    if (is_streaming) {
      attend_streaming(query, workspace.panels, shape.m, inputs.scale, mask, slice.output,
                       workspace.streaming);
    } else {
      attend(query, workspace.panels, shape.m, inputs.scale, mask, slice, workspace.scratch);
    }
  }
  return Status::ok;
}

double scaled_dot_product_backward_workspace_bytes(const AttentionBatch& inputs,
                                                   const AttentionBatchGradients& gradients) {
  Arena count;
  BackwardWorkspace(count, inputs.shape, !gradients.weights);
  return count.bytes();
}

Status scaled_dot_product_backward(const AttentionBatch& inputs,
                                   const AttentionBatchGradients& gradients) {
  Buffer memory;
  if (memory.allocate(scaled_dot_product_backward_workspace_bytes(inputs, gradients)) !=
      Status::ok) {
    return Status::out_of_memory;
  }
  Arena arena(memory.data());
  const auto& [n, m, d_k, d_v] = inputs.shape;
  BackwardWorkspace workspace(arena, inputs.shape, !gradients.weights);
  for (Index b = 0; b < inputs.batch; ++b) {
    const Mask mask = inputs.mask.slice(b);
    AttentionKept kept;
    kept.query = inputs.query_slice(b);
    kept.key = inputs.key_slice(b);
    kept.value = inputs.value_slice(b);
    kept.weights = slice_of(gradients.weights, b, n, m);
    kept.grad_output = slice_of(gradients.grad_output, b, n, d_v);
    if (!gradients.weights) {
      AttentionResults results;
      results.weights = workspace.weights;
      workspace.panels.pack(kept.key, kept.value);
      attend(kept.query, workspace.panels, m, inputs.scale, mask, results, workspace.forward);
      kept.weights = workspace.weights;
    }

    AttentionGradients slice;
    slice.query = slice_of(gradients.query, b, n, d_k);
    slice.key = slice_of(gradients.key, b, m, d_k);
    slice.value = slice_of(gradients.value, b, m, d_v);
    slice.scores = slice_of(gradients.scores, b, n, m);
    slice.weights = slice_of(gradients.grad_weights, b, n, m);
    if (slice.key) std::fill_n(slice.key.data, m * d_k, 0.0f);
    if (slice.value) std::fill_n(slice.value.data, m * d_v, 0.0f);
    attend_backward(kept, inputs.scale, mask, slice, workspace.backward);
  }
  return Status::ok;
}

}  // namespace attention
