// Multi-head attention by the definition, in float64, with bounds on what float32 may lose: oracle.h
// between projections. Nothing here comes from the kernels.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "bounded.h"
#include "oracle.h"
#include "oracle_backward.h"

namespace attention::oracle {

/// One entry of a batch.
struct MultiHeadProblem {
  int num_heads = 1, num_kv_heads = 1, d_k = 0, d_v = 0;
  double scale = 1;
  std::vector<Bias> bias;  ///< of each head
  Bounded x;               ///< (n, d_model)
  Bounded context;         ///< (m, d_context)
  Bounded wq, wk, wv;
  std::optional<Bounded> wo, bq, bk, bv, bo;

  int n() const { return static_cast<int>(x.value.rows()); }
  int m() const { return static_cast<int>(context.value.rows()); }
  int group(int head) const { return head / (num_heads / num_kv_heads); }
};

struct MultiHead {
  Bounded query, key, value;  ///< all heads side by side
  Bounded heads;              ///< (n, num_heads · d_v)
  Bounded output;
  std::vector<Problem> problems;     ///< of each head
  std::vector<Attention> attention;  ///< of each head
};

/// X·W + b
inline Bounded project(const Bounded& x, const Bounded& weight,
                       const std::optional<Bounded>& bias) {
  const Bounded product = x * weight;
  return bias ? with_row(product, *bias) : product;
}

/// What head h attends with.
inline Problem head_problem(const MultiHeadProblem& p, const MultiHead& r, int h) {
  const Bounded query = r.query.columns(h * p.d_k, p.d_k);
  const Bounded key = r.key.columns(p.group(h) * p.d_k, p.d_k);
  const Bounded value = r.value.columns(p.group(h) * p.d_v, p.d_v);
  Problem problem{p.n(),        p.m(),          p.d_k,   p.d_v,    query.values(),
                  key.values(), value.values(), p.scale, p.bias[h]};
  problem.query_error = query.errors();
  problem.key_error = key.errors();
  problem.value_error = value.errors();
  return problem;
}

/// Row-major numbers as columns first … of a wider matrix.
inline void write_columns(const std::vector<double>& numbers, int first, int width,
                          Bounded::Matrix* wide) {
  wide->middleCols(first, width) =
      Eigen::Map<const Bounded::Matrix>(numbers.data(), wide->rows(), width);
}

inline MultiHead multi_head(const MultiHeadProblem& p) {
  MultiHead r;
  r.query = project(p.x, p.wq, p.bq);
  r.key = project(p.context, p.wk, p.bk);
  r.value = project(p.context, p.wv, p.bv);
  r.heads = Bounded::exact(Bounded::Matrix::Zero(p.n(), p.num_heads * p.d_v));
  for (int h = 0; h < p.num_heads; ++h) {
    r.problems.push_back(head_problem(p, r, h));
    r.attention.push_back(attend(r.problems.back()));
    write_columns(r.attention.back().output, h * p.d_v, p.d_v, &r.heads.value);
    write_columns(r.attention.back().output_tolerance, h * p.d_v, p.d_v, &r.heads.error);
  }
  r.output = p.wo ? project(r.heads, *p.wo, p.bo) : r.heads;
  return r;
}

struct MultiHeadGradients {
  Bounded x;        ///< through the queries alone
  Bounded context;  ///< through keys and values
  Bounded wq, wk, wv, bq, bk, bv;
  std::optional<Bounded> wo, bo;
  std::vector<Gradients> heads;
};

/// Gradients of queries, or of keys or values summed over the heads of a group, side by side.
inline Bounded collect(const MultiHeadProblem& p, const std::vector<Gradients>& heads, int rows,
                       int width, int blocks, std::vector<double> Gradients::*value,
                       std::vector<double> Gradients::*tolerance,
                       std::vector<double> Gradients::*magnitude) {
  Bounded all = Bounded::exact(Bounded::Matrix::Zero(rows, blocks * width));
  const int heads_per_block = p.num_heads / blocks;
  for (int h = 0; h < p.num_heads; ++h) {
    Bounded head = Bounded::exact(Bounded::Matrix::Zero(rows, width));
    write_columns(heads[h].*value, 0, width, &head.value);
    write_columns(heads[h].*tolerance, 0, width, &head.error);
    const int first = h / heads_per_block * width;
    all.value.middleCols(first, width) += head.value;
    all.error.middleCols(first, width) += head.error;
    if (heads_per_block == 1) continue;
    // One sum over the queries of all these heads: so many terms more than a single head's bound
    // counts.
    Bounded::Matrix sizes(rows, width);
    write_columns(heads[h].*magnitude, 0, width, &sizes);
    all.error.middleCols(first, width) += (heads_per_block - 1) * p.n() * kUnitRoundoff * sizes;
  }
  return all;
}

inline MultiHeadGradients multi_head_backward(const MultiHeadProblem& p, const MultiHead& forward,
                                              const Bounded& grad_output) {
  MultiHeadGradients g;
  Bounded grad_heads = grad_output;
  if (p.wo) {
    grad_heads = grad_output * p.wo->transposed();
    g.wo = forward.heads.transposed() * grad_output;
    g.bo = column_sums(grad_output);
  }
  for (int h = 0; h < p.num_heads; ++h) {
    const Bounded grad = grad_heads.columns(h * p.d_v, p.d_v);
    const Attention& attention = forward.attention[h];
    g.heads.push_back(backward(forward.problems[h], {attention.weights, grad.values(),
                                                     attention.weights_tolerance, grad.errors()}));
  }
  const Bounded query = collect(p, g.heads, p.n(), p.d_k, p.num_heads, &Gradients::query,
                                &Gradients::query_tolerance, nullptr);
  const Bounded key = collect(p, g.heads, p.m(), p.d_k, p.num_kv_heads, &Gradients::key,
                              &Gradients::key_tolerance, &Gradients::key_magnitude);
  const Bounded value = collect(p, g.heads, p.m(), p.d_v, p.num_kv_heads, &Gradients::value,
                                &Gradients::value_tolerance, &Gradients::value_magnitude);
  g.wq = p.x.transposed() * query;
  g.wk = p.context.transposed() * key;
  g.wv = p.context.transposed() * value;
  g.bq = column_sums(query);
  g.bk = column_sums(key);
  g.bv = column_sums(value);
  g.x = query * p.wq.transposed();
  g.context = key * p.wk.transposed() + value * p.wv.transposed();
  return g;
}

/// The gradients of parameters of two entries of a batch, added.
inline void add_parameter_gradients(const MultiHeadGradients& entry, MultiHeadGradients* sum) {
  for (const auto member :
       {&MultiHeadGradients::wq, &MultiHeadGradients::wk, &MultiHeadGradients::wv,
        &MultiHeadGradients::bq, &MultiHeadGradients::bk, &MultiHeadGradients::bv}) {
    sum->*member = sum->*member + entry.*member;
  }
  for (const auto member : {&MultiHeadGradients::wo, &MultiHeadGradients::bo}) {
    if (sum->*member) sum->*member = *(sum->*member) + *(entry.*member);
  }
}

}  // namespace attention::oracle
