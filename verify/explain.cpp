#include "verify/explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "theory/expression/latex.hpp"
#include "theory/expression/print.hpp"
#include "theory/measured.hpp"
#include "verify/enclosure.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;
using Json = nlohmann::ordered_json;

std::string span_words(const Bound& bound) {
  return bound.span == Bound::Span::layer ? "one layer" : "depth L, from the input";
}

std::string relation(const Bound& bound) {
  return bound.from_below ? ">=" : "<=";
}

/// What is bounded, and the variant of the bound.
std::string subject(const Bound& bound) {
  return name(bound.quantity) + (bound.variant.empty() ? "" : "-" + bound.variant);
}

/// Letters that LaTeX would read as commands, escaped.
std::string latex_words(const std::string& words) {
  std::string result;
  for (const char c : words) {
    if (c == '\\' || c == '~') {
      result += c == '~' ? "\\textasciitilde{}" : "\\textbackslash{}";
      continue;
    }
    if (c == '_' || c == '%' || c == '&' || c == '#' || c == '$' || c == '{' || c == '}') result += '\\';
    if (c == '^')
      result += "\\textasciicircum{}";
    else if (c == '<' || c == '>')
      result += fmt::format("${}$", c);
    else
      result += c;
  }
  return result;
}

std::string latex_relation(const std::string& relation) {
  if (relation == "<=") return "\\le";
  return relation == ">=" ? "\\ge" : relation;
}

std::string decided_by(const Statement& s) {
  return s.decided_by.empty() ? "rankfall check NETWORK" : s.decided_by;
}

std::string status_words(const Statement& s) {
  if (!s.uses_gamma || s.status != Status::proved) return name(s.status);
  return "proved with gamma sum-max and max-ratio; refuted with gamma one or fixed";
}

constexpr int constant_digits = 51;  // fifty after the point for a number between 1 and 10
constexpr Precision constant_bits(256);

EnclosureText enclosed(const Constant& constant) {
  return value_text(constant.enclose(constant_bits), constant_digits);
}

std::string text_of(const Constant& constant) {
  const EnclosureText text = enclosed(constant);
  std::string result =
      fmt::format("constant    {} in [{}, {}]: {}\n", constant.name, text.low, text.high, constant.words);
  if (constant.stand_in)
    result += fmt::format("            {} {} {}\n", rankfall::to_text(*constant.stand_in),
                          certified(constant, constant_bits) ? "stands for it and is certified to lie below"
                                                             : "stands for it and IS NOT certified below",
                          constant.name);
  return result;
}

std::string text_of(const Statement& s) {
  std::string text = fmt::format(
      "{}: {}\n\n{}\n\nstatus      {}\nsource      {}\nscope       {}\nproof       {}\n", s.id, s.title,
      s.words, status_words(s), s.source, s.scope.words, s.proof.empty() ? "none" : "docs/theory/" + s.proof);
  const auto list = [&](const char* heading, const std::vector<Hypothesis>& hypotheses) {
    for (const Hypothesis& h : hypotheses)
      text += fmt::format("{}  {} <= {}   ({}: {})\n", heading, to_text(h.value), to_text(h.bound), h.name,
                          h.words);
  };
  list("hypothesis", s.hypotheses);
  list("or         at the minimal residual:", s.minimal_hypotheses);
  for (const Constant& constant : s.constants) text += text_of(constant);
  for (const Bound& bound : s.bounds) {
    text += fmt::format("\n{}, {}:\n", subject(bound), span_words(bound));
    list("  where", bound.hypotheses);
    for (const Expression& middle : bound.middle)
      text += fmt::format("  {} {}\n", relation(bound), to_text(middle));
    text += fmt::format("  {} {}\n", relation(bound), to_text(bound.right));
    text += fmt::format("  LaTeX: {} {}\n", bound.from_below ? "\\ge" : "\\le", to_latex(bound.right));
    if (bound.constant) text += fmt::format("  constant of one layer: C = {}\n", to_text(*bound.constant));
  }
  if (!s.formulas.empty()) text += "\n";
  for (const Formula& f : s.formulas) {
    text += fmt::format("{} {} {}{}\n", to_text(f.left), f.relation, to_text(f.right),
                        f.words.empty() ? "" : "   (" + f.words + ")");
    text +=
        fmt::format("  LaTeX: {} {} {}\n", to_latex(f.left), latex_relation(f.relation), to_latex(f.right));
  }
  return text + fmt::format("\ndecided by  {}\n", decided_by(s));
}

