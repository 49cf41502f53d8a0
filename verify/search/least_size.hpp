#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "theory/models/refutation.hpp"

namespace rankfall::verify {

/// The smallest member of a family of instances, given in closed form, that violates a statement.
struct LeastInstance {
  std::string family;
  std::string size_name;  ///< "n", "m"
  long size = 0;
  theory::Refutation refutation;  ///< at this size, certified
  long not_found_at = 0;          ///< the size just below, where the search found no violation
  std::uint64_t evaluations = 0;
};

/// The families that are searched: `two-heads` for dong-2.3 and dong-2.3-v1 (m columns of the second head),
/// `one-logit-per-mover` for dong-2.2-v1 (n tokens; six other numbers), `orthogonal-outputs` for
/// dong-3.1-orthogonal (d columns; one other number). Empty for any other statement.
std::string family_of(const std::string& statement_id);

/// Doubles the size until a violation is certified, then halves the interval. At each size at most
/// `evaluations` instances are tried, in double, and the best is certified. A function of its arguments
/// alone. None when no size up to the largest admissible one violates the statement.
std::optional<LeastInstance> least_instance(const std::string& statement_id, std::uint64_t seed,
                                            std::uint64_t evaluations,
                                            const std::function<void(long size)>& at_size);

std::string least_instance_text(const LeastInstance& found, std::uint64_t seed);
std::string least_instance_json(const LeastInstance& found, std::uint64_t seed);

}  // namespace rankfall::verify
