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
  ProgressBar bar("reading", ProgressBar::Elsewhere::line_a_minute);
  Recorded found = recorded(Ledger::open(request.ledger.string()), request.grid.options.known,
                            [&](std::size_t done, std::size_t total) {
                              bar.update(done, total);
                              interrupt.check();
                            });
  Decided result{std::move(found.grid), std::move(found.results), std::nullopt};
  result.recorded = std::move(found);
  return result;
}

/// Every row of the ledger as it stands there, in tightness.csv, and every hypothesis, in margins.csv.
void write_ledger_csv(const std::filesystem::path& path, const std::filesystem::path& folder,
                      const DeferredInterrupt& interrupt) {
  const Ledger ledger = Ledger::open(path.string());
  const auto total = static_cast<std::size_t>(ledger.cells());
  for (const bool margins : {false, true}) {
    ProgressBar bar("writing", ProgressBar::Elsewhere::line_a_minute);
    write_file(folder / (margins ? "margins.csv" : "tightness.csv"), [&](const TextSink& sink) {
      std::size_t done = 0;
      std::string text = margins ? margin_csv_header() : csv_header();
      ledger.each([&](const LedgerCell& cell) {
        for (std::size_t i = 0; i < cell.rows.size(); ++i)
          text += margins ? margin_csv_lines(cell.rows[i], cell.hypotheses[i]) : csv_line(cell.rows[i]);
        sink(text);
        text.clear();
        bar.update(++done, total);
        interrupt.check();
      });
      sink(text);
    });
  }
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
  ProgressBar bar("drawing", ProgressBar::Elsewhere::line_a_minute);
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
  require_gnuplot();
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
  if (decided.recorded) {
    write_ledger_csv(request.ledger, staged.path(), interrupt);
  } else {
    write_file(staged.path() / "tightness.csv", tightness_csv(all, digits));
    write_file(staged.path() / "margins.csv", margins_csv(all, digits));
  }
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
