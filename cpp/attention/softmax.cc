#include "attention/softmax.h"

#include <algorithm>

#include "attention/exp.h"
#include "attention/simd.h"

namespace attention {
namespace {

constexpr int kStepVectors = kRowStep / kLanes;

/// Sixteen running sums, one for each column modulo 16, flushed into totals every kFlushColumns. What
/// rounding takes from a total is given back with the next flush (Kahan): nearly equal terms all
/// round the same way, so that a row of 65,536 of them would otherwise be off by 2e-6.
class RowSum {
 public:
  void add(int vector, F32x4 x) { partial_[vector] = partial_[vector] + x; }
  void add_product(int vector, F32x4 a, F32x4 b) {
    partial_[vector] = madd(a, b, partial_[vector]);
  }
  void flush() {
    for (int v = 0; v < kStepVectors; ++v) {
      const F32x4 added = partial_[v] - lost_[v];
      const F32x4 total = total_[v] + added;
      lost_[v] = (total - total_[v]) - added;
      total_[v] = total;
      partial_[v] = splat(0.0f);
    }
  }
  float total() const { return lane_sum((total_[0] + total_[1]) + (total_[2] + total_[3])); }

 private:
  F32x4 partial_[kStepVectors] = {splat(0.0f), splat(0.0f), splat(0.0f), splat(0.0f)};
  F32x4 total_[kStepVectors] = {splat(0.0f), splat(0.0f), splat(0.0f), splat(0.0f)};
  F32x4 lost_[kStepVectors] = {splat(0.0f), splat(0.0f), splat(0.0f), splat(0.0f)};
};

/// Adds up a row: add_step(sum, j) adds the columns j … j + 15.
template <typename AddStep>
float sum_row(Index length, AddStep add_step) {
  RowSum sum;
  for (Index block = 0; block < length; block += kFlushColumns) {
    const Index end = std::min(block + kFlushColumns, padded_length(length));
    for (Index j = block; j < end; j += kRowStep) add_step(sum, j);
    sum.flush();
  }
  return sum.total();
}

/// score(x, j) is what becomes of the vector x of logits at column j.
template <typename Score>
float scale_and_mask_row(float* row, Index length, Score score) {
  const F32x4 closed = splat(-kInfinity);
  F32x4 best[kStepVectors] = {closed, closed, closed, closed};
  Index j = 0;
  for (; j + kRowStep <= length; j += kRowStep) {
    for (int v = 0; v < kStepVectors; ++v) {
      const F32x4 x = score(load(row + j + v * kLanes), j + v * kLanes);
      store(row + j + v * kLanes, x);
      best[v] = running_max(best[v], x);
    }
  }
  for (; j < padded_length(length); j += kLanes) {
    const F32x4 x = keep_first(score(load(row + j), j), length - j, closed);
    store(row + j, x);
    best[0] = running_max(best[0], x);
  }
  return lane_max(running_max(running_max(best[0], best[1]), running_max(best[2], best[3])));
}

}  // namespace

float scale_and_mask(float* row, const float* bias, Index length, float scale) {
  const F32x4 factor = splat(scale);
  if (bias == nullptr) {
    return scale_and_mask_row(row, length, [=](F32x4 x, Index) { return x * factor; });
  }
  const F32x4 closed = splat(-kInfinity);
  return scale_and_mask_row(row, length, [=](F32x4 x, Index j) {
    const F32x4 added = load(bias + j);
    return select(equal(added, closed), closed, x * factor + added);
  });
}

float exponentials(float* row, Index length, float maximum) {
  const F32x4 shift = splat(maximum);
  return sum_row(length, [&](RowSum& sum, Index j) {
    for (int v = 0; v < kStepVectors; ++v) {
      float* x = row + j + v * kLanes;
      const F32x4 e = exp_nonpositive(load(x) - shift);
      store(x, e);
      sum.add(v, e);
    }
  });
}

void scale_row(float* row, Index length, float factor) {
  const F32x4 factors = splat(factor);
  const Index end = padded_length(length);
  for (Index j = 0; j < end; j += kRowStep) {
    for (int v = 0; v < kStepVectors; ++v) {
      float* x = row + j + v * kLanes;
      store(x, load(x) * factors);
    }
  }
}

float dot(const float* a, const float* b, Index length) {
  return sum_row(length, [&](RowSum& sum, Index j) {
    for (int v = 0; v < kStepVectors; ++v) {
      sum.add_product(v, load(a + j + v * kLanes), load(b + j + v * kLanes));
    }
  });
}

void softmax_backward_row(const float* p, const float* bias, float* grad, Index length) {
  const F32x4 closed = splat(-kInfinity);
  const F32x4 zero = splat(0.0f);
  const auto open_only = [&](Index j, F32x4 x) {
    return bias ? select(equal(load(bias + j), closed), zero, x) : x;
  };
  for (Index j = 0; bias && j < padded_length(length); j += kLanes) {
    store(grad + j, open_only(j, load(grad + j)));
  }
  const F32x4 mean = splat(dot(p, grad, length));
  for (Index j = 0; j < padded_length(length); j += kLanes) {
    const F32x4 x = load(p + j) * (load(grad + j) - mean);
    store(grad + j, open_only(j, x));
  }
}

Status softmax(ConstMatrix scores, Matrix out) {
  const Index length = scores.columns;
  Arena count;
  take_padded_rows(count, 1, length);
  Buffer memory;
  if (memory.allocate(count.bytes()) != Status::ok) return Status::out_of_memory;
  float* row = static_cast<float*>(memory.data());
  std::fill_n(row, padded_length(length), 0.0f);
  for (Index i = 0; i < scores.rows; ++i) {
    std::copy_n(scores.row(i), length, row);
    const float maximum = scale_and_mask(row, nullptr, length, 1);
    const float sum = exponentials(row, length, maximum);
    if (sum == sum) {
      scale_row(row, length, 1 / sum);
    } else {
      const float* score = scores.row(i);
      settle_undefined_row(row, length, maximum, [=](Index j) { return score[j] != -kInfinity; });
    }
    std::copy_n(row, length, out.row(i));
  }
  return Status::ok;
}

void softmax_jacobian(ConstMatrix probabilities, float* out) {
  for (Index i = 0; i < probabilities.rows; ++i) {
    const float* p = probabilities.row(i);
    for (Index j = 0; j < probabilities.columns; ++j) {
      for (Index l = 0; l < probabilities.columns; ++l) *out++ = p[j] * ((j == l ? 1 : 0) - p[l]);
    }
  }
}

Status softmax_backward(ConstMatrix probabilities, ConstMatrix grad_probabilities,
                        Matrix grad_scores) {
  const Index length = probabilities.columns;
  Arena count;
  take_padded_rows(count, 2, length);
  Buffer memory;
  if (memory.allocate(count.bytes()) != Status::ok) return Status::out_of_memory;
  float* p = static_cast<float*>(memory.data());
  float* grad = p + padded_length(length);
  for (Index i = 0; i < probabilities.rows; ++i) {
    // The padding is filled for each row: one with a NaN leaves NaN there.
    std::fill(std::copy_n(probabilities.row(i), length, p), grad, 0.0f);
    std::fill(std::copy_n(grad_probabilities.row(i), length, grad), grad + padded_length(length),
              0.0f);
    softmax_backward_row(p, nullptr, grad, length);
    std::copy_n(grad, length, grad_scores.row(i));
  }
  return Status::ok;
}

}  // namespace attention
