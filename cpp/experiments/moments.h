// Mean and variance of numbers that come one by one.
#pragma once

#include <limits>

namespace attention {

/// Welford's recurrence: as accurate as two passes, however the numbers are portioned.
class Moments {
 public:
  void add(double x) {
    count_ += 1;
    const double from_old_mean = x - mean_;
    mean_ += from_old_mean / count_;
    squares_ += from_old_mean * (x - mean_);
  }

  /// NaN before the first number.
  double mean() const { return count_ > 0 ? mean_ : kNaN; }
  /// Σ(x − mean)²/count; NaN before the first number.
  double variance() const { return count_ > 0 ? squares_ / count_ : kNaN; }

 private:
  static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

  double count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

}  // namespace attention
