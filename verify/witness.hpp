#pragma once
#include "numerics/errors.hpp"
#include "numerics/san/direct_evaluation.hpp"
#include "verify/check.hpp"

namespace rankfall::verify {

/// The two engines contradict each other: one of them is wrong.
class Disagreement : public Error {
 public:
  using Error::Error;
};

/// Checks every state's measures of the residual engine against the direct evaluation of the same network,
/// another library and another algorithm. Throws Disagreement naming the state and the measure where they do
/// not overlap.
void confirm(const CheckResult& certified, const DirectEvaluation& witness);

/// The direct evaluation alone, as a result without verdicts: what two runs agreed on, which decides nothing.
CheckResult states_of(const Network& network, const DirectEvaluation& witness);

}  // namespace rankfall::verify
