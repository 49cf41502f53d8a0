#include "verify/search/falsify.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>

#include "numerics/io/file.hpp"
#include "numerics/io/json_network.hpp"
#include "verify/cli/command.hpp"
#include "verify/interrupt.hpp"
#include "verify/other_claims.hpp"
#include "verify/output.hpp"
#include "verify/progress.hpp"
#include "verify/search/falsify_text.hpp"
#include "verify/search/least_size.hpp"
#include "verify/search/search_certificates.hpp"
#include "verify/search/search_state.hpp"
#include "verify/sweep.hpp"

namespace rankfall::verify::cli {
namespace {

constexpr std::size_t max_state_bytes = std::size_t{1} << 24U;
constexpr double most_seconds = 1e7, most_evaluations = 1e12;

struct FalsifyArguments {
  FalsifyRequest request;
  std::string id, budget = "20000", gamma, skip, out, state, family, certificates;
  std::vector<std::string> define;
  theory::Statements known;
  unsigned threads = 0;
  bool json = false;
};

/// "60s" or a number of evaluations such as 20000 or 1e6.
void set_budget(FalsifyRequest& request, const std::string& text) {
  const bool seconds = text.ends_with('s');
  const std::string number = text.substr(0, text.size() - seconds);
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  const double most = seconds ? most_seconds : most_evaluations;
  if (error != std::errc() || end != number.data() + number.size() || !(value > 0 && value <= most) ||
      (!seconds && value != std::floor(value)))
    throw UsageError(
        fmt::format("--budget: found '{}'; seconds as in 60s, or evaluations as in 20000 or 1e6", text));
  if (seconds)
    request.seconds = value;
  else
    request.evaluations = static_cast<std::uint64_t>(value);
}

SearchState begun(const FalsifyArguments& arguments) {
  if (arguments.state.empty() || !std::filesystem::exists(arguments.state)) return {};
  return parse_search_state(read_file(arguments.state, max_state_bytes), arguments.state, arguments.request);
}

std::string note(const SearchState& state) {
  return std::isfinite(state.value) ? fmt::format("  best {:.6g}", std::exp2(state.value)) : "  nothing yet";
}

using Clock = std::chrono::steady_clock;

std::size_t seconds_since(Clock::time_point start) {
  return static_cast<std::size_t>(
      std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start).count());
}

void tell(const CertificateCount& count, const std::string& folder) {
  std::fprintf(stderr, "rankfall: %s\n", count.words(folder).c_str());
}

int run_falsify(const FalsifyArguments& arguments) {
  const FalsifyRequest& request = arguments.request;
  const DeferredInterrupt interrupt;
  SearchState state = begun(arguments);
  {
    ProgressBar bar("falsify", ProgressBar::Elsewhere::line_a_minute);
    const Clock::time_point start = Clock::now();
    state = search(
        request, std::move(state),
        [&](const SearchState& so_far) {
          if (!arguments.state.empty()) write_file(arguments.state, search_state_text(request, so_far));
          if (request.evaluations) bar.update(so_far.evaluations, *request.evaluations, note(so_far));
          if (request.seconds)
            bar.update(seconds_since(start), static_cast<std::size_t>(*request.seconds), note(so_far));
          return !interrupt.requested();
        },
        [&] { return interrupt.requested(); });
  }
  interrupt.check();
  const Finding finding = certify(request, state);
  if (!arguments.out.empty() && finding.network) write_file(arguments.out, write_network(*finding.network));
  write_stdout(arguments.json ? falsify_json(request, finding) : falsify_text(request, finding));
  if (!arguments.certificates.empty())
    tell(write_certificate(finding, arguments.certificates), arguments.certificates);
  const bool held_true = finding.decision && finding.decision->claim() == theory::Status::proved;
  return finding.violated() && held_true ? true_statement_refuted : success;
}

/// A family in closed form instead of networks: how small can a violating member be?
int run_family(const FalsifyArguments& arguments) {
  const std::uint64_t seed = arguments.request.seed, evaluations = *arguments.request.evaluations;
  std::optional<LeastInstance> found;
  {
    ProgressBar bar("falsify", ProgressBar::Elsewhere::line_a_minute);
    std::size_t tried = 0;
    constexpr std::size_t sizes = 34;  // about: as many doublings and halvings
    found = least_instance(arguments.id, seed, evaluations,
                           [&](long size) { bar.update(tried++, sizes, fmt::format("  size {}", size)); });
  }
  if (!found) {
    write_stdout(
        fmt::format("{}, family {}: no violation found (seed {})\n", arguments.id, arguments.family, seed));
    return success;
  }
  write_stdout(arguments.json ? least_instance_json(*found, seed) : least_instance_text(*found, seed));
  if (!arguments.certificates.empty())
    tell(write_certificate(*found, arguments.certificates), arguments.certificates);
  return success;  // families are known against claims that the catalogue holds refuted
}

/// What goes with --family: the seed and a number of evaluations, of each size.
void require_family(const FalsifyArguments& arguments) {
  const std::string family = family_of(arguments.id);
  if (family.empty()) throw UsageError("--family: none is known for " + arguments.id);
  if (arguments.family != family)
    throw UsageError(
        fmt::format("--family: found '{}'; of {} it is {}", arguments.family, arguments.id, family));
  if (!arguments.request.evaluations)
    throw UsageError("--budget: with --family a number of evaluations for each size");
  if (!arguments.out.empty() || !arguments.state.empty())
    throw UsageError(
        "--family goes with neither --out nor --state: its instance is given by the numbers that --json "
        "prints, and in full in its certificate");
}

/// Claims beside the catalogue have a family or nothing to search.
void require_searchable(const FalsifyArguments& arguments) {
  const std::string family = family_of(arguments.id);
  if (family.empty())
    throw UsageError(
        fmt::format("ID: {} is decided by rankfall audit; there is nothing to search", arguments.id));
  if (arguments.family.empty())
    throw UsageError(fmt::format(
        "ID: {} has a hypothesis that is an equation, which climbing from network to network does not keep; "
        "--family {} searches networks that satisfy it by construction",
        arguments.id, family));
}

void complete(FalsifyArguments& arguments) {
  FalsifyRequest& request = arguments.request;
  set_budget(request, arguments.budget);
  if (find_other_claim(arguments.id) != nullptr) {
    require_searchable(arguments);
    return require_family(arguments);
  }
  arguments.known = known_statements(arguments.define);
  statement_id("ID", arguments.id, arguments.known);
  request.statement = &arguments.known.find(arguments.id);
  if (request.shape.outputs == 0) request.shape.outputs = request.shape.dim;
  request.threads = thread_count(arguments.threads, most_threads);
  if (!arguments.gamma.empty()) {
    if (!request.statement->uses_gamma) throw UsageError("--gamma: " + arguments.id + " has no gamma");
    const auto all = gammas("--gamma", arguments.gamma);
    if (all.size() != 1) throw UsageError("--gamma: a search takes one reading");
    request.gamma = all.front();
  }
  if (!arguments.family.empty()) return require_family(arguments);
  const theory::Scope& scope = request.statement->scope;
  request.shape.mlp = scope.mlp;
  request.shape.skip = scope.skip ? 1 : 0;
  try {
    if (!arguments.skip.empty()) request.shape.skip = parse_number(arguments.skip);
    validate(request.shape);
  } catch (const InputError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

void add_falsify(Commands& commands) {
  auto arguments = std::make_shared<FalsifyArguments>();
  Shape& shape = arguments->request.shape;
  shape.outputs = 0;
  Command command = commands.add(
      "falsify",
      "Search networks for one on which a statement is violated, or nearly attained. Climbs from structured "
      "and\n"
      "random instances; every value compared is a certified lower bound, and the best instance is rounded "
      "to\n"
      "short exact weights and decided. Exit code 1 when a statement held true is violated.\n\n"
      "What is searched: attention of one layer (--depth: of several, for a bound of the whole depth), "
      "without\n"
      "masks and normalisations, with query biases; a skip connection or a relu block behind the attention\n"
      "where the statement is about one. Statements about masks or normalisations, and those that are no\n"
      "inequality between states, are refused with the reason.");
  command.argument("ID", arguments->id, "Statement id");
  command.whole_number("--tokens", shape.tokens, 1, most_search_numbers, "Tokens n");
  command.whole_number("--dim", shape.dim, 1, most_search_numbers, "Width d");
  command.whole_number("--heads", shape.heads, 1, most_search_numbers, "Heads");
  command.whole_number("--outputs", shape.outputs, 1, most_search_numbers,
                       "Width of the output (default: dim)");
  command.whole_number("--depth", shape.depth, 1, most_search_numbers,
                       "Layers, for statements with a bound of the whole depth; the last state is looked at");
  command.text("--skip", arguments->skip, "a number",
               "Skip connection (default: 1 where the statement is about one)");
  command.text("--gamma", arguments->gamma, "a reading of gamma", "Reading of gamma (default: sum-max)");
  command.text("--budget", arguments->budget, "60s or 20000",
               "When to stop: seconds as in 60s, or evaluations as in 20000 or 1e6");
  command.text(
      "--family", arguments->family, "the name of a family",
      "Search a family in closed form for its smallest violating member instead: two-heads (dong-2.3,\n"
      "dong-2.3-v1; the least width m), one-logit-per-mover (dong-2.2-v1; the least number of tokens n) or\n"
      "orthogonal-outputs (dong-3.1-orthogonal; the least width d). --budget is then the most evaluations "
      "at\n"
      "each size");
  command.whole_number("--seed", arguments->request.seed, 0, std::numeric_limits<std::uint64_t>::max(),
                       "Seed");
  command.whole_number("--threads", arguments->threads, 1, most_threads,
                       "Threads (default: as many as the machine has)");
  command.text("--state", arguments->state, "a file",
               "Keep the state of the search there after each round, and go on from it when it exists");
  command.text("--out", arguments->out, "a file", "Write the instance there, a network file");
  command.text(
      "--certificate", arguments->certificates, "a folder",
      "Write a certificate of the best instance into this folder, for rankfall recheck and "
      "scripts/recheck.py\n(docs/certificates.md): what the statement does there, and left/right. The "
      "same search gives the same bytes");
  add_define(command, arguments->define);
  command.flag("--json", arguments->json, "Print rankfall-falsify/1 (docs/formats.md) instead of text");
  command.when_chosen([arguments, command]() -> Action {
    for (const char* flag :
         {"--tokens", "--dim", "--heads", "--outputs", "--depth", "--skip", "--gamma", "--threads"})
      if (command.given(flag) && command.given("--family"))
        throw UsageError(std::string(flag) +
                         " does not go with --family, whose members have a size of their own");
    complete(*arguments);
    return
        [arguments] { return arguments->family.empty() ? run_falsify(*arguments) : run_family(*arguments); };
  });
}

}  // namespace rankfall::verify::cli
