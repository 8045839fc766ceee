// Decoding token by token: keys and values of what came before are kept, so a token costs O(T·d)
// where the full pass would compute everything again.
//
// A step gives, bit for bit, the row that the full causal pass with weights kept gives for the same
// token (multi_head with is_causal): gemm.h and softmax.h say why one row does not depend on the
// rows around it. Memory is not constant: it is laid out for the longest sequence, O(maximum · d).
#pragma once

#include "attention/multi_head.h"

namespace attention {

class KvCache {
 public:
  /// Packs copies of the parameters and takes the memory for `max_length` tokens. Of the shape only
  /// widths and numbers of heads count; keys and values come from x, so d_context = d_model. When
  /// memory is out, the cache is what it was before.
  Status create(const MultiHeadShape& shape, const MultiHeadParameters& parameters, float scale,
                Index max_length);
  static double bytes(const MultiHeadShape& shape, const MultiHeadParameters& parameters,
                      Index max_length);

  /// Appends `rows` tokens x (rows, d_model), length() + rows ≤ max_length, and computes their
  /// output (rows, d_out) and, if wanted, weights (num_heads, rows, length() afterwards). Token r
  /// sees all that was cached before and the tokens up to r. When memory is out, nothing has
  /// changed.
  Status step(const float* x, Index rows, float* output, float* weights);
  /// The scratch memory that a step takes, in bytes.
  double step_workspace_bytes(Index rows) const;

  Index length() const { return length_; }
  void copy_keys(float* out) const;    ///< (num_kv_heads, length, d_k)
  void copy_values(float* out) const;  ///< (num_kv_heads, length, d_v)
  /// Forgets all tokens; memory stays.
  void reset();

 private:
  /// What head `group` has cached, as panels of which the first length() keys count.
  KeyValuePanels panels(Index group) const;
  void append(Index group, ConstMatrix key, ConstMatrix value);

  MultiHeadShape shape_;  ///< batch, n and m unused
  float scale_ = 1;
  Index max_length_ = 0;
  Index length_ = 0;
  bool is_value_finite_ = true;
  PreparedParameters parameters_;
  Buffer memory_;
  // Panels, one head after another.
  float* keys_ = nullptr;    ///< num_kv_heads · (d_k, max_length)
  float* values_ = nullptr;  ///< num_kv_heads · (max_length, d_v)
};

}  // namespace attention
