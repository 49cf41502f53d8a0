#pragma once
#include <optional>
#include <string>

#include "theory/closed_form.hpp"

namespace rankfall::verify {

/// One line on a tabulated bound: its formula, what the catalogue holds of it and what its constants stand
/// for.
std::string note_of(const theory::Statement& statement);

/// What to answer where a statement cannot be tabulated: which can.
std::string no_scalar_bound(const theory::Statement& statement);

/// The number of tokens up to which the first bound is the smaller one, as a formula in L and the constants:
/// of two bounds of one quantity, the first with the prefactor sqrt(n-1), the second without. None for
/// others.
std::optional<theory::Expression> crossing(const theory::Statement& first, const theory::Statement& second);

/// The same in words.
std::string crossing_note(const theory::Statement& first, const theory::Statement& second,
                          const theory::Expression& limit);

}  // namespace rankfall::verify
