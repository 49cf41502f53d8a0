#pragma once
#include <optional>
#include <string>

#include "theory/statement.hpp"

namespace rankfall::theory {

/// A depth bound in the constants L n H d_qk beta gamma lambda r0 alone, for layers with equal constants:
/// prefactor C^((3^L-1)/2) r0^(3^L). What a table needs that has no network to measure on.
struct ClosedForm {
  Quantity quantity = Quantity::residual;
  Expression constant = 1;   ///< C
  Expression prefactor = 1;  ///< in n only
  std::string words = {};    ///< what the constants stand for where that is not as in the statement

  Expression bound() const;
  /// The same number as prefactor (C r0^2)^((3^L-1)/2) r0, so that nothing cancels where C r0^2 is near 1.
  Expression grouped() const;
};

/// The closed form of the statement's depth bound; bounds that are chained layer by layer in their uniform
/// form, with the largest constants in every layer. None for a statement without a depth bound of this kind.
std::optional<ClosedForm> closed_form(const Statement& statement);

/// What a table evaluates: the grouped closed form, or the right side of a bound of one's own as it stands,
/// where that names the constants L n d H d_qk beta gamma lambda r0 alone. None for any other statement.
std::optional<Expression> scalar_bound(const Statement& statement);
/// What that bounds.
Quantity scalar_quantity(const Statement& statement);
/// What keeps a bound of one's own out of a table: the first name in it that only a network has.
std::string name_beyond_a_table(const Statement& statement);

/// This bound over another of the same quantity: (prefactors) (C/C')^((3^L-1)/2), the quotient of constants
/// simplified.
Expression ratio(const ClosedForm& above, const ClosedForm& below);

}  // namespace rankfall::theory
