// Attention by the definition: plain float64 loops, one line for each formula, and bounds on what
// float32 may lose. Nothing here comes from the kernels.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "compare.h"

namespace attention::oracle {

inline constexpr double kMasked = -std::numeric_limits<double>::infinity();

/// What is added to the score of query i and key j; kMasked closes the position.
using Bias = std::function<double(int i, int j)>;

inline double no_mask(int, int) { return 0; }
inline double causal(int i, int j) { return j <= i ? 0 : kMasked; }

struct Problem {
  int n, m, d_k, d_v;
  std::vector<double> query, key, value;
  double scale;
  Bias bias = no_mask;

  bool is_open(int i, int j) const { return bias(i, j) != kMasked; }
};

struct Attention {
  std::vector<double> logits, scores, exp, weights;  ///< (n, m)
  std::vector<double> row_max, row_sum;              ///< (n)
  std::vector<double> output;                        ///< (n, d_v)

  // Bounds for float32, to first order in the unit roundoff u.
  std::vector<double> logits_tolerance, scores_tolerance, exp_tolerance, weights_tolerance;
  std::vector<double> row_max_tolerance, row_sum_tolerance, output_tolerance;
};

/// Rounding: a sum of d terms loses at most (d + 1) u Σ|terms|; an error of δ in a score changes its
/// exponential by the factor 1 ± δ; exp itself is good to 1.9e-7 and a row's sum to 3e-7.
inline Attention attend(const Problem& p) {
  constexpr double kExpError = 1.9e-7, kSumError = 3e-7, kTiny = 1e-37;
  Attention a;
  for (int i = 0; i < p.n; ++i) {
    const std::size_t row = a.logits.size();
    double max = kMasked, score_error = 0;
    for (int j = 0; j < p.m; ++j) {
      double logit = 0, magnitude = 0;
      for (int k = 0; k < p.d_k; ++k) {
        const double term = p.query[i * p.d_k + k] * p.key[j * p.d_k + k];
        logit += term;
        magnitude += std::abs(term);
      }
      const double bias = p.bias(i, j);
      const double score = bias == kMasked ? kMasked : p.scale * logit + bias;
      a.logits.push_back(logit);
      a.logits_tolerance.push_back((p.d_k + 1) * kUnitRoundoff * magnitude);
      a.scores.push_back(score);
      a.scores_tolerance.push_back(
          kUnitRoundoff * ((p.d_k + 3) * std::abs(p.scale) * magnitude + 2 * std::abs(bias)));
      if (bias == kMasked) continue;
      max = std::max(max, score);
      score_error = std::max(score_error, a.scores_tolerance.back());
    }

    double sum = 0;
    for (int j = 0; j < p.m; ++j) {
      const double score = a.scores[row + j];
      a.exp.push_back(score == kMasked ? 0 : std::exp(score - max));
      // The difference from the maximum is rounded once more.
      const double shift = score == kMasked ? 0 : kUnitRoundoff * (max - score);
      a.exp_tolerance.push_back(a.exp.back() * (2 * score_error + shift + kExpError) + kTiny);
      sum += a.exp.back();
    }
    a.row_max.push_back(max);
    a.row_max_tolerance.push_back(score_error);
    a.row_sum.push_back(sum);
    // p·(distance from the maximum) is at most 1/e for each key.
    const double sum_error = 2 * score_error + kExpError + kSumError + p.m * kUnitRoundoff;
    a.row_sum_tolerance.push_back(sum * sum_error + kTiny);

    for (int j = 0; j < p.m; ++j) {
      const double weight = sum > 0 ? a.exp[row + j] / sum : 0;
      a.weights.push_back(weight);
      a.weights_tolerance.push_back(
          sum > 0 ? a.exp_tolerance[row + j] / sum + weight * (sum_error + 2 * kUnitRoundoff) : 0);
    }
    for (int c = 0; c < p.d_v; ++c) {
      double output = 0, error = 0;
      for (int j = 0; j < p.m; ++j) {
        if (!p.is_open(i, j)) continue;
        const double value = p.value[j * p.d_v + c];
        output += a.weights[row + j] * value;
        error += (a.weights_tolerance[row + j] + (p.m + 2) * kUnitRoundoff * a.weights[row + j]) *
                 std::abs(value);
      }
      a.output.push_back(output);
      a.output_tolerance.push_back(error);
    }
  }
  return a;
}

struct Gradients {
  std::vector<double> query, key, value;  ///< as the inputs
  std::vector<double> scores, weights;    ///< (n, m)
};

/// ∂A_ij = ∂Y_i·V_j, ∂S = A ∘ (∂A − rowsum(A ∘ ∂A)), ∂Q = scale ∂S K, ∂K = scale ∂Sᵀ Q, ∂V = Aᵀ ∂Y.
inline Gradients backward(const Problem& p, const std::vector<double>& weights,
                          const std::vector<double>& grad_output) {
  Gradients g;
  g.query.assign(p.query.size(), 0);
  g.key.assign(p.key.size(), 0);
  g.value.assign(p.value.size(), 0);
  for (int i = 0; i < p.n; ++i) {
    double mean = 0;
    for (int j = 0; j < p.m; ++j) {
      double grad_weight = 0;
      for (int c = 0; c < p.d_v; ++c) {
        grad_weight += grad_output[i * p.d_v + c] * p.value[j * p.d_v + c];
      }
      g.weights.push_back(grad_weight);
      if (p.is_open(i, j)) mean += weights[i * p.m + j] * grad_weight;
    }
    for (int j = 0; j < p.m; ++j) {
      const double weight = weights[i * p.m + j];
      const double grad_score = p.is_open(i, j) ? weight * (g.weights[i * p.m + j] - mean) : 0;
      g.scores.push_back(grad_score);
      if (!p.is_open(i, j)) continue;
      for (int k = 0; k < p.d_k; ++k) {
        g.query[i * p.d_k + k] += p.scale * grad_score * p.key[j * p.d_k + k];
        g.key[j * p.d_k + k] += p.scale * grad_score * p.query[i * p.d_k + k];
      }
      for (int c = 0; c < p.d_v; ++c) {
        g.value[j * p.d_v + c] += weight * grad_output[i * p.d_v + c];
      }
    }
  }
  return g;
}

}  // namespace attention::oracle
