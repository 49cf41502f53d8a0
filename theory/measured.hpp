#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "theory/statement.hpp"

namespace rankfall::theory {

/// A number that formulas name and a network gives (theory/instance.hpp).
struct MeasuredSymbol {
  std::string name;
  std::size_t most_indices = 0;  ///< 1: [layer] (lambda); 2: also [head] and [layer,head]
  bool whole = false;            ///< a whole number, which may count terms and index families
  bool of_scores = false;        ///< read off E, hence known at a propagated reference only
  std::string words = {};
};

/// Every symbol that a formula may name, in the order in which they are explained.
const std::vector<MeasuredSymbol>& measured_symbols();
/// Null when there is none of that name.
const MeasuredSymbol* find_measured(std::string_view name);

/// Throws InputError when e names something that is not measured (with the nearest name, those of `defined`
/// included), indexes a symbol with more indices than it has, or takes something else than a whole number as
/// an index, as an end of a range, or in a binomial. Names in `indices` are whole numbers.
void check_measured(const Expression& e, const std::vector<std::string>& indices = {},
                    const std::vector<std::string>& defined = {});

/// Whether a bound or hypothesis of the statement is read off E.
bool speaks_of_scores(const Statement& statement);

}  // namespace rankfall::theory
