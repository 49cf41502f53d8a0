#include <algorithm>
#include <limits>
#include <memory>

#include "verify/averages.hpp"
#include "verify/cli/command.hpp"
#include "verify/output.hpp"

namespace rankfall::verify::cli {
namespace {

constexpr std::uint64_t most_samples = 100'000'000;
constexpr double least_confidence = 0.5, most_confidence = 0.999999999999;

struct AveragesArguments {
  std::string ids;
  AverageOptions options;
  bool json = false;
};

/// A sampled interval that misses its number decides nothing: that happens with the probability that was
/// asked for.
int exit_code(const std::vector<Confirmation>& all) {
  const auto certified = [&](Verdict verdict) {
    return std::any_of(all.begin(), all.end(),
                       [&](const Confirmation& c) { return !c.confidence && c.verdict == verdict; });
  };
  if (certified(Verdict::refuted)) return true_statement_refuted;
  return certified(Verdict::inconclusive) ? lacks_precision : success;
}

int run_averages(const AveragesArguments& arguments) {
  std::vector<Confirmation> all;
  try {
    for (const std::string& id : arguments.ids.empty() ? average_ids() : split_list("ID", arguments.ids))
      for (Confirmation& c : confirmations(id, arguments.options)) all.push_back(std::move(c));
  } catch (const InputError& error) {  // the id came from the command line
    throw UsageError(error.what());
  }
  write_stdout(arguments.json ? averages_json(all) : averages_text(all));
  return exit_code(all);
}

}  // namespace

void add_averages(Commands& commands) {
  auto arguments = std::make_shared<AveragesArguments>();
  AverageOptions& options = arguments->options;
  Command command = commands.add(
      "averages",
      "Hold the statements about random weights and Lipschitz constants (gaussian-rate, noci-correlation,\n"
      "kim-lipschitz) against instances made on the spot: identities over all members of a finite law, "
      "bounds on random\n"
      "and extremal inputs, and a sampled mean with an interval of the confidence asked for.");
  command.optional_argument("ID", arguments->ids, "an id, or ids a,b,c",
                            "Statement ids separated by commas (default: all three)");
  command.whole_number("--samples", options.samples, 1, most_samples, "Draws of the sampled mean");
  command.whole_number("--seed", options.seed, 0, std::numeric_limits<std::uint64_t>::max(),
                       "Seed of the draws");
  command.number("--confidence", options.confidence, least_confidence, most_confidence,
                 "Probability at least with which the interval holds the true mean");
  command.flag("--json", arguments->json, "Print rankfall-averages/1 (docs/formats.md) instead of text");
  command.when_chosen([arguments]() -> Action { return [arguments] { return run_averages(*arguments); }; });
}

}  // namespace rankfall::verify::cli
