#include "verify/report/report.hpp"

#include "verify/interrupt.hpp"
#include "verify/output.hpp"
#include "verify/progress.hpp"
#include "verify/report/certificates.hpp"
#include "verify/report/directory.hpp"
#include "verify/report/page.hpp"
#include "verify/report/tables.hpp"

namespace rankfall::verify {
namespace {

std::vector<CellResult> run(const ReportRequest& request, const DeferredInterrupt& interrupt) {
  ProgressBar bar("deciding");
  return sweep(request.grid, request.threads, [&](std::size_t done, std::size_t total) {
    bar.update(done, total);
    return !interrupt.requested();
  });
}

void draw_all(std::vector<FigureGroup>& groups, const std::filesystem::path& directory,
              const DeferredInterrupt& interrupt) {
  std::error_code error;
  std::filesystem::create_directory(directory, error);
  if (error) throw OutputError("cannot make " + directory.string() + ": " + error.message());
  std::size_t total = 0, done = 0;
  for (const FigureGroup& group : groups) total += group.figures.size();
  ProgressBar bar("drawing");
  for (FigureGroup& group : groups)
    for (Figure& figure : group.figures) {
      interrupt.check();
      draw(figure, directory);
      bar.update(++done, total);
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
  const std::vector<CellResult> results = run(request, interrupt);
  const std::vector<Instance> all = instances(results, request.grid);
  const std::vector<Claim> by_claim = claims(all);
  std::vector<Digest> digests;
  for (const Claim& claim : by_claim) digests.push_back(digest(claim));

  std::vector<FigureGroup> groups = {collapse_figures(results, request.grid), looseness_figures(by_claim),
                                     comparison_figures(by_claim), hypothesis_figures(by_claim)};
  draw_all(groups, staged.path() / "figures", interrupt);
  const int digits = request.grid.options.digits;
  write_file(staged.path() / "tightness.csv", tightness_csv(all, digits));
  write_file(staged.path() / "tightness.md", tightness_markdown(digests, results.size()));
  write_file(staged.path() / "verdicts.json", verdicts_json(digests, results.size(), digits));
  const PageContent content{request.grid, request.grid_text, request.command, results, digests, groups};
  write_file(staged.path() / "index.html", page_html(content));
  interrupt.check();
  staged.commit();
  ReportOutcome outcome = outcome_of(results, digests);
  if (!request.certificates.empty()) outcome.certificates = write_certificates(digests, request.certificates);
  return outcome;
}

}  // namespace rankfall::verify
