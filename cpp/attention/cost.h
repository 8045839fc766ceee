// Exact counts of operations and bytes of attention's forward pass.
//
// A multiply-add is two operations. Scale, mask and softmax are counted apart: they and the bytes
// of the weights grow with the number of heads, the projections and products do not.
#pragma once

namespace attention {

/// Sizes of a multi-head pass. Counts are double: products of sizes outgrow 32 bits.
struct CostShape {
  double batch = 1;
  double n = 0, m = 0;                ///< queries, keys
  double d_model = 0, d_context = 0;  ///< 0: no projections, scaled dot-product attention alone
  double num_heads = 1, num_kv_heads = 1;
  double d_k = 0, d_v = 0;  ///< of one head
  double d_out = 0;         ///< columns of the output projection, 0 = there is none
  bool is_causal = false;   ///< count only pairs with key ≤ query
  bool has_mask = false;    ///< one addition or selection for each score
  bool has_bias = false;    ///< biases of all the projections that there are
};

struct Cost {
  // Operations.
  double query_projection, key_projection, value_projection, output_projection;
  double biases;
  double scores;  ///< Q·Kᵀ
  double scale, mask;
  double softmax_max, softmax_subtract, softmax_exp, softmax_add, softmax_divide;
  double values;  ///< weights·V
  double total;   ///< all of these
  // Bytes in float32.
  double input_bytes;      ///< x, and the context (without projections: nothing)
  double parameter_bytes;  ///< matrices and biases
  double projected_bytes;  ///< Q, K and V
  double weights_bytes;    ///< (batch, num_heads, n, m): causal ones are stored whole
  double output_bytes;
  double cache_bytes;  ///< K and V, as a cache would keep them
};

/// `has_context`: keys and values come from a sequence of their own, m tokens of d_context.
Cost attention_cost(const CostShape& shape, bool has_context);

/// The step that makes a cached sequence `length` tokens long: projections, scores and values.
struct StepCost {
  double cached;
  double last_row_recomputed;  ///< no cache: keys and values of all tokens anew, one query
  double full_pass;            ///< no cache: all queries too, the whole square of scores
  double cache_bytes;          ///< float32
  double softmax;              ///< of the step, not counted above
};

/// batch, n, m, is_causal and has_bias of the shape are not looked at.
StepCost kv_step_cost(const CostShape& shape, double length);

}  // namespace attention