std::string latex_of(const Statement& s) {
  std::string text =
      fmt::format("\\paragraph{{{}}} ({}) {}\n\nStatus: {}. Source: {}. Scope: {}.{}\n", latex_words(s.title),
                  latex_words(s.id), latex_words(s.words), latex_words(status_words(s)),
                  latex_words(s.source), latex_words(s.scope.words),
                  s.proof.empty() ? "" : " Proof: " + latex_words("docs/theory/" + s.proof) + ".");
  const auto list = [&](const char* heading, const std::vector<Hypothesis>& hypotheses) {
    for (const Hypothesis& h : hypotheses)
      text += fmt::format("\\[ {} \\le {} \\quad \\text{{({})}} \\]\n", to_latex(h.value), to_latex(h.bound),
                          heading);
  };
  list("hypothesis", s.hypotheses);
  list("or, at the minimal residual", s.minimal_hypotheses);
  for (const Bound& bound : s.bounds) {
    list("for the next bound", bound.hypotheses);
    text += fmt::format("\\[ \\text{{{}}}", latex_words(subject(bound)));
    for (const Expression& middle : bound.middle)
      text += fmt::format(" {} {}", latex_relation(relation(bound)), to_latex(middle));
    text += fmt::format(" {} {} \\]\n", latex_relation(relation(bound)), to_latex(bound.right));
  }
  for (const Formula& f : s.formulas)
    text +=
        fmt::format("\\[ {} {} {} \\]\n", to_latex(f.left), latex_relation(f.relation), to_latex(f.right));
  return text;
}

Json json_of(const std::vector<Hypothesis>& hypotheses) {
  Json result = Json::array();
  for (const Hypothesis& h : hypotheses)
    result.push_back(
        {{"name", h.name}, {"words", h.words}, {"value", to_text(h.value)}, {"bound", to_text(h.bound)}});
  return result;
}

Json json_of(const std::vector<Constant>& constants) {
  Json result = Json::array();
  for (const Constant& constant : constants) {
    const EnclosureText text = enclosed(constant);
    result.push_back(
        {{"name", constant.name},
         {"words", constant.words},
         {"value", {text.low, text.high}},
         {"stand_in", constant.stand_in ? Json(rankfall::to_text(*constant.stand_in)) : Json(nullptr)},
         {"stand_in_below", constant.stand_in ? Json(certified(constant, constant_bits)) : Json(nullptr)}});
  }
  return result;
}

Json json_of(const Statement& s) {
  Json bounds = Json::array();
  for (const Bound& bound : s.bounds) {
    Json middle = Json::array();
    for (const Expression& m : bound.middle) middle.push_back(to_text(m));
    bounds.push_back({{"span", bound.span == Bound::Span::layer ? "layer" : "depth"},
                      {"quantity", subject(bound)},
                      {"relation", relation(bound)},
                      {"hypotheses", json_of(bound.hypotheses)},
                      {"middle", middle},
                      {"right", to_text(bound.right)},
                      {"latex", to_latex(bound.right)},
                      {"constant", bound.constant ? Json(to_text(*bound.constant)) : Json(nullptr)}});
  }
  Json formulas = Json::array();
  for (const Formula& f : s.formulas)
    formulas.push_back(
        {{"left", to_text(f.left)},
         {"relation", f.relation},
         {"right", to_text(f.right)},
         {"latex", fmt::format("{} {} {}", to_latex(f.left), latex_relation(f.relation), to_latex(f.right))},
         {"words", f.words.empty() ? Json(nullptr) : Json(f.words)}});
  return {{"format", "rankfall-statement/1"},
          {"id", s.id},
          {"title", s.title},
          {"words", s.words},
          {"status", name(s.status)},
          {"status_in_full", status_words(s)},
          {"source", s.source},
          {"scope", s.scope.words},
          {"hypotheses", json_of(s.hypotheses)},
          {"hypotheses_at_the_minimal_residual", json_of(s.minimal_hypotheses)},
          {"constants", json_of(s.constants)},
          {"bounds", bounds},
          {"formulas", formulas},
          {"decided_by", decided_by(s)},
          {"proof", s.proof.empty() ? Json(nullptr) : Json("docs/theory/" + s.proof)}};
}

}  // namespace

