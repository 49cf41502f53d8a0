#include "theory/proof.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "theory/expression/latex.hpp"
#include "theory/expression/print.hpp"

namespace rankfall::theory {
namespace {

/// Text for LaTeX outside mathematics.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '^')
      result += "\\^{}";
    else if (c == '<' || c == '>')
      result += fmt::format("${}$", c);
    else if (std::string_view("_#%&{}$").find(c) != std::string_view::npos)
      result += fmt::format("\\{}", c);
    else
      result += c;
  }
  return result;
}

template <class Write>
std::string assumptions(const Proof& proof, Write write, const char* frame) {
  std::vector<std::string> parts;
  for (const Expression& e : proof.positive) parts.push_back(fmt::format(fmt::runtime(frame), write(e)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

void Proof::add(ProofStep step) {
  if (!step.holds && failure.empty()) failure = step.words + " fails: " + step.text;
  steps.push_back(std::move(step));
}

ProofStep relation(std::string words, const Expression& left, const std::string& sign,
                   const Expression& right, bool holds) {
  return {std::move(words), to_text(left) + " " + sign + " " + to_text(right),
          to_latex(left) + (sign == "<=" ? " \\le " : " " + sign + " ") + to_latex(right), holds};
}

std::string to_text(const Proof& proof) {
  std::string result = "Claim: " + proof.claim + "\n";
  if (!proof.positive.empty())
    result += "Let " +
              assumptions(
                  proof, [](const Expression& e) { return to_text(e); }, "{} > 0") +
              ".\n";
  std::size_t number = 0;
  for (const ProofStep& step : proof.steps)
    result += fmt::format("{}. {}: {}{}\n", ++number, step.words, step.text,
                          step.holds ? "" : "   [does not hold]");
  return result + (proof.proved() ? "Proved.\n" : "Not proved: " + proof.failure + "\n");
}

std::string to_latex(const Proof& proof) {
  std::string result = "\\textbf{Claim.} " + escaped(proof.claim) + "\n\n";
  if (!proof.positive.empty())
    result += "Let " +
              assumptions(
                  proof, [](const Expression& e) { return to_latex(e); }, "${} > 0$") +
              ".\n";
  result += "\\begin{enumerate}\n";
  for (const ProofStep& step : proof.steps)
    result += fmt::format("\\item {}: ${}${}\n", escaped(step.words), step.latex,
                          step.holds ? "" : " (does not hold)");
  result += "\\end{enumerate}\n";
  return result + (proof.proved() ? "Proved.\n" : "Not proved: " + escaped(proof.failure) + "\n");
}

}  // namespace rankfall::theory
