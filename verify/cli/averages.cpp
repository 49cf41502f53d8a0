#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <memory>

#include "verify/averages.hpp"
#include "verify/cli/command.hpp"
#include "verify/cli/values.hpp"
#include "verify/output.hpp"

namespace rankfall::verify::cli {
namespace {

constexpr std::uint64_t most_samples = 100'000'000;
constexpr double least_confidence = 0.5, most_confidence = 0.999999999999;

struct Arguments {
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

int run_averages(const Arguments& arguments) {
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

void add_averages(CLI::App& program, Action& action) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand(
      "averages",
      "Hold the statements about random weights and Lipschitz constants (gaussian-rate, noci-correlation,\n"
      "kim-lipschitz) against instances made on the spot: identities over all members of a finite law, "
      "bounds on random\n"
      "and extremal inputs, and a sampled mean with an interval of the confidence asked for.");
  takes_text(
      command->add_option("ID", arguments->ids, "Statement ids separated by commas (default: all three)"),
      "an id, or ids a,b,c");
  takes_whole_number(command->add_option("--samples", arguments->options.samples, "Draws of the sampled mean"),
                     1, most_samples)
      ->capture_default_str();
  takes_whole_number(command->add_option("--seed", arguments->options.seed, "Seed of the draws"), 0,
                     std::numeric_limits<std::uint64_t>::max())
      ->capture_default_str();
  command
      ->add_option("--confidence", arguments->options.confidence,
                   "Probability at least with which the interval holds the true mean")
      ->capture_default_str()
      ->check(CLI::Range(least_confidence, most_confidence));
  command->add_flag("--json", arguments->json, "Print rankfall-averages/1 (docs/formats.md) instead of text");
  command->callback([arguments, &action] { action = [arguments] { return run_averages(*arguments); }; });
}

}  // namespace rankfall::verify::cli