std::string explain_all(const Statements& known, ExplainFormat format) {
  std::string text;
  Json list = Json::array();
  for (const Statement* statement : known.all()) {
    const Statement& s = *statement;
    if (format == ExplainFormat::text)
      text += fmt::format("{:<26} {:<8} {}\n", s.id, name(s.status), s.title);
    if (format == ExplainFormat::latex)
      text += fmt::format("\\item[{}] {} ({})\n", latex_words(s.id), latex_words(s.title), name(s.status));
    list.push_back({{"id", s.id}, {"status", name(s.status)}, {"title", s.title}});
  }
  if (format == ExplainFormat::latex) return "\\begin{description}\n" + text + "\\end{description}\n";
  return format == ExplainFormat::json ? list.dump(2) + "\n" : text;
}

std::string explain_symbols(ExplainFormat format) {
  std::string text;
  Json list = Json::array();
  for (const MeasuredSymbol& symbol : measured_symbols()) {
    const std::string indices[] = {"", symbol.name + "[l]", fmt::format("{0}[h], {0}[l,h]", symbol.name)};
    const std::string& indexed = indices[symbol.most_indices];
    std::string words = symbol.words;
    if (symbol.most_indices > 0) words += "; alone: ";
    if (symbol.most_indices == 1) words += "of the first layer";
    if (symbol.most_indices == 2) words += "the largest";
    if (format == ExplainFormat::text) text += fmt::format("{:<12} {:<24} {}\n", symbol.name, indexed, words);
    if (format == ExplainFormat::latex)
      text += fmt::format("\\item[${}$] {}\n", to_latex(sym(symbol.name)), latex_words(words));
    list.push_back({{"name", symbol.name},
                    {"most_indices", symbol.most_indices},
                    {"whole", symbol.whole},
                    {"of_scores", symbol.of_scores},
                    {"words", words}});
  }
  if (format == ExplainFormat::latex) return "\\begin{description}\n" + text + "\\end{description}\n";
  return format == ExplainFormat::json ? list.dump(2) + "\n" : text;
}

std::string explain(const Statement& statement, ExplainFormat format) {
  switch (format) {
    case ExplainFormat::text:
      return text_of(statement);
    case ExplainFormat::latex:
      return latex_of(statement);
    case ExplainFormat::json:
      return json_of(statement).dump(2) + "\n";
  }
  return {};
}

std::string explain(const OtherClaim& claim, ExplainFormat format) {
  const std::string proof = "docs/theory/" + claim.proof;
  if (format == ExplainFormat::json)
    return Json{{"format", "rankfall-statement/1"},
                {"id", claim.id},
                {"title", claim.title},
                {"words", claim.words},
                {"status", name(claim.held)},
                {"source", claim.source},
                {"decided_by", "rankfall audit"},
                {"replaced_by", claim.replaced_by},
                {"proof", proof}}
               .dump(2) +
           "\n";
  if (format == ExplainFormat::latex)
    return fmt::format("\\paragraph{{{}}} ({}) {}.\n\nStatus: {}. Source: {}. See {}.\n",
                       latex_words(claim.title), latex_words(claim.id), latex_words(claim.words),
                       name(claim.held), latex_words(claim.source), latex_words(proof));
  return fmt::format(
      "{}: {}\n\n{}.\n\nstatus      {}\nsource      {}\nproof       {}\n{}\ndecided by  rankfall audit\n",
      claim.id, claim.title, claim.words, name(claim.held), claim.source, proof,
      claim.replaced_by.empty() ? "" : fmt::format("instead     {}\n", fmt::join(claim.replaced_by, ", ")));
}

}  // namespace rankfall::verify
