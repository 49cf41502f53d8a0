#include "verify/report/recorded.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tiny_report.hpp"
#include "verify/define.hpp"
#include "verify/ledger/ledger_sweep.hpp"
#include "verify/report/statistics.hpp"
#include "verify/row.hpp"

using namespace rankfall;
using namespace rankfall::verify;
using namespace rankfall::test;

namespace {

void fill(const std::filesystem::path& path, const char* text, const theory::Statements& known = {}) {
  Ledger ledger = Ledger::open_to_write(path.string());
  sweep_into(ledger, parse_grid(text, "test", known), {}, 1, {});
}

ReportRequest ledger_request(const std::filesystem::path& ledger, const std::filesystem::path& directory) {
  ReportRequest request;
  request.ledger = ledger;
  request.command = "rankfall report --ledger l.sqlite";
  request.directory = directory;
  return request;
}

std::string exported(const std::filesystem::path& path) {
  std::string text = csv_header();
  Ledger::open(path.string()).each([&](const LedgerCell& cell) {
    for (const Row& row : cell.rows) text += csv_line(row);
  });
  return text;
}

std::string exported_margins(const std::filesystem::path& path) {
  std::string text = margin_csv_header();
  Ledger::open(path.string()).each([&](const LedgerCell& cell) {
    for (std::size_t i = 0; i < cell.rows.size(); ++i)
      text += margin_csv_lines(cell.rows[i], cell.hypotheses[i]);
  });
  return text;
}

bool encloses(const Span& outer, const Span& inner) {
  return certainly_less_equal(outer.low, inner.low) && certainly_less_equal(inner.high, outer.high);
}

}  // namespace

TEST_CASE("recorded: a ledger gives the decisions of the sweep, enclosed by what it gives") {
  const Scratch scratch("rankfall-recorded");
  fill(scratch / "l.sqlite", tiny_grid);
  const Recorded read = recorded(Ledger::open((scratch / "l.sqlite").string()), {});
  const Grid grid = parse_grid(tiny_grid, "tiny");
  CHECK(read.grid.depth == grid.depth);
  CHECK(read.grid.heads == grid.heads);
  CHECK(read.grid.beta == grid.beta);
  CHECK(read.grid.seeds == grid.seeds);
  CHECK(read.repeated_rows == 0);
  CHECK(read.unknown_rows == 0);
  CHECK(read.restated_rows == 0);
  std::size_t seen = 0;
  for (const CellResult& fresh : sweep(grid, 1, {})) {
    const auto found = std::find_if(read.results.begin(), read.results.end(), [&](const CellResult& result) {
      return cell_text(result.cell.spec) == cell_text(fresh.cell.spec);
    });
    REQUIRE(found != read.results.end());
    const std::vector<Instance> expected = instances(fresh, grid);
    REQUIRE(found->check.decisions.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i, ++seen) {
      const Decision &a = *expected[i].decision, &b = found->check.decisions[i];
      REQUIRE(a.statement == b.statement);
      REQUIRE(a.bound == b.bound);
      CHECK(a.gamma == b.gamma);
      CHECK(a.quantity == b.quantity);
      CHECK(a.verdict == b.verdict);
      CHECK(a.vacuous == b.vacuous);
      CHECK(a.looseness.has_value() == b.looseness.has_value());
      if (a.looseness) CHECK(encloses(*b.looseness, *a.looseness));
      REQUIRE(a.hypotheses.size() == b.hypotheses.size());
      for (std::size_t h = 0; h < a.hypotheses.size(); ++h) {
        CHECK(a.hypotheses[h].name == b.hypotheses[h].name);
        CHECK(a.hypotheses[h].holds == b.hypotheses[h].holds);
        CHECK(encloses(b.hypotheses[h].margin, a.hypotheses[h].margin));
      }
      if (a.compared && is_finite(a.slack.low) && is_finite(a.slack.high)) {
        CHECK(encloses(b.slack, a.slack));
        CHECK(certainly_less_equal(a.left.upper, b.left.upper));
        CHECK(certainly_less_equal(b.right.lower, a.right.lower));
      }
    }
  }
  CHECK(seen == read.rows);
}

