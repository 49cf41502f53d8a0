#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <memory>

#include "numerics/io/json_network.hpp"
#include "verify/check_json.hpp"
#include "verify/check_text.hpp"
#include "verify/cli/command.hpp"
#include "verify/cli/values.hpp"
#include "verify/memory.hpp"
#include "verify/output.hpp"
#include "verify/sha256.hpp"
#include "verify/witness.hpp"

namespace rankfall::verify::cli {
namespace {

enum class Engine { residual, direct, both };

const std::vector<std::pair<std::string, Engine>> engines = {
    {"residual", Engine::residual}, {"direct", Engine::direct}, {"both", Engine::both}};

struct Arguments {
  std::string network;
  Engine engine = Engine::residual;
  std::string statements, gamma;
  std::vector<std::string> define;
  CheckOptions options;
  bool json = false;
};

int run_check(const Arguments& arguments) {
  const std::string bytes = network_text(arguments.network);
  const Network network = parse_network(bytes, network_name(arguments.network));
  const Source source{arguments.network, sha256(bytes)};
  require_memory(network, Precision(arguments.options.start_bits));
  CheckResult result;
  std::string engine = "residual";
  if (arguments.engine == Engine::direct) {
    result = states_of(network, direct_evaluation(network, arguments.options.digits));
    engine = "direct";
  } else {
    result = check(network, arguments.options);
  }
  if (arguments.engine == Engine::both) {
    confirm(result, direct_evaluation(network, arguments.options.digits));
    engine = "residual, confirmed by direct";
  }
  write_stdout(arguments.json ? check_json(result, source, engine, arguments.options.digits)
                              : check_text(result, source, engine, arguments.options.digits));
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
  command
      ->add_option("NETWORK", arguments->network,
                   "Network file (rankfall-network/1, docs/formats.md), or - for standard input")
      ->required();
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
