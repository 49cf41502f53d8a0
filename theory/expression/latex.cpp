#include "theory/expression/latex.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "theory/expression/characters.hpp"
#include "theory/expression/exact_operations.hpp"
#include "theory/expression/print.hpp"

namespace rankfall::theory {
namespace {

/// Fractions are built up in a display and written with a slash in exponents and limits.
enum class Style { display, script };
enum class Level { sum, minus, product, power, atom };

constexpr std::array greek{"alpha", "beta",  "gamma", "delta",  "epsilon", "zeta",    "eta",
                           "theta", "iota",  "kappa", "lambda", "mu",      "nu",      "xi",
                           "pi",    "rho",   "sigma", "tau",    "phi",     "upsilon", "chi",
                           "psi",   "omega", "Gamma", "Delta",  "Theta",   "Lambda",  "Xi",
                           "Pi",    "Sigma", "Phi",   "Psi",    "Omega",   "Upsilon"};

std::string letters(std::string_view word, bool upright) {
  if (std::ranges::find(greek, word) != greek.end()) return "\\" + std::string(word);
  if (word == "inf") return "\\infty";
  return word.size() > 1 && upright ? fmt::format("\\mathrm{{{}}}", word) : std::string(word);
}

std::string braced(const std::string& script) {
  const bool single =
      script.size() == 1 || (script.front() == '\\' && std::ranges::all_of(script.substr(1), [](char c) {
                               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
                             }));
  return single ? script : "{" + script + "}";
}

std::string in_parentheses(const std::string& inner) {
  const bool tall =
      std::ranges::any_of(std::array{"\\frac", "\\sum", "\\prod", "\\binom"},
                          [&](const char* mark) { return inner.find(mark) != std::string::npos; });
  return tall ? "\\left(" + inner + "\\right)" : "(" + inner + ")";
}

std::string write(const Expression& e, Style style);

std::string write_symbol(const Expression& e) {
  std::string_view name = e.name();
  std::vector<std::string> scripts;
  std::string_view base = name.substr(0, name.find('_'));
  std::string_view rest = name.substr(base.size());
  std::size_t length = base.size();
  while (is_digit(base[length - 1])) --length;
  if (length < base.size()) scripts.emplace_back(base.substr(length));
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::string_view part = rest.substr(0, rest.find('_'));
    if (!part.empty()) scripts.push_back(letters(part, false));
    rest.remove_prefix(part.size());
  }
  for (const Expression& index : e.operands()) scripts.push_back(write(index, Style::script));
  const std::string head = letters(base.substr(0, length), true);
  return scripts.empty() ? head : head + "_" + braced(fmt::format("{}", fmt::join(scripts, ",")));
}

/// Of a constant >= 0.
std::string write_constant(const Rational& value, Style style) {
  if (!is_integer(value) && !prefers_decimal(value)) {
    const std::string above = numerator(value).str(), below = denominator(value).str();
    return style == Style::script ? above + "/" + below : fmt::format("\\frac{{{}}}{{{}}}", above, below);
  }
  std::string text = rankfall::to_text(value);
  const std::size_t mark = text.starts_with("0x") ? text.size() : text.find('e');
  if (mark >= text.size()) return text;
  const std::string power = "10^" + braced(text.substr(mark + 1));
  return mark == 1 && text.front() == '1' ? power : text.substr(0, mark) + " \\cdot " + power;
}

Level level_of(const Expression& e, Style style) {
  if (leads_with_minus(e)) return Level::minus;
  switch (e.kind()) {
    case Kind::constant: {
      const std::string text = write_constant(e.value(), style);
      if (text.find("\\cdot") != std::string::npos || text.find('/') != std::string::npos)
        return Level::product;
      return text.find_first_of("\\^") == std::string::npos ? Level::atom : Level::power;
    }
    case Kind::add:
      return Level::sum;
    case Kind::multiply:
    case Kind::sum:
    case Kind::prod:
      return Level::product;
    case Kind::divide:
      return style == Style::script ? Level::product : Level::power;
    case Kind::symbol:
      return Level::atom;
    case Kind::call:
      return e.is(Function::abs) || e.is(Function::binomial) ? Level::atom : Level::power;
    default:
      return Level::power;
  }
}

std::string write_at(const Expression& e, Level least, Style style) {
  const std::string text = write(e, style);
  return level_of(e, style) < least ? in_parentheses(text) : text;
}

std::string write_list(const std::vector<Expression>& list, Style style) {
  std::vector<std::string> parts;
  parts.reserve(list.size());
  for (const Expression& e : list) parts.push_back(write(e, style));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string write_sum(const std::vector<Expression>& terms, Style style) {
  std::string result = write_at(terms.front(), Level::minus, style);
  for (std::size_t i = 1; i < terms.size(); ++i) {
    const bool minus = leads_with_minus(terms[i]);
    result += minus ? " - " : " + ";
    result += write_at(minus ? -terms[i] : terms[i], Level::product, style);
  }
  return result;
}

std::string write_product(const std::vector<Expression>& factors, Style style) {
  std::string result;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const Expression& factor = factors[i];
    const bool last = i + 1 == factors.size();
    const bool open = (factor.is(Kind::sum) || factor.is(Kind::prod)) && last && style == Style::display;
    const std::string text = write_at(factor, open ? Level::product : Level::power, style);
    if (i > 0) result += is_digit(text.front()) ? " \\cdot " : " ";
    result += text;
  }
  return result;
}

std::string write_call(const Expression& e, Style style) {
  const std::string arguments = write_list(e.operands(), style);
  switch (e.function()) {
    case Function::sqrt:
      return "\\sqrt{" + arguments + "}";
    case Function::abs:
      return arguments.find("\\frac") == std::string::npos ? "|" + arguments + "|"
                                                           : "\\left|" + arguments + "\\right|";
    case Function::sign:
      return "\\operatorname{sgn}" + in_parentheses(arguments);
    case Function::binomial:
      return "\\binom{" + write(e.operands()[0], style) + "}{" + write(e.operands()[1], style) + "}";
    default:
      return "\\" + std::string(name_of(e.function())) + in_parentheses(arguments);
  }
}

std::string write_range(const Expression& e, Style style) {
  const std::vector<Expression>& operands = e.operands();
  return fmt::format("\\{}_{{{}={}}}^{} {}", e.is(Kind::sum) ? "sum" : "prod", write_symbol(sym(e.name())),
                     write(operands[0], Style::script), braced(write(operands[1], Style::script)),
                     write_at(operands[2], Level::product, style));
}

std::string write(const Expression& e, Style style) {
  if (leads_with_minus(e)) return "-" + write_at(-e, Level::product, style);
  const std::vector<Expression>& operands = e.operands();
  switch (e.kind()) {
    case Kind::constant:
      return write_constant(e.value(), style);
    case Kind::symbol:
      return write_symbol(e);
    case Kind::add:
      return write_sum(operands, style);
    case Kind::multiply:
      return write_product(operands, style);
    case Kind::divide:
      if (style == Style::display)
        return "\\frac{" + write(operands[0], style) + "}{" + write(operands[1], style) + "}";
      return write_at(operands[0], Level::product, style) + "/" + write_at(operands[1], Level::power, style);
    case Kind::power:
      return write_at(operands[0], Level::atom, style) + "^" + braced(write(operands[1], Style::script));
    case Kind::call:
      return write_call(e, style);
    case Kind::sum:
    case Kind::prod:
      return write_range(e, style);
    case Kind::negate:
      break;  // leads with a minus
  }
  return {};
}

}  // namespace

std::string to_latex(const Expression& e) {
  return write(e, Style::display);
}

}  // namespace rankfall::theory
