// A network of BERT-base's size, attention alone, 128 tokens: time and memory of certified states, layer
// after layer.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "numerics/product.hpp"
#include "numerics/san/doubles/engine.hpp"
#include "numerics/san/measures.hpp"
#include "numerics/san/preset.hpp"
#include "numerics/san/surgery.hpp"

namespace {

using namespace rankfall;

constexpr double wanted_digits = 10;

Network attention_of_bert(Index depth) {
  PresetSpec spec;
  spec.model = "bert-base";
  spec.tokens = 128;
  spec.depth = depth;
  spec.most_numbers = 1'000'000'000;
  return operated(generate(spec), surgery({"skip", "mlp", "layernorm"}));
}

/// Digits of log10 of the composite residual about the mean: -log10 of its radius over max(1, |log10|).
double digits(const ResidualState& state) {
  const Magnitude residual = residual_norm(state, Precision(128));
  if (!residual.certainly_positive()) return 0;
  const Ball log10 = residual.log10(Precision(128));
  const double width =
      to_double(sub(upper(log10, Precision(128)), lower(log10, Precision(128)), Precision(128)));
  return -std::log10(width / std::max(1.0, std::fabs(to_double(log10))));
}

double peak_gib() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / (1024 * 1024);
}

/// States alone, weights prepared.
void bert_base(benchmark::State& state, bool slices) {
  std::optional<ProductsByArb> by_arb;
  if (!slices) by_arb.emplace();
  const Network network = attention_of_bert(state.range(0));
  const ResidualEngine engine(network, Precision(state.range(1)));
  ResidualState last;
  for (auto _ : state) {
    last = engine.input(Reference::mean);
    for (std::size_t block = 0; block < engine.blocks(); ++block)
      last = recentred(engine.advance(block, last), Reference::mean, engine.precision());
  }
  state.counters["digits"] = digits(last);
  state.counters["log10"] = to_double(residual_norm(last, Precision(128)).log10(Precision(128)));
  state.counters["peak GiB"] = peak_gib();
  if (digits(last) < wanted_digits) state.SkipWithError("fewer than 10 digits: more bits are needed");
}
BENCHMARK_CAPTURE(bert_base, balls, true)
    ->Name("bert_base")
    ->ArgNames({"layers", "bits"})
    ->Args({1, 96})
    ->Args({12, 320})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(bert_base, arb, false)
    ->Name("bert_base_arb")
    ->ArgNames({"layers", "bits"})
    ->Args({12, 256})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

/// The same in pairs of doubles: states alone, with the bits that each layer
/// loses behind the first.
void bert_base_in_pairs(benchmark::State& state) {
  const Network network = attention_of_bert(12);
  std::vector<doubles::Layer> layers;
  for (const Block& block : network.blocks)
    layers.push_back(*doubles::layer(std::get<AttentionBlock>(block), true));
  const auto first = doubles::mean_state(network.input, true);
  std::vector<double> lost;
  std::optional<doubles::State> at;
  for (auto _ : state) {
    lost.clear();
    at = first;
    for (const doubles::Layer& layer : layers) {
      const double before = at->errors.total();
      at = doubles::advance(layer, *at, true);
      if (!at) return state.SkipWithError("pairs do not carry the network");
      lost.push_back(std::log2(at->errors.total() / before));
    }
  }
  state.counters["first lost"] = lost.front();
  state.counters["least lost"] = *std::min_element(lost.begin() + 1, lost.end());
  state.counters["most lost"] = *std::max_element(lost.begin() + 1, lost.end());
  state.counters["bits left"] = -std::log2(at->errors.total());
}
BENCHMARK(bert_base_in_pairs)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
