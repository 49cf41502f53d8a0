// The residual pair alone, n = d = 16, one head: what a network costs once its file is read.
#include "numerics/san/engine.hpp"

#include <benchmark/benchmark.h>

#include "bench/numerics/san/networks.hpp"
#include "numerics/product.hpp"
#include "numerics/san/measures.hpp"
#include "numerics/san/propagation.hpp"
#include "numerics/san/recursion.hpp"

namespace {

using namespace rankfall;

/// What a layer of this size loses, and 64 bits to end with.
long enough_bits(long depth) {
  return 9 * depth + 64;
}

void report_accuracy(benchmark::State& state, const ResidualState& last) {
  state.counters["bits left"] =
      static_cast<double>(relative_accuracy_bits(composite_norm(last.residual.mantissa, Precision(64))));
}

void engine(benchmark::State& state) {
  const long depth = state.range(0), bits = state.range(1) == 0 ? enough_bits(depth) : state.range(1);
  const Network network = network_of(depth);
  std::vector<ResidualState> states;
  for (auto _ : state) {
    const ResidualEngine residual_engine(network, Precision(bits));
    states = mean_states(residual_engine);
  }
  report_accuracy(state, states.back());
}
BENCHMARK(engine)
    ->ArgNames({"depth", "bits"})
    ->ArgsProduct({{12, 40, 200}, {128, 0}})  // 0: enough
    ->Unit(benchmark::kMillisecond);

/// Entry balls with Arb's products and just enough bits: what a layer loses is measured on a tenth of the
/// layers first.
void entry_balls(benchmark::State& state) {
  const ProductsByArb by_arb;
  const long depth = state.range(0), tenth = depth / 10;
  const auto bits_left = [](const std::vector<ResidualState>& states) {
    return relative_accuracy_bits(composite_norm(states.back().residual.mantissa, Precision(64)));
  };
  const long lost = enough_bits(tenth) -
                    bits_left(mean_states(ResidualEngine(network_of(tenth), Precision(enough_bits(tenth)))));
  const long bits = 10 * lost + 32;
  const Network network = network_of(depth);
  std::vector<ResidualState> states;
  for (auto _ : state) states = mean_states(ResidualEngine(network, Precision(bits)));
  if (bits_left(states) < 1) return state.SkipWithError("the bits are too few");
  report_accuracy(state, states.back());
  state.counters["bits"] = static_cast<double>(bits);
}
BENCHMARK(entry_balls)->ArgName("depth")->Arg(1000)->Iterations(1)->Unit(benchmark::kSecond);

/// With a falling precision and in rank-one form, down to 256 bits; the states are kept as `check` keeps
/// them.
void propagation(benchmark::State& state) {
  const long depth = state.range(0);
  const Network network = network_of(depth);
  std::vector<ResidualState> states;
  for (auto _ : state) {
    const ResidualEngine residual_engine(network, Precision(3 * depth + 256));
    Propagation run(residual_engine, residual_engine.input(Reference::mean), true, Precision(256));
    states = {run.state()};
    while (run.blocks_done() < residual_engine.blocks()) {
      run.step();
      states.push_back(run.state());
    }
  }
  report_accuracy(state, states.back());
}
BENCHMARK(propagation)
    ->ArgName("depth")
    ->Arg(40)
    ->Arg(100)
    ->Arg(200)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond);

void engine_weights(benchmark::State& state) {
  const Network network = network_of(12);
  for (auto _ : state) benchmark::DoNotOptimize(ResidualEngine(network, Precision(128)));
}
BENCHMARK(engine_weights)->Unit(benchmark::kMillisecond);

void measures(benchmark::State& state) {
  const auto states = mean_states(ResidualEngine(network_of(4), Precision(128)));
  for (auto _ : state) benchmark::DoNotOptimize(measure(states.back(), Precision(128)));
}
BENCHMARK(measures)->Unit(benchmark::kMicrosecond);

/// The plain recursion on prepared weights.
template <class Scalar>
void recursion(benchmark::State& state, Arithmetic<Scalar> arithmetic) {
  const Network network = network_of(12);
  Recursion<Scalar> plain(arithmetic);
  std::vector<RecursionLayer<Scalar>> layers;
  for (const Block& block : network.blocks) layers.push_back(plain.layer(std::get<AttentionBlock>(block)));
  const RecursionState<Scalar> input = plain.input(network.input);
  for (auto _ : state) {
    RecursionState<Scalar> at = input;
    for (const RecursionLayer<Scalar>& layer : layers) plain.apply(layer, at);
    benchmark::DoNotOptimize(at);
  }
}
void recursion_in_double(benchmark::State& state) {
  recursion<double>(state, {});
}
void recursion_in_balls(benchmark::State& state) {
  recursion<Ball>(state, Arithmetic<Ball>(Precision(128)));
}
BENCHMARK(recursion_in_double)->Unit(benchmark::kMicrosecond);
BENCHMARK(recursion_in_balls)->Unit(benchmark::kMillisecond);

}  // namespace
