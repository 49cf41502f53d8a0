#include "verify/report/report.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "verify/cli/command.hpp"

namespace rankfall::verify::cli {
namespace {

constexpr std::size_t most_networks = 20'000;

struct ReportArguments {
  std::string config, ledger;
  std::string out = "out/report";
  std::string certificates;
  std::vector<std::string> define;
  unsigned threads = 0;
};

/// Refuses before any work what no network can be drawn for, and more networks than a report can hold.
void require_drawable(const Grid& grid, const std::string& name) {
  try {
    const std::size_t networks = cell_count(grid);
    if (networks > most_networks)
      throw InputError(
          fmt::format("the grid asks for {} networks; a report holds at most {}", networks, most_networks));
    for (std::size_t i = 0; i < networks; ++i) validate(cell(grid, i).spec);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", name, error.what()));
  }
}

ReportRequest request(const ReportArguments& arguments) {
  ReportRequest result;
  result.directory = arguments.out;
  result.threads = arguments.threads;
  result.certificates = arguments.certificates;
  result.command = "rankfall report";
  const theory::Statements known = known_statements(arguments.define);
  if (!arguments.ledger.empty()) {
    result.ledger = arguments.ledger;
    result.grid.options.known = known;
    result.command += " --ledger " + arguments.ledger;
  } else if (arguments.config.empty()) {
    result.grid_text = default_grid_text();
    result.grid = default_grid();
    result.grid.options.known = known;
  } else {
    result.grid_text = grid_text(arguments.config);
    result.grid = parse_grid(result.grid_text, arguments.config, known);
    result.command += " --config " + arguments.config;
  }
  for (const std::string& file : arguments.define) result.command += " --define " + file;
  if (arguments.ledger.empty())
    require_drawable(result.grid, arguments.config.empty() ? "the embedded grid" : arguments.config);
  return result;
}

int run_report(const ReportArguments& arguments) {
  const ReportOutcome outcome = write_report(request(arguments));
  const VerdictCounts& counts = outcome.counts;
  std::fprintf(
      stderr, "%s\n",
      fmt::format(
          "rankfall report: {} network{}, {} proved, {} refuted, {} inapplicable, {} inconclusive: {}",
          outcome.networks, outcome.networks == 1 ? "" : "s", counts.proved, counts.refuted,
          counts.inapplicable, counts.inconclusive,
          (std::filesystem::path(arguments.out) / "index.html").string())
          .c_str());
  if (!arguments.certificates.empty())
    std::fprintf(stderr, "rankfall: %s\n", outcome.certificates.words(arguments.certificates).c_str());
  if (outcome.contradictions > 0) {
    std::fprintf(
        stderr,
        "rankfall: a statement held true was refuted on %zu instances; they stand first on the page\n",
        outcome.contradictions);
    return true_statement_refuted;
  }
  return counts.precision > 0 ? lacks_precision : success;
}

}  // namespace

void add_report(Commands& commands) {
  auto arguments = std::make_shared<ReportArguments>();
  Command command = commands.add(
      "report",
      "Decide the bounds on a grid of random networks and write one page with verdicts, tables and figures.\n"
      "With --ledger nothing is decided: the page tells what rankfall sweep has found.\n"
      "The directory is written beside and put in place at once; only an earlier report is replaced.\n"
      "Exit code 1 when a statement held true is refuted, 2 when the precision limit leaves one undecided.");
  command.text("--config", arguments->config, "a file",
               "Grid, a TOML file (docs/formats.md); default: the embedded grid");
  command.text("--ledger", arguments->ledger, "a file",
               "Ledger of rankfall sweep to report on, in place of a grid (docs/sweeps.md)");
  add_define(command, arguments->define);
  command.text("--out", arguments->out, "a directory", "Directory to write");
  command.text(
      "--certificate", arguments->certificates, "a folder",
      "Write a certificate of the tightest and the loosest instance of every claim into this folder, for\n"
      "rankfall recheck and scripts/recheck.py (docs/certificates.md)");
  command.whole_number("--threads", arguments->threads, 1, most_threads,
                       "Threads (default: as many as the machine has)");
  command.when_chosen([arguments, command]() -> Action {
    for (const char* other : {"--config", "--certificate", "--threads"})
      if (command.given("--ledger") && command.given(other))
        throw UsageError(
            fmt::format("report: {} does not go with --ledger, whose networks are already decided", other));
    return [arguments] { return run_report(*arguments); };
  });
}

}  // namespace rankfall::verify::cli
