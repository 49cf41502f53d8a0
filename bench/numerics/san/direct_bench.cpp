// What users do today: attention evaluated on the tokens themselves, with just enough bits to see one digit
// of the distance between them, in balls and in MPFR; 16 tokens of width 16, one head
// (bench/direct_mpmath.py: in mpmath).
#include <benchmark/benchmark.h>

#include "bench/numerics/san/networks.hpp"
#include "numerics/san/arithmetics.hpp"
#include "numerics/san/measures.hpp"

namespace {

using namespace rankfall;

/// The tokens agree in about -log2 |R| leading bits; 16 more give a digit and room for rounding, and balls
/// grow by what a layer loses of them.
long just_enough_bits(const Network& network, bool encloses) {
  const auto states = mean_states(ResidualEngine(network, Precision(256)));
  const Magnitude size = residual_norm(states.back(), Precision(128));
  const long lost_a_layer = encloses ? 5 : 0;
  return 16 + lost_a_layer * static_cast<long>(network.blocks.size()) -
         static_cast<long>(to_double(lower(size.log2(), Precision(64))));
}

void direct(benchmark::State& state, NumberKind (*kind)(long)) {
  const Network network = network_of(state.range(0));
  const long bits = just_enough_bits(network, kind(64).encloses);
  const NumberKind numbers = kind(bits);
  std::vector<std::optional<Magnitude>> diameters;
  for (auto _ : state) diameters = numbers.diameters(network, Form::naive);
  if (!diameters.back() || !diameters.back()->certainly_positive())
    return state.SkipWithError("too few bits to see the last state");
  state.counters["bits"] = static_cast<double>(bits);
}
void depths(benchmark::internal::Benchmark* bench) {
  bench->ArgName("depth")->Arg(6)->Arg(8)->Arg(10)->Unit(benchmark::kMillisecond);
}
BENCHMARK_CAPTURE(direct, arb, ball_kind)->Name("direct/arb")->Apply(depths);
BENCHMARK_CAPTURE(direct, mpfr, mpfr_kind)->Name("direct/mpfr")->Apply(depths);

/// The same states by the residual, in balls, from the network on.
void residual(benchmark::State& state) {
  const Network network = network_of(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(mean_states(ResidualEngine(network, Precision(128))));
}
BENCHMARK(residual)->Name("direct/residual")->Apply(depths);

}  // namespace
