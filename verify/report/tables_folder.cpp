#include "verify/report/tables_folder.hpp"

#include <fmt/format.h>

#include "verify/enclosure.hpp"
#include "verify/output.hpp"
#include "verify/report/number_text.hpp"

namespace rankfall::verify {
namespace {

using Fields = std::vector<std::string>;
using Column = TextTable::Column;

constexpr int table_digits = 3;
constexpr const char* five_names[] = {"least", "lower_quartile", "median", "upper_quartile", "greatest"};

std::vector<const Span*> five(const Distribution& d) {
  return {&d.least, &d.lower_quartile, &d.median, &d.upper_quartile, &d.greatest};
}

std::string said(const Distribution& d, const Span& number) {
  return d.count == 0 ? "\u2013" : certified_text(number, table_digits, Notation::plain);
}

void add(Fields& fields, const Fields& more) {
  fields.insert(fields.end(), more.begin(), more.end());
}

Fields ends_of(const Span& number, int digits) {
  const EnclosureText text = value_text(number, digits);
  return {text.low, text.high};
}

Fields five_ends(const Distribution& d, int digits) {
  Fields fields;
  for (const Span* number : five(d)) add(fields, d.count == 0 ? Fields{"", ""} : ends_of(*number, digits));
  return fields;
}

Fields five_headings(const std::string& prefix) {
  Fields names;
  for (const char* name : five_names)
    for (const char* end : {"_lo", "_hi"}) names.push_back(prefix + name + end);
  return names;
}

Fields made_headings() {
  return {"version", "command", "seeds", "precision"};
}
Fields made_fields(const Provenance& made) {
  return {made.version, made.command, made.seeds, made.precision};
}

Fields claim_fields(const Claim& claim) {
  return {claim.statement->id, claim.gamma ? name(*claim.gamma) : "",
          claim.instances.front().decision->subject(), name(claim.status())};
}

Fields network_fields(const GenerateSpec& spec) {
  return {std::to_string(spec.tokens),
          std::to_string(spec.dim),
          std::to_string(spec.heads),
          std::to_string(query_width(spec)),
          beta_text(spec),
          spec.law,
          spec.input_law,
          spec.blocks};
}

constexpr const char* claim_headings[] = {"statement", "gamma", "quantity", "claim_status"};
constexpr const char* network_headings[] = {"tokens", "dim", "heads",     "d_qk",
                                            "beta",   "law", "input_law", "blocks"};

template <class Names>
Fields fields_of(const Names& names) {
  return {std::begin(names), std::end(names)};
}

std::string claims_csv(const TableContent& content) {
  Fields headings = fields_of(claim_headings);
  add(headings, {"proved", "refuted", "inapplicable", "inconclusive"});
  add(headings, five_headings("looseness_"));
  add(headings, five_headings("slack_"));
  add(headings, {"vacuous", "vacuous_known", "non_contracting", "non_contracting_known"});
  add(headings, made_headings());
  std::vector<Fields> rows;
  for (const Digest& d : content.digests) {
    Fields row = claim_fields(*d.claim);
    for (const std::size_t count :
         {d.counts.proved, d.counts.refuted, d.counts.inapplicable, d.counts.inconclusive})
      row.push_back(std::to_string(count));
    add(row, five_ends(d.looseness, content.digits));
    add(row, five_ends(d.slack, content.digits));
    for (const Share* share : {&d.vacuous, &d.non_contracting})
      add(row, {std::to_string(share->yes), std::to_string(share->known)});
    add(row, made_fields(content.made));
    rows.push_back(std::move(row));
  }
  return csv(headings, rows);
}

std::string seeds_csv(const TableContent& content) {
  Fields headings = fields_of(claim_headings);
  add(headings, fields_of(network_headings));
  add(headings, {"depth", "count"});
  add(headings, five_headings("looseness_"));
  add(headings, five_headings("slack_"));
  add(headings, made_headings());
  std::vector<Fields> rows;
  for (const SeedRow& seeds : content.seeds) {
    Fields row = claim_fields(*seeds.claim);
    add(row, network_fields(seeds.spec));
    add(row, {std::to_string(seeds.depth), std::to_string(seeds.slack.count)});
    add(row, five_ends(seeds.looseness, content.digits));
    add(row, five_ends(seeds.slack, content.digits));
    add(row, made_fields(content.made));
    rows.push_back(std::move(row));
  }
  return csv(headings, rows);
}

std::string margins_digest_csv(const TableContent& content) {
  Fields headings = fields_of(claim_headings);
  add(headings, {"hypothesis", "certified", "failing", "open"});
  add(headings, five_headings("margin_"));
  add(headings, made_headings());
  std::vector<Fields> rows;
  for (const Digest& digest : content.digests)
    for (const HypothesisDigest& h : digest.hypotheses) {
      Fields row = claim_fields(*digest.claim);
      add(row, {h.name, std::to_string(h.certified), std::to_string(h.failing), std::to_string(h.open)});
      add(row, five_ends(h.margin, content.digits));
      add(row, made_fields(content.made));
      rows.push_back(std::move(row));
    }
  return csv(headings, rows);
}

std::string heat_csv(const TableContent& content) {
  Fields headings = {"measure", "row_axis", "row", "column_axis", "column", "depth", "count", "ones"};
  add(headings, five_headings(""));
  add(headings, made_headings());
  std::vector<Fields> rows;
  for (const HeatMap& map : content.heat)
    for (std::size_t r = 0; r < map.rows.size(); ++r)
      for (std::size_t c = 0; c < map.columns.size(); ++c) {
        const HeatCell& cell = map.cells[r][c];
        if (cell.numbers.count == 0) continue;
        Fields row = {name(map.measure),
                      map.row_axis,
                      map.rows[r],
                      map.column_axis,
                      map.columns[c],
                      map.depth > 0 ? std::to_string(map.depth) : "",
                      std::to_string(cell.numbers.count),
                      map.measure == Measure::vacuous ? std::to_string(cell.ones) : ""};
        add(row, five_ends(cell.numbers, content.digits));
        add(row, made_fields(content.made));
        rows.push_back(std::move(row));
      }
  return csv(headings, rows);
}

std::string extremes_csv(const TableContent& content) {
  Fields headings = {"which"};
  add(headings, fields_of(claim_headings));
  add(headings, fields_of(network_headings));
  add(headings, {"seed", "depth", "from", "to", "verdict", "slack_lo", "slack_hi", "looseness_lo",
                 "looseness_hi", "bits", "repeat"});
  add(headings, made_headings());
  std::vector<Fields> rows;
  for (const Digest& digest : content.digests)
    for (const auto& [which, instance] :
         {std::pair{"tightest", digest.tightest}, {"loosest", digest.loosest}}) {
      if (!instance) continue;
      const Decision& d = *instance->decision;
      const GenerateSpec& spec = instance->cell->cell.spec;
      Fields row = {which};
      add(row, claim_fields(*digest.claim));
      add(row, network_fields(spec));
      add(row, {std::to_string(spec.seed), std::to_string(d.depth), std::to_string(d.from),
                std::to_string(d.to), name(d.verdict)});
      add(row, ends_of(d.slack, content.digits));
      add(row, d.looseness ? ends_of(*d.looseness, content.digits) : Fields{"", ""});
      add(row, {std::to_string(d.bits), reproduction(*instance)});
      add(row, made_fields(content.made));
      rows.push_back(std::move(row));
    }
  return csv(headings, rows);
}

}  // namespace

TextTable claims_table(const std::vector<Digest>& digests) {
  TextTable table{"claims", "Verdicts and tightness by claim", {}, {}};
  for (const char* heading : {"statement", "catalogue"})
    table.columns.push_back({heading, Column::Kind::words});
  for (const char* heading :
       {"proved", "refuted", "inapplicable", "inconclusive", "looseness, least", "median", "greatest",
        "slack, least", "median", "greatest", "vacuous", "non-contracting"})
    table.columns.push_back({heading, Column::Kind::number});
  for (const Digest& d : digests) {
    Fields row = {d.claim->label(), name(d.claim->status())};
    for (const std::size_t count :
         {d.counts.proved, d.counts.refuted, d.counts.inapplicable, d.counts.inconclusive})
      row.push_back(std::to_string(count));
    for (const Distribution* all : {&d.looseness, &d.slack})
      for (const Span* number : {&all->least, &all->median, &all->greatest})
        row.push_back(said(*all, *number));
    for (const Share* share : {&d.vacuous, &d.non_contracting})
      row.push_back(percentage(share->yes, share->known));
    table.rows.push_back(std::move(row));
  }
  return table;
}

TextTable extremes_table(const std::vector<Digest>& digests) {
  TextTable table{"extremes",
                  "Tightest and loosest instances, each with the command that repeats it",
                  {{"claim"},
                   {""},
                   {"looseness", Column::Kind::number},
                   {"slack", Column::Kind::number},
                   {"repeated by", Column::Kind::command}},
                  {}};
  for (const Digest& digest : digests)
    for (const auto& [which, instance] :
         {std::pair{"tightest", digest.tightest}, {"loosest", digest.loosest}}) {
      if (!instance) continue;
      const Decision& d = *instance->decision;
      table.rows.push_back(
          {digest.claim->label(), which,
           d.looseness ? certified_text(*d.looseness, table_digits, Notation::plain) : "\u2013",
           certified_text(d.slack, table_digits, Notation::plain), reproduction(*instance)});
    }
  return table;
}

TextTable seeds_table(const std::vector<SeedRow>& shown) {
  TextTable table{"seeds", "Looseness over seeds, at the greatest depth of the largest networks", {}, {}};
  table.columns = {{"claim"}, {"network"}, {"depth", Column::Kind::number}, {"seeds", Column::Kind::number}};
  for (const char* heading : {"least", "lower quartile", "median", "upper quartile", "greatest"})
    table.columns.push_back({heading, Column::Kind::number});
  for (const SeedRow& seeds : shown) {
    Fields row = {seeds.claim->label(), network_text(seeds.spec), std::to_string(seeds.depth),
                  std::to_string(seeds.looseness.count)};
    for (const Span* number : five(seeds.looseness)) row.push_back(said(seeds.looseness, *number));
    table.rows.push_back(std::move(row));
  }
  return table;
}

TextTable margins_table(const std::vector<Digest>& digests) {
  TextTable table{"margins", "Margins of the hypotheses, bound less value", {{"claim"}, {"hypothesis"}}, {}};
  for (const char* heading :
       {"certified", "failing", "open", "least", "lower quartile", "median", "upper quartile", "greatest"})
    table.columns.push_back({heading, Column::Kind::number});
  for (const Digest& digest : digests)
    for (const HypothesisDigest& h : digest.hypotheses) {
      Fields row = {digest.claim->label(), h.name, std::to_string(h.certified), std::to_string(h.failing),
                    std::to_string(h.open)};
      for (const Span* number : five(h.margin)) row.push_back(said(h.margin, *number));
      table.rows.push_back(std::move(row));
    }
  return table;
}

TextTable heat_table(const HeatMap& map) {
  TextTable table{map.name, map.heading(), {{map.row_axis}}, {}};
  for (const std::string& column : map.columns)
    table.columns.push_back({map.column_axis + " " + column, Column::Kind::number});
  for (std::size_t r = 0; r < map.rows.size(); ++r) {
    Fields row = {map.rows[r]};
    for (std::size_t c = 0; c < map.columns.size(); ++c) {
      const std::string text = map.text(r, c, false);
      row.push_back(text.empty() ? "\u2013" : text);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

void write_tables(const TableContent& content, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directory(folder, error);
  if (error) throw OutputError("cannot make " + folder.string() + ": " + error.message());
  const std::string made = content.made.line();
  std::vector<TextTable> all = {claims_table(content.digests), seeds_table(shown_over_seeds(content.seeds)),
                                margins_table(content.digests)};
  for (const HeatMap& map : content.heat) all.push_back(heat_table(map));
  all.push_back(extremes_table(content.digests));
  std::vector<TextTable> filled;
  for (TextTable& table : all)
    if (!table.rows.empty()) filled.push_back(std::move(table));
  for (const TextTable& table : filled) {
    write_file(folder / (table.name + ".md"), markdown(table, made));
    write_file(folder / (table.name + ".tex"), latex(table, made));
  }
  write_file(folder / "all.tex", latex_document(filled, made));
  write_file(folder / "claims.csv", claims_csv(content));
  write_file(folder / "seeds.csv", seeds_csv(content));
  write_file(folder / "margins.csv", margins_digest_csv(content));
  write_file(folder / "heat.csv", heat_csv(content));
  write_file(folder / "extremes.csv", extremes_csv(content));
}

}  // namespace rankfall::verify
