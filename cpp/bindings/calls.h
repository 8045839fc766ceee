// The arguments of an attention call, as JavaScript fills them in.
//
// The engine keeps one object of each class and sets every field before each call, so a call costs
// no allocation on either side. It has checked every argument and every size: C++ trusts them.
//
// An address is a byte offset into WebAssembly memory and 0 says "absent". Arrays are row-major
// float32; the reference (reference.cc) takes the same two classes and reads them as float64.
// JavaScript sees the names in camelCase (d_k is dK); attention.cc registers them.
#pragma once

#include <cstdint>

namespace attention::bindings {

/// A byte address in WebAssembly memory; 0 = absent.
using Address = std::uintptr_t;

/// What the bytes at `mask` mean.
enum MaskKind : int {
  kNoMask = 0,
  kBooleanMask = 1,   ///< bytes, nonzero = may attend
  kAdditiveMask = 2,  ///< floats added to the scaled logits, −∞ = masked
};

/// softmax(scale · Q·Kᵀ + mask)·V for `batch` independent slices, forward or backward.
struct AttentionCall {
  int batch = 0;  ///< slices
  int n = 0;      ///< queries
  int m = 0;      ///< keys
  int d_k = 0;    ///< length of a query and of a key
  int d_v = 0;    ///< length of a value
  double scale = 0;
  bool is_causal = false;  ///< key j is open to query i when j ≤ i (aligned top left)

  Address query = 0, key = 0, value = 0;
  /// int32[batch] each: the element at which a slice starts (that is how leading dimensions
  /// broadcast). Slices themselves are contiguous: (n, d_k), (m, d_k), (m, d_v).
  Address query_offsets = 0, key_offsets = 0, value_offsets = 0;

  int mask_kind = kNoMask;
  Address mask = 0;
  Address mask_offsets = 0;                         ///< int32[batch], elements
  int mask_row_stride = 0, mask_column_stride = 0;  ///< elements; 0 broadcasts

  Address output = 0;                       ///< (batch, n, d_v)
  Address weights = 0;                      ///< (batch, n, m); 0 = stream, keep none
  Address logits = 0, scores = 0, exp = 0;  ///< (batch, n, m) each, optional
  Address row_max = 0, row_sum = 0;         ///< (batch, n) each, optional

  // Backward: `weights` is then an input, kept from the forward pass.
  Address grad_output = 0;                               ///< (batch, n, d_v), input
  Address grad_query = 0, grad_key = 0, grad_value = 0;  ///< one slice per batch entry
  Address grad_scores = 0, grad_weights = 0;             ///< (batch, n, m)
};

/// Multi-head attention with its projections. Row-vector convention: Q = x·wq + bq; head i owns
/// column block i; numHeads / numKvHeads query heads share a key and value head.
struct MultiHeadCall {
  int batch = 0;
  int n = 0;  ///< rows of x
  int m = 0;  ///< rows of context, = n without one
  int d_model = 0, d_context = 0;
  int num_heads = 0, num_kv_heads = 0;
  int d_k = 0, d_v = 0;  ///< of one head
  int d_out = 0;         ///< columns of wo, or num_heads · d_v without it
  double scale = 0;
  bool is_causal = false;

  int mask_kind = kNoMask;
  Address mask = 0;
  Address mask_offsets = 0;  ///< int32[batch · num_heads], elements
  int mask_row_stride = 0, mask_column_stride = 0;

  Address x = 0;        ///< (batch, n, d_model)
  Address context = 0;  ///< (batch, m, d_context); 0 = keys and values come from x
  Address wq = 0;       ///< (d_model, num_heads · d_k)
  Address wk = 0;       ///< (d_context, num_kv_heads · d_k)
  Address wv = 0;       ///< (d_context, num_kv_heads · d_v)
  Address wo = 0;       ///< (num_heads · d_v, d_out); 0 = the heads side by side are the output
  Address bq = 0, bk = 0, bv = 0, bo = 0;  ///< one row each, optional

  Address output = 0;                       ///< (batch, n, d_out)
  Address weights = 0;                      ///< (batch, num_heads, n, m); 0 = stream, keep none
  Address logits = 0, scores = 0, exp = 0;  ///< (batch, num_heads, n, m) each, optional
  Address row_max = 0, row_sum = 0;         ///< (batch, num_heads, n) each, optional
  Address query = 0;                        ///< (batch, num_heads, n, d_k), optional
  Address key = 0;                          ///< (batch, num_kv_heads, m, d_k), optional
  Address value = 0;                        ///< (batch, num_kv_heads, m, d_v), optional
  Address heads = 0;                        ///< (batch, num_heads, n, d_v), optional

  // Backward. When weights, query, key, value and heads are all present they are inputs, kept from
  // the forward pass, and nothing is recomputed; otherwise all five are recomputed.
  Address grad_output = 0;  ///< (batch, n, d_out), input
  Address grad_x = 0, grad_context = 0;
  Address grad_wq = 0, grad_wk = 0, grad_wv = 0, grad_wo = 0;
  Address grad_bq = 0, grad_bk = 0, grad_bv = 0, grad_bo = 0;
  Address grad_scores = 0, grad_weights = 0;  ///< (batch, num_heads, n, m)
};

/// The array at an address: const float* queries = at<const float>(call.query).
template <typename T>
T* at(Address address) {
  return reinterpret_cast<T*>(address);
}

}  // namespace attention::bindings
