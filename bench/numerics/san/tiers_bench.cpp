// What the tiers of the engine take for the same network, 16 tokens of width 16, one head, depth 12: entry
// balls with Arb's products alone, entry balls, pairs of doubles, doubles. States with the weights prepared,
// and from the network on.
#include <benchmark/benchmark.h>

#include <cmath>
#include <optional>
#include <vector>

#include "bench/numerics/san/networks.hpp"
#include "numerics/product.hpp"
#include "numerics/san/doubles/follow.hpp"
#include "numerics/san/measures.hpp"

namespace {

using namespace rankfall;

constexpr long depth = 12, bits = 128;

/// Whether every state is known to a quarter of its size, and so to less than a factor 2.
bool certified(const Network& network, bool wide) {
  const auto weights = doubles::Network::of(network, wide);
  if (!weights) return false;
  const auto start = doubles::mean_state(network.input, wide);
  return start && weights->states(*start, true);
}

void tiers_balls(benchmark::State& state, bool slices) {
  std::optional<ProductsByArb> by_arb;
  if (!slices) by_arb.emplace();
  const ResidualEngine engine(network_of(depth), Precision(bits));
  for (auto _ : state) benchmark::DoNotOptimize(mean_states(engine));
}
BENCHMARK_CAPTURE(tiers_balls, arb, false)->Name("tiers/states/arb")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(tiers_balls, balls, true)->Name("tiers/states/balls")->Unit(benchmark::kMicrosecond);

void tiers_balls_whole(benchmark::State& state, bool slices) {
  std::optional<ProductsByArb> by_arb;
  if (!slices) by_arb.emplace();
  const Network network = network_of(depth);
  for (auto _ : state) benchmark::DoNotOptimize(mean_states(ResidualEngine(network, Precision(bits))));
}
BENCHMARK_CAPTURE(tiers_balls_whole, arb, false)->Name("tiers/network/arb")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(tiers_balls_whole, balls, true)->Name("tiers/network/balls")->Unit(benchmark::kMicrosecond);

void tiers_doubles(benchmark::State& state, bool wide) {
  const Network network = network_of(depth);
  const auto weights = doubles::Network::of(network, wide);
  const auto start = doubles::mean_state(network.input, wide);
  if (!weights || !start) return state.SkipWithError("doubles do not hold the network");
  std::optional<std::vector<doubles::State>> states;
  for (auto _ : state) states = weights->states(*start, true);
  if (!states) return state.SkipWithError("doubles do not carry the network");
  const double left = -std::log2(states->back().errors.total());
  state.counters["bits left"] = left;
  state.counters["lost a layer"] = (-std::log2(start->errors.total()) - left) / depth;
}
BENCHMARK_CAPTURE(tiers_doubles, pairs, true)->Name("tiers/states/pairs")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(tiers_doubles, doubles, false)->Name("tiers/states/doubles")->Unit(benchmark::kMicrosecond);

void tiers_doubles_whole(benchmark::State& state, bool wide) {
  const Network network = network_of(depth);
  for (auto _ : state) benchmark::DoNotOptimize(certified(network, wide));
}
BENCHMARK_CAPTURE(tiers_doubles_whole, pairs, true)
    ->Name("tiers/network/pairs")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(tiers_doubles_whole, doubles, false)
    ->Name("tiers/network/doubles")
    ->Unit(benchmark::kMicrosecond);

/// Networks of many seeds, each from its weights on, in doubles alone: how many a second, and what share of
/// them doubles carry to the end.
void tiers_many(benchmark::State& state) {
  constexpr std::uint64_t seeds = 400;
  static const std::vector<Network> networks = [] {
    std::vector<Network> all;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) all.push_back(network_of(depth, seed));
    return all;
  }();
  std::int64_t tried = 0, carried = 0;
  for (auto _ : state) {
    const auto at = static_cast<std::size_t>(tried++ * state.threads() + state.thread_index()) % seeds;
    carried += certified(networks[at], false);
  }
  state.counters["networks"] = benchmark::Counter(static_cast<double>(tried), benchmark::Counter::kIsRate);
  state.counters["share"] = benchmark::Counter(static_cast<double>(carried) / static_cast<double>(tried),
                                               benchmark::Counter::kAvgThreads);
}
BENCHMARK(tiers_many)
    ->Name("tiers/many")
    ->Threads(1)
    ->Threads(2)
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