TEST_CASE("recorded: the report of a ledger counts what the report of its grid counts") {
  const Scratch scratch("rankfall-two-reports");
  fill(scratch / "l.sqlite", tiny_grid);
  write_report(tiny_request(scratch / "fresh", 1));
  const ReportOutcome outcome = write_report(ledger_request(scratch / "l.sqlite", scratch / "report"));
  const auto fresh = files_below(scratch / "fresh"), told = files_below(scratch / "report");
  CHECK(outcome.networks == 12);
  const auto counts = [](const std::string& text) {
    const auto json = nlohmann::json::parse(text);
    std::map<std::pair<std::string, std::string>, nlohmann::json> all;
    for (const auto& entry : json.at("statements"))
      all[{entry.at("id").get<std::string>(), entry.at("gamma").dump()}] = entry;
    return all;
  };
  CHECK(counts(told.at("verdicts.json")) == counts(fresh.at("verdicts.json")));
  CHECK(told.at("tightness.csv") == exported(scratch / "l.sqlite"));
  for (const auto& written : fresh) {
    CAPTURE(written.first);
    CHECK(told.contains(written.first));
  }
  CHECK(told.at("margins.csv") == exported_margins(scratch / "l.sqlite"));
  const auto marks = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  for (const char* name : {"figures/oscillation.dat", "figures/margins.dat"})
    CHECK(marks(told.at(name)) == marks(fresh.at(name)));
  CHECK(told.at("index.html").find("--ledger l.sqlite") != std::string::npos);
  CHECK(told.at("index.html").find("margins-table") != std::string::npos);
  CHECK(told.at("index.html").find("This ledger has no hypotheses") == std::string::npos);
}

TEST_CASE("recorded: bounds of one's own are left out and named unless they are defined") {
  const Scratch scratch("rankfall-own");
  theory::Statements known;
  define(known,
         "[[bound]]\nname = \"mine\"\nwords = \"Mine.\"\nquantity = \"residual\"\nat_most = \"r0*10^L\"\n",
         "own");
  fill(scratch / "l.sqlite", "depth = 2\ntokens = 2\ndim = 2\nstatements = [\"mine\", \"dong-2.2-v1\"]\n",
       known);
  const Ledger ledger = Ledger::open((scratch / "l.sqlite").string());
  const Recorded without = recorded(ledger, {}), with = recorded(ledger, known);
  CHECK(without.unknown == std::vector<std::string>{"mine"});
  CHECK(without.unknown_rows == 1);  // at depth 2
  CHECK(with.unknown_rows == 0);
  CHECK(with.rows == without.rows + 1);
}

TEST_CASE("recorded: what two grids say of one network counts once") {
  const Scratch scratch("rankfall-twice");
  const char* once =
      "depth = 2\ntokens = 2\ndim = 2\nstatements = [\"dong-2.2-v1\", \"composite-diameter\"]\n";
  fill(scratch / "l.sqlite", once);
  const std::size_t rows = recorded(Ledger::open((scratch / "l.sqlite").string()), {}).rows;
  fill(scratch / "l.sqlite", "depth = \"1:2\"\ntokens = 2\ndim = 2\nstatements = [\"dong-2.2-v1\"]\n");
  const Recorded read = recorded(Ledger::open((scratch / "l.sqlite").string()), {});
  CHECK(read.results.size() == 1);
  CHECK(read.repeated_rows == 1);
  CHECK(read.rows == rows + 1);
}

TEST_CASE("recorded: an empty ledger is no report") {
  const Scratch scratch("rankfall-empty");
  Ledger::open_to_write((scratch / "l.sqlite").string());
  CHECK_THROWS_WITH_AS(recorded(Ledger::open((scratch / "l.sqlite").string()), {}),
                       doctest::Contains("no verdict"), InputError);
  CHECK_THROWS_AS(write_report(ledger_request(scratch / "none.sqlite", scratch / "report")), InputError);
}
