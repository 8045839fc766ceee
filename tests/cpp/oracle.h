// Attention by the definition: plain float64 loops, one line for each formula, and bounds on what
// float32 may lose, to first order in its unit roundoff u. Nothing here comes from the kernels.
//
// A sum of d products, in whatever order and grouping, is off by at most (d + 1) u Σ|terms|.
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

/// How far the numbers of an array may be off; an empty array of bounds says that they are exact.
inline double bound(const std::vector<double>& bounds, std::size_t i) {
  return bounds.empty() ? 0 : bounds[i];
}

/// What rounding an exact number to float32 loses, for each.
inline std::vector<double> rounding_of(const std::vector<double>& numbers) {
  std::vector<double> bounds;
  for (const double x : numbers) bounds.push_back(kUnitRoundoff * std::abs(x));
  return bounds;
}

struct Problem {
  int n, m, d_k, d_v;
  std::vector<double> query, key, value;
  double scale;
  Bias bias = no_mask;
  /// How far the kernel's inputs may be from these.
  std::vector<double> query_error = {}, key_error = {}, value_error = {};

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

/// The error of the kernels' exponential (exp.h), of a row's sum (softmax.h), and what exp.h cuts
/// off as 0.
inline constexpr double kExpError = 1.9e-7, kSumError = 3e-7, kTiny = 1e-37;

/// An error of δ in a score changes its exponential by the factor 1 ± δ.
inline Attention attend(const Problem& p) {
  Attention a;
  for (int i = 0; i < p.n; ++i) {
    const std::size_t row = a.logits.size();
    double max = kMasked, score_error = 0;
    for (int j = 0; j < p.m; ++j) {
      double logit = 0, magnitude = 0, inherited = 0;
      for (int k = 0; k < p.d_k; ++k) {
        const double query = p.query[i * p.d_k + k], key = p.key[j * p.d_k + k];
        const double query_error = bound(p.query_error, i * p.d_k + k);
        const double key_error = bound(p.key_error, j * p.d_k + k);
        logit += query * key;
        magnitude += std::abs(query * key);
        inherited += std::abs(query) * key_error + query_error * (std::abs(key) + key_error);
      }
      const double bias = p.bias(i, j);
      const double score = bias == kMasked ? kMasked : p.scale * logit + bias;
      a.logits.push_back(logit);
      a.logits_tolerance.push_back((p.d_k + 1) * kUnitRoundoff * magnitude + inherited);
      a.scores.push_back(score);
      a.scores_tolerance.push_back(
          kUnitRoundoff * ((p.d_k + 3) * std::abs(p.scale) * magnitude + 2 * std::abs(bias)) +
          std::abs(p.scale) * inherited);
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
        const double weight = a.weights[row + j], weight_error = a.weights_tolerance[row + j];
        const double value = p.value[j * p.d_v + c];
        output += weight * value;
        error += (weight_error + (p.m + 1) * kUnitRoundoff * weight) * std::abs(value) +
                 (weight + weight_error) * bound(p.value_error, j * p.d_v + c);
      }
      a.output.push_back(output);
      a.output_tolerance.push_back(error);
    }
  }
  return a;
}

}  // namespace attention::oracle
