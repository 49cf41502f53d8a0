#include "verify/ledger/ledger.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <set>

#include "tests/numerics/oracle.hpp"
#include "tests/support.hpp"
#include "tests/verify/report/tiny_report.hpp"
#include "verify/define.hpp"
#include "verify/ledger/cell_key.hpp"
#include "verify/ledger/ledger_diff.hpp"
#include "verify/ledger/ledger_sweep.hpp"
#include "verify/output.hpp"

using namespace rankfall;
using namespace rankfall::verify;
using test::Scratch;

namespace {

Grid tiny() {
  return parse_grid(test::tiny_grid, "tiny");
}

/// Everything a ledger says, as `export` prints it.
std::string exported(const std::string& path) {
  std::string text = csv_header();
  Ledger::open(path).each([&](const LedgerCell& cell) {
    text += cell.key + '\n';
    for (std::size_t i = 0; i < cell.rows.size(); ++i)
      text += csv_line(cell.rows[i]) + margin_csv_lines(cell.rows[i], cell.hypotheses[i]);
  });
  return text;
}

SweepCounts fill_ledger(const std::string& path, Shard shard = {}, unsigned threads = 2,
                        std::size_t at_most = 1000) {
  Ledger ledger = Ledger::open_to_write(path);
  return sweep_into(ledger, tiny(), shard, threads,
                    [at_most](const SweepCounts& counts) { return counts.computed < at_most; });
}

/// A child process that sweeps into the ledger and is killed after that long, unless it ends before.
bool killed_after(const std::string& path, unsigned microseconds) {
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      fill_ledger(path);
      ::_exit(0);
    } catch (...) {
      ::_exit(1);
    }
  }
  ::usleep(microseconds);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE((WIFSIGNALED(status) || WEXITSTATUS(status) == 0));
  return WIFSIGNALED(status);
}

}  // namespace

TEST_CASE("a ledger gives back what the sweep decided, row for row") {
  const Scratch scratch("ledger");
  const std::string path = (scratch / "l.sqlite").string();
  const SweepCounts counts = fill_ledger(path);
  CHECK(counts.wanted == 12);
  CHECK(counts.present == 0);
  CHECK(counts.computed == 12);
  const Grid grid = tiny();
  std::map<std::string, LedgerCell> expected;
  for (const CellResult& result : sweep(grid, 1, {})) {
    const LedgerCell stored = ledger_cell(grid, result);
    expected[stored.key] = stored;
  }
  std::size_t cells = 0, hypotheses = 0;
  Ledger::open(path).each([&](const LedgerCell& cell) {
    ++cells;
    CHECK(expected.at(cell.key).rows == cell.rows);
    CHECK(expected.at(cell.key).hypotheses == cell.hypotheses);
    CHECK_FALSE(cell.rows.empty());
    for (const auto& of_row : cell.hypotheses) hypotheses += of_row.size();
  });
  CHECK(cells == 12);
  CHECK(hypotheses > 12);
}

TEST_CASE("threads, interruptions, shards and merging leave no trace") {
  const Scratch scratch("ledger");
  const std::string whole = (scratch / "whole").string(), pieces = (scratch / "pieces").string(),
                    merged = (scratch / "merged").string();
  fill_ledger(whole, {}, 1);
  CHECK(fill_ledger(pieces, {}, 3, 4).computed < 12);
  const SweepCounts rest = fill_ledger(pieces);
  CHECK(rest.present >= 4);
  CHECK(rest.present + rest.computed == 12);
  CHECK(exported(pieces) == exported(whole));
  CHECK(fill_ledger(pieces).computed == 0);

  for (const std::size_t shard : {1U, 2U, 3U}) {
    const std::string part = (scratch / ("part" + std::to_string(shard))).string();
    CHECK(fill_ledger(part, {shard, 3}).wanted == 4);
    Ledger target = Ledger::open_to_write(merged);
    CHECK(merge_into(target, Ledger::open(part)) == 4);
    CHECK(merge_into(target, Ledger::open(part)) == 0);
  }
  CHECK(exported(merged) == exported(whole));
}

