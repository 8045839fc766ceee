// The float64 reference of multi-head attention for JavaScript. It takes the same MultiHeadCall as
// the kernels (calls.h), but every address of floats, an additive mask among them, means float64.
// Offsets stay int32 and a boolean mask bytes. A status is 0 = done, 1 = out of memory: what the
// reference needs beyond the caller's buffers was not to be had, nothing was written.
//
//   referenceMultiHead(call) → status
//     fills output, weights, the stages and query, key, value, heads where not 0.
//   referenceMultiHeadBackward(call) → status
//     recomputes the forward pass, whatever results of it the call holds; reads gradOutput; fills
//     gradX, gradContext, gradWq … gradBo, gradScores, gradWeights where not 0.
//   referenceMultiHeadWorkspaceBytes(call), referenceMultiHeadBackwardWorkspaceBytes(call) → number
//     the most memory that the call takes beyond the caller's buffers.
#include "attention/reference_multi_head.h"

#include <emscripten/bind.h>

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <vector>

#include "bindings/figures.h"
#include "bindings/reference_arguments.h"

namespace attention::bindings {
namespace {

using reference::Mask;
using reference::Matrix;
using reference::MultiHead;
using reference::MultiHeadGradients;
using reference::Parameters;

constexpr int kOk = static_cast<int>(Status::ok);
constexpr int kOutOfMemory = static_cast<int>(Status::out_of_memory);

/// Sizes with what follows from there being no context or no output projection.
struct Sizes {
  Index n, m, d_model, d_context, h, kv, d_k, d_v, d_out;

  explicit Sizes(const MultiHeadCall& call)
      : n(call.n),
        m(call.context ? call.m : call.n),
        d_model(call.d_model),
        d_context(call.context ? call.d_context : call.d_model),
        h(call.num_heads),
        kv(call.num_kv_heads),
        d_k(call.d_k),
        d_v(call.d_v),
        d_out(call.wo ? call.d_out : h * d_v) {}
};

Parameters parameters_of(const MultiHeadCall& call) {
  const Sizes s(call);
  Parameters parameters{.wq = matrix_at(call.wq, s.d_model, s.h * s.d_k),
                        .wk = matrix_at(call.wk, s.d_context, s.kv * s.d_k),
                        .wv = matrix_at(call.wv, s.d_context, s.kv * s.d_v),
                        .wo = matrix_at(call.wo, s.h * s.d_v, s.d_out),
                        .bq = matrix_at(call.bq, 1, s.h * s.d_k),
                        .bk = matrix_at(call.bk, 1, s.kv * s.d_k),
                        .bv = matrix_at(call.bv, 1, s.kv * s.d_v),
                        .bo = matrix_at(call.bo, 1, s.d_out)};
  parameters.num_heads = call.num_heads;
  parameters.num_kv_heads = call.num_kv_heads;
  parameters.scale = call.scale;
  return parameters;
}

/// The inputs of one sequence of a batch.
struct Sequence {
  ConstMap x, context;
  std::vector<Mask> masks;

