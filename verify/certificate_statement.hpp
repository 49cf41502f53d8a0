#pragma once
#include <string>
#include <vector>

#include "theory/statement.hpp"

namespace rankfall::verify {

/// A bound of a statement as a certificate writes it, in canonical JSON text (docs/formats): words, scope,
/// formulas that parse, hypotheses.
std::string statement_text(const theory::Statement& statement, const theory::Bound& bound);

/// Every bound of the statement with this id in the catalogue or among the refuted claims beside it; empty
/// when there is no such statement.
std::vector<std::string> catalogue_texts(const std::string& id);

/// Why no certificate can hold the bound; empty when one can.
std::string beyond_certificates(const theory::Statement& statement, const theory::Bound& bound);

}  // namespace rankfall::verify
