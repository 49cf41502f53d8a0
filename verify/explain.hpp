#pragma once
#include <string>

#include "theory/catalogue/catalogue.hpp"
#include "verify/other_claims.hpp"

namespace rankfall::verify {

enum class ExplainFormat { text, latex, json };

/// Every statement that is known, one line each (text), or an array (json). LaTeX: a description list.
std::string explain_all(const theory::Statements& known, ExplainFormat format);

/// Every symbol that formulas may name, in the same formats.
std::string explain_symbols(ExplainFormat format);

/// One statement in full: what it says, where it comes from, its scope, hypotheses and bounds, what is known
/// of it, and where its proof stands. JSON: rankfall-statement/1.
std::string explain(const theory::Statement& statement, ExplainFormat format);
/// The same for a claim that only the audit knows.
std::string explain(const OtherClaim& claim, ExplainFormat format);

}  // namespace rankfall::verify
