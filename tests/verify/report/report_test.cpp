#include "verify/report/report.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "csv_reader.hpp"
#include "tests/support.hpp"
#include "tests/verify/tags.hpp"
#include "tiny_report.hpp"

using namespace rankfall;
using namespace rankfall::verify;
using namespace rankfall::test;

namespace {

/// The tiny report, made once: its files and what it came to.
struct Made {
  ReportOutcome outcome;
  std::map<std::string, std::string> files;
};

const Made& made() {
  static const Made result = [] {
    const Scratch scratch("rankfall-report");
    Made m;
    m.outcome = write_report(tiny_request(scratch / "report", 1));
    m.files = files_below(scratch / "report");
    return m;
  }();
  return result;
}

const std::string& file(const std::string& name) {
  return made().files.at(name);
}

std::vector<std::map<std::string, std::string>> csv() {
  const auto lines = read_csv(file("tightness.csv"));
  std::vector<std::map<std::string, std::string>> rows;
  for (std::size_t i = 1; i < lines.size(); ++i)
    for (std::size_t k = 0; k < lines[0].size(); ++k) {
      if (k == 0) rows.emplace_back();
      rows.back()[lines[0][k]] = lines[i][k];
    }
  return rows;
}

std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> all;
  for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it)
    all.push_back(it->str(1));
  return all;
}

}  // namespace

TEST_CASE("report: the bytes do not depend on the number of threads") {
  const Scratch scratch("rankfall-threads");
  write_report(tiny_request(scratch / "report", 2));
  write_report(tiny_request(scratch / "report", 2));  // in place of its like
  const auto again = files_below(scratch / "report");
  REQUIRE(again.size() == made().files.size());
  for (const auto& [name, text] : made().files) {
    CAPTURE_BOUND(name);
    CHECK((again.at(name) == text));
  }
}

TEST_CASE("report: holds a page, tables, and every figure with its data and script") {
  std::set<std::string> figures, tables, others;
  for (const auto& [name, text] : made().files) {
    CHECK(!text.empty());
    (name.starts_with("figures/") ? figures : name.starts_with("tables/") ? tables : others).insert(name);
  }
  CHECK(others ==
        std::set<std::string>{"index.html", "margins.csv", "tightness.csv", "tightness.md", "verdicts.json"});
  std::set<std::string> stems;
  for (const std::string& name : figures) stems.insert(name.substr(0, name.find('.')));
  CHECK(stems.size() >= 20);
  for (const std::string& stem : stems) {
    CAPTURE(stem);
    for (const char* extension : {".dat", ".gp", ".svg"}) CHECK(figures.contains(stem + extension));
  }
  for (const char* name : {"claims", "seeds", "margins", "extremes", "looseness-by-beta", "slack-by-depth",
                           "implied-constant-by-heads", "implied-gamma-by-beta", "vacuous-by-beta"})
    for (const char* extension : {".md", ".tex"})
      CHECK(tables.contains(std::string("tables/") + name + extension));
  for (const char* name : {"claims", "seeds", "margins", "extremes", "heat"})
    CHECK(tables.contains(std::string("tables/") + name + ".csv"));
  CHECK(tables.contains("tables/all.tex"));
}

TEST_CASE("report: every figure and table says how it was made") {
  for (const auto& [name, text] : made().files) {
    CAPTURE_BOUND(name);
    if (name.ends_with(".pdf")) continue;  // its fonts are its own
    if (name == "tightness.csv" || name == "margins.csv")
      continue;  // seed and bits stand in every row; a ledger exports the same
    CHECK(text.find("rankfall report --config tiny.toml") != std::string::npos);
    if (name != "index.html") CHECK(text.find("1, 2") != std::string::npos);
    CHECK(text.find(" bits") != std::string::npos);
  }
}

TEST_CASE("report: PDF figures are whole and know nothing of the time") {
  std::size_t seen = 0;
  for (const auto& [name, text] : made().files) {
    if (!name.ends_with(".pdf")) continue;
    CAPTURE_BOUND(name);
    CHECK(text.starts_with("%PDF-"));
    CHECK(text.find("%%EOF") != std::string::npos);
    ++seen;
  }
  MESSAGE(seen, " PDF figures; a gnuplot without cairo draws none");
}

TEST_CASE("report: the tables of numbers are CSV, taken strictly, with ends in order") {
  for (const char* name : {"tables/claims.csv", "tables/seeds.csv", "tables/heat.csv", "tables/margins.csv",
                           "tables/extremes.csv", "margins.csv"}) {
    CAPTURE(name);
    const auto lines = read_csv(file(name));
    REQUIRE(lines.size() > 5);
    std::size_t pairs = 0;
    for (std::size_t c = 0; c + 1 < lines[0].size(); ++c) {
      if (!lines[0][c].ends_with("_lo")) continue;
      CHECK(lines[0][c + 1] == lines[0][c].substr(0, lines[0][c].size() - 3) + "_hi");
      for (std::size_t i = 1; i < lines.size(); ++i) {
        const std::string &low = lines[i][c], &high = lines[i][c + 1];
        CHECK(low.empty() == high.empty());
        if (low.empty() || (low + high).find("inf") != std::string::npos) continue;
        CHECK(parse_number(low) <= parse_number(high));
        ++pairs;
      }
    }
    CHECK(pairs > 0);
  }
}

