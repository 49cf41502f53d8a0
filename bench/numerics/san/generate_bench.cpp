#include "numerics/san/generate.hpp"

#include <benchmark/benchmark.h>

namespace {

rankfall::GenerateSpec square_network(const benchmark::State& state) {
  rankfall::GenerateSpec spec;
  spec.tokens = spec.dim = state.range(0);
  return spec;
}

void generate_unscaled(benchmark::State& state) {
  const rankfall::GenerateSpec spec = square_network(state);
  for (auto _ : state) benchmark::DoNotOptimize(rankfall::generate(spec));
}
BENCHMARK(generate_unscaled)->ArgName("dim")->Arg(16)->Arg(64)->Unit(benchmark::kMillisecond);

void generate_with_beta(benchmark::State& state) {
  rankfall::GenerateSpec spec = square_network(state);
  spec.beta = rankfall::Rational(1, 10);
  for (auto _ : state) benchmark::DoNotOptimize(rankfall::generate(spec));
}
BENCHMARK(generate_with_beta)->ArgName("dim")->Arg(16)->Arg(64)->Unit(benchmark::kMillisecond);

/// Weights of exponents beyond the doubles.
void generate_with_tiny_beta(benchmark::State& state) {
  rankfall::GenerateSpec spec = square_network(state);
  spec.beta = rankfall::power(rankfall::Rational(10), -3000);
  for (auto _ : state) benchmark::DoNotOptimize(rankfall::generate(spec));
}
BENCHMARK(generate_with_tiny_beta)->ArgName("dim")->Arg(16)->Unit(benchmark::kMillisecond);

}  // namespace
