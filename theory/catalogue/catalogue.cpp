#include "theory/catalogue/catalogue.hpp"

#include <iterator>

#include "numerics/errors.hpp"
#include "numerics/nearest.hpp"

namespace rankfall::theory {

const std::vector<Statement>& catalogue() {
  static const std::vector<Statement> all = [] {
    std::vector<Statement> statements;
    for (auto family :
         {layer_statements, dong_statements, diameter_statements, skip_statements, mlp_statements}) {
      std::vector<Statement> more = family();
      std::move(more.begin(), more.end(), std::back_inserter(statements));
    }
    return statements;
  }();
  return all;
}

const Statement& find_statement(std::string_view id) {
  std::vector<std::string> ids;
  for (const Statement& statement : catalogue()) {
    if (statement.id == id) return statement;
    ids.push_back(statement.id);
  }
  const std::string near = nearest(id, ids);
  throw InputError("unknown statement '" + std::string(id.substr(0, 80)) + "'" +
                   (near.empty() ? "" : ": did you mean '" + near + "'?"));
}

}  // namespace rankfall::theory
