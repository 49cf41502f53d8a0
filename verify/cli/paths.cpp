#include <memory>

#include "numerics/io/json_network.hpp"
#include "verify/check.hpp"
#include "verify/cli/command.hpp"
#include "verify/memory.hpp"
#include "verify/output.hpp"
#include "verify/path_answer.hpp"

namespace rankfall::verify::cli {
namespace {

struct PathsArguments {
  std::string network;
  PathOptions options;
  bool json = false;
};

int run_paths(const PathsArguments& arguments) {
  const std::string name = network_name(arguments.network);
  const Network network = parse_network(network_text(arguments.network), name);
  require_memory(network, Precision(least_bits));
  const PathAnswer answer = path_answer(network, arguments.options);
  const auto write = arguments.json ? path_json : path_text;
  write_stdout(write(answer, network, name, arguments.options.digits));
  switch (answer.verdict()) {
    case Verdict::refuted:
      return true_statement_refuted;
    case Verdict::inconclusive:
      return lacks_precision;
    case Verdict::proved:
    case Verdict::inapplicable:
      break;
  }
  return success;
}

}  // namespace

void add_paths(Commands& commands) {
  auto arguments = std::make_shared<PathsArguments>();
  PathOptions& options = arguments->options;
  Command command = commands.add("paths",
                                 "Take the output of an attention network apart into its paths, "
                                 "one head or the skip in every layer: decide\n"
                                 "that the paths add up to the output (path-decomposition), and "
                                 "say what the paths of each length contribute\n"
                                 "to the output and to its residual. How many paths there are "
                                 "without a network: rankfall table path-count.");
  command.argument("NETWORK", arguments->network,
                   "Network file (rankfall-network/1) of attention blocks, or - for standard input");
  command.whole_number("--max-paths", options.max_paths, 1, theory::most_enumerated_paths,
                       "Go through so many paths one by one; sum more of them by length, layer by layer");
  command.whole_number("--digits", options.digits, 1, most_digits,
                       "Printed enclosures are no wider than 10^-digits max(1,|v|)");
  command.whole_number("--max-bits", options.max_bits, least_bits, most_bits, "Precision limit");
  command.flag("--json", arguments->json,
               "Print rankfall-path-decomposition/1 (docs/formats.md) instead of text");
  command.when_chosen([arguments]() -> Action { return [arguments] { return run_paths(*arguments); }; });
}

}  // namespace rankfall::verify::cli