TEST_CASE("report: an implied constant is the looseness times the constant of its bound") {
  const auto lines = read_csv(file("tables/heat.csv"));
  std::map<std::string, std::pair<Rational, Rational>> loose, implied;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto& line = lines[i];
    if (line[2] != "dong-2.2-v1" || line[3] != "beta") continue;
    auto& into = line[0] == "looseness" ? loose : implied;
    if (line[0] == "looseness" || line[0] == "implied-constant")
      into[line[4]] = {parse_number(line[12]), parse_number(line[13])};  // of the median
  }
  REQUIRE(implied.size() == 3);
  for (const auto& [beta, ends] : implied) {
    CAPTURE_BOUND(beta);
    const Rational c = 4 * parse_number(beta) / 2;  // 4 beta/sqrt(d_qk), d_qk = 4
    const Rational slightly = Rational(1) - parse_number("1e-8");
    CHECK(ends.first <= loose.at(beta).second * c);
    CHECK(ends.second >= loose.at(beta).first * c * slightly);
    CHECK(ends.first >= loose.at(beta).first * c * slightly);
  }
}

TEST_CASE("report: tightness.csv has the columns of the manual and rows that agree with themselves") {
  CHECK(file("tightness.csv")
            .starts_with(
                "statement,gamma,depth,tokens,dim,heads,d_qk,beta,law,seed,verdict,reason,log10_left_lo,"
                "log10_left_hi,log10_right_lo,log10_right_hi,slack_lo,slack_hi,looseness_lo,looseness_hi,"
                "bits,quantity,from,to,reference,"));
  const std::regex number("-?inf|-?[0-9]+(\\.[0-9]+)?(e[+-]?[0-9]+)?");
  std::size_t decided = 0;
  const auto rows = csv();
  for (const auto& row : rows) {
    for (const char* quantity : {"log10_left", "log10_right", "slack", "looseness"}) {
      const std::string low = row.at(std::string(quantity) + "_lo"),
                        high = row.at(std::string(quantity) + "_hi");
      CHECK(low.empty() == high.empty());
      if (low.empty()) continue;
      CHECK(std::regex_match(low, number));
      CHECK(std::regex_match(high, number));
      if (low.find("inf") == std::string::npos && high.find("inf") == std::string::npos)
        CHECK(parse_number(low) <= parse_number(high));
    }
    if (row.at("verdict") == "proved" || row.at("verdict") == "refuted") {
      ++decided;
      CHECK(row.at("reason").empty());
      CHECK(!row.at("log10_right_hi").empty());
    } else {
      CHECK(!row.at("reason").empty());
    }
    CHECK(row.at("tokens") == "3");
    CHECK((row.at("beta") == "0.001" || row.at("beta") == "0.05" || row.at("beta") == "20"));
    CHECK(row.at("d_qk") == (row.at("heads") == "1" ? "4" : "2"));
    CHECK(std::stoi(row.at("depth")) <= 3);
  }
  CHECK(decided > rows.size() / 2);
  CHECK(rows.size() == made().outcome.counts.total());
}

TEST_CASE("report: a looseness is at most 1 exactly where the bound holds") {
  std::size_t seen = 0;
  for (const auto& row : csv()) {
    if (row.at("looseness_lo").empty() || row.at("verdict") == "inconclusive") continue;
    ++seen;
    const bool holds = parse_number(row.at("log10_left_hi")) <= parse_number(row.at("log10_right_lo"));
    if (holds) CHECK(parse_number(row.at("looseness_lo")) <= 1);
    if (row.at("verdict") == "proved") CHECK(parse_number(row.at("looseness_lo")) <= 1);
  }
  CHECK(seen > 100);
}

TEST_CASE("report: verdicts.json counts what the table lists") {
  const auto json = nlohmann::json::parse(file("verdicts.json"));
  CHECK(json.at("format") == "rankfall-verdicts/1");
  CHECK(json.at("networks") == 12);
  std::map<std::pair<std::string, std::string>, std::map<std::string, std::size_t>> counted;
  for (const auto& row : csv()) ++counted[{row.at("statement"), row.at("gamma")}][row.at("verdict")];
  std::size_t total = 0;
  REQUIRE(json.at("statements").size() == counted.size());
  for (const auto& entry : json.at("statements")) {
    const std::string gamma = entry.at("gamma").is_null() ? "" : entry.at("gamma").get<std::string>();
    auto& row = counted.at({entry.at("id"), gamma});
    for (const auto& [verdict, count] : entry.at("verdicts").items()) {
      CHECK(count.get<std::size_t>() == row[verdict]);
      total += count.get<std::size_t>();
    }
  }
  CHECK(total == json.at("instances"));
  CHECK(json.at("exceptions").empty());
  CHECK(made().outcome.contradictions == 0);
  CHECK(made().outcome.counts.precision == 0);
}

