#include "attention/cost.h"

#include <algorithm>

namespace attention {
namespace {

constexpr double kFloat = 4;  // bytes

/// Pairs of a query and a key that it may see: Σ_i min(i + 1, m) in the causal case.
double open_pairs(double n, double m, bool is_causal) {
  if (!is_causal) return n * m;
  const double triangle_rows = std::min(n, m);
  return triangle_rows * (triangle_rows + 1) / 2 + (n - triangle_rows) * m;
}

/// Queries that see anything.
double open_rows(double n, double m) { return m > 0 ? n : 0; }

}  // namespace

Cost attention_cost(const CostShape& shape, bool has_context) {
  const CostShape& s = shape;
  const double h = s.num_heads, kv = s.num_kv_heads;
  const double queries = s.batch * s.n, keys = s.batch * s.m;  // rows that are projected
  const bool has_projections = s.d_model > 0;
  Cost c{};

  c.query_projection = 2 * queries * s.d_model * h * s.d_k;
  c.key_projection = 2 * keys * s.d_context * kv * s.d_k;
  c.value_projection = 2 * keys * s.d_context * kv * s.d_v;
  c.output_projection = 2 * queries * h * s.d_v * s.d_out;
  if (s.has_bias) {
    c.biases = queries * h * s.d_k + keys * kv * (s.d_k + s.d_v) + queries * s.d_out;
  }

  const double pairs = s.batch * h * open_pairs(s.n, s.m, s.is_causal);
  const double rows = s.batch * h * open_rows(s.n, s.m);
  c.scores = 2 * pairs * s.d_k;
  c.scale = pairs;
  c.mask = s.has_mask ? pairs : 0;
  c.softmax_max = pairs - rows;  // a row of p scores has p − 1 comparisons, and as many additions
  c.softmax_subtract = pairs;
  c.softmax_exp = pairs;
  c.softmax_add = pairs - rows;
  c.softmax_divide = pairs;
  c.values = 2 * pairs * s.d_v;
  c.total = c.query_projection + c.key_projection + c.value_projection + c.output_projection +
            c.biases + c.scores + c.scale + c.mask + c.softmax_max + c.softmax_subtract +
            c.softmax_exp + c.softmax_add + c.softmax_divide + c.values;

  const double biases = s.has_bias ? h * s.d_k + kv * (s.d_k + s.d_v) + s.d_out : 0;
  if (has_projections) {
    c.input_bytes = kFloat * (queries * s.d_model + (has_context ? keys * s.d_context : 0));
    c.parameter_bytes = kFloat * (s.d_model * h * s.d_k + s.d_context * kv * (s.d_k + s.d_v) +
                                  h * s.d_v * s.d_out + biases);
  }
  c.cache_bytes = kFloat * keys * kv * (s.d_k + s.d_v);
  c.projected_bytes = kFloat * queries * h * s.d_k + c.cache_bytes;
  c.weights_bytes = kFloat * s.batch * h * s.n * s.m;
  c.output_bytes = kFloat * queries * (s.d_out > 0 ? s.d_out : h * s.d_v);
  return c;
}

StepCost kv_step_cost(const CostShape& shape, double length) {
  const CostShape& s = shape;
  const double h = s.num_heads, kv = s.num_kv_heads;
  // Operations for one token, or for one pair of tokens in all heads.
  const double query_and_output = 2 * h * (s.d_model * s.d_k + s.d_v * s.d_out);
  const double key_and_value = 2 * kv * s.d_model * (s.d_k + s.d_v);
  const double pair = 2 * h * (s.d_k + s.d_v);
  return {.cached = query_and_output + key_and_value + length * pair,
          .last_row_recomputed = query_and_output + length * key_and_value + length * pair,
          .full_pass = length * (query_and_output + key_and_value) + length * length * pair,
          .cache_bytes = kFloat * length * kv * (s.d_k + s.d_v),
          .softmax = h * (3 * length + 2 * (length - 1))};
}

}  // namespace attention
