#include "verify/report/recorded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "numerics/errors.hpp"
#include "verify/report/instances.hpp"

namespace rankfall::verify {
namespace {

constexpr Precision recorded_bits(128);  // what fits a ball without a heap

Ball number_end(const std::string& text) {
  Ball end;
  if (text == "inf")
    arb_pos_inf(end.raw());
  else if (text == "-inf")
    arb_neg_inf(end.raw());
  else
    end = Ball(parse_number(text), recorded_bits);
  return end;
}

/// The magnitude whose log10 is the text; zero for "-inf".
Magnitude magnitude_end(const std::string& text) {
  static const Ball log2_of_ten = log2(Ball(10), recorded_bits);
  if (text == "-inf") return {};
  return Magnitude::from_log2(text == "inf" ? number_end(text)
                                            : mul(number_end(text), log2_of_ten, recorded_bits));
}

Bracket bracket_at(const Row& row, std::size_t low) {
  return {magnitude_end(row[low]), magnitude_end(row[low + 1])};
}
Span span_at(const Row& row, std::size_t low) {
  return {number_end(row[low]), number_end(row[low + 1])};
}

std::optional<bool> truth_of(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text == "true");
}

Verdict verdict_of(const std::string& text) {
  for (const Verdict verdict :
       {Verdict::proved, Verdict::refuted, Verdict::inapplicable, Verdict::inconclusive})
    if (name(verdict) == text) return verdict;
  throw InputError(fmt::format("the ledger has a row with the verdict '{}', which is none", text));
}

GenerateSpec spec_of(const Row& row) {
  const auto integer = [&](std::string_view name) { return std::stol(row[column(name)]); };
  GenerateSpec spec;
  spec.tokens = integer("tokens");
  spec.dim = integer("dim");
  spec.heads = integer("heads");
  spec.d_qk = integer("d_qk");
  if (spec.d_qk * spec.heads == spec.dim) spec.d_qk = 0;
  if (const std::string& beta = row[column("beta")]; !beta.empty()) spec.beta = parse_number(beta);
  spec.law = row[column("law")];
  spec.input_law = row[column("input_law")];
  spec.blocks = row[column("blocks")];
  spec.seed = std::stoull(row[column("seed")]);
  return spec;
}

/// What names an inequality on one network.
std::string inequality(const Row& row) {
  std::string text;
  for (const std::string_view name : {"statement", "gamma", "quantity", "depth", "from", "to", "reference"})
    text += row[column(name)] + '\n';
  return text;
}

class Reader {
 public:
  explicit Reader(const theory::Statements& known) {
    for (const theory::Statement* statement : known.all()) statements_[statement->id] = statement;
  }

  void add(const LedgerCell& cell) {
    if (!cell.failure.empty()) {
      out_.failures.push_back(cell_text(spec_of(cell.description)) + ": " + cell.failure);
      return;
    }
    const bool same = !out_.results.empty() && cell.description == description_;
    if (!same) {
      out_.results.push_back({Cell{spec_of(cell.description)}, {}, {}});
      description_ = cell.description;
      seen_.clear();
    }
    CellResult& result = out_.results.back();
    std::map<std::string, std::size_t> within;  // a cell itself may say an inequality in several ways
    for (std::size_t i = 0; i < cell.rows.size(); ++i) {
      const std::string text = inequality(cell.rows[i]);
      if (!seen_.insert(text + std::to_string(within[text]++)).second)
        ++out_.repeated_rows;
      else
        add(cell.rows[i], cell.hypotheses[i], result);
    }
  }

  Recorded finish() {
    Grid& grid = out_.grid;
    std::set<long> depth, tokens, dim, heads, d_qk;
    std::set<std::optional<Rational>> beta;
    std::set<std::uint64_t> seeds;
    std::set<std::string> laws, input_laws, blocks;
    for (const CellResult& result : out_.results) {
      const GenerateSpec& spec = result.cell.spec;
      tokens.insert(spec.tokens);
      dim.insert(spec.dim);
      heads.insert(spec.heads);
      d_qk.insert(spec.d_qk);
      beta.insert(spec.beta);
      seeds.insert(spec.seed);
      laws.insert(spec.law);
      input_laws.insert(spec.input_law);
      blocks.insert(spec.blocks);
      for (const Decision& decision : result.check.decisions) {
        depth.insert(static_cast<long>(decision.depth));
        statements_met_.insert(decision.statement->id);
      }
    }
    const auto listed = [](const auto& set, auto& list) { list.assign(set.begin(), set.end()); };
    listed(depth, grid.depth);
    listed(tokens, grid.tokens);
    listed(dim, grid.dim);
    listed(heads, grid.heads);
    listed(d_qk, grid.d_qk);
    listed(beta, grid.beta);
    listed(seeds, grid.seeds);
    listed(laws, grid.law);
    listed(input_laws, grid.input_law);
    listed(blocks, grid.blocks);
    listed(statements_met_, grid.options.statements);
    return std::move(out_);
  }

