#include "verify/ledger/ledger_sweep.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "verify/cli/command.hpp"
#include "verify/interrupt.hpp"
#include "verify/ledger/follower.hpp"
#include "verify/ledger/leader.hpp"
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

int dry_run(const Grid& grid, Shard shard, unsigned workers) {
  const std::size_t count = cell_count(grid);
  const std::size_t wanted = count < shard.index ? 0 : (count - shard.index) / shard.count + 1;
  const double each = seconds_per_cell(grid);
  workers = thread_count(workers, wanted);
  write_stdout(
      fmt::format("{} cells, {} in this shard; {:.3g} s a cell on a sample, about {:.3g} s on {} threads\n",
                  count, wanted, each, each * static_cast<double>(wanted) / workers, workers));
  return success;
}

std::string noted(const SweepCounts& counts) {
  return fmt::format("  {} refuted, {} inconclusive", counts.refuted, counts.inconclusive);
}

Grid read_grid(const SweepArguments& arguments) {
  return parse_grid(grid_text(arguments.grid), arguments.grid, known_statements(arguments.define));
}

/// The processes that mpirun started; null where it started none. MPI is never touched otherwise.
std::unique_ptr<Ranks> start_ranks(const MessagePassing& messages) {
  const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (!size) return nullptr;
  if (messages.start) return messages.start();
  if (std::string(size) == "1") return nullptr;
  throw UsageError(
      "mpirun started this program, which was built without MPI (rankfall --version); build it where "
      "scripts/deps.sh mpi has been, or use --shard and merge");
}

void conclude(const SweepCounts& counts, const std::string& path) {
  std::fprintf(stderr, "%s\n",
               fmt::format("rankfall sweep: {} cells computed, {} of {} in {};{}", counts.computed,
                           counts.present + counts.computed, counts.wanted, path, noted(counts))
                   .c_str());
  if (counts.failed > 0)
    std::fprintf(stderr, "rankfall sweep: %zu cells are such that no network has them; the ledger says why\n",
                 counts.failed);
}

/// The process that owns the ledger: the only one, or the first.
int run_sweep(const SweepArguments& arguments, Ranks* ranks) {
  std::optional<Leader> leader;
  if (ranks) leader.emplace(*ranks);
  const Shard shard = parse_shard(arguments.shard);
  Grid grid = read_grid(arguments);
  const unsigned threads = ranks ? std::max(1U, arguments.threads) : arguments.threads;
  if (arguments.dry_run)
    return dry_run(grid, shard, ranks ? threads * static_cast<unsigned>(ranks->size()) : threads);
  if (arguments.ledger.empty()) throw UsageError("sweep: --ledger FILE is required");
  cell_count(grid);
  if (ranks) grid.options.concurrent = static_cast<unsigned>(ranks->local_size());
  const DeferredInterrupt interrupt;
  Ledger ledger = Ledger::open_to_write(arguments.ledger);
  SweepCounts counts;
  {
    ProgressBar bar("sweep", ProgressBar::Elsewhere::line_a_minute);
    const SweepCallback progress = [&](const SweepCounts& so_far) {
      bar.update(so_far.computed, so_far.wanted - so_far.present, noted(so_far));
      return !interrupt.requested();
    };
    counts = leader ? leader->sweep(ledger, grid, shard, threads, progress)
                    : sweep_into(ledger, grid, shard, threads, progress);
  }
  conclude(counts, arguments.ledger);
  interrupt.check();
  const LedgerTally tally = ledger.tally();
  if (tally.contradictions > 0) return true_statement_refuted;
  return tally.precision > 0 ? lacks_precision : success;
}

/// Any other process. What is wrong with the call is the first one's to say.
int help_sweep(const SweepArguments& arguments, Ranks& ranks) {
  const DeferredInterrupt interrupt;
  const auto grid = [&] {
    Grid own = read_grid(arguments);
    own.options.concurrent = static_cast<unsigned>(ranks.local_size());
    return own;
  };
  follow(ranks, grid, std::max(1U, arguments.threads), [&interrupt] { return !interrupt.requested(); });
  interrupt.check();
  return success;
}

}  // namespace

void add_sweep(Commands& commands, const MessagePassing& messages) {
  auto arguments = std::make_shared<SweepArguments>();
  Command command = commands.add(
      "sweep",
      "Decide every cell of a grid and keep the results in a ledger, an SQLite file (docs/sweeps.md).\n"
      "What the ledger holds is not computed again: an interrupted sweep goes on where it was.\n"
      "Exit code 1 when the ledger holds a refutation of a statement held true, 2 when it holds one "
      "undecided\n"
      "for lack of precision.\n"
      "Under mpirun the processes share the work, with one thread each unless --threads says more; the first "
      "one owns\n"
      "the ledger.");
  command.argument("GRID", arguments->grid, "Grid, a TOML file (docs/formats.md)");
  command.text("--ledger", arguments->ledger, "a file", "Ledger to fill; made when there is none");
  add_define(command, arguments->define);
  command.text("--shard", arguments->shard, "i/N with 1 <= i <= N",
               "Only the cells i, i+N, i+2N, ... (i/N with 1 <= i <= N)");
  command.whole_number("--threads", arguments->threads, 1, most_threads,
                       "Threads (default: as many as the machine has)");
  command.flag("--dry-run", arguments->dry_run, "Only print the number of cells and an estimate of the time");
  command.when_chosen([arguments, messages]() -> Action {
    return [arguments, messages] {
      const std::unique_ptr<Ranks> ranks = start_ranks(messages);
      return ranks && ranks->rank() > 0 ? help_sweep(*arguments, *ranks) : run_sweep(*arguments, ranks.get());
    };
  });
}

}  // namespace rankfall::verify::cli
