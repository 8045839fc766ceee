#include <algorithm>

#include "attention/masked_product.h"
#include "attention/multi_head.h"
#include "attention/multi_head_workspace.h"

namespace attention {
namespace {

/// Scratch memory of a backward pass: what one batch entry needs, one head after another.
struct BackwardWorkspace {
  TransposedParameters transposed;
  Projections gradients;
  Matrix grad_heads;    ///< (n, num_heads · d_v), where an output projection follows
  PackedMatrix packed;  ///< any gradient, packed for a product
  AttentionBackwardScratch scratch;

  // Only where the forward pass is recomputed.
  Projections projections;
  Matrix heads;    ///< (n, num_heads · d_v)
  Matrix weights;  ///< (n, m), of one head
  KeyValuePanels panels;
  AttentionScratch forward;

  BackwardWorkspace(Arena& arena, const MultiHeadShape& shape, bool has_wo, bool recomputes)
      : transposed(arena, shape, has_wo),
        gradients(arena, shape),
        packed(arena, std::max(shape.n, shape.m),
               std::max({shape.query_columns(), shape.key_columns(), shape.value_columns(),
                         has_wo ? shape.d_out : 0})),
        scratch(arena, {shape.n, shape.m, shape.d_k, shape.d_v}) {
    if (has_wo) grad_heads = take_matrix(arena, shape.n, shape.heads_columns());
    if (!recomputes) return;
    projections = Projections(arena, shape);
    heads = take_matrix(arena, shape.n, shape.heads_columns());
    weights = take_matrix(arena, shape.n, shape.m);
    panels = KeyValuePanels(arena, shape.m, shape.d_k, shape.d_v);
    forward = AttentionScratch(arena, shape.m);
  }
};

/// The backward pass of one batch entry after another, in the order of its methods.
class Backward {
 public:
  Backward(const MultiHeadShape& shape, const PackedParameters& parameters, bool has_wo,
           const MultiHeadInputs& inputs, const MultiHeadKept& kept,
           const MultiHeadGradients& gradients, BackwardWorkspace& workspace)
      : shape_(shape),
        parameters_(parameters),
        has_wo_(has_wo),
        inputs_(inputs),
        kept_(kept),
        gradients_(gradients),
        workspace_(workspace) {}

  /// Sums over the batch start at 0.
  void clear_parameter_gradients() const {
    const auto clear = [](float* gradient, Index count) {
      if (gradient) std::fill_n(gradient, count, 0.0f);
    };
    clear(gradients_.wq, shape_.d_model * shape_.query_columns());
    clear(gradients_.wk, shape_.d_context * shape_.key_columns());
    clear(gradients_.wv, shape_.d_context * shape_.value_columns());
    clear(gradients_.bq, shape_.query_columns());
    clear(gradients_.bk, shape_.key_columns());
    clear(gradients_.bv, shape_.value_columns());
    if (!has_wo_) return;
    clear(gradients_.wo, shape_.heads_columns() * shape_.d_out);
    clear(gradients_.bo, shape_.d_out);
  }

  void run(Index b) const {
    const ConstMatrix grad_output = slice_of(gradients_.grad_output, b, shape_.n, shape_.d_out);
    if (!kept_.is_complete()) workspace_.projections.compute(shape_, parameters_, inputs_, b);
    // ∂heads = ∂Y·W_Oᵀ
    if (has_wo_) multiply(grad_output, workspace_.transposed.wo, workspace_.grad_heads);
    attend_heads(b, has_wo_ ? ConstMatrix(workspace_.grad_heads) : grad_output);
    if (has_wo_) add_output_projection(b, grad_output);
    add_input_projections(b);
    write_input_gradients(b);
  }

 private:
  /// Head h of a kept array (batch, heads, rows, width), or the column block of what was
  /// recomputed.
  static ConstMatrix head(const float* kept, Index b, Index heads, Index h, Index rows, Index width,
                          ConstMatrix recomputed) {
    if (!recomputed) return slice_of(kept, b * heads + h, rows, width);
    return recomputed.column_block(h * width, width);
  }

  /// Head h's output in the forward pass.
  ConstMatrix head_output(Index b, Index h) const {
    return head(kept_.heads, b, shape_.num_heads, h, shape_.n, shape_.d_v, workspace_.heads);
  }

