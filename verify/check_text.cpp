#include "verify/check_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "verify/enclosure.hpp"

namespace rankfall::verify {
namespace {

constexpr int agreed_wanted = 8;  // significant digits of a number that is known well enough
constexpr int end_digits = 2;     // beyond which the ends of a wider one are not shown

/// The digits on which both ends agree, or both ends in short.
std::string brief(const EnclosureText& fine, const EnclosureText& coarse) {
  std::string agreed = agreed_digits(fine.low, fine.high);
  const std::size_t first = agreed.find_first_of("123456789");
  if (fine.low == fine.high) return agreed;
  if (agreed.front() != '[' && first != std::string::npos && agreed.size() >= first + 7) return agreed;
  return coarse.low + " .. " + coarse.high;
}

std::string short_log10(const Bracket& value) {
  return brief(log10_text(value, agreed_wanted), log10_text(value, end_digits));
}

/// log10 of a side of an inequality; a bound of one's own may lie below zero.
std::string short_side(const Bracket& side) {
  return side.upper.sign() == Magnitude::Sign::negative ? "below zero" : short_log10(side);
}

std::string short_value(const Span& value) {
  return brief(value_text(value, agreed_wanted), value_text(value, end_digits));
}

std::string counted(long count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string certainty(const CheckResult& result, const std::string& engine, int digits) {
  if (engine == "direct") return counted(digits, "digit") + " that two runs agreed on";
  return (result.narrow_states(digits) ? "" : "not all of the ") + counted(digits, "digit") + " certified";
}

/// Why none of the decisions on one claim compared anything: the first reason of each variant of its bounds.
std::string nothing_compared(std::span<const Decision> decisions) {
  std::string text;
  std::vector<std::string> told;
  for (const Decision& d : decisions) {
    const std::string& variant = d.bound->variant;
    if (std::find(told.begin(), told.end(), variant) != told.end()) continue;
    told.push_back(variant);
    text += fmt::format("  {} everywhere{}: {}\n", name(d.verdict),
                        variant.empty() ? "" : " (" + variant + ")", d.reason);
  }
  return text;
}

std::string claim_line(const Decision& d) {
  std::string line = d.statement->id;
  if (d.gamma) line += " (gamma " + name(*d.gamma) + ")";
  line += fmt::format(": {}\n  catalogue: {}; scope: {}\n", d.statement->title, name(d.claim()),
                      d.statement->scope.words);
  return line;
}

std::string decision_line(const Decision& d) {
  std::string line =
      fmt::format("  {:>3} -> {:<3} {:<24} {:<12}", d.from, d.to, d.subject(), name(d.verdict));
  if (d.compared) {
    line += fmt::format(" log10 left {:<20} right {:<20} slack {:<18}", short_side(d.left),
                        short_side(d.right), short_value(d.slack));
    if (d.looseness) line += fmt::format(" looseness {}", short_value(*d.looseness));
    if (d.vacuous == true) line += "  vacuous";
  }
  if (!d.reference.empty()) line += fmt::format("  [{}]", d.reference);
  if (!d.reason.empty()) line += "  (" + d.reason + ")";
  return line + "\n";
}

std::string lipschitz_table(const std::vector<Lipschitz>& blocks, int digits) {
  std::string text = fmt::format(
      "\nlog10 of lambda of the MLP blocks: local about each reference, carried along, and global (product "
      "of "
      "norms)\n  {:>5} {:<10} {:>22} {:>22} {:>22} {:>22}\n",
      "block", "", "mean", "median", "midrange", "global");
  const auto column = [&](const Magnitude& value) {
    const EnclosureText enclosure = log10_text(value, digits);
    return fmt::format(" {:>22}", agreed_digits(enclosure.low, enclosure.high));
  };
  for (const Lipschitz& lambda : blocks) {
    text += fmt::format("  {:>5} {:<10}", lambda.block, "mlp");
    for (const Magnitude& local : lambda.local) text += column(local);
    text += column(lambda.global) + "\n";
  }
  return text;
}

bool same_claim(const Decision& a, const Decision& b) {
  return a.statement == b.statement && a.gamma == b.gamma;
}

}  // namespace

std::string agreed_digits(const std::string& low, const std::string& high) {
  if (low == high) return low;
  const auto end_of = [](const std::string& s) { return std::min(s.find('e'), s.size()); };
  const std::string low_exponent = low.substr(end_of(low)), high_exponent = high.substr(end_of(high));
  std::size_t common = 0;
  while (common < end_of(low) && common < end_of(high) && low[common] == high[common]) ++common;
  const bool beyond_point = low.find('.') != std::string::npos && low.find('.') < common;
  const std::string shared = low.substr(0, common);
  const auto digits =
      std::count_if(shared.begin(), shared.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (low_exponent != high_exponent || !beyond_point || digits < 2) return "[" + low + ", " + high + "]";
  return (shared.ends_with('.') ? shared.substr(0, shared.size() - 1) : shared) + low_exponent;
}

std::string check_text(const CheckResult& result, const Source& source, const std::string& engine,
                       int digits) {
  std::string text = fmt::format("{}: {}, dim {}, depth {}, {}\nsha256 {}\n\n", source.file,
                                 counted(result.tokens, "token"), result.dim, result.depth,
                                 counted(static_cast<long>(result.blocks), "block"), source.sha256);
  text += fmt::format("log10 of the composite residual, {} ({} engine, {} bits)\n",
                      certainty(result, engine, digits), engine, result.bits);
  text += fmt::format("  {:>5} {:<10} {:>22} {:>22} {:>22}  {}\n", "state", "block", "mean", "median",
                      "midrange", "minimal, between");
  for (std::size_t k = 0; k < result.states.size(); ++k) {
    const StateMeasures& state = result.states[k];
    text += fmt::format("  {:>5} {:<10}", k, result.kinds[k]);
    for (const Magnitude& residual : state.residual) {
      const EnclosureText enclosure = log10_text(residual, digits);
      text += fmt::format(" {:>22}", agreed_digits(enclosure.low, enclosure.high));
    }
    const EnclosureText minimal = log10_text(state.minimal, 4);
    text += fmt::format("  {} and {}\n", minimal.low, minimal.high);
  }
  if (!result.lipschitz.empty()) text += lipschitz_table(result.lipschitz, digits);
  for (auto first = result.decisions.begin(); first != result.decisions.end();) {
    const auto last = std::find_if(first, result.decisions.end(),
                                   [&](const Decision& d) { return !same_claim(*first, d); });
    text += "\n" + claim_line(*first);
    if (std::none_of(first, last, [](const Decision& d) { return d.compared; })) {
      text += nothing_compared({first, last});
      first = last;
    }
    for (; first != last; ++first) text += decision_line(*first);
  }
  return text;
}

}  // namespace rankfall::verify
