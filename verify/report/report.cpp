#include "verify/report/report.hpp"

#include "verify/interrupt.hpp"
#include "verify/output.hpp"
#include "verify/progress.hpp"
#include "verify/report/certificates.hpp"
#include "verify/report/directory.hpp"
#include "verify/report/page.hpp"
#include "verify/report/provenance.hpp"
#include "verify/report/recorded.hpp"
#include "verify/report/tables.hpp"
#include "verify/report/tables_folder.hpp"
#include "verify/row.hpp"

namespace rankfall::verify {
namespace {

/// What the report tells of, from wherever it comes.
struct Decided {
  Grid grid;
  std::vector<CellResult> results;
  std::optional<Recorded> recorded;  ///< what else is to be said of a ledger
};

std::vector<CellResult> run(const ReportRequest& request, const DeferredInterrupt& interrupt) {
  ProgressBar bar("deciding");
  return sweep(request.grid, request.threads, [&](std::size_t done, std::size_t total) {
    bar.update(done, total);
    return !interrupt.requested();
  });
}

Decided decide(const ReportRequest& request, const DeferredInterrupt& interrupt) {
  if (request.ledger.empty()) return {request.grid, run(request, interrupt), std::nullopt};
  Recorded found = recorded(Ledger::open(request.ledger.string()), request.grid.options.known);
  interrupt.check();
  Decided result{std::move(found.grid), std::move(found.results), std::nullopt};
  result.recorded = std::move(found);
  return result;
}

/// Every row of the ledger as it stands there.
std::string ledger_csv(const std::filesystem::path& path) {
  std::string text = csv_header();
  Ledger::open(path.string()).each([&](const LedgerCell& cell) {
    for (const Row& row : cell.rows) text += csv_line(row);
  });
  return text;
}

void draw_all(std::vector<FigureGroup>& groups, const std::vector<HeatMap>& maps,
              const std::filesystem::path& directory, const DeferredInterrupt& interrupt,
              const std::string& made) {
  std::error_code error;
  std::filesystem::create_directory(directory, error);
  if (error) throw OutputError("cannot make " + directory.string() + ": " + error.message());
  std::vector<Figure> heat;
  for (const HeatMap& map : maps) heat.push_back(heat_figure(map));
  std::vector<Figure*> all;
  for (FigureGroup& group : groups)
    for (Figure& figure : group.figures) all.push_back(&figure);
  for (Figure& figure : heat) all.push_back(&figure);
  ProgressBar bar("drawing");
  for (std::size_t done = 0; done < all.size(); ++done) {
    interrupt.check();
    draw(*all[done], directory, made);
    bar.update(done + 1, all.size());
  }
  interrupt.check();
}

ReportOutcome outcome_of(const std::vector<CellResult>& results, const std::vector<Digest>& digests) {
  ReportOutcome outcome;
  outcome.networks = results.size();
  for (const Digest& digest : digests) {
    outcome.counts.add(digest.counts);
    if (digest.claim->status() == theory::Status::proved) outcome.contradictions += digest.counts.refuted;
  }
  return outcome;
}

}  // namespace

ReportOutcome write_report(const ReportRequest& request) {
  if (!have_gnuplot())
    throw Error(
        "gnuplot, which draws the figures, cannot be started; install it (on Debian: apt-get install "
        "gnuplot-nox)");
  const DeferredInterrupt interrupt;
  StagedDirectory staged(request.directory);
  const Decided decided = decide(request, interrupt);
  const std::vector<CellResult>& results = decided.results;
  const std::vector<Instance> all = instances(results, decided.grid);
  const std::vector<Claim> by_claim = claims(all);
  std::vector<Digest> digests;
  for (const Claim& claim : by_claim) digests.push_back(digest(claim));

  Measurer measurer;
  const std::vector<HeatMap> heat = heat_maps(by_claim, measurer);
  const std::vector<SeedRow> seeds = over_seeds(by_claim);
  std::vector<FigureGroup> groups = {collapse_figures(results, decided.grid), looseness_figures(by_claim),
                                     comparison_figures(by_claim), hypothesis_figures(by_claim),
                                     seed_figures(shown_over_seeds(seeds))};
  const Provenance made = provenance(request.command, decided.grid, results);
  draw_all(groups, heat, staged.path() / "figures", interrupt, made.line());
  const int digits = decided.grid.options.digits;
  write_file(staged.path() / "tightness.csv",
             decided.recorded ? ledger_csv(request.ledger) : tightness_csv(all, digits));
  write_file(staged.path() / "tightness.md", tightness_markdown(digests, made, results.size()));
  write_file(staged.path() / "verdicts.json", verdicts_json(digests, made, results.size(), digits));
  write_tables({digests, seeds, heat, made, digits}, staged.path() / "tables");
  const std::vector<SeedRow> shown = shown_over_seeds(seeds);
  const std::vector<HeatChoice> choices = heat_choices(by_claim, measurer);
  const PageContent content{decided.grid,
                            request.grid_text,
                            request.command,
                            results,
                            digests,
                            groups,
                            heat,
                            choices,
                            shown,
                            decided.recorded ? &*decided.recorded : nullptr};
  write_file(staged.path() / "index.html", page_html(content));
  interrupt.check();
  staged.commit();
  ReportOutcome outcome = outcome_of(results, digests);
  if (!request.certificates.empty()) outcome.certificates = write_certificates(digests, request.certificates);
  return outcome;
}

}  // namespace rankfall::verify