TEST_CASE("killed at any moment, a sweep goes on where it was") {
  const Scratch scratch("ledger");
  const std::string whole = (scratch / "whole").string(), path = (scratch / "killed").string();
  fill_ledger(whole);
  test::Draws draws(7);
  int killed = 0;
  for (int round = 0; round < 10; ++round) {
    killed += killed_after(path, static_cast<unsigned>(draws.integer(0, 60'000)));
    if (!std::filesystem::exists(path)) continue;
    Ledger::open_to_write(path);  // always opens
  }
  CHECK(killed > 0);
  fill_ledger(path);
  CHECK(exported(path) == exported(whole));
}

TEST_CASE("one process writes, others read meanwhile") {
  const Scratch scratch("ledger");
  const std::string path = (scratch / "l.sqlite").string();
  fill_ledger(path, {}, 1, 2);
  const Ledger writer = Ledger::open_to_write(path);
  CHECK_THROWS_WITH_AS(Ledger::open_to_write(path), doctest::Contains("another process is writing"),
                       OutputError);
  CHECK(Ledger::open(path).cells() == 2);
}

TEST_CASE("what is no ledger is refused by name") {
  const Scratch scratch("ledger");
  CHECK_THROWS_WITH_AS(Ledger::open((scratch / "absent").string()), doctest::Contains("there is no ledger"),
                       InputError);
  CHECK_THROWS_AS(Ledger::open(scratch.path().string()), InputError);
  const std::string text = (scratch / "text").string();
  std::ofstream(text) << "this is no database, however long it goes on: " << std::string(5000, 'x');
  CHECK_THROWS_AS(Ledger::open(text), InputError);
  CHECK_THROWS_AS(Ledger::open_to_write(text), InputError);
  CHECK(test::slurp(text).starts_with("this is no database"));
  const std::string other = (scratch / "other").string();
  Database(other, Database::Mode::write).execute("CREATE TABLE t (x)");
  CHECK_THROWS_WITH_AS(Ledger::open_to_write(other), doctest::Contains("is not a ledger"), InputError);
  CHECK_THROWS_AS(Ledger::open_to_write((scratch / "absent/l").string()), OutputError);
}

TEST_CASE("every hypothesis of a row is kept with a margin whose sign is its answer") {
  const Scratch scratch("ledger");
  const std::string path = (scratch / "l").string();
  fill_ledger(path);
  std::map<std::string, int> answers;
  Ledger::open(path).each([&](const LedgerCell& cell) {
    REQUIRE(cell.hypotheses.size() == cell.rows.size());
    for (std::size_t i = 0; i < cell.rows.size(); ++i) {
      bool all_hold = true;
      for (const HypothesisRow& h : cell.hypotheses[i]) {
        const auto& [name, holds, value_lo, value_hi, margin_lo, margin_hi] = h;
        CAPTURE_BOUND(name);
        ++answers[holds];
        all_hold = all_hold && holds == "true";
        CHECK(parse_number(margin_lo) <= parse_number(margin_hi));
        if (holds == "true") CHECK(parse_number(margin_hi) >= 0);
        if (holds == "false") CHECK(parse_number(margin_lo) < 0);
        if (name == "1.256") CHECK(parse_number(margin_lo) <= Rational(157, 125));
      }
      if (cell.rows[i][column("verdict")] != "inapplicable") CHECK(all_hold);
    }
  });
  CHECK(answers["true"] > 0);
  CHECK(answers["false"] > 0);
  const Database database(path, Database::Mode::read);
  Query counted(
      database,  // the view says what the cells say
      "SELECT sum(holds = 'true'), sum(CAST(margin_lo AS REAL) >= 0 AND holds = 'true') FROM margin");
  REQUIRE(counted.step());
  CHECK(counted.integer(0) == answers["true"]);
  CHECK(counted.integer(1) == answers["true"]);
}

TEST_CASE("a ledger of the format before is read without hypotheses, and not added to") {
  const Scratch scratch("ledger");
  const std::string path = (scratch / "old").string(), fresh = (scratch / "fresh").string();
  fill_ledger(path);
  {
    Database database(path, Database::Mode::write);
    database.execute("DROP VIEW margin; DROP TABLE hypothesis; PRAGMA user_version = 2");
  }
  std::size_t rows = 0;
  Ledger::open(path).each([&](const LedgerCell& cell) {
    rows += cell.rows.size();
    for (const auto& of_row : cell.hypotheses) CHECK(of_row.empty());
  });
  CHECK(rows > 0);
  CHECK_THROWS_WITH_AS(Ledger::open_to_write(path), doctest::Contains("name another file"), InputError);
  {
    Ledger target = Ledger::open_to_write(fresh);
    CHECK(merge_into(target, Ledger::open(path)) == 12);
  }
  const std::string now = (scratch / "now").string();
  fill_ledger(now);
  const LedgerDiff same = diff(Ledger::open(fresh), Ledger::open(now));
  CHECK(same.changes.empty());
  CHECK(same.common == rows);
  Database(path, Database::Mode::write).execute("PRAGMA user_version = 1");
  CHECK_THROWS_WITH_AS(Ledger::open(path), doctest::Contains("sweep the grid anew"), InputError);
  Database(path, Database::Mode::write).execute("PRAGMA user_version = 4");
  CHECK_THROWS_WITH_AS(Ledger::open(path), doctest::Contains("of a later program"), InputError);
}

TEST_CASE("a full disk ends a sweep with what is stored still there") {
  const Scratch scratch("ledger");
  const std::string path = (scratch / "l.sqlite").string();
  fill_ledger(path, {}, 1, 3);
  std::vector<LedgerCell> before;
  Ledger::open(path).each([&](const LedgerCell& cell) { before.push_back(cell); });
  CHECK(before.size() == 3);
  {
    Ledger ledger = Ledger::open_to_write(path);
    ledger.limit_pages(1);  // never below what there is
    const Grid grid = tiny();
    CHECK_THROWS_WITH_AS(sweep_into(ledger, grid, {}, 1, {}), doctest::Contains("full"), OutputError);
  }
  for (const LedgerCell& cell : before) {
    const auto after = Ledger::open(path).find(cell.key);
    REQUIRE(after.has_value());
    CHECK(after->rows == cell.rows);
  }
  CHECK(Ledger::open(path).cells() < 12);
  fill_ledger(path);
  fill_ledger((scratch / "whole").string());
  CHECK(exported(path) == exported((scratch / "whole").string()));
}

TEST_CASE("a key names all that determines a cell") {
  const Grid grid = tiny();
  const Cell first = cell(grid, 0);
  const std::string key = cell_key(grid, first);
  CHECK(key.size() == 64);
  std::set<std::string> keys{key};
  for (std::size_t i = 1; i < cell_count(grid); ++i) keys.insert(cell_key(grid, cell(grid, i)));
  CHECK(keys.size() == cell_count(grid));
  const auto changed = [&](auto change) {
    Grid other = grid;
    change(other);
    return cell_key(other, cell(other, 0)) != key;
  };
  CHECK(changed([](Grid& g) { g.depth.pop_back(); }));
  CHECK(changed([](Grid& g) { g.options.digits = 7; }));
  CHECK(changed([](Grid& g) { g.options.max_bits = 500; }));
  CHECK(changed([](Grid& g) { g.options.statements = {"diameter"}; }));
  CHECK(changed([](Grid& g) { g.options.gammas.pop_back(); }));
  CHECK(changed([](Grid& g) { g.options.start_bits = 256; }));
  CHECK(changed([](Grid& g) { g.law = {"uniform"}; }));
  CHECK(changed([](Grid& g) { g.input_law = {"sphere"}; }));
  CHECK(changed([](Grid& g) { g.blocks = {"mlp"}; }));
  CHECK_FALSE(changed([](Grid& g) { g.seeds.push_back(9); }));
}

TEST_CASE("a key names what bounds of one's own claim, not how they are told or where they stand") {
  const auto key = [](std::string_view at_most, std::string_view words, std::string_view file) {
    theory::Statements known;
    define(
        known,
        fmt::format("[[bound]]\nname = \"mine\"\nwords = \"{}\"\nquantity = \"residual\"\nat_most = \"{}\"\n",
                    words, at_most),
        file);
    const Grid grid = parse_grid(test::tiny_grid, "tiny", known);
    return cell_key(grid, cell(grid, 0));
  };
  const std::string known = key("r0^3", "A guess.", "my.toml");
  CHECK(known != cell_key(tiny(), cell(tiny(), 0)));
  CHECK(known != key("r0^2", "A guess.", "my.toml"));
  CHECK(known == key("r0^3", "Another tale.", "other/place.toml"));
}

TEST_CASE("diff finds what was altered, and only that") {
  const Scratch scratch("ledger");
  const std::string a = (scratch / "a").string(), b = (scratch / "b").string();
  fill_ledger(a);
  fill_ledger(b);
  CHECK(diff(Ledger::open(a), Ledger::open(b)).changes.empty());
  Database(b, Database::Mode::write)
      .execute(
          "UPDATE row SET verdict = 'refuted', log10_left_lo = '1e9', log10_left_hi = '2e9' WHERE cell = 3 "
          "AND "
          "ordinal = (SELECT min(ordinal) FROM row WHERE cell = 3 AND verdict = 'proved');"
          "DELETE FROM row WHERE cell = 4 AND ordinal = (SELECT max(ordinal) FROM row WHERE cell = 4)");
  const LedgerDiff found = diff(Ledger::open(a), Ledger::open(b));
  REQUIRE(found.changes.size() == 1);
  CHECK(found.changes[0].verdict);
  CHECK(found.changes[0].contradicts);
  CHECK(found.only_before == 1);
  CHECK(found.only_after == 0);
  CHECK(diff_text(found).find("enclosures do not meet") != std::string::npos);
  CHECK_THROWS_WITH_AS(
      [&] {
        Ledger target = Ledger::open_to_write(a);
        merge_into(target, Ledger::open(b));
      }(),
      doctest::Contains("disagree on cell"), InputError);
}

TEST_CASE("a row of JSON Lines holds the columns as values") {
  Row row;
  for (std::size_t c = 0; c < row.size(); ++c) row[c] = is_integer_column(c) ? "3" : "";
  row[column("statement")] = "diameter";
  row[column("log10_left_lo")] = "-inf";
  row[column("log10_left_hi")] = "-4e94";
  row[column("vacuous")] = "false";
  const std::vector<HypothesisRow> hypotheses = {{"1.256", "true", "-inf", "-3", "1.255", "1.257"},
                                                 {"mine", "", "0.5", "0.6", "-1", "1"}};
  CHECK(
      json_line(row, hypotheses) ==
      "{\"statement\":\"diameter\",\"gamma\":null,\"depth\":3,\"tokens\":3,\"dim\":3,\"heads\":3,\"d_qk\":3,"
      "\"beta\":null,\"law\":null,\"seed\":3,\"verdict\":null,\"reason\":null,\"left\":{\"log10\":[\"-inf\","
      "\"-4e94\"]},\"right\":null,\"slack\":null,\"looseness\":null,\"bits\":3,\"quantity\":null,\"from\":3,"
      "\"to\":3,\"reference\":null,\"input_law\":null,\"claim_status\":null,\"non_contracting\":null,"
      "\"vacuous\":false,\"blocks\":null,"
      "\"hypotheses\":[{\"name\":\"1.256\",\"holds\":true,\"value\":{\"log10\":[\"-inf\",\"-3\"]},"
      "\"margin\":{\"value\":[\"1.255\",\"1.257\"]}},{\"name\":\"mine\",\"holds\":null,\"value\":{\"log10\":["
      "\"0.5\",\"0.6\"]},\"margin\":{\"value\":[\"-1\",\"1\"]}}]}\n");
  row[column("beta")] = "1,5";
  CHECK(margin_csv_lines(row, hypotheses) ==
        "diameter,,,,3,3,3,,,,3,3,3,3,\"1,5\",,,3,1.256,true,-inf,-3,1.255,1.257\n"
        "diameter,,,,3,3,3,,,,3,3,3,3,\"1,5\",,,3,mine,,0.5,0.6,-1,1\n");
  const std::string lines = margin_json_lines(row, hypotheses);
  CHECK(std::count(lines.begin(), lines.end(), '\n') == 2);
  CHECK(lines.find("\"seed\":3,\"hypothesis\":\"1.256\",\"holds\":true") != std::string::npos);
}

TEST_CASE("a cell that no network has is kept with its reason, and the sweep goes on") {
  const Scratch scratch("ledger");
  const Grid grid = parse_grid(
      "depth = 1\ntokens = 3\ndim = 2\nbeta = \"0.1\"\nlaw = \"sparse\"\nseeds = 6\nstatements = "
      "\"diameter\"\n",
      "sparse");
  Ledger ledger = Ledger::open_to_write((scratch / "l").string());
  const SweepCounts counts = sweep_into(ledger, grid, {}, 1, {});
  CHECK(counts.computed == 6);
  CHECK(counts.failed > 0);
  CHECK(ledger.tally().failures == static_cast<std::int64_t>(counts.failed));
  ledger.each([](const LedgerCell& cell) { CHECK(cell.failure.empty() != cell.rows.empty()); });
}

TEST_CASE("every law and form of layers has cells of its own, decided and kept apart") {
  const Scratch scratch("ledger");
  const Grid grid = parse_grid(
      "depth = 2\ntokens = 3\ndim = 4\nseeds = 1\ndigits = 6\n"
      "blocks = [\"pure\", \"skip=1/2\", \"mlp\", \"layernorm\", \"skip+mlp+layernorm\"]\n"
      "law = [\"gaussian\", \"uniform\", \"orthogonal\", \"sparse\", \"low-rank\", \"one-hot-seeking\"]\n"
      "input_law = [\"gaussian\", \"sphere\", \"clustered\", \"near-collapsed\", \"large-shift\"]\n",
      "laws");
  const std::string path = (scratch / "l").string();
  {
    Ledger ledger = Ledger::open_to_write(path);
    const SweepCounts counts = sweep_into(ledger, grid, {}, 2, {});
    CHECK(counts.computed == 150);
    CHECK(counts.failed == 0);
    CHECK(ledger.tally().contradictions == 0);
  }
  std::map<std::string, std::set<std::string>> decided;  // by form
  Ledger::open(path).each([&](const LedgerCell& cell) {
    for (const Row& row : cell.rows) {
      CHECK(row[column("blocks")] == cell.description[column("blocks")]);
      if (row[column("verdict")] != "inapplicable")
        decided[row[column("blocks")]].insert(row[column("statement")]);
    }
  });
  CHECK(decided.size() == 5);
  CHECK(decided["pure"].contains("composite-diameter"));
  CHECK_FALSE(decided["mlp"].empty());
  CHECK_FALSE(decided["layernorm"].empty());
  CHECK_FALSE(decided["skip=0.5"].empty());
}
