#pragma once
#include <string>
#include <vector>

#include "verify/sweep.hpp"

namespace rankfall::verify {

/// One inequality on one stretch of one network of a sweep. Points into the sweep's results.
struct Instance {
  const CellResult* cell = nullptr;
  const Decision* decision = nullptr;
};

/// One inequality of one statement, read with one gamma, and every instance of it.
struct Claim {
  const theory::Statement* statement = nullptr;
  const theory::Bound* bound = nullptr;
  std::optional<theory::Gamma> gamma;
  std::vector<Instance> instances;  ///< in the order of the sweep; never empty

  theory::Status status() const { return gamma ? statement->status_with(*gamma) : statement->status; }
  /// "dong-2.2, gamma sum-max": the id, and gamma and what is bounded where the statement has several.
  std::string label() const;
};

/// What the grid asks for, in the order of the sweep: depth bounds at the depths of its axis, one-layer
/// bounds at every layer. Where the grid names no statements, what is outside a statement's scope is left
/// out.
std::vector<Instance> instances(const std::vector<CellResult>& results, const Grid& grid);
/// Of one network.
std::vector<Instance> instances(const CellResult& result, const Grid& grid);

/// The instances by claim, in the order of the catalogue and of the grid's gammas.
std::vector<Claim> claims(const std::vector<Instance>& instances);

/// The claim of that statement whose bound is on the residual and which is read with that gamma (if it uses
/// any); null when the sweep did not decide it.
const Claim* find_claim(const std::vector<Claim>& claims, std::string_view id,
                        theory::Gamma::Kind gamma = theory::Gamma::Kind::one);

/// Hypotheses were certified, so that the verdict speaks of the claim.
bool applies(const Decision& decision);

/// Query width of a cell's heads.
long query_width(const GenerateSpec& spec);
/// The target of beta, exactly; empty where weights are not scaled.
std::string beta_text(const GenerateSpec& spec);
/// "n 16, d 8, 2 heads, beta 0.1, seed 3"
std::string cell_text(const GenerateSpec& spec);

/// A shell command that decides the instance alone: its entry is the last of the statement's that is printed.
std::string reproduction(const Instance& instance);

}  // namespace rankfall::verify
