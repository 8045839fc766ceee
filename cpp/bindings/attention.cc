// Attention for JavaScript: memory, the two kinds of call and what they are for.
//
//   allocate(bytes) → address     16-aligned, of uninitialised bytes; 0 = there is no more memory
//   release(address)              gives it back; 0 is let pass
//
//   new AttentionCall(), new MultiHeadCall()      all fields 0; calls.h says what they mean
//
//   scaledDotProduct(call) → status               fills the results that are not 0
//   scaledDotProductBackward(call) → status       weights 0 = recomputed
//   multiHead(call) → status
//   multiHeadBackward(call) → status
//
//   scaledDotProductWorkspaceBytes(call), scaledDotProductBackwardWorkspaceBytes(call),
//   multiHeadWorkspaceBytes(call), multiHeadBackwardWorkspaceBytes(call) → number
//     the memory that such a call takes beyond the caller's, given the same fields (an address of
//     a result that is wanted may be any number but 0). Computed in double: it cannot overflow.
//
// A status is 0 = done, 1 = out of memory, and then nothing was written.
#include <emscripten/bind.h>

#include <cstdint>
#include <cstdlib>

#include "bindings/arguments.h"

namespace attention::bindings {
namespace {

/// What a vector load likes best; the address JavaScript gets for a request of 0 bytes is as good
/// as any, so that 0 always means failure.
constexpr double kAddressAlignment = 16;

Address allocate(double bytes) {
  if (bytes > static_cast<double>(SIZE_MAX) - kAddressAlignment) return 0;
  const auto blocks = static_cast<std::size_t>((bytes + kAddressAlignment - 1) / kAddressAlignment);
  const auto alignment = static_cast<std::size_t>(kAddressAlignment);
  const std::size_t size = (blocks > 0 ? blocks : 1) * alignment;
  return reinterpret_cast<Address>(std::aligned_alloc(alignment, size));
}

void release(Address address) { std::free(at<void>(address)); }

int scaled_dot_product(const AttentionCall& call) {
  return static_cast<int>(attention::scaled_dot_product(inputs_of(call), results_of(call)));
}

int scaled_dot_product_backward(const AttentionCall& call) {
  return static_cast<int>(
      attention::scaled_dot_product_backward(inputs_of(call), gradients_of(call)));
}

double scaled_dot_product_workspace_bytes(const AttentionCall& call) {
  return attention::scaled_dot_product_workspace_bytes(inputs_of(call), results_of(call));
}

double scaled_dot_product_backward_workspace_bytes(const AttentionCall& call) {
  return attention::scaled_dot_product_backward_workspace_bytes(inputs_of(call),
                                                                gradients_of(call));
}

int multi_head(const MultiHeadCall& call) {
  return static_cast<int>(attention::multi_head(shape_of(call), parameters_of(call),
                                                inputs_of(call), results_of(call)));
}

int multi_head_backward(const MultiHeadCall& call) {
  return static_cast<int>(attention::multi_head_backward(
      shape_of(call), parameters_of(call), inputs_of(call), kept_of(call), gradients_of(call)));
}

double multi_head_workspace_bytes(const MultiHeadCall& call) {
  return attention::multi_head_workspace_bytes(shape_of(call), parameters_of(call),
                                               results_of(call));
}

double multi_head_backward_workspace_bytes(const MultiHeadCall& call) {
  return attention::multi_head_backward_workspace_bytes(shape_of(call), parameters_of(call),
                                                        kept_of(call));
}

EMSCRIPTEN_BINDINGS(attention) {
  using emscripten::class_;
  using emscripten::function;

  function("allocate", &allocate);
  function("release", &release);

  class_<AttentionCall>("AttentionCall")
      .constructor<>()
      .property("batch", &AttentionCall::batch)
      .property("n", &AttentionCall::n)
      .property("m", &AttentionCall::m)
      .property("dK", &AttentionCall::d_k)
      .property("dV", &AttentionCall::d_v)
      .property("scale", &AttentionCall::scale)
      .property("isCausal", &AttentionCall::is_causal)
      .property("query", &AttentionCall::query)
      .property("key", &AttentionCall::key)
      .property("value", &AttentionCall::value)
      .property("queryOffsets", &AttentionCall::query_offsets)
      .property("keyOffsets", &AttentionCall::key_offsets)
      .property("valueOffsets", &AttentionCall::value_offsets)
      .property("maskKind", &AttentionCall::mask_kind)
      .property("mask", &AttentionCall::mask)
      .property("maskOffsets", &AttentionCall::mask_offsets)
      .property("maskRowStride", &AttentionCall::mask_row_stride)
      .property("maskColumnStride", &AttentionCall::mask_column_stride)
      .property("output", &AttentionCall::output)
      .property("weights", &AttentionCall::weights)
      .property("logits", &AttentionCall::logits)
      .property("scores", &AttentionCall::scores)
      .property("exp", &AttentionCall::exp)
      .property("rowMax", &AttentionCall::row_max)
      .property("rowSum", &AttentionCall::row_sum)
      .property("gradOutput", &AttentionCall::grad_output)
      .property("gradQuery", &AttentionCall::grad_query)
      .property("gradKey", &AttentionCall::grad_key)
      .property("gradValue", &AttentionCall::grad_value)
      .property("gradScores", &AttentionCall::grad_scores)
      .property("gradWeights", &AttentionCall::grad_weights);

  class_<MultiHeadCall>("MultiHeadCall")
      .constructor<>()
      .property("batch", &MultiHeadCall::batch)
      .property("n", &MultiHeadCall::n)
      .property("m", &MultiHeadCall::m)
      .property("dModel", &MultiHeadCall::d_model)
      .property("dContext", &MultiHeadCall::d_context)
      .property("numHeads", &MultiHeadCall::num_heads)
      .property("numKvHeads", &MultiHeadCall::num_kv_heads)
      .property("dK", &MultiHeadCall::d_k)
      .property("dV", &MultiHeadCall::d_v)
      .property("dOut", &MultiHeadCall::d_out)
      .property("scale", &MultiHeadCall::scale)
      .property("isCausal", &MultiHeadCall::is_causal)
      .property("maskKind", &MultiHeadCall::mask_kind)
      .property("mask", &MultiHeadCall::mask)
      .property("maskOffsets", &MultiHeadCall::mask_offsets)
      .property("maskRowStride", &MultiHeadCall::mask_row_stride)
      .property("maskColumnStride", &MultiHeadCall::mask_column_stride)
      .property("x", &MultiHeadCall::x)
      .property("context", &MultiHeadCall::context)
      .property("wq", &MultiHeadCall::wq)
      .property("wk", &MultiHeadCall::wk)
      .property("wv", &MultiHeadCall::wv)
      .property("wo", &MultiHeadCall::wo)
      .property("bq", &MultiHeadCall::bq)
      .property("bk", &MultiHeadCall::bk)
      .property("bv", &MultiHeadCall::bv)
      .property("bo", &MultiHeadCall::bo)
      .property("output", &MultiHeadCall::output)
      .property("weights", &MultiHeadCall::weights)
      .property("logits", &MultiHeadCall::logits)
      .property("scores", &MultiHeadCall::scores)
      .property("exp", &MultiHeadCall::exp)
      .property("rowMax", &MultiHeadCall::row_max)
      .property("rowSum", &MultiHeadCall::row_sum)
      .property("query", &MultiHeadCall::query)
      .property("key", &MultiHeadCall::key)
      .property("value", &MultiHeadCall::value)
      .property("heads", &MultiHeadCall::heads)
      .property("gradOutput", &MultiHeadCall::grad_output)
      .property("gradX", &MultiHeadCall::grad_x)
      .property("gradContext", &MultiHeadCall::grad_context)
      .property("gradWq", &MultiHeadCall::grad_wq)
      .property("gradWk", &MultiHeadCall::grad_wk)
      .property("gradWv", &MultiHeadCall::grad_wv)
      .property("gradWo", &MultiHeadCall::grad_wo)
      .property("gradBq", &MultiHeadCall::grad_bq)
      .property("gradBk", &MultiHeadCall::grad_bk)
      .property("gradBv", &MultiHeadCall::grad_bv)
      .property("gradBo", &MultiHeadCall::grad_bo)
      .property("gradScores", &MultiHeadCall::grad_scores)
      .property("gradWeights", &MultiHeadCall::grad_weights);

  function("scaledDotProduct", &scaled_dot_product);
  function("scaledDotProductBackward", &scaled_dot_product_backward);
  function("scaledDotProductWorkspaceBytes", &scaled_dot_product_workspace_bytes);
  function("scaledDotProductBackwardWorkspaceBytes", &scaled_dot_product_backward_workspace_bytes);
  function("multiHead", &multi_head);
  function("multiHeadBackward", &multi_head_backward);
  function("multiHeadWorkspaceBytes", &multi_head_workspace_bytes);
  function("multiHeadBackwardWorkspaceBytes", &multi_head_backward_workspace_bytes);
}

}  // namespace
}  // namespace attention::bindings
