// Measures of attention for JavaScript. Every array is float64, row-major, given by its address.
// A status is 0 = done, 1 = out of memory (nothing was written); the others cannot fail.
//
//   auditWeights(weights, matrices, rows, columns, out)      weights (matrices, rows, columns)
//     out float64[9]:
//       0  worst |row sum − 1| of the rows that are neither empty nor hold a NaN; 0 if there is none
//       1  that row, counted through all matrices (matrix · rows + row); −1 if there is none
//       2  smallest and
//       3  largest weight, NaN left out; both NaN if there is no number
//       4  how many weights are negative
//       5  how many are NaN
//       6  how many rows are empty: all their weights are exactly 0
//       7  how many weights above the diagonal (column > row) are not exactly 0, NaN included
//       8  largest |weight| above the diagonal, NaN left out; 0 if there is none
//   auditOutput(output, n, value, m, dV, out)                output (n, dV), value (m, dV)
//     out float64[7]: norms are Euclidean, of rows; ‖y‖ ≤ max ‖v‖ is what a convex combination obeys
//       0  largest ‖y‖    1  its row    2  smallest ‖y‖
//       3  largest ‖v‖    4  its row    5  smallest ‖v‖
//       6  how many numbers of the output are NaN (rows with NaN are left out above;
//          a norm nobody has is NaN and its row −1)
//   rowNorms(x, rows, columns, out)                          out float64[rows], Euclidean
//   entropy(weights, rows, columns, out)                     out float64[rows]
//     −Σⱼ pⱼ ln pⱼ in nats, with 0 ln 0 = 0; an empty row has 0, a row with NaN has NaN.
//   rollout(weights, layers, heads, n, residual, out) → status
//     weights (layers, heads, n, n), layer 0 nearest the input; out (n, n).
//     Aₗ = residual·I + (1 − residual)·(mean over heads of layer l); out = A_last ⋯ A₁·A₀.
//   frobeniusCosine(a, b, count) → number
//     Σ aᵢbᵢ / (‖a‖‖b‖) over `count` elements; NaN when either is all zero.
//   singularValues(a, rows, columns, out) → status           out float64[min(rows, columns)]
//     largest first; all NaN when a holds a NaN or an infinity.
//   numericalRank(a, rows, columns) → rank, −1 = out of memory, NaN = a holds a NaN or an infinity
//     how many σ > max(rows, columns)·2⁻²³·σ₁ (float32's ε: the matrices come from float32 kernels).
//   principalAngles(a, aColumns, b, bColumns, rows, out) → count, −1 = out of memory
//     a (rows, aColumns), b (rows, bColumns); out float64[min(aColumns, bColumns)]: the angles
//     between their column spaces in radians, smallest first. count = the smaller of the two numerical
//     ranks; what follows in out is NaN. Input with a NaN or an infinity gives count 0.
//   attentionCost(batch, n, m, dModel, dContext, numHeads, numKvHeads, dK, dV, dOut, isCausal,
//                 maskKind, hasBias, out)
//     exact counts for one forward pass of multi-head attention; sizes as in MultiHeadCall, except:
//     dOut = 0 means no output projection; dContext = 0 no context: keys and values come from x and
//     m = n; dModel = 0 leaves the projections out, which is scaled dot-product attention alone
//     (numKvHeads = numHeads = 1, batch = slices).
//     isCausal counts only the pairs with key ≤ query, as kernels that stop at the diagonal do.
//     maskKind as in MultiHeadCall; hasBias: bq, bk, bv (and bo, if dOut > 0) are added.
//     out float64[21]: operations 0–14 (a multiply-add is 2), bytes 15–20 (float32)
//       0 query, 1 key, 2 value, 3 output projection   4 additions of biases
//       5 scores Q·Kᵀ   6 scale   7 mask (one addition or selection a score)
//       8 max, 9 subtract, 10 exp, 11 add, 12 divide of the softmax   13 weights·V   14 all of these
//       15 x and context   16 parameters   17 Q, K and V   18 weights (batch, heads, n, m)
//       19 output   20 a cache of K and V
//   kvStepCost(length, dModel, numHeads, numKvHeads, dK, dV, dOut, out)
//     the step that makes a cached sequence `length` tokens long; dOut = 0: no output projection.
//     out float64[5], operations of projections, scores and values (softmax apart):
//       0 with a cache   1 without one, only the last row's output: keys and values of all tokens anew
//       2 without one, the full square pass over all tokens   3 bytes of the cache (float32)
//       4 operations of the softmax of the step (max, subtract, exp, add, divide)
#include "attention/analysis.h"

#include <emscripten/bind.h>

#include "bindings/calls.h"
#include "bindings/figures.h"

