#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "theory/statement.hpp"

namespace rankfall::theory {

/// Formulas over the measured symbols and over names that stand for such formulas.
class Formulas {
 public:
  /// `head` is a name (C) or a name with indices (C[l]) that stand for any whole numbers. Throws InputError
  /// when it is neither, the name is taken by a measured symbol, a function or another definition, or the
  /// formula does not parse.
  void define(std::string_view head, std::string_view formula);
  /// Throws InputError when the definition of the name leads back to itself (naming the cycle), or names or
  /// indexes what it may not (check_measured).
  void check(std::string_view head) const;
  /// The formula with every definition put in. Throws InputError as above.
  Expression read(std::string_view formula) const;
  /// "value <= bound" or "value >= bound", which is the hypothesis that goes by that text.
  Hypothesis read_hypothesis(std::string_view text) const;

 private:
  struct Definition {
    Expression pattern, body;
  };
  Expression expand(const Expression& e, std::vector<std::string>& path) const;
  std::vector<std::string> names() const;
  std::map<std::string, Definition> definitions_;
};

/// A bound of one's own: the symbols it names say at which references it is read, whether it uses gamma, and
/// which networks it is about; its status is open. Throws InputError when its parts do not go together.
Statement own_statement(Statement described);

}  // namespace rankfall::theory
