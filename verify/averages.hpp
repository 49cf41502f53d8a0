#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verify/decide.hpp"

namespace rankfall::verify {

/// One statement about averages or Lipschitz constants on one instance that the program makes itself: the
/// left side computed without the formula, the right side from the catalogue's formula.
struct Confirmation {
  std::string id;        ///< of the statement
  std::string instance;  ///< in words
  std::string relation;  ///< "=", "<=", or "in" for an interval of confidence
  Ball left, right;      ///< for "in", right is the interval
  Verdict verdict = Verdict::inconclusive;
  std::optional<double> confidence = {};  ///< of a sampled interval; everything else is certified
};

struct AverageOptions {
  std::uint64_t samples = 20'000;
  std::uint64_t seed = 1;
  double confidence = 0.999999;
};

/// Statements that confirmations() knows, in its order.
const std::vector<std::string>& average_ids();

/// Every instance of one statement. Identities are decided by going through all members of a finite law,
/// exactly or in enclosures no wider than 10^-60; bounds by enclosures on random and on extremal inputs;
/// sampled means lie within an interval that misses the truth with probability at most 1 - confidence. Throws
/// InputError naming the known ids.
std::vector<Confirmation> confirmations(const std::string& id, const AverageOptions& options);

std::string averages_text(const std::vector<Confirmation>& all);
/// "rankfall-averages/1".
std::string averages_json(const std::vector<Confirmation>& all);

}  // namespace rankfall::verify