  /// What attention in head h was computed from, and its weights, recomputed if need be.
  AttentionKept head_inputs(Index b, Index h, ConstMatrix grad_heads) const {
    const auto& [batch, n, m, d_model, d_context, num_heads, num_kv_heads, d_k, d_v, d_out] =
        shape_;
    const Projections& recomputed = workspace_.projections;
    const Index group = h / shape_.group_size();
    AttentionKept kept;
    kept.query = head(kept_.query, b, num_heads, h, n, d_k, recomputed.query);
    kept.key = head(kept_.key, b, num_kv_heads, group, m, d_k, recomputed.key);
    kept.value = head(kept_.value, b, num_kv_heads, group, m, d_v, recomputed.value);
    kept.weights = slice_of(kept_.weights, b * num_heads + h, n, m);
    kept.grad_output = grad_heads.column_block(h * d_v, d_v);
    if (kept_.is_complete()) return kept;

    if (h % shape_.group_size() == 0) workspace_.panels.pack(kept.key, kept.value);
    AttentionResults results;
    results.weights = workspace_.weights;
    results.output = workspace_.heads.column_block(h * d_v, d_v);
    attend(kept.query, workspace_.panels, m, inputs_.scale, mask(b, h), results,
           workspace_.forward);
    kept.weights = workspace_.weights;
    return kept;
  }

  /// ∂Q, ∂K, ∂V of all heads; the heads of a group add up in their key and value.
  void attend_heads(Index b, ConstMatrix grad_heads) const {
    const Projections& grad = workspace_.gradients;
    std::fill_n(grad.key.data, grad.key.rows * grad.key.columns, 0.0f);
    std::fill_n(grad.value.data, grad.value.rows * grad.value.columns, 0.0f);
    for (Index h = 0; h < shape_.num_heads; ++h) {
      const Index group = h / shape_.group_size();
      const Index slice = b * shape_.num_heads + h;
      AttentionGradients head_gradients;
      head_gradients.query = grad.query.column_block(h * shape_.d_k, shape_.d_k);
      head_gradients.key = grad.key.column_block(group * shape_.d_k, shape_.d_k);
      head_gradients.value = grad.value.column_block(group * shape_.d_v, shape_.d_v);
      head_gradients.scores = slice_of(gradients_.scores, slice, shape_.n, shape_.m);
      head_gradients.weights = slice_of(gradients_.weights, slice, shape_.n, shape_.m);
      attend_backward(head_inputs(b, h, grad_heads), inputs_.scale, mask(b, h), head_gradients,
                      workspace_.scratch);
    }
  }

  /// ∂W_O += headsᵀ·∂Y, ∂b_O += the column sums of ∂Y.
  void add_output_projection(Index b, ConstMatrix grad_output) const {
    add_column_sums(grad_output, gradients_.bo);
    if (!gradients_.wo) return;
    const PackedMatrix& packed = workspace_.packed;
    pack(grad_output, packed);
    const Matrix grad_wo(gradients_.wo, shape_.heads_columns(), shape_.d_out);
    for (Index h = 0; h < shape_.num_heads; ++h) {
      const Matrix rows = grad_wo.row_block(h * shape_.d_v, shape_.d_v);
      multiply(head_output(b, h).transposed(), packed, rows, Addend::matrix(rows));
    }
  }

  /// ∂W_Q += Xᵀ·∂Q, ∂b_Q += the column sums of ∂Q, and so for keys and values with the context.
  void add_input_projections(Index b) const {
    const Projections& grad = workspace_.gradients;
    const ConstMatrix x = inputs_.x_slice(shape_, b);
    const ConstMatrix context = inputs_.context_slice(shape_, b);
    const auto asks = [&](Index h, Index i) { return mask(b, h).is_row_open(i, shape_.m); };
    const auto is_asked = [&](Index group, Index j) {
      const Index first = group * shape_.group_size();
      for (Index h = first; h < first + shape_.group_size(); ++h) {
        if (mask(b, h).is_column_open(j, shape_.n)) return true;
      }
      return false;
    };
    add_projection(x, grad.query, shape_.num_heads, gradients_.wq, asks);
    add_projection(context, grad.key, shape_.num_kv_heads, gradients_.wk, is_asked);
    add_projection(context, grad.value, shape_.num_kv_heads, gradients_.wv, is_asked);
    add_column_sums(grad.query, gradients_.bq);
    add_column_sums(grad.key, gradients_.bk);
    add_column_sums(grad.value, gradients_.bv);
  }

