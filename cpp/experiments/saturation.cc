#include "experiments/saturation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

namespace attention {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// p = softmax(z / divisor)
void softmax(const double* z, Index keys, double divisor, double* p) {
  const double largest = *std::max_element(z, z + keys);
  double sum = 0;
  for (Index j = 0; j < keys; ++j) {
    p[j] = std::exp(z[j] / divisor - largest / divisor);
    sum += p[j];
  }
  for (Index j = 0; j < keys; ++j) p[j] /= sum;
}

}  // namespace

void SaturationExperiment::SoftmaxSums::add(const double* p, Index keys) {
  double squares = 0;  // of the Jacobian's entries; their closed form would cancel near one-hot
  for (Index i = 0; i < keys; ++i) {
    const double on_diagonal = p[i] * (1 - p[i]);
    diagonal += on_diagonal;
    squares += on_diagonal * on_diagonal;
    for (Index j = 0; j < i; ++j) squares += 2 * (p[i] * p[j]) * (p[i] * p[j]);
    if (p[i] > 0) entropy -= p[i] * std::log(p[i]);
  }
  jacobian_norm += std::sqrt(squares);
  largest += *std::max_element(p, p + keys);
}

SoftmaxFigures SaturationExperiment::SoftmaxSums::means(std::int64_t trials, Index keys) const {
  if (trials == 0) return {kNaN, kNaN, kNaN, kNaN, kNaN};
  const auto n = static_cast<double>(trials), m = static_cast<double>(keys);
  const double mean = diagonal / (n * m);
  const double uniform = (1 / m) * (1 - 1 / m);
  return {.diagonal = mean,
          .relative_to_uniform = uniform > 0 ? mean / uniform : kNaN,  // one key: always 0
          .jacobian_norm = jacobian_norm / n,
          .largest = largest / n,
          .entropy = entropy / n};
}

SaturationExperiment::SaturationExperiment(const Setup& setup)
    : generator_(setup.seed),
      skip_(setup.skip),
      trials_(setup.trials),
      sizes_(static_cast<Index>(setup.sizes.size())),
      keys_(setup.keys) {}

std::unique_ptr<SaturationExperiment> SaturationExperiment::create(const Setup& setup) {
  std::unique_ptr<SaturationExperiment> experiment(new (std::nothrow) SaturationExperiment(setup));
  if (!experiment) return nullptr;
  Arena count;
  experiment->divide(setup, &count);
  if (experiment->memory_.allocate(count.bytes()) != Status::ok) return nullptr;
  Arena arena(experiment->memory_.data());
  experiment->divide(setup, &arena);
  for (Index i = 0; i < experiment->sizes_; ++i) {
    new (&experiment->sums_[i]) Sums;
    experiment->sums_[i].d_k = setup.sizes[static_cast<std::size_t>(i)];
  }
  return experiment;
}

void SaturationExperiment::divide(const Setup& setup, Arena* arena) {
  std::int32_t largest = 0;
  for (std::int32_t d_k : setup.sizes) largest = std::max(largest, d_k);
  sums_ = arena->take<Sums>(static_cast<double>(sizes_));
  queries_ = arena->take<double>(static_cast<double>(trials_) * static_cast<double>(largest));
  products_ = arena->take<double>(static_cast<double>(keys_));
  probabilities_ = arena->take<double>(static_cast<double>(keys_));
}

std::int64_t SaturationExperiment::run(std::int64_t count) {
  const std::int64_t end = done_ + std::clamp<std::int64_t>(count, 0, total() - done_);
  while (done_ < end) add_trial();
  return done_;
}

void SaturationExperiment::add_trial() {
  for (; skip_ > 0; --skip_) generator_.normal();

  const auto trial = static_cast<Index>(done_ % trials_);
  Sums& sums = sums_[done_ / trials_];
  if (trial == 0) {
    generator_.normal(
        {queries_, static_cast<std::size_t>(trials_) * static_cast<std::size_t>(sums.d_k)}, 0, 1);
  }
  const double* query = queries_ + trial * sums.d_k;
  const double root = std::sqrt(static_cast<double>(sums.d_k));

  for (Index j = 0; j < keys_; ++j) {
    double product = 0;  // q·k_j, each component of the key used as it is drawn
    for (Index i = 0; i < sums.d_k; ++i) product += query[i] * generator_.normal();
    products_[j] = product;
    sums.raw.add(product);
    sums.scaled.add(product / root);
    if (std::abs(product) > 25) sums.beyond_25 += 1;
  }
  softmax(products_, keys_, 1, probabilities_);
  sums.unscaled_softmax.add(probabilities_, keys_);
  softmax(products_, keys_, root, probabilities_);
  sums.scaled_softmax.add(probabilities_, keys_);
  ++sums.trials;
  ++done_;
}

SaturationFigures SaturationExperiment::figures(Index size) const {
  const Sums& sums = sums_[size];
  const double products = static_cast<double>(sums.trials) * static_cast<double>(keys_);
  return {.d_k = sums.d_k,
          .trials = sums.trials,
          .raw_variance = sums.raw.variance(),
          .raw_mean = sums.raw.mean(),
          .scaled_variance = sums.scaled.variance(),
          .share_beyond_25 = products > 0 ? sums.beyond_25 / products : kNaN,
          .unscaled = sums.unscaled_softmax.means(sums.trials, keys_),
          .scaled = sums.scaled_softmax.means(sums.trials, keys_)};
}

}  // namespace attention
