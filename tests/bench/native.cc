// What a compiler that may use all of this machine's vector instructions makes of the same product: Eigen, one thread.
#include <benchmark/benchmark.h>

#include <Eigen/Core>

namespace {

void Product(benchmark::State& state) {
  const auto size = static_cast<Eigen::Index>(state.range(0));
  const Eigen::MatrixXf a = Eigen::MatrixXf::Random(size, size);
  const Eigen::MatrixXf b = Eigen::MatrixXf::Random(size, size);
  Eigen::MatrixXf c(size, size);
  for (auto _ : state) {
    c.noalias() = a * b;
    benchmark::DoNotOptimize(c.data());
  }
  const double flops = 2.0 * static_cast<double>(size) * static_cast<double>(size) * static_cast<double>(size);
  state.counters["flops"] = benchmark::Counter(flops, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(Product)->Arg(768);

}  // namespace

BENCHMARK_MAIN();
