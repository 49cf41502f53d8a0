#include "numerics/random.hpp"

#include <benchmark/benchmark.h>

namespace {

void normal_deviate(benchmark::State& state) {
  const rankfall::Stream stream(1, 0, 1, 0);
  std::uint64_t index = 0;
  for (auto _ : state) benchmark::DoNotOptimize(stream.normal(index++));
}
BENCHMARK(normal_deviate);

void uniform_deviate(benchmark::State& state) {
  const rankfall::Stream stream(1, 0, 1, 0);
  std::uint64_t index = 0;
  for (auto _ : state) benchmark::DoNotOptimize(stream.uniform(index++));
}
BENCHMARK(uniform_deviate);

}  // namespace
