#pragma once
#include <string>
#include <vector>

#include "theory/instance.hpp"

namespace rankfall::verify {

enum class Verdict { proved, refuted, inapplicable, inconclusive };
std::string name(Verdict verdict);

/// A number between two enclosures; they coincide when it is enclosed as well as the precision allows.
struct Span {
  Ball low, high;
};

/// One hypothesis, value <= bound, on one instance: certified, certified to fail, or neither.
struct HypothesisResult {
  std::string name;
  std::optional<bool> holds;
  Bracket value;
  Span margin;  ///< bound - value: how far it is from failing, below zero where it fails
};

/// One statement on one stretch of a network.
struct Decision {
  const theory::Statement* statement = nullptr;
  const theory::Bound* bound = nullptr;  ///< of the statement
  std::size_t from = 0, to = 0, depth = 0;
  theory::Quantity quantity = theory::Quantity::residual;
  std::string reference;  ///< "mean", "median", "midrange", "minimal", or empty
  std::optional<theory::Gamma> gamma;
  std::optional<Magnitude> gamma_value;
  Verdict verdict = Verdict::inconclusive;
  std::string reason;  ///< why not decided, or why inapplicable
  std::vector<HypothesisResult> hypotheses;
  bool compared = false;  ///< left, right and what follows are known
  Bracket left, right;
  Span slack;  ///< decades
  std::optional<Span> looseness;
  std::optional<bool> non_contracting;  ///< C_eff r0^2 >= 1
  std::optional<bool> vacuous;          ///< the bound exceeds the trivial one
  long bits = 0;

  /// What is bounded, the variant of the bound, and "-from-below" where it is a lower one: one name for each
  /// bound of a statement.
  std::string subject() const;
  /// What the catalogue says of the claim as read here.
  theory::Status claim() const { return gamma ? statement->status_with(*gamma) : statement->status; }
  /// More bits may help.
  bool wants_precision() const { return verdict == Verdict::inconclusive && reason == "precision"; }
};

/// One inequality to be decided: a bound of a statement on a stretch of a network, read with a gamma.
struct Question {
  const theory::Statement* statement = nullptr;
  const theory::Bound* bound = nullptr;  ///< of the statement
  theory::Reading reading;
};

/// Everything that `statement` says of the network: one question a layer for bounds of one layer, one for
/// each prefix for depth bounds, one for each gamma where the statement uses it.
std::vector<Question> questions(const theory::Statement& statement, const Network& network,
                                const std::vector<theory::Gamma>& gammas);

/// What the simulated network answers.
Decision decide(const Question& question, theory::Simulation& simulation);

/// The same at each reference at which the statement may be read, not only at the first that settles it.
/// Empty outside the scope.
std::vector<Decision> decide_at_each_reference(const Question& question, theory::Simulation& simulation);

/// All questions of a statement, in their order.
std::vector<Decision> decide(const theory::Statement& statement, theory::Simulation& simulation,
                             const std::vector<theory::Gamma>& gammas);

}  // namespace rankfall::verify
