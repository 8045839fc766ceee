// The float64 reference of scaled dot-product attention for JavaScript. It takes the same
// AttentionCall as the kernels (calls.h), but every address of floats, an additive mask among them,
// means float64. Offsets stay int32 and a boolean mask bytes. A status is 0 = done, 1 = out of
// memory: what the reference needs beyond the caller's buffers was not to be had, nothing was
// written.
//
//   referenceScaledDotProduct(call) → status
//     fills every result that is not 0: output, weights, logits, scores, exp, rowMax, rowSum.
//   referenceScaledDotProductBackward(call) → status
//     reads gradOutput, and weights when given (else they are recomputed); fills gradQuery, gradKey,
//     gradValue, gradScores, gradWeights where not 0, one slice per batch entry.
//   referenceScaledDotProductWorkspaceBytes(call),
//   referenceScaledDotProductBackwardWorkspaceBytes(call) → number
//     the most memory that the call takes beyond the caller's buffers.
//   referenceExplain(call, slice, row, column, out) → status
//     how one query comes to its output: slice < call.batch, row < call.n, column < call.m.
//     Reads query, key, value, the mask, scale and isCausal of the call, no result of it.
//     out float64[2 + dK + 8·m + dV], one after another:
//       rowMax, rowSum        1 each
//       terms              (dK)  q_k·k_k for the key at `column`; they add up to raw[column]
//       raw                 (m)  q·kⱼ
//       scaled              (m)  scale·q·kⱼ
//       masked              (m)  mask added, −∞ where the query may not attend
//       exp                 (m)  exp(masked − rowMax)
//       weights             (m)  exp / rowSum
//       rankInRow           (m)  1 = the largest weight; equal weights in the order of their keys
//       contributionNorms   (m)  ‖weightⱼ·vⱼ‖
//       shareAlongOutput    (m)  weightⱼ·(vⱼ·y)/‖y‖²; the shares add up to 1 (all 0 when y = 0)
//       output             (dV)  y
#include "attention/reference.h"

#include <emscripten/bind.h>

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>

#include "attention/explain.h"
#include "bindings/figures.h"
#include "bindings/reference_arguments.h"

namespace attention::bindings {
namespace {

using reference::Attention;
using reference::Gradients;
using reference::Mask;
using reference::Matrix;

constexpr int kOk = static_cast<int>(Status::ok);
constexpr int kOutOfMemory = static_cast<int>(Status::out_of_memory);

/// The inputs of one slice of a batch.
struct Slice {
  ConstMap query, key, value;
  Mask mask;

  Slice(const AttentionCall& call, Index b)
      : query(matrix_at(call.query, call.n, call.d_k, offset(call.query_offsets, b))),
        key(matrix_at(call.key, call.m, call.d_k, offset(call.key_offsets, b))),
        value(matrix_at(call.value, call.m, call.d_v, offset(call.value_offsets, b))),
        mask(reference_mask(call, b)) {}

  static Index offset(Address offsets, Index b) { return at<const std::int32_t>(offsets)[b]; }
};

/// Of one slice: logits, scores, exp and weights, a row's figures, the output.
double forward_bytes(const AttentionCall& call) {
  const double n = call.n, m = call.m;
  return kPanelBytes + sizeof(double) * (4 * n * m + 2 * n + 2 * n * call.d_v);
}

/// Scores and weights again, and the three gradients with a copy each while they are scaled.
double backward_bytes(const AttentionCall& call) {
  const double n = call.n, m = call.m;
  const double inputs = n * call.d_k + m * call.d_k + m * call.d_v;
  return forward_bytes(call) + sizeof(double) * (2 * n * m + 2 * inputs);
}

int scaled_dot_product(const AttentionCall& call) {
  if (!has_room(forward_bytes(call))) return kOutOfMemory;
  for (Index b = 0; b < call.batch; ++b) {
    const Slice slice(call, b);
    const Attention attention =
        reference::scaled_dot_product(slice.query, slice.key, slice.value, call.scale, slice.mask);
    store(attention.output, call.output, b);
    store_steps(attention, call, b);
  }
  return kOk;
}

int scaled_dot_product_backward(const AttentionCall& call) {
  if (!has_room(backward_bytes(call))) return kOutOfMemory;
  for (Index b = 0; b < call.batch; ++b) {
    const Slice slice(call, b);
    Matrix weights;
    if (call.weights != 0) {
      weights = matrix_at(call.weights, call.n, call.m, b * call.n * call.m);
    } else {
      weights =
          reference::scaled_dot_product(slice.query, slice.key, slice.value, call.scale, slice.mask)
              .weights;
    }
    const Gradients g = reference::scaled_dot_product_backward(
        slice.query, slice.key, slice.value, call.scale, slice.mask, weights,
        matrix_at(call.grad_output, call.n, call.d_v, b * call.n * call.d_v));
    store(g.query, call.grad_query, b);
    store(g.key, call.grad_key, b);
    store(g.value, call.grad_value, b);
    store(g.scores, call.grad_scores, b);
    store(g.weights, call.grad_weights, b);
  }
  return kOk;
}

int explain(const AttentionCall& call, int slice, int row, int column, Address out) {
  const double doubles = 14.0 * call.m + call.d_k + 2.0 * call.d_v;
  if (!has_room(kPanelBytes + sizeof(double) * doubles)) return kOutOfMemory;
  const Slice inputs(call, slice);
  const reference::Explanation e = reference::explain(inputs.query, inputs.key, inputs.value,
                                                      call.scale, inputs.mask, row, column);
  double* next = write_figures({e.row_max, e.row_sum}, at<double>(out));
  for (const reference::Vector* part :
       {&e.terms, &e.raw, &e.scaled, &e.masked, &e.exp, &e.weights, &e.rank_in_row,
        &e.contribution_norms, &e.share_along_output, &e.output}) {
    next = std::copy(part->begin(), part->end(), next);
  }
  return kOk;
}

EMSCRIPTEN_BINDINGS(reference) {
  using emscripten::function;

  function("referenceScaledDotProduct", &scaled_dot_product);
  function("referenceScaledDotProductBackward", &scaled_dot_product_backward);
  function("referenceScaledDotProductWorkspaceBytes", &forward_bytes);
  function("referenceScaledDotProductBackwardWorkspaceBytes", &backward_bytes);
  function("referenceExplain", &explain);
}

}  // namespace
}  // namespace attention::bindings
