#include "numerics/ball.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace rankfall;

void precisions(benchmark::internal::Benchmark* bench) {
  bench->ArgName("bits")->Arg(53)->Arg(128)->Arg(256)->Arg(1024);
}

const Rational first(355, 113), second(-17, 71);

void multiply(benchmark::State& state) {
  const Precision p(state.range(0));
  const Ball a(first, p), b(second, p);
  for (auto _ : state) benchmark::DoNotOptimize(mul(a, b, p));
}
BENCHMARK(multiply)->Apply(precisions);

void exponential(benchmark::State& state) {
  const Precision p(state.range(0));
  const Ball a(second, p);
  for (auto _ : state) benchmark::DoNotOptimize(exp(a, p));
}
BENCHMARK(exponential)->Apply(precisions);

/// What a deviation costs per entry while the logits are not yet small.
void exponential_minus_one(benchmark::State& state) {
  const Precision p(state.range(0));
  const Ball a = scale(Ball(second, p), -20L);
  for (auto _ : state) benchmark::DoNotOptimize(expm1(a, p));
}
BENCHMARK(exponential_minus_one)->Apply(precisions);

void print_to_12_digits(benchmark::State& state) {
  const Ball a(first, Precision(128));
  for (auto _ : state) benchmark::DoNotOptimize(lower_text(a, 12));
}
BENCHMARK(print_to_12_digits);

}  // namespace