namespace attention::bindings {
namespace {

constexpr int kOk = static_cast<int>(Status::ok);
constexpr int kOutOfMemory = static_cast<int>(Status::out_of_memory);

void audit_weights(Address weights, int matrices, int rows, int columns, Address out) {
  const WeightsAudit a =
      attention::audit_weights(at<const double>(weights), matrices, rows, columns);
  write_figures({a.worst_row_sum_error, a.worst_row, a.smallest, a.largest, a.negative, a.nan,
                 a.empty_rows, a.nonzero_above, a.largest_above},
                at<double>(out));
}

void audit_output(Address output, int n, Address value, int m, int d_v, Address out) {
  const OutputAudit a =
      attention::audit_output(at<const double>(output), n, at<const double>(value), m, d_v);
  write_figures({a.largest_output, a.largest_output_row, a.smallest_output, a.largest_value,
                 a.largest_value_row, a.smallest_value, a.nan},
                at<double>(out));
}

void row_norms(Address x, int rows, int columns, Address out) {
  attention::row_norms(at<const double>(x), rows, columns, at<double>(out));
}

void entropy(Address weights, int rows, int columns, Address out) {
  attention::entropy(at<const double>(weights), rows, columns, at<double>(out));
}

int rollout(Address weights, int layers, int heads, int n, double residual, Address out) {
  Buffer scratch;
  const double bytes = 2.0 * n * n * sizeof(double);
  if (scratch.allocate(bytes) != Status::ok) return kOutOfMemory;
  attention::rollout(at<const double>(weights), layers, heads, n, residual,
                     static_cast<double*>(scratch.data()), at<double>(out));
  return kOk;
}

double frobenius_cosine(Address a, Address b, int count) {
  return attention::frobenius_cosine(at<const double>(a), at<const double>(b), count);
}

int singular_values(Address a, int rows, int columns, Address out) {
  if (!has_room(decomposition_bytes(rows, columns))) return kOutOfMemory;
  attention::singular_values(at<const double>(a), rows, columns, at<double>(out));
  return kOk;
}

double numerical_rank(Address a, int rows, int columns) {
  if (!has_room(decomposition_bytes(rows, columns))) return -1;
  return attention::numerical_rank(at<const double>(a), rows, columns);
}

int principal_angles(Address a, int a_columns, Address b, int b_columns, int rows, Address out) {
  if (!has_room(decomposition_bytes(rows, a_columns) + decomposition_bytes(rows, b_columns))) {
    return -1;
  }
  return static_cast<int>(attention::principal_angles(
      at<const double>(a), a_columns, at<const double>(b), b_columns, rows, at<double>(out)));
}

void attention_cost(double batch, double n, double m, double d_model, double d_context,
                    double num_heads, double num_kv_heads, double d_k, double d_v, double d_out,
                    bool is_causal, int mask_kind, bool has_bias, Address out) {
  const bool has_context = d_model > 0 && d_context > 0;
  const Cost c = attention::attention_cost({.batch = batch,
                                            .n = n,
                                            .m = m,
                                            .d_model = d_model,
                                            .d_context = has_context ? d_context : d_model,
                                            .num_heads = num_heads,
                                            .num_kv_heads = num_kv_heads,
                                            .d_k = d_k,
                                            .d_v = d_v,
                                            .d_out = d_out,
                                            .is_causal = is_causal,
                                            .has_mask = mask_kind != kNoMask,
                                            .has_bias = has_bias},
                                           has_context);
  write_figures({c.query_projection,
                 c.key_projection,
                 c.value_projection,
                 c.output_projection,
                 c.biases,
                 c.scores,
                 c.scale,
                 c.mask,
                 c.softmax_max,
                 c.softmax_subtract,
                 c.softmax_exp,
                 c.softmax_add,
                 c.softmax_divide,
                 c.values,
                 c.total,
                 c.input_bytes,
                 c.parameter_bytes,
                 c.projected_bytes,
                 c.weights_bytes,
                 c.output_bytes,
                 c.cache_bytes},
                at<double>(out));
}

void kv_step_cost(double length, double d_model, double num_heads, double num_kv_heads, double d_k,
                  double d_v, double d_out, Address out) {
  const StepCost c = attention::kv_step_cost({.d_model = d_model,
                                              .d_context = d_model,
                                              .num_heads = num_heads,
                                              .num_kv_heads = num_kv_heads,
                                              .d_k = d_k,
                                              .d_v = d_v,
                                              .d_out = d_out},
                                             length);
  write_figures({c.cached, c.last_row_recomputed, c.full_pass, c.cache_bytes, c.softmax},
                at<double>(out));
}

EMSCRIPTEN_BINDINGS(analysis) {
  using emscripten::function;

  function("auditWeights", &audit_weights);
  function("auditOutput", &audit_output);
  function("rowNorms", &row_norms);
  function("entropy", &entropy);
  function("rollout", &rollout);
  function("frobeniusCosine", &frobenius_cosine);
  function("singularValues", &singular_values);
  function("numericalRank", &numerical_rank);
  function("principalAngles", &principal_angles);
  function("attentionCost", &attention_cost);
  function("kvStepCost", &kv_step_cost);
}

}  // namespace
}  // namespace attention::bindings
