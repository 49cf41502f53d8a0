#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "verify/certificate.hpp"
#include "verify/check_json.hpp"
#include "verify/check_text.hpp"
#include "verify/cli/command.hpp"
#include "verify/cli/network_argument.hpp"
#include "verify/memory.hpp"
#include "verify/output.hpp"
#include "verify/sweep.hpp"
#include "verify/witness.hpp"

namespace rankfall::verify::cli {
namespace {

enum class Engine { residual, direct, both };

struct CheckArguments {
  NetworkArgument network;
  Engine engine = Engine::residual;
  std::string statements, gamma, certificates;
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

int run_check(const CheckArguments& arguments) {
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
  if (!arguments.certificates.empty())
    std::fprintf(stderr, "rankfall: %s\n",
                 write_certificates(network, result.decisions, arguments.certificates)
                     .words(arguments.certificates)
                     .c_str());
  if (result.lacks_precision())
    std::fprintf(
        stderr,
        "rankfall: %zu of %zu verdicts are open for lack of precision at %ld bits; raise --max-bits\n",
        result.undecided(), result.decisions.size(), result.bits);
  if (result.refutes_a_true_statement()) return true_statement_refuted;
  return result.lacks_precision() ? lacks_precision : success;
}

}  // namespace

void add_check(Commands& commands) {
  auto arguments = std::make_shared<CheckArguments>();
  CheckOptions& options = arguments->options;
  Command command = commands.add(
      "check",
      "Decide the bounds on one network: every state, every statement, every depth, each with an enclosure.\n"
      "Exit code 1 when a statement held true is refuted, 2 when the precision limit leaves one undecided.");
  add_network_options(command, arguments->network);
  command.text("--statement", arguments->statements, "an id, or ids a,b,c",
               "Ids to decide, separated by commas (default: all)");
  add_define(command, arguments->define);
  command.text("--gamma", arguments->gamma, "a reading of gamma, or several a,b,c",
               "Readings of gamma, separated by commas: one, sum-max, max-ratio, fixed:VALUE, implied\n"
               "(default: one,sum-max,max-ratio)");
  command.whole_number("--digits", options.digits, 1, most_digits,
                       "Printed enclosures are no wider than 10^-digits max(1,|v|)");
  options.threads = 0;
  command.whole_number("--threads", options.threads, 1, most_threads,
                       "Threads (default: as many as the machine has); results do not depend on them");
  command.whole_number("--max-bits", options.max_bits, least_bits, most_bits,
                       "Precision limit (default: 1024 + 32 for each block)");
  command.word<Engine>(
      "--engine", arguments->engine,
      {{"residual", Engine::residual}, {"direct", Engine::direct}, {"both", Engine::both}},
      "residual: certified (default). direct: textbook evaluation with as many bits as the depth needs;\n"
      "its states without verdicts. both: certified, and an error when the direct evaluation disagrees");
  command.text(
      "--certificate", arguments->certificates, "a folder",
      "Write a certificate of every verdict into this folder, for rankfall recheck and scripts/recheck.py;\n"
      "says which decisions have none and why (docs/certificates.md)");
  command.flag("--json", arguments->json, "Print rankfall-check/1 (docs/formats.md) instead of text");
  command.when_chosen([arguments, &options]() -> Action {
    options.known = known_statements(arguments->define);
    options.threads = thread_count(options.threads, most_threads);
    if (!arguments->statements.empty())
      options.statements = statement_ids("--statement", arguments->statements, options.known);
    for (const std::string& id : options.statements)
      if (const std::string& other = options.known.find(id).decided_by; !other.empty())
        throw UsageError(fmt::format(
            "--statement: {} is no bound on the states of a network; it is decided by '{}'", id, other));
    if (!arguments->certificates.empty() && arguments->engine == Engine::direct)
      throw UsageError("--certificate: --engine direct decides nothing; take residual or both");
    if (!arguments->gamma.empty()) options.gammas = gammas("--gamma", arguments->gamma);
    return [arguments] { return run_check(*arguments); };
  });
}

}  // namespace rankfall::verify::cli
