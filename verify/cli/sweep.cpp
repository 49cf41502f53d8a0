#include "verify/ledger/ledger_sweep.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>

#include "verify/cli/command.hpp"
#include "verify/interrupt.hpp"
#include "verify/output.hpp"
#include "verify/progress.hpp"

namespace rankfall::verify::cli {
namespace {

constexpr double sample_seconds = 2;

struct SweepArguments {
  std::string grid, ledger, shard;
  std::vector<std::string> define;
  unsigned threads = 0;
  bool dry_run = false;
};

Shard parse_shard(const std::string& text) {
  Shard shard;
  if (text.empty()) return shard;
  std::size_t end = 0, more = 0;
  try {
    shard.index = std::stoul(text, &end);
    if (end < text.size() && text[end] == '/') shard.count = std::stoul(text.substr(end + 1), &more);
  } catch (const std::exception&) {
    more = 0;
  }
  if (more == 0 || end + 1 + more != text.size() || shard.index < 1 || shard.index > shard.count ||
      text.find_first_not_of("0123456789/") != std::string::npos)
    throw UsageError(fmt::format("--shard: '{}' is not i/N with 1 <= i <= N", text));
  return shard;
}

/// The mean time of cells spread over the grid, as many as a moment allows.
double seconds_per_cell(const Grid& grid) {
  using Clock = std::chrono::steady_clock;
  const std::size_t count = cell_count(grid);
  const Clock::time_point start = Clock::now();
  std::size_t done = 0;
  double elapsed = 0;
  // The golden section of the grid: as even a spread as any, wherever it stops.
  for (double at = 0.5; done < count && elapsed < sample_seconds; ++done) {
    const auto index = static_cast<std::size_t>(at * static_cast<double>(count));
    ledger_cell(grid, compute(grid, index));
    elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    at += 0.6180339887498949;
    at -= at >= 1 ? 1 : 0;
  }
  return elapsed / static_cast<double>(done);
}

int dry_run(const Grid& grid, Shard shard, const SweepArguments& arguments) {
  const std::size_t count = cell_count(grid);
  const std::size_t wanted = count < shard.index ? 0 : (count - shard.index) / shard.count + 1;
  const double each = seconds_per_cell(grid);
  const unsigned threads = thread_count(arguments.threads, wanted);
  write_stdout(
      fmt::format("{} cells, {} in this shard; {:.3g} s a cell on a sample, about {:.3g} s on {} threads\n",
                  count, wanted, each, each * static_cast<double>(wanted) / threads, threads));
  return success;
}

std::string noted(const SweepCounts& counts) {
  return fmt::format("  {} refuted, {} inconclusive", counts.refuted, counts.inconclusive);
}

int run_sweep(const SweepArguments& arguments) {
  const Shard shard = parse_shard(arguments.shard);
  const Grid grid = parse_grid(grid_text(arguments.grid), arguments.grid, known_statements(arguments.define));
  if (arguments.dry_run) return dry_run(grid, shard, arguments);
  if (arguments.ledger.empty()) throw UsageError("sweep: --ledger FILE is required");
  cell_count(grid);
  const DeferredInterrupt interrupt;
  Ledger ledger = Ledger::open_to_write(arguments.ledger);
  SweepCounts counts;
  {
    ProgressBar bar("sweep", ProgressBar::Elsewhere::line_a_minute);
    counts = sweep_into(ledger, grid, shard, arguments.threads, [&](const SweepCounts& so_far) {
      bar.update(so_far.computed, so_far.wanted - so_far.present, noted(so_far));
      return !interrupt.requested();
    });
  }
  std::fprintf(stderr, "%s\n",
               fmt::format("rankfall sweep: {} cells computed, {} of {} in {};{}", counts.computed,
                           counts.present + counts.computed, counts.wanted, arguments.ledger, noted(counts))
                   .c_str());
  if (counts.failed > 0)
    std::fprintf(stderr, "rankfall sweep: %zu cells are such that no network has them; the ledger says why\n",
                 counts.failed);
  interrupt.check();
  const LedgerTally tally = ledger.tally();
  if (tally.contradictions > 0) return true_statement_refuted;
  return tally.precision > 0 ? lacks_precision : success;
}

}  // namespace

void add_sweep(Commands& commands) {
  auto arguments = std::make_shared<SweepArguments>();
  Command command = commands.add(
      "sweep",
      "Decide every cell of a grid and keep the results in a ledger, an SQLite file (docs/sweeps.md).\n"
      "What the ledger holds is not computed again: an interrupted sweep goes on where it was.\n"
      "Exit code 1 when the ledger holds a refutation of a statement held true, 2 when it holds one "
      "undecided\n"
      "for lack of precision.");
  command.argument("GRID", arguments->grid, "Grid, a TOML file (docs/formats.md)");
  command.text("--ledger", arguments->ledger, "a file", "Ledger to fill; made when there is none");
  add_define(command, arguments->define);
  command.text("--shard", arguments->shard, "i/N with 1 <= i <= N",
               "Only the cells i, i+N, i+2N, ... (i/N with 1 <= i <= N)");
  command.whole_number("--threads", arguments->threads, 1, most_threads,
                       "Threads (default: as many as the machine has)");
  command.flag("--dry-run", arguments->dry_run, "Only print the number of cells and an estimate of the time");
  command.when_chosen([arguments]() -> Action { return [arguments] { return run_sweep(*arguments); }; });
}

}  // namespace rankfall::verify::cli
