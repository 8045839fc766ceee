// What a call from JavaScript means to the kernels: addresses become pointers, integers sizes.
#pragma once

#include "attention/batch_attention.h"
#include "attention/multi_head.h"
#include "bindings/calls.h"

namespace attention::bindings {

/// The mask of either kind of call.
template <typename Call>
BatchMask mask_of(const Call& call) {
  constexpr Mask::Kind kKinds[] = {Mask::Kind::none, Mask::Kind::boolean, Mask::Kind::additive};
  BatchMask batch;
  batch.mask.kind = kKinds[call.mask_kind];
  batch.mask.data = at<const void>(call.mask);
  batch.mask.row_stride = call.mask_row_stride;
  batch.mask.column_stride = call.mask_column_stride;
  batch.mask.is_causal = call.is_causal;
  batch.offsets = at<const std::int32_t>(call.mask_offsets);
  return batch;
}

/// The results that both kinds of call have: weights and stages.
template <typename Call>
ScoreArrays scores_of(const Call& call) {
  ScoreArrays scores;
  scores.weights = at<float>(call.weights);
  scores.logits = at<float>(call.logits);
  scores.scores = at<float>(call.scores);
  scores.exp = at<float>(call.exp);
  scores.row_max = at<float>(call.row_max);
  scores.row_sum = at<float>(call.row_sum);
  return scores;
}

inline AttentionBatch inputs_of(const AttentionCall& call) {
  AttentionBatch inputs;
  inputs.batch = call.batch;
  inputs.shape = {call.n, call.m, call.d_k, call.d_v};
  inputs.scale = static_cast<float>(call.scale);
  inputs.mask = mask_of(call);
  inputs.query = at<const float>(call.query);
  inputs.key = at<const float>(call.key);
  inputs.value = at<const float>(call.value);
  inputs.query_offsets = at<const std::int32_t>(call.query_offsets);
  inputs.key_offsets = at<const std::int32_t>(call.key_offsets);
  inputs.value_offsets = at<const std::int32_t>(call.value_offsets);
  return inputs;
}

inline AttentionBatchResults results_of(const AttentionCall& call) {
  return {at<float>(call.output), scores_of(call)};
}

inline AttentionBatchGradients gradients_of(const AttentionCall& call) {
  AttentionBatchGradients gradients;
  gradients.grad_output = at<const float>(call.grad_output);
  gradients.weights = at<const float>(call.weights);
  gradients.query = at<float>(call.grad_query);
  gradients.key = at<float>(call.grad_key);
  gradients.value = at<float>(call.grad_value);
  gradients.scores = at<float>(call.grad_scores);
  gradients.grad_weights = at<float>(call.grad_weights);
  return gradients;
}

inline MultiHeadShape shape_of(const MultiHeadCall& call) {
  MultiHeadShape shape;
  shape.batch = call.batch;
  shape.n = call.n;
  shape.m = call.m;
  shape.d_model = call.d_model;
  shape.d_context = call.d_context;
  shape.num_heads = call.num_heads;
  shape.num_kv_heads = call.num_kv_heads;
  shape.d_k = call.d_k;
  shape.d_v = call.d_v;
  shape.d_out = call.d_out;
  // Without a context keys and values come from x, whatever the call says of it.
  if (!call.context) {
    shape.m = shape.n;
    shape.d_context = shape.d_model;
  }
  return shape;
}

inline MultiHeadParameters parameters_of(const MultiHeadCall& call) {
  MultiHeadParameters parameters;
  parameters.wq = at<const float>(call.wq);
  parameters.wk = at<const float>(call.wk);
  parameters.wv = at<const float>(call.wv);
  parameters.wo = at<const float>(call.wo);
  parameters.bq = at<const float>(call.bq);
  parameters.bk = at<const float>(call.bk);
  parameters.bv = at<const float>(call.bv);
  parameters.bo = at<const float>(call.bo);
  return parameters;
}

inline MultiHeadInputs inputs_of(const MultiHeadCall& call) {
  MultiHeadInputs inputs;
  inputs.x = at<const float>(call.x);
  inputs.context = at<const float>(call.context);
  inputs.scale = static_cast<float>(call.scale);
  inputs.mask = mask_of(call);
  return inputs;
}

inline MultiHeadResults results_of(const MultiHeadCall& call) {
  MultiHeadResults results;
  results.output = at<float>(call.output);
  results.scores = scores_of(call);
  results.query = at<float>(call.query);
  results.key = at<float>(call.key);
  results.value = at<float>(call.value);
  results.heads = at<float>(call.heads);
  return results;
}

inline MultiHeadKept kept_of(const MultiHeadCall& call) {
  MultiHeadKept kept;
  kept.weights = at<const float>(call.weights);
  kept.query = at<const float>(call.query);
  kept.key = at<const float>(call.key);
  kept.value = at<const float>(call.value);
  kept.heads = at<const float>(call.heads);
  return kept;
}

inline MultiHeadGradients gradients_of(const MultiHeadCall& call) {
  MultiHeadGradients gradients;
  gradients.grad_output = at<const float>(call.grad_output);
  gradients.x = at<float>(call.grad_x);
  gradients.context = at<float>(call.grad_context);
  gradients.wq = at<float>(call.grad_wq);
  gradients.wk = at<float>(call.grad_wk);
  gradients.wv = at<float>(call.grad_wv);
  gradients.wo = at<float>(call.grad_wo);
  gradients.bq = at<float>(call.grad_bq);
  gradients.bk = at<float>(call.grad_bk);
  gradients.bv = at<float>(call.grad_bv);
  gradients.bo = at<float>(call.grad_bo);
  gradients.scores = at<float>(call.grad_scores);
  gradients.weights = at<float>(call.grad_weights);
  return gradients;
}

}  // namespace attention::bindings
