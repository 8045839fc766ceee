// The backward pass of attention by the definition, in float64, with bounds on what float32 may
// lose. Nothing here comes from the kernels.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "oracle.h"

namespace attention::oracle {

struct Gradients {
  std::vector<double> query, key, value;  ///< as the inputs
  std::vector<double> scores, weights;    ///< (n, m)

  // Bounds for float32, to first order in the unit roundoff u.
  std::vector<double> query_tolerance, key_tolerance, value_tolerance;
  std::vector<double> scores_tolerance, weights_tolerance;
  /// Σ|terms| of sums over queries, for those who go on adding.
  std::vector<double> key_magnitude, value_magnitude;
};

/// What a backward pass starts from, besides the problem, and how far the kernel's may be from it.
struct Incoming {
  std::vector<double> weights;      ///< (n, m)
  std::vector<double> grad_output;  ///< (n, d_v)
  std::vector<double> weights_error = {}, grad_output_error = {};
};

/// A product of two numbers that may be off, and by how much it may be off for that.
struct Term {
  double value, error;

  Term(double a, double a_error, double b, double b_error)
      : value(a * b), error(std::abs(a) * b_error + a_error * (std::abs(b) + b_error)) {}
};

/// ∂A_ij = Σ_c ∂y_ic v_jc
inline void add_grad_weights(const Problem& p, const Incoming& in, Gradients* g) {
  for (int i = 0; i < p.n; ++i) {
    for (int j = 0; j < p.m; ++j) {
      double sum = 0, tolerance = 0;
      for (int c = 0; c < p.d_v; ++c) {
        const std::size_t y = i * p.d_v + c, v = j * p.d_v + c;
        const Term term(in.grad_output[y], bound(in.grad_output_error, y), p.value[v],
                        bound(p.value_error, v));
        sum += term.value;
        tolerance += term.error + (p.d_v + 1) * kUnitRoundoff * std::abs(term.value);
      }
      g->weights.push_back(sum);
      g->weights_tolerance.push_back(tolerance);
    }
  }
}

/// ∂s_ij = a_ij (∂a_ij − Σ_l a_il ∂a_il) where open, else 0
inline void add_grad_scores(const Problem& p, const Incoming& in, Gradients* g) {
  for (int i = 0; i < p.n; ++i) {
    double mean = 0, mean_error = 0;
    for (int j = 0; j < p.m; ++j) {
      if (!p.is_open(i, j)) continue;
      const std::size_t ij = i * p.m + j;
      const Term term(in.weights[ij], bound(in.weights_error, ij), g->weights[ij],
                      g->weights_tolerance[ij]);
      mean += term.value;
      mean_error += term.error + (p.m + 1) * kUnitRoundoff * std::abs(term.value);
    }
    for (int j = 0; j < p.m; ++j) {
      const std::size_t ij = i * p.m + j;
      const double difference = g->weights[ij] - mean;
      const double difference_error =
          g->weights_tolerance[ij] + mean_error + kUnitRoundoff * std::abs(difference);
      const Term term(in.weights[ij], bound(in.weights_error, ij), difference, difference_error);
      const bool is_open = p.is_open(i, j);
      g->scores.push_back(is_open ? term.value : 0);
      g->scores_tolerance.push_back(
          is_open ? term.error + kUnitRoundoff * std::abs(term.value) + kTiny : 0);
    }
  }
}

/// ∂q_ik = scale Σ_j ∂s_ij k_jk,  ∂k_jk = scale Σ_i ∂s_ij q_ik
inline void add_grad_query_and_key(const Problem& p, Gradients* g) {
  g->query.assign(p.query.size(), 0);
  g->query_tolerance.assign(p.query.size(), kTiny);
  for (auto* zeros : {&g->key, &g->key_magnitude}) zeros->assign(p.key.size(), 0);
  g->key_tolerance.assign(p.key.size(), kTiny);
  for (int i = 0; i < p.n; ++i) {
    for (int j = 0; j < p.m; ++j) {
      if (!p.is_open(i, j)) continue;
      const double grad = p.scale * g->scores[i * p.m + j];
      const double grad_error =
          std::abs(p.scale) * g->scores_tolerance[i * p.m + j] + kUnitRoundoff * std::abs(grad);
      for (int k = 0; k < p.d_k; ++k) {
        const std::size_t iq = i * p.d_k + k, jk = j * p.d_k + k;
        const Term for_query(grad, grad_error, p.key[jk], bound(p.key_error, jk));
        g->query[iq] += for_query.value;
        g->query_tolerance[iq] +=
            for_query.error + (p.m + 1) * kUnitRoundoff * std::abs(for_query.value);
        const Term for_key(grad, grad_error, p.query[iq], bound(p.query_error, iq));
        g->key[jk] += for_key.value;
        g->key_magnitude[jk] += std::abs(for_key.value);
        g->key_tolerance[jk] += for_key.error + (p.n + 1) * kUnitRoundoff * std::abs(for_key.value);
      }
    }
  }
}

/// ∂v_jc = Σ_i a_ij ∂y_ic
inline void add_grad_value(const Problem& p, const Incoming& in, Gradients* g) {
  for (auto* zeros : {&g->value, &g->value_magnitude}) zeros->assign(p.value.size(), 0);
  g->value_tolerance.assign(p.value.size(), kTiny);
  for (int i = 0; i < p.n; ++i) {
    for (int j = 0; j < p.m; ++j) {
      if (!p.is_open(i, j)) continue;
      const std::size_t ij = i * p.m + j;
      for (int c = 0; c < p.d_v; ++c) {
        const std::size_t y = i * p.d_v + c, v = j * p.d_v + c;
        const Term term(in.weights[ij], bound(in.weights_error, ij), in.grad_output[y],
                        bound(in.grad_output_error, y));
        g->value[v] += term.value;
        g->value_magnitude[v] += std::abs(term.value);
        g->value_tolerance[v] += term.error + (p.n + 1) * kUnitRoundoff * std::abs(term.value);
      }
    }
  }
}

inline Gradients backward(const Problem& p, const Incoming& in) {
  Gradients g;
  add_grad_weights(p, in, &g);
  add_grad_scores(p, in, &g);
  add_grad_query_and_key(p, &g);
  add_grad_value(p, in, &g);
  return g;
}

}  // namespace attention::oracle
