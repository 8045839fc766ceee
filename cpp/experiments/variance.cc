#include "experiments/variance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

namespace attention {

VarianceExperiment::VarianceExperiment(const Setup& setup)
    : setup_(setup), generator_(setup.seed) {}

std::unique_ptr<VarianceExperiment> VarianceExperiment::create(const Setup& setup) {
  std::unique_ptr<VarianceExperiment> experiment(new (std::nothrow) VarianceExperiment(setup));
  if (!experiment) return nullptr;
  Arena count;
  experiment->divide(&count);
  if (experiment->memory_.allocate(count.bytes()) != Status::ok) return nullptr;
  Arena arena(experiment->memory_.data());
  experiment->divide(&arena);
  std::fill_n(experiment->raw_histogram_, setup.bins + 2, 0.0);
  std::fill_n(experiment->scaled_histogram_, setup.bins + 2, 0.0);
  return experiment;
}

void VarianceExperiment::divide(Arena* arena) {
  const auto bins = static_cast<double>(setup_.bins) + 2;
  query_ = arena->take<double>(static_cast<double>(setup_.d_k));
  raw_histogram_ = arena->take<double>(bins);
  scaled_histogram_ = arena->take<double>(bins);
}

std::int64_t VarianceExperiment::run(std::int64_t count) {
  const std::int64_t end = done_ + std::clamp<std::int64_t>(count, 0, setup_.trials - done_);
  while (done_ < end) add_trial();
  return done_;
}

void VarianceExperiment::add_trial() {
  const double along = setup_.correlation;
  const double across = std::sqrt(1 - along * along);
  generator_.normal({query_, static_cast<std::size_t>(setup_.d_k)}, 0, 1);
  double product = 0;  // q·k
  for (Index i = 0; i < setup_.d_k; ++i) {
    product += query_[i] * (along * query_[i] + across * generator_.normal());
  }
  const double scaled = product / std::sqrt(static_cast<double>(setup_.d_k));

  raw_.add(product);
  scaled_.add(scaled);
  count(product, setup_.raw_limit, raw_histogram_);
  count(scaled, setup_.scaled_limit, scaled_histogram_);
  if (std::abs(product) > 25) beyond_25_ += 1;
  ++done_;
}

void VarianceExperiment::count(double value, double limit, double* histogram) const {
  Index slot;
  if (value < -limit) {
    slot = 0;
  } else if (value >= limit) {
    slot = setup_.bins + 1;
  } else {
    const double place = (value + limit) / (2 * limit) * static_cast<double>(setup_.bins);
    slot = 1 + std::min(static_cast<Index>(place), setup_.bins - 1);  // place may round up
  }
  histogram[slot] += 1;
}

double VarianceExperiment::share_beyond_25() const {
  return done_ > 0 ? beyond_25_ / static_cast<double>(done_)
                   : std::numeric_limits<double>::quiet_NaN();
}

double VarianceExperiment::raw_mean() const {
  return setup_.correlation * static_cast<double>(setup_.d_k);
}

double VarianceExperiment::raw_variance() const {
  return (1 + setup_.correlation * setup_.correlation) * static_cast<double>(setup_.d_k);
}

}  // namespace attention
