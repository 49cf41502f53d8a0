#pragma once
#include <string>
#include <vector>

#include "theory/expression/expression.hpp"

namespace rankfall::theory {

struct ProofStep {
  std::string words;
  std::string text;   ///< of the formula
  std::string latex;  ///< of the formula, for mathematics mode
  bool holds = true;
};

/// A claim with the steps that show it, or the reason why they do not.
struct Proof {
  std::string claim;
  std::vector<Expression> positive;  ///< what is assumed to be positive
  std::vector<ProofStep> steps;
  std::string failure;  ///< why there is no proof; empty when proved

  bool proved() const { return failure.empty(); }
  /// Appends a step; one that does not hold ends the proof.
  void add(ProofStep step);
};

/// "left sign right" as a step; sign is "=", "<=" or "<".
ProofStep relation(std::string words, const Expression& left, const std::string& sign,
                   const Expression& right, bool holds);

std::string to_text(const Proof& proof);
/// For text mode, amsmath.
std::string to_latex(const Proof& proof);

}  // namespace rankfall::theory
