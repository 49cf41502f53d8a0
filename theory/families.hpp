#pragma once
#include <vector>

#include "theory/simulation.hpp"
#include "theory/statement.hpp"

namespace rankfall::theory {

/// One inequality of a family: left <= right.
struct Inequality {
  Magnitude left, right;
};

/// The inequalities of a family on one attention block, seen from a reference of its input (docs/theory).
/// Each side keeps a relative accuracy that does not depend on how small the residual is.
std::vector<Inequality> inequalities(Simulation& simulation, std::size_t block, Reference reference,
                                     Family family);

/// Encloses e^t - 1 - t for t = 2^shift times the mantissa, divided by 2^(2 shift) for shift <= 0.
Ball second_order_exponential(const Ball& t, const Integer& shift, Precision p);

}  // namespace rankfall::theory
