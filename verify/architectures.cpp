#include "verify/architectures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "numerics/errors.hpp"
#include "numerics/san/engine.hpp"
#include "numerics/san/measures.hpp"
#include "numerics/san/surgery.hpp"
#include "verify/enclosure.hpp"
#include "verify/memory.hpp"

namespace rankfall::verify {
namespace {

constexpr long first_bits = 128;
constexpr Precision statistics(256);

Surgery removed(Parts parts) {
  Surgery surgery;
  surgery.skip = parts == Parts::attention || parts == Parts::with_mlp;
  surgery.mlp = parts == Parts::attention || parts == Parts::with_skip;
  surgery.layernorm = parts != Parts::whole;
  return surgery;
}

/// The states behind which a layer ends: what comes before the first attention block, and each of them with
/// what follows it.
std::vector<bool> layer_ends(const Network& network) {
  std::vector<bool> ends(network.blocks.size() + 1, false);
  for (std::size_t b = 0; b < network.blocks.size(); ++b)
    ends[b] = std::holds_alternative<AttentionBlock>(network.blocks[b]);
  ends.back() = true;
  return ends;
}

struct Run {
  std::vector<Magnitude> layers;
  bool narrow = true;
};

/// None when a state cannot be enclosed at this precision, or its relative residual not told from zero.
std::optional<Run> follow(const ResidualEngine& engine, const Network& network, const ExactMatrix& input,
                          int digits) {
  const std::vector<bool> ends = layer_ends(network);
  Run run;
  try {
    ResidualState state = input_state(input, Reference::mean, engine.precision());
    for (std::size_t k = 0;; ++k) {
      if (ends[k]) {
        const auto relative = relative_residual(state, engine.precision());
        if (!relative || !(relative->is_zero() || relative->certainly_positive())) return std::nullopt;
        run.narrow = run.narrow && narrow_log10(*relative, digits);
        run.layers.push_back(*relative);
      }
      if (k == network.blocks.size()) return run;
      state = recentred(engine.advance(k, state), Reference::mean, engine.precision());
    }
  } catch (const DomainError&) {
    return std::nullopt;
  }
}

/// The runs of all inputs through one network.
struct Runs {
  std::vector<Run> all;
  long bits = 0;
};

Runs runs(const Network& network, const std::vector<ExactMatrix>& inputs, const ArchitectureOptions& options,
          const std::string& name) {
  Runs result;
  for (long bits = std::min(first_bits, options.max_bits);; bits = std::min(2 * bits, options.max_bits)) {
    require_memory(network, Precision(bits));
    const ResidualEngine engine(network, Precision(bits));
    result = {{}, bits};
    bool followed = true;
    for (const ExactMatrix& input : inputs) {
      std::optional<Run> run = follow(engine, network, input, options.digits);
      followed = run.has_value();
      if (!followed || (!run->narrow && bits < options.max_bits)) break;
      result.all.push_back(std::move(*run));
    }
    if (result.all.size() == inputs.size()) return result;
    if (bits == options.max_bits)
      throw PrecisionLimit(
          fmt::format("{}: {} bits do not suffice to follow the network; raise --max-bits", name, bits));
  }
}

Spread spread_of(const std::vector<Magnitude>& values) {
  Spread spread;
  std::vector<Ball> logs;
  for (const Magnitude& value : values)
    if (value.certainly_positive()) logs.push_back(value.log10(statistics));
  spread.runs = values.size();
  spread.zeros = values.size() - logs.size();
  if (logs.empty()) return spread;
  Ball sum, least = logs.front(), greatest = logs.front();
  for (const Ball& log : logs) {
    sum = add(sum, log, statistics);
    least = min(least, log, statistics);
    greatest = max(greatest, log, statistics);
  }
  spread.mean = div(sum, Ball(static_cast<long>(logs.size())), statistics);
  spread.least = least;
  spread.greatest = greatest;
  return spread;
}

/// The runs of one architecture in one state of dress.
struct Gathered {
  std::vector<std::vector<Magnitude>> layers;  // by layer, then by run
  long bits = 0;
  bool narrow = true;

  void add(Runs runs) {
    bits = std::max(bits, runs.bits);
    for (Run& run : runs.all) {
      narrow = narrow && run.narrow;
      layers.resize(std::max(layers.size(), run.layers.size()));
      for (std::size_t l = 0; l < run.layers.size(); ++l) layers[l].push_back(std::move(run.layers[l]));
    }
  }
  Profile profile(const std::string& model, Parts parts) const {
    Profile result{model, parts, {}, bits, narrow};
    for (const std::vector<Magnitude>& values : layers) result.layers.push_back(spread_of(values));
    return result;
  }
};

}  // namespace

std::string name(Parts parts) {
  switch (parts) {
    case Parts::attention:
      return "attention";
    case Parts::with_mlp:
      return "attention + mlp";
    case Parts::with_skip:
      return "attention + skip";
    case Parts::whole:
      return "whole";
  }
  return "";
}

std::vector<Profile> profiles(const Subjects& subjects, const ArchitectureOptions& options) {
  std::vector<Profile> result;
  std::array<Gathered, all_parts.size()> gathered;
  std::string model;
  const auto finish = [&] {
    for (std::size_t i = 0; i < all_parts.size() && !model.empty(); ++i)
      result.push_back(std::exchange(gathered[i], {}).profile(model, all_parts[i]));
  };
  for (std::size_t s = 0; s < subjects.count; ++s) {
    const Subject subject = subjects.make(s);
    if (subject.name != model) finish();
    model = subject.name;
    for (std::size_t i = 0; i < all_parts.size(); ++i) {
      if (options.progress) options.progress(s * all_parts.size() + i, subjects.count * all_parts.size());
      try {
        const Network network = operated(subject.network, removed(all_parts[i]));
        gathered[i].add(runs(network, subject.inputs, options, subject.name));
      } catch (const InputError& error) {
        throw InputError(fmt::format("{}, {}: {}", subject.name, name(all_parts[i]), error.what()));
      }
    }
  }
  finish();
  return result;
}

}  // namespace rankfall::verify
