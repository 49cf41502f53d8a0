#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "verify/check_json.hpp"
#include "verify/check_text.hpp"
#include "verify/cli/command.hpp"
#include "verify/cli/network_argument.hpp"
#include "verify/cli/values.hpp"
#include "verify/memory.hpp"
#include "verify/output.hpp"
#include "verify/witness.hpp"

namespace rankfall::verify::cli {
namespace {

enum class Engine { residual, direct, both };

const std::vector<std::pair<std::string, Engine>> engines = {
    {"residual", Engine::residual}, {"direct", Engine::direct}, {"both", Engine::both}};

struct Arguments {
  NetworkArgument network;
  Engine engine = Engine::residual;
  std::string statements, gamma;
  std::vector<std::string> define;
  CheckOptions options;
  bool json = false;
};

/// Names the file where a normalisation of the network divides by zero.
CheckResult checked(const LoadedNetwork& loaded, const CheckOptions& options) {
  try {
    return check(loaded.network, options);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", loaded.source.file, error.what()));
  }
}

int run_check(const Arguments& arguments) {
  const LoadedNetwork loaded = load(arguments.network);
  const Network& network = loaded.network;
  require_memory(network, Precision(arguments.options.start_bits));
  CheckResult result;
  std::string engine = "residual";
  if (arguments.engine == Engine::direct) {
    result = states_of(network, direct_evaluation(network, arguments.options.digits));
    engine = "direct";
  } else {
    result = checked(loaded, arguments.options);
  }
  if (arguments.engine == Engine::both) {
    confirm(result, direct_evaluation(network, arguments.options.digits));
    engine = "residual, confirmed by direct";
  }
  write_stdout(arguments.json ? check_json(result, loaded.source, engine, arguments.options.digits)
                              : check_text(result, loaded.source, engine, arguments.options.digits));
  if (result.lacks_precision())
    std::fprintf(
        stderr,
        "rankfall: %zu of %zu verdicts are open for lack of precision at %ld bits; raise --max-bits\n",
        result.undecided(), result.decisions.size(), result.bits);
  if (result.refutes_a_true_statement()) return true_statement_refuted;
  return result.lacks_precision() ? lacks_precision : success;
}

}  // namespace

void add_check(CLI::App& program, Action& action) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand(
      "check",
      "Decide the bounds on one network: every state, every statement, every depth, each with an enclosure.\n"
      "Exit code 1 when a statement held true is refuted, 2 when the precision limit leaves one undecided.");
  add_network_options(*command, arguments->network);
  takes_text(command->add_option("--statement", arguments->statements,
                                 "Ids to decide, separated by commas (default: all)"),
             "an id, or ids a,b,c");
  add_define(*command, arguments->define);
  takes_text(command->add_option(
                 "--gamma", arguments->gamma,
                 "Readings of gamma, separated by commas: one, sum-max, max-ratio, fixed:VALUE, implied\n"
                 "(default: one,sum-max,max-ratio)"),
             "a reading of gamma, or several a,b,c");
  takes_whole_number(command->add_option("--digits", arguments->options.digits,
                                         "Printed enclosures are no wider than 10^-digits max(1,|v|)"),
                     1, most_digits)
      ->capture_default_str();
  takes_whole_number(command->add_option("--max-bits", arguments->options.max_bits,
                                         "Precision limit (default: 1024 + 32 for each block)"),
                     least_bits, most_bits);
  takes_one_of(
      command->add_option(
          "--engine", arguments->engine,
          "residual: certified (default). direct: textbook evaluation with as many bits as the depth needs;\n"
          "its states without verdicts. both: certified, and an error when the direct evaluation disagrees"),
      engines);
  command->add_flag("--json", arguments->json, "Print rankfall-check/1 (docs/formats.md) instead of text");
  command->callback([arguments, &action] {
    CheckOptions& options = arguments->options;
    options.known = known_statements(arguments->define);
    if (!arguments->statements.empty())
      options.statements = statement_ids("--statement", arguments->statements, options.known);
    for (const std::string& id : options.statements)
      if (const std::string& command = options.known.find(id).decided_by; !command.empty())
        throw UsageError(fmt::format(
            "--statement: {} is no bound on the states of a network; it is decided by '{}'", id, command));
    if (!arguments->gamma.empty()) arguments->options.gammas = gammas("--gamma", arguments->gamma);
    action = [arguments] { return run_check(*arguments); };
  });
}

}  // namespace rankfall::verify::cli
