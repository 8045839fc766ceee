// Experiments for JavaScript, each run in slices: between two slices a worker reports how far it
// is, or stops. The slices' sizes do not change the result. Arrays are float64 unless said otherwise.
//
//   createVarianceExperiment(seed, dK, trials, correlation, bins, rawLimit, scaledLimit)
//       → VarianceExperiment | null (out of memory)
//     Each trial draws q (dK) and then g (dK) from NumPy's legacy normals, seed < 2³²;
//     k = ρ·q + √(1 − ρ²)·g with ρ = correlation, −1 ≤ ρ ≤ 1; 0 makes q and k independent.
//     Measured are raw = q·k and scaled = q·k/√dK. Theory: mean ρ·dK, variance (1 + ρ²)·dK, and
//     ρ·√dK and 1 + ρ² when scaled.
//     Histograms have `bins` equal bins over [−limit, limit); what lies outside is counted apart.
//   createSaturationExperiment(seed, skip, dK, count, trials, keys) → SaturationExperiment | null
//     dK is the address of int32[count]. For each of these sizes, in order: `trials` queries and
//     then `trials` × `keys` keys from NumPy's legacy normals, seed < 2³²; softmax of a query's
//     products with its own keys, without and with the division by √dK. `skip` normals are drawn and
//     thrown away first: seed 1337 and skip 384 stand where the first lesson's stream does after its
//     embeddings (11 × 32, then 32).
//
//   both:
//     .run(count) → trials done so far, over all sizes; does at most `count` more
//     .done, .total       trials
//     .delete()
//   VarianceExperiment, of the trials done so far:
//     .results(out)   out float64[10]: measured mean, variance of raw; of scaled; theoretical mean,
//                     variance of raw; of scaled; share of |raw| > 25; trials done.
//                     The variance is Σ(x − mean)²/trials; NaN before the first trial.
//     .histogram(raw, scaled)   float64[bins + 2] each: below, the bins, above (not below limit)
//   SaturationExperiment:
//     .results(out)   out float64[count · 16], a row for each size, of the trials done so far:
//       0 dK   1 trials done   2 variance and 3 mean of q·k   4 variance of q·k/√dK
//       5 share of |q·k| > 25
//       6–10 without the division, 11–15 with it:
//         mean of p(1−p)   the same divided by (1/keys)(1 − 1/keys), its value for uniform attention
//         mean Frobenius norm of the Jacobian diag(p) − ppᵀ   mean largest p   mean entropy in nats
//       NaN from 2 on where no trial is done; 7 and 12 are NaN when keys = 1.
#include <emscripten/bind.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>

#include "bindings/calls.h"
#include "bindings/figures.h"
#include "experiments/saturation.h"
#include "experiments/variance.h"

namespace attention::bindings {
namespace {

std::unique_ptr<VarianceExperiment> create_variance(double seed, int d_k, double trials,
                                                    double correlation, int bins, double raw_limit,
                                                    double scaled_limit) {
  return VarianceExperiment::create({.seed = static_cast<std::uint32_t>(seed),
                                     .d_k = d_k,
                                     .trials = static_cast<std::int64_t>(trials),
                                     .correlation = correlation,
                                     .bins = bins,
                                     .raw_limit = raw_limit,
                                     .scaled_limit = scaled_limit});
}

void variance_results(const VarianceExperiment& e, Address out) {
  const double root = std::sqrt(static_cast<double>(e.d_k()));
  write_figures(
      {e.raw().mean(), e.raw().variance(), e.scaled().mean(), e.scaled().variance(), e.raw_mean(),
       e.raw_variance(), e.raw_mean() / root, e.raw_variance() / (root * root), e.share_beyond_25(),
       static_cast<double>(e.done())},
      at<double>(out));
}

void variance_histogram(const VarianceExperiment& e, Address raw, Address scaled) {
  std::copy_n(e.raw_histogram(), e.bins() + 2, at<double>(raw));
  std::copy_n(e.scaled_histogram(), e.bins() + 2, at<double>(scaled));
}

std::unique_ptr<SaturationExperiment> create_saturation(double seed, double skip, Address d_k,
                                                        int count, double trials, int keys) {
  const std::span<const std::int32_t> sizes(at<const std::int32_t>(d_k),
                                            static_cast<std::size_t>(count));
  return SaturationExperiment::create({.seed = static_cast<std::uint32_t>(seed),
                                       .skip = static_cast<std::int64_t>(skip),
                                       .sizes = sizes,
                                       .trials = static_cast<std::int64_t>(trials),
                                       .keys = keys});
}

void saturation_results(const SaturationExperiment& e, Address out) {
  double* row = at<double>(out);
  for (Index size = 0; size < e.sizes(); ++size) {
    const SaturationFigures f = e.figures(size);
    row = write_figures({static_cast<double>(f.d_k), static_cast<double>(f.trials), f.raw_variance,
                         f.raw_mean, f.scaled_variance, f.share_beyond_25},
                        row);
    for (const SoftmaxFigures& s : {f.unscaled, f.scaled}) {
      row = write_figures(
          {s.diagonal, s.relative_to_uniform, s.jacobian_norm, s.largest, s.entropy}, row);
    }
  }
}

template <typename Experiment>
double run(Experiment& experiment, double count) {
  return static_cast<double>(experiment.run(static_cast<std::int64_t>(count)));
}

template <typename Experiment>
double done(const Experiment& experiment) {
  return static_cast<double>(experiment.done());
}

template <typename Experiment>
double total(const Experiment& experiment) {
  return static_cast<double>(experiment.total());
}

template <typename Experiment>
emscripten::class_<Experiment> experiment_class(const char* name) {
  return emscripten::class_<Experiment>(name)
      .function("run", &run<Experiment>)
      .property("done", &done<Experiment>)
      .property("total", &total<Experiment>);
}

EMSCRIPTEN_BINDINGS(experiments) {
  experiment_class<VarianceExperiment>("VarianceExperiment")
      .function("results", &variance_results)
      .function("histogram", &variance_histogram);
  experiment_class<SaturationExperiment>("SaturationExperiment")
      .function("results", &saturation_results);
  emscripten::function("createVarianceExperiment", &create_variance);
  emscripten::function("createSaturationExperiment", &create_saturation);
}

}  // namespace
}  // namespace attention::bindings