 private:
  void add(const Row& row, const std::vector<HypothesisRow>& hypotheses, CellResult& result) {
    const auto found = statements_.find(row[column("statement")]);
    const theory::Bound* bound = found == statements_.end() ? nullptr : bound_of(*found->second, row);
    if (!bound) {
      ++out_.unknown_rows;
      const std::string& id = row[column("statement")];
      if (std::find(out_.unknown.begin(), out_.unknown.end(), id) == out_.unknown.end())
        out_.unknown.push_back(id);
      return;
    }
    if (++out_.rows > most_recorded_rows)
      throw InputError(
          fmt::format("the ledger has more than {} rows, the most that a report holds", most_recorded_rows));
    Decision d;
    d.statement = found->second;
    d.bound = bound;
    d.from = std::stoul(row[column("from")]);
    d.to = std::stoul(row[column("to")]);
    d.depth = std::stoul(row[column("depth")]);
    d.quantity = quantity_of(*bound, row);
    d.reference = row[column("reference")];
    if (const std::string& gamma = row[column("gamma")]; !gamma.empty()) d.gamma = theory::parse_gamma(gamma);
    d.verdict = verdict_of(row[column("verdict")]);
    d.reason = row[column("reason")];
    d.compared = !row[column("log10_left_lo")].empty();
    if (d.compared) {
      d.left = bracket_at(row, column("log10_left_lo"));
      d.right = bracket_at(row, column("log10_right_lo"));
      d.slack = span_at(row, column("slack_lo"));
      if (!row[column("looseness_lo")].empty()) d.looseness = span_at(row, column("looseness_lo"));
    }
    d.non_contracting = truth_of(row[column("non_contracting")]);
    d.vacuous = truth_of(row[column("vacuous")]);
    d.bits = std::stol(row[column("bits")]);
    for (const HypothesisRow& h : hypotheses)
      d.hypotheses.push_back({h[hypothesis_name],
                              truth_of(h[hypothesis_holds]),
                              {magnitude_end(h[hypothesis_value]), magnitude_end(h[hypothesis_value + 1])},
                              {number_end(h[hypothesis_margin]), number_end(h[hypothesis_margin + 1])}});
    out_.hypotheses = out_.hypotheses || !hypotheses.empty();
    if (name(d.claim()) != row[column("claim_status")]) ++out_.restated_rows;
    result.check.bits = std::max(result.check.bits, d.bits);
    result.cell.spec.depth = std::max<Index>(result.check.decisions.empty() ? 0 : result.cell.spec.depth,
                                             static_cast<Index>(d.to));
    result.check.decisions.push_back(std::move(d));
  }

  /// A bound on the residual about a reference is read at the minimum too, and then bounds that.
  static theory::Quantity quantity_of(const theory::Bound& bound, const Row& row) {
    Decision d;
    d.bound = &bound;
    d.quantity = bound.quantity;
    if (d.subject() != row[column("quantity")] && bound.quantity == theory::Quantity::residual_about)
      d.quantity = theory::Quantity::residual;
    return d.quantity;
  }

  static const theory::Bound* bound_of(const theory::Statement& statement, const Row& row) {
    for (const theory::Bound& bound : statement.bounds) {
      Decision d;
      d.bound = &bound;
      d.quantity = quantity_of(bound, row);
      if (d.subject() == row[column("quantity")]) return &bound;
    }
    return nullptr;
  }

  std::map<std::string, const theory::Statement*> statements_;
  std::set<std::string> statements_met_;
  Recorded out_;
  Row description_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

Recorded recorded(const Ledger& ledger, const theory::Statements& known,
                  const std::function<void(std::size_t, std::size_t)>& progress) {
  Reader reader(known);
  const auto total = static_cast<std::size_t>(ledger.cells());
  std::size_t done = 0;
  try {
    ledger.each([&](const LedgerCell& cell) {
      reader.add(cell);
      if (progress) progress(++done, total);
    });
  } catch (const std::logic_error& error) {  // of a number that is none: no sweep wrote it
    throw InputError(fmt::format("the ledger has a row that is not one of rankfall sweep: {}", error.what()));
  }
  Recorded result = reader.finish();
  if (result.rows == 0)
    throw InputError("the ledger holds no verdict that this program can read; fill it with rankfall sweep");
  return result;
}

}  // namespace rankfall::verify
