#pragma once
#include <string>

#include "theory/statement.hpp"

namespace rankfall::verify {

enum class ExplainFormat { text, latex, json };

/// Every statement of the catalogue, one line each (text), or an array (json). LaTeX: a description list.
std::string explain_all(ExplainFormat format);

/// One statement in full: what it says, where it comes from, its scope, hypotheses and bounds, what is known
/// of it, and where its proof stands. JSON: rankfall-statement/1.
std::string explain(const theory::Statement& statement, ExplainFormat format);

}  // namespace rankfall::verify