  Sequence(const MultiHeadCall& call, Index b)
      : x(matrix_at(call.x, call.n, call.d_model, b * call.n * call.d_model)),
        context(call.context
                    ? matrix_at(call.context, call.m, call.d_context, b * call.m * call.d_context)
                    : x) {
    for (Index head = 0; head < call.num_heads; ++head) {
      masks.push_back(reference_mask(call, b * call.num_heads + head));
    }
  }
};

/// All that one sequence goes through: projections, four squares of scores for each head, outputs.
double forward_bytes(const MultiHeadCall& call) {
  const Sizes s(call);
  const double n = static_cast<double>(s.n), m = static_cast<double>(s.m);
  const double h = static_cast<double>(s.h);
  const auto projected = static_cast<double>(s.kv * (s.d_k + s.d_v));
  const auto queries = static_cast<double>(s.h * s.d_k), heads = static_cast<double>(s.h * s.d_v);
  return kPanelBytes +
         sizeof(double) * (h * (4 * n * m + 2 * n) + 2 * n * queries + 2 * m * projected +
                           3 * n * heads + 2 * n * static_cast<double>(s.d_out));
}

/// Besides: scores and weights of each head once more, a gradient for everything.
double backward_bytes(const MultiHeadCall& call) {
  const Sizes s(call);
  const double n = static_cast<double>(s.n), m = static_cast<double>(s.m);
  const double h = static_cast<double>(s.h);
  const auto d_k = static_cast<double>(s.d_k), d_v = static_cast<double>(s.d_v);
  const auto d_model = static_cast<double>(s.d_model);
  const auto d_context = static_cast<double>(s.d_context);
  const double heads = h * (2 * n * m + 2 * n * d_k + 2 * m * d_k + 2 * m * d_v + 2 * n * d_v);
  const double inputs = 2 * (n * d_model + m * d_context);
  const double parameters =
      2 * h * (d_model * d_k + d_context * (d_k + d_v)) + h * d_v * static_cast<double>(s.d_out);
  return 2 * forward_bytes(call) + sizeof(double) * (heads + inputs + parameters);
}

void store_forward(const MultiHead& result, const MultiHeadCall& call, Index b) {
  const Sizes s(call);
  store(result.output, call.output, b);
  for (Index g = 0; g < s.kv; ++g) {
    store(result.key.middleCols(g * s.d_k, s.d_k), call.key, b * s.kv + g);
    store(result.value.middleCols(g * s.d_v, s.d_v), call.value, b * s.kv + g);
  }
  for (Index i = 0; i < s.h; ++i) {
    const reference::Attention& head = result.heads[static_cast<std::size_t>(i)];
    store(result.query.middleCols(i * s.d_k, s.d_k), call.query, b * s.h + i);
    store(head.output, call.heads, b * s.h + i);
    store_steps(head, call, b * s.h + i);
  }
}

int multi_head(const MultiHeadCall& call) {
  if (!has_room(forward_bytes(call))) return kOutOfMemory;
  const Parameters parameters = parameters_of(call);
  for (Index b = 0; b < call.batch; ++b) {
    const Sequence sequence(call, b);
    store_forward(reference::multi_head(parameters, sequence.x, sequence.context, sequence.masks),
                  call, b);
  }
  return kOk;
}

/// Every sequence of the batch adds its gradient to a parameter's; the first one sets it.
void accumulate(const Matrix& gradient, Address array, bool is_first) {
  if (array == 0) return;
  Eigen::Map<Matrix> sum(at<double>(array), gradient.rows(), gradient.cols());
  if (is_first) {
    sum = gradient;
  } else {
    sum += gradient;
  }
}

void store_gradients(const MultiHeadGradients& g, const MultiHeadCall& call, Index b) {
  if (call.context != 0) {
    store(g.x, call.grad_x, b);
    store(g.context, call.grad_context, b);
  } else {
    store(g.x + g.context, call.grad_x, b);
  }
  const bool is_first = b == 0;
  accumulate(g.wq, call.grad_wq, is_first);
  accumulate(g.wk, call.grad_wk, is_first);
  accumulate(g.wv, call.grad_wv, is_first);
  accumulate(g.bq, call.grad_bq, is_first);
  accumulate(g.bk, call.grad_bk, is_first);
  accumulate(g.bv, call.grad_bv, is_first);
  if (call.wo != 0) {
    accumulate(g.wo, call.grad_wo, is_first);
    accumulate(g.bo, call.grad_bo, is_first);
  }
  for (Index i = 0; i < call.num_heads; ++i) {
    const reference::Gradients& head = g.heads[static_cast<std::size_t>(i)];
    store(head.scores, call.grad_scores, b * call.num_heads + i);
    store(head.weights, call.grad_weights, b * call.num_heads + i);
  }
}

/// What the parameters' gradients are when there is no sequence to add one.
void clear_gradients(const MultiHeadCall& call) {
  const Sizes s(call);
  const auto clear = [](Address array, Index count) {
    if (array != 0) std::fill_n(at<double>(array), count, 0.0);
  };
  clear(call.grad_wq, s.d_model * s.h * s.d_k);
  clear(call.grad_wk, s.d_context * s.kv * s.d_k);
  clear(call.grad_wv, s.d_context * s.kv * s.d_v);
  clear(call.grad_bq, s.h * s.d_k);
  clear(call.grad_bk, s.kv * s.d_k);
  clear(call.grad_bv, s.kv * s.d_v);
  if (call.wo != 0) {
    clear(call.grad_wo, s.h * s.d_v * s.d_out);
    clear(call.grad_bo, s.d_out);
  }
}

int multi_head_backward(const MultiHeadCall& call) {
  if (!has_room(backward_bytes(call))) return kOutOfMemory;
  const Sizes s(call);
  const Parameters parameters = parameters_of(call);
  if (call.batch == 0) clear_gradients(call);
  for (Index b = 0; b < call.batch; ++b) {
    const Sequence sequence(call, b);
    const MultiHead forward =
        reference::multi_head(parameters, sequence.x, sequence.context, sequence.masks);
    const ConstMap grad_output = matrix_at(call.grad_output, s.n, s.d_out, b * s.n * s.d_out);
    store_gradients(reference::multi_head_backward(parameters, sequence.x, sequence.context,
                                                   sequence.masks, forward, grad_output),
                    call, b);
  }
  return kOk;
}

EMSCRIPTEN_BINDINGS(reference_multi_head) {
  using emscripten::function;

  function("referenceMultiHead", &multi_head);
  function("referenceMultiHeadBackward", &multi_head_backward);
  function("referenceMultiHeadWorkspaceBytes", &forward_bytes);
  function("referenceMultiHeadBackwardWorkspaceBytes", &backward_bytes);
}

}  // namespace
}  // namespace attention::bindings