  /// grad_weight += tokensᵀ·grad. A token takes part in a head only where is_used(head, token): the
  /// others' gradients are 0, but 0·NaN is not.
  template <typename IsUsed>
  void add_projection(ConstMatrix tokens, ConstMatrix grad, Index heads, float* grad_weight,
                      IsUsed is_used) const {
    if (!grad_weight) return;
    const Matrix out(grad_weight, tokens.columns, grad.columns);
    if (is_finite(tokens)) {
      pack(grad, workspace_.packed);
      multiply(tokens.transposed(), workspace_.packed, out, Addend::matrix(out));
      return;
    }
    const Index width = grad.columns / heads;
    for (Index h = 0; h < heads; ++h) {
      for (Index i = 0; i < tokens.rows; ++i) {
        if (!is_used(h, i)) continue;
        for (Index r = 0; r < out.rows; ++r) {
          for (Index c = h * width; c < (h + 1) * width; ++c)
            out(r, c) += tokens(i, r) * grad(i, c);
        }
      }
    }
  }

  static void add_column_sums(ConstMatrix matrix, float* sums) {
    if (!sums) return;
    for (Index i = 0; i < matrix.rows; ++i) {
      for (Index j = 0; j < matrix.columns; ++j) sums[j] += matrix(i, j);
    }
  }

  /// ∂X = ∂Q·W_Qᵀ, and ∂C = ∂K·W_Kᵀ + ∂V·W_Vᵀ, which without a context belongs to X too.
  void write_input_gradients(Index b) const {
    const Projections& grad = workspace_.gradients;
    const TransposedParameters& transposed = workspace_.transposed;
    const bool is_cross = inputs_.context != nullptr;
    const Matrix grad_x = slice_of(gradients_.x, b, shape_.n, shape_.d_model);
    if (grad_x) multiply(grad.query, transposed.wq, grad_x);
    const Matrix grad_context =
        is_cross ? slice_of(gradients_.context, b, shape_.m, shape_.d_context) : grad_x;
    if (!grad_context) return;
    multiply(grad.key, transposed.wk, grad_context,
             is_cross ? Addend::none() : Addend::matrix(grad_context));
    multiply(grad.value, transposed.wv, grad_context, Addend::matrix(grad_context));
  }

  /// The mask of head h.
  Mask mask(Index b, Index h) const { return inputs_.mask.slice(b * shape_.num_heads + h); }

  const MultiHeadShape& shape_;
  const PackedParameters& parameters_;  ///< empty where nothing is recomputed
  bool has_wo_;
  const MultiHeadInputs& inputs_;
  const MultiHeadKept& kept_;
  const MultiHeadGradients& gradients_;
  BackwardWorkspace& workspace_;
};

/// The whole backward pass. `packed` serves the recomputed forward pass, if there is one; from
/// `parameters`, packed or not, come the transposed weights.
template <typename Parameters>
Status run(const MultiHeadShape& shape, const PackedParameters& packed,
           const Parameters& parameters, bool has_wo, const MultiHeadInputs& inputs,
           const MultiHeadKept& kept, const MultiHeadGradients& gradients) {
  const auto lay_out = [&](Arena& arena) {
    return BackwardWorkspace(arena, shape, has_wo, !kept.is_complete());
  };
  Arena count;
  lay_out(count);
  Buffer memory;
  if (memory.allocate(count.bytes()) != Status::ok) return Status::out_of_memory;
  Arena arena(memory.data());
  BackwardWorkspace workspace = lay_out(arena);
  workspace.transposed.pack(parameters);

  const Backward backward(shape, packed, has_wo, inputs, kept, gradients, workspace);
  backward.clear_parameter_gradients();
  for (Index b = 0; b < shape.batch; ++b) backward.run(b);
  return Status::ok;
}

}  // namespace

Status multi_head_backward(const MultiHeadShape& shape, const PackedParameters& parameters,
                           const MultiHeadInputs& inputs, const MultiHeadKept& kept,
                           const MultiHeadGradients& gradients) {
  return run(shape, parameters, parameters, parameters.has_wo, inputs, kept, gradients);
}

Status multi_head_backward(const MultiHeadShape& shape, const MultiHeadParameters& parameters,
                           const MultiHeadInputs& inputs, const MultiHeadKept& kept,
                           const MultiHeadGradients& gradients) {
  PreparedParameters prepared;
  if (!kept.is_complete() && prepared.prepare(shape, parameters) != Status::ok) {
    return Status::out_of_memory;
  }
  return run(shape, prepared.packed(), parameters, parameters.wo != nullptr, inputs, kept,
             gradients);
}

double multi_head_backward_workspace_bytes(const MultiHeadShape& shape,
                                           const MultiHeadParameters& parameters,
                                           const MultiHeadKept& kept) {
  Arena count;
  const bool recomputes = !kept.is_complete();
  if (recomputes) PackedParameters(count, shape, parameters);
  BackwardWorkspace(count, shape, parameters.wo != nullptr, recomputes);
  return count.bytes();
}

}  // namespace attention
