#include "verify/ledger/ledger.hpp"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <memory>

#include "verify/cli/command.hpp"
#include "verify/ledger/ledger_diff.hpp"
#include "verify/ledger/ledger_sweep.hpp"
#include "verify/output.hpp"

namespace rankfall::verify::cli {
namespace {

std::string utc(std::int64_t seconds) {
  const std::time_t time = static_cast<std::time_t>(seconds);
  std::tm parts = {};
  ::gmtime_r(&time, &parts);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string run_text(const RunStatus& run) {
  std::string text = fmt::format("last sweep: {} of {} cells, begun {}, last stored {}\n",
                                 run.present + run.computed, run.wanted, utc(run.started), utc(run.updated));
  const std::int64_t left = run.wanted - run.present - run.computed, spent = run.updated - run.started;
  if (run.computed > 0 && spent > 0) {
    const double rate = static_cast<double>(run.computed) / static_cast<double>(spent);
    text += fmt::format("rate: {:.3g} cells/s", rate);
    if (left > 0) text += fmt::format(", {:.0f} s to go at that rate", static_cast<double>(left) / rate);
    text += '\n';
  }
  return text;
}

int run_status(const std::string& path) {
  const Ledger ledger = Ledger::open(path);
  const LedgerTally tally = ledger.tally();
  std::string text = fmt::format("{}: {} cells\nverdicts:", path, ledger.cells());
  for (const auto& [verdict, count] : tally.verdicts) text += fmt::format(" {} {}", count, verdict);
  text += fmt::format(
      "\nrefutations of statements held true: {}\nundecided for lack of precision: {}\n"
      "cells that no network has: {}\n",
      tally.contradictions, tally.precision, tally.failures);
  if (const auto run = ledger.last_run()) text += run_text(*run);
  write_stdout(text);
  return success;
}

struct ExportArguments {
  std::string format = "csv";
  bool margins = false;  ///< one line a hypothesis, not a row
};

std::string exported(const Row& row, const std::vector<HypothesisRow>& hypotheses,
                     const ExportArguments& how) {
  if (how.format == "csv") return how.margins ? margin_csv_lines(row, hypotheses) : csv_line(row);
  return how.margins ? margin_json_lines(row, hypotheses) : json_line(row, hypotheses);
}

int run_export(const std::string& path, const ExportArguments& how) {
  const Ledger ledger = Ledger::open(path);
  std::string text;
  if (how.format == "csv") text = how.margins ? margin_csv_header() : csv_header();
  ledger.each([&](const LedgerCell& cell) {
    for (std::size_t i = 0; i < cell.rows.size(); ++i)
      text += exported(cell.rows[i], cell.hypotheses[i], how);
    write_stdout(text);
    text.clear();
  });
  write_stdout(text);
  return success;
}

int run_merge(const std::string& into, const std::vector<std::string>& from) {
  Ledger ledger = Ledger::open_to_write(into);
  std::string text;
  for (const std::string& path : from)
    text += fmt::format("{}: {} cells added\n", path, merge_into(ledger, Ledger::open(path)));
  write_stdout(text + fmt::format("{}: {} cells\n", into, ledger.cells()));
  return success;
}

int run_diff(const std::string& before, const std::string& after) {
  const LedgerDiff result = diff(Ledger::open(before), Ledger::open(after));
  write_stdout(diff_text(result));
  return result.changes.empty() && result.only_before == 0 && result.only_after == 0 ? 0 : 1;
}

struct Paths {
  std::string first, second;
  ExportArguments exporting = {};
  std::vector<std::string> others;
};

}  // namespace

void add_ledger_commands(Commands& commands) {
  auto paths = std::make_shared<Paths>();
  Command status = commands.add("status", "How far a sweep is, and what it has found so far.");
  status.argument("LEDGER", paths->first, "Ledger of a sweep");
  status.when_chosen([paths]() -> Action { return [paths] { return run_status(paths->first); }; });

  Command exporting = commands.add("export",
                                   "Print a ledger's rows, ordered by what they describe: two ledgers with "
                                   "the same cells print the same.");
  exporting.argument("LEDGER", paths->first, "Ledger of a sweep");
  exporting.word<std::string>("--format", paths->exporting.format, {{"csv", "csv"}, {"jsonl", "jsonl"}},
                              "Default: csv");
  exporting.word<bool>(
      "--table", paths->exporting.margins, {{"result", false}, {"margin", true}},
      "One line a row, or one for each hypothesis of a row with its margin (default: result)");
  exporting.when_chosen(
      [paths]() -> Action { return [paths] { return run_export(paths->first, paths->exporting); }; });

  Command merging = commands.add(
      "merge", "Add the cells of other ledgers to one. Ledgers that contradict each other are refused.");
  merging.argument("LEDGER", paths->first, "Ledger to add to; made when there is none");
  merging.arguments("OTHERS", paths->others, "Ledgers to take from");
  merging.when_chosen(
      [paths]() -> Action { return [paths] { return run_merge(paths->first, paths->others); }; });

  Command comparing =
      commands.add("diff",
                   "Rows whose verdict or enclosure differs between two ledgers, say of two versions.\n"
                   "Exit code 0 when nothing differs, else 1.");
  comparing.argument("BEFORE", paths->first, "Ledger");
  comparing.argument("AFTER", paths->second, "Ledger");
  comparing.when_chosen(
      [paths]() -> Action { return [paths] { return run_diff(paths->first, paths->second); }; });
}

}  // namespace rankfall::verify::cli
