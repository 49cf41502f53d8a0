#include "numerics/product.hpp"

#include <benchmark/benchmark.h>

#include "numerics/norms.hpp"
#include "numerics/random.hpp"

namespace {

using namespace rankfall;

/// Normal entries with full midpoints and a radius.
BallMatrix random_balls(Index n, std::uint64_t matrix, Precision p) {
  const Stream stream(1, 0, 0, matrix);
  BallMatrix a(n, n);
  for (Index i = 0; i < a.size(); ++i) {
    const Ball entry(stream.normal(static_cast<std::uint64_t>(i)));
    a.data()[i] = div(entry, Ball(3L), p);
  }
  return a;
}

void square(benchmark::State& state) {
  const Index n = state.range(0);
  const Precision p(state.range(1));
  const BallMatrix a = random_balls(n, 1, p), b = random_balls(n, 2, p);
  for (auto _ : state) benchmark::DoNotOptimize(product(a, b, p));
  state.counters["multiply-adds"] =
      benchmark::Counter(static_cast<double>(n * n * n), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(square)
    ->ArgNames({"n", "bits"})
    ->ArgsProduct({{16, 64, 128}, {53, 106, 128, 256, 1024}})
    ->Unit(benchmark::kMicrosecond);

void spectral(benchmark::State& state) {
  const Precision p(state.range(1));
  const BallMatrix a = random_balls(state.range(0), 3, p);
  for (auto _ : state) benchmark::DoNotOptimize(spectral_norm(a, p));
}
BENCHMARK(spectral)
    ->ArgNames({"n", "bits"})
    ->ArgsProduct({{16, 64}, {53, 128, 256}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
