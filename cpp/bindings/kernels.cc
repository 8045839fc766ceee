// Single kernels and masks for JavaScript. Arrays are float32, row-major and contiguous.
//
//   matmul(a, b, c, m, n, k, transposeA, transposeB) → status      c (m, n) = op(a)·op(b);
//                                      op(a) is (m, k), so a transposed a lies as (k, m); so b
//   softmax(scores, out, rows, columns) → status     −∞ weighs exactly 0, a row of −∞ is all 0;
//                                                    out may be scores
//   softmaxJacobian(probabilities, out, rows, columns)             out (rows, columns, columns)
//   softmaxBackward(probabilities, gradProbabilities, out, rows, columns) → status
//   layerNorm(x, weight, bias, eps, out, rows, columns)            weight, bias 0 = none
//   layerNormBackward(x, weight, eps, gradOutput, gradX, gradWeight, gradBias, rows, columns)
//                                                                  gradients 0 = not wanted
//   maskCausal(out, n, m), maskWindow(out, n, m, size), maskPrefix(out, n, m, length)
//                                                                  bytes (n, m), 1 = open
//   maskPadding(lengths int32[batch], out, batch, m)               bytes (batch, m)
//   maskAlibi(out, heads, n, m)                                    float32 (heads, n, m)
//
// A status is 0 = done, 1 = out of memory, and then nothing was written.
#include <emscripten/bind.h>

#include "attention/gemm.h"
#include "attention/layer_norm.h"
#include "attention/mask.h"
#include "attention/softmax.h"
#include "bindings/calls.h"

namespace attention::bindings {
namespace {

/// op(a), stored as itself or as its transpose.
ConstMatrix operand(Address address, int rows, int columns, bool is_transposed) {
  const float* data = at<const float>(address);
  if (is_transposed) return ConstMatrix(data, columns, rows).transposed();
  return ConstMatrix(data, rows, columns);
}

int matmul(Address a, Address b, Address c, int m, int n, int k, bool transpose_a,
           bool transpose_b) {
  return static_cast<int>(attention::matmul(
      operand(a, m, k, transpose_a), operand(b, k, n, transpose_b), Matrix(at<float>(c), m, n)));
}

int softmax(Address scores, Address out, int rows, int columns) {
  return static_cast<int>(attention::softmax(ConstMatrix(at<const float>(scores), rows, columns),
                                             Matrix(at<float>(out), rows, columns)));
}

void softmax_jacobian(Address probabilities, Address out, int rows, int columns) {
  attention::softmax_jacobian(ConstMatrix(at<const float>(probabilities), rows, columns),
                              at<float>(out));
}

int softmax_backward(Address probabilities, Address grad_probabilities, Address out, int rows,
                     int columns) {
  return static_cast<int>(
      attention::softmax_backward(ConstMatrix(at<const float>(probabilities), rows, columns),
                                  ConstMatrix(at<const float>(grad_probabilities), rows, columns),
                                  Matrix(at<float>(out), rows, columns)));
}

void layer_norm(Address x, Address weight, Address bias, double eps, Address out, int rows,
                int columns) {
  attention::layer_norm(ConstMatrix(at<const float>(x), rows, columns),
                        {at<const float>(weight), at<const float>(bias), eps},
                        Matrix(at<float>(out), rows, columns));
}

void layer_norm_backward(Address x, Address weight, double eps, Address grad_output, Address grad_x,
                         Address grad_weight, Address grad_bias, int rows, int columns) {
  attention::layer_norm_backward(
      ConstMatrix(at<const float>(x), rows, columns), {at<const float>(weight), nullptr, eps},
      ConstMatrix(at<const float>(grad_output), rows, columns),
      {Matrix(at<float>(grad_x), rows, columns), at<float>(grad_weight), at<float>(grad_bias)});
}

void mask_causal(Address out, int n, int m) { causal_mask(at<std::uint8_t>(out), n, m); }

void mask_window(Address out, int n, int m, int size) {
  window_mask(at<std::uint8_t>(out), n, m, size);
}

void mask_prefix(Address out, int n, int m, int length) {
  prefix_mask(at<std::uint8_t>(out), n, m, length);
}

void mask_padding(Address lengths, Address out, int batch, int m) {
  padding_mask(at<const std::int32_t>(lengths), at<std::uint8_t>(out), batch, m);
}

void mask_alibi(Address out, int heads, int n, int m) { alibi_bias(at<float>(out), heads, n, m); }

EMSCRIPTEN_BINDINGS(kernels) {
  using emscripten::function;
  function("matmul", &matmul);
  function("softmax", &softmax);
  function("softmaxJacobian", &softmax_jacobian);
  function("softmaxBackward", &softmax_backward);
  function("layerNorm", &layer_norm);
  function("layerNormBackward", &layer_norm_backward);
  function("maskCausal", &mask_causal);
  function("maskWindow", &mask_window);
  function("maskPrefix", &mask_prefix);
  function("maskPadding", &mask_padding);
  function("maskAlibi", &mask_alibi);
}

}  // namespace
}  // namespace attention::bindings