TEST_CASE("report: the grid exercises every kind of instance") {
  const auto rows = csv();
  const auto some = [&](const char* column, const char* value) {
    return std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.at(column) == value; });
  };
  CHECK(some("verdict", "proved"));
  CHECK(some("verdict", "inapplicable"));
  CHECK(some("vacuous", "true"));
  CHECK(some("vacuous", "false"));
  CHECK(some("non_contracting", "true"));
  CHECK(some("non_contracting", "false"));
}

TEST_CASE("report: what is outside a statement's scope is left out unless the grid names the statement") {
  for (const auto& row : csv())
    if (row.at("statement") == "dong-2.2") CHECK(row.at("heads") == "1");
  const Scratch scratch("rankfall-named");
  ReportRequest request = tiny_request(scratch / "report", 1);
  request.grid_text = "tokens = 2\ndim = 2\nheads = 2\ndepth = 1\nstatements = [\"dong-2.2-v1\"]\n";
  request.grid = parse_grid(request.grid_text, "named");
  const ReportOutcome outcome = write_report(request);
  CHECK(outcome.counts.inapplicable == 1);
  CHECK(outcome.counts.total() == 1);
}

TEST_CASE("report: the page stands alone") {
  const std::string& page = file("index.html");
  CHECK(page.starts_with("<!DOCTYPE html>"));
  for (const char* forbidden :
       {"http:", "https:", "src=", "@import", "<link", "<iframe", "<object", "xlink:href"}) {
    CAPTURE(forbidden);
    CHECK(page.find(forbidden) == std::string::npos);
  }
  for (const std::string& target : matches(page, "href=['\"]([^'\"]*)['\"]")) CHECK(target.starts_with("#"));
  for (const std::string& target : matches(page, "url\\(([^)]*)\\)")) CHECK(target.starts_with("#"));
}

TEST_CASE("report: ids of the page are unique and what they are referred by exists") {
  const std::string& page = file("index.html");
  const std::vector<std::string> ids = matches(page, "\\bid=['\"]([^'\"]*)['\"]");
  const std::set<std::string> distinct(ids.begin(), ids.end());
  CHECK(ids.size() == distinct.size());
  CHECK(ids.size() > 20);
  for (const std::string& target : matches(page, "href=['\"]#([^'\"]*)['\"]"))
    CHECK(distinct.contains(target));
}

TEST_CASE("report: elements of the page are closed in order") {
  std::vector<std::string> open;
  const std::vector<Tag> all = tags(file("index.html"));
  for (const Tag& tag : all) {
    if (tag.closes) {
      REQUIRE(!open.empty());
      REQUIRE(open.back() == tag.element);
      open.pop_back();
    } else if (!tag.closed && tag.element != "meta") {
      open.push_back(tag.element);
    }
  }
  CHECK(open.empty());
  CHECK(all.size() > 500);
}

TEST_CASE("report: commands that repeat an instance name a statement and its network") {
  const auto commands = matches(file("index.html"), "<code class=\"command\">([^<]*)</code>");
  CHECK(commands.size() >= 20);
  const std::regex form(
      "rankfall generate --tokens 3 --dim 4 --heads [12] --depth [123] --beta (0\\.001|0\\.05|20) --seed "
      "[12] "
      "\\| rankfall check - --statement [a-z0-9.-]+( --gamma [a-z-]+)?");
  for (const std::string& command : commands) {
    CAPTURE(command);
    CHECK(std::regex_match(command, form));
  }
}

TEST_CASE("report: marks of the figures are finite and lie between the ends in the data") {
  for (const auto& [name, text] : made().files) {
    if (!name.ends_with(".dat")) continue;
    if (name.find("networks") != std::string::npos || name.find("-by-") != std::string::npos) continue;
    CAPTURE_BOUND(name);
    std::istringstream lines(text);
    std::size_t marks = 0;
    for (std::string line; std::getline(lines, line);) {
      if (line.empty() || line[0] == '#') continue;
      std::istringstream words(line);
      const std::vector<std::string> columns{std::istream_iterator<std::string>(words), {}};
      REQUIRE(columns.size() >= 5);
      const bool boxes = name.find("seeds") != std::string::npos;  // of five heights
      const auto at = [&](std::size_t from_the_end) {
        return std::stod(columns[columns.size() - from_the_end]);
      };
      const double y = at(3), low = at(boxes ? 5 : 2), high = at(1);
      CHECK(low <= y);
      CHECK(y <= high);
      ++marks;
    }
    CHECK(marks > 0);
  }
}
