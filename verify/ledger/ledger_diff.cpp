#include "verify/ledger/ledger_diff.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>

namespace rankfall::verify {
namespace {

constexpr std::array identity_columns = {column("statement"), column("gamma"), column("quantity"),
                                         column("depth"),     column("from"),  column("to"),
                                         column("reference")};
constexpr std::array lower_ends = {column("log10_left_lo"), column("log10_right_lo"), column("slack_lo"),
                                   column("looseness_lo")};

/// Names rows within one network: what they say something about, and which of several that say it.
class Identities {
 public:
  std::string operator()(const Row& row) {
    std::string text;
    for (const std::size_t c : identity_columns) text += row[c] + '\n';
    return text + std::to_string(seen_[text]++);
  }

 private:
  std::map<std::string, std::size_t> seen_;
};

/// Whether the first text is a smaller number than the second; infinities have their names.
bool less(const std::string& a, const std::string& b) {
  if (a == "inf" || b == "-inf") return false;
  if (a == "-inf" || b == "inf") return a != b;
  return parse_number(a) < parse_number(b);
}

bool apart(const Row& a, const Row& b, std::size_t low) {
  if (a[low].empty() || b[low].empty()) return false;
  return less(a[low + 1], b[low]) || less(b[low + 1], a[low]);
}

/// A row with its hypotheses.
struct Told {
  const Row* row;
  const std::vector<HypothesisRow>* hypotheses;
};

bool contradict(const std::vector<HypothesisRow>& before, const std::vector<HypothesisRow>& after) {
  for (const HypothesisRow& a : before)
    for (const HypothesisRow& b : after)
      for (const std::size_t low : {hypothesis_value, hypothesis_margin})
        if (a[hypothesis_name] == b[hypothesis_name] &&
            (less(a[low + 1], b[low]) || less(b[low + 1], a[low])))
          return true;
  return false;
}

std::optional<RowChange> change(const Told& told_before, const Told& told_after) {
  const Row &before = *told_before.row, &after = *told_after.row;
  RowChange result{before,
                   after,
                   *told_before.hypotheses,
                   *told_after.hypotheses,
                   before[column("verdict")] != after[column("verdict")],
                   contradict(*told_before.hypotheses, *told_after.hypotheses)};
  // A ledger of the format before has no hypotheses to compare.
  const bool both = !told_before.hypotheses->empty() && !told_after.hypotheses->empty();
  bool differs = result.verdict || (both && result.hypotheses_before != result.hypotheses_after);
  for (const std::size_t low : lower_ends) {
    differs = differs || before[low] != after[low] || before[low + 1] != after[low + 1];
    result.contradicts = result.contradicts || apart(before, after, low);
  }
  return differs ? std::optional(result) : std::nullopt;
}

std::string heading(const Row& row) {
  std::string text = fmt::format("{}", row[column("statement")]);
  if (!row[column("gamma")].empty()) text += ", gamma " + row[column("gamma")];
  if (!row[column("reference")].empty()) text += ", about the " + row[column("reference")];
  text += fmt::format(", {} from {} to {}:", row[column("quantity")], row[column("from")], row[column("to")]);
  for (const std::string_view name : cell_columns)
    if (!row[column(name)].empty()) text += fmt::format(" {} {}", name, row[column(name)]);
  return text;
}

std::string side(const Row& row, const std::vector<HypothesisRow>& hypotheses) {
  std::string text = row[column("verdict")];
  for (const std::size_t low : lower_ends)
    if (!row[low].empty())
      text += fmt::format("  {} {} .. {}", row_columns[low].substr(0, row_columns[low].size() - 3), row[low],
                          row[low + 1]);
  for (const HypothesisRow& h : hypotheses)
    text += fmt::format("  margin of {} {} .. {}", h[hypothesis_name], h[hypothesis_margin],
                        h[hypothesis_margin + 1]);
  return text;
}

}  // namespace

LedgerDiff diff(const Ledger& before, const Ledger& after) {
  LedgerDiff result;
  std::size_t matched_after = 0;
  before.each([&](const LedgerCell& cell) {
    std::map<std::string, Told> rows;
    const std::vector<LedgerCell> counterparts = after.described_as(cell.description);
    for (const LedgerCell& counterpart : counterparts) {
      Identities identity;
      for (std::size_t i = 0; i < counterpart.rows.size(); ++i)
        rows.emplace(identity(counterpart.rows[i]), Told{&counterpart.rows[i], &counterpart.hypotheses[i]});
    }
    Identities identity;
    for (std::size_t i = 0; i < cell.rows.size(); ++i) {
      const Row& row = cell.rows[i];
      const auto found = rows.find(identity(row));
      if (found == rows.end()) {
        ++result.only_before;
        continue;
      }
      ++result.common;
      if (const auto changed = change({&row, &cell.hypotheses[i]}, found->second))
        result.changes.push_back(*changed);
      rows.erase(found);
      ++matched_after;
    }
  });
  std::size_t total_after = 0;
  after.each([&](const LedgerCell& cell) { total_after += cell.rows.size(); });
  result.only_after = total_after - matched_after;
  return result;
}

std::string diff_text(const LedgerDiff& diff) {
  std::size_t verdicts = 0, contradictions = 0;
  for (const RowChange& change : diff.changes) {
    verdicts += change.verdict ? 1 : 0;
    contradictions += change.contradicts ? 1 : 0;
  }
  std::string text = fmt::format(
      "{} rows in both, {} only in the first, {} only in the second; of those in both {} differ: {} in the "
      "verdict, {} contradict each other\n",
      diff.common, diff.only_before, diff.only_after, diff.changes.size(), verdicts, contradictions);
  for (const RowChange& change : diff.changes)
    text += fmt::format("\n{}\n{}  - {}\n  + {}\n", heading(change.before),
                        change.contradicts ? "  enclosures do not meet\n" : "",
                        side(change.before, change.hypotheses_before),
                        side(change.after, change.hypotheses_after));
  return text;
}

}  // namespace rankfall::verify
