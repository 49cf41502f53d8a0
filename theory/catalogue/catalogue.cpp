#include "theory/catalogue/catalogue.hpp"

#include <iterator>

#include "numerics/errors.hpp"
#include "numerics/nearest.hpp"

namespace rankfall::theory {

const std::vector<Statement>& catalogue() {
  static const std::vector<Statement> all = [] {
    std::vector<Statement> statements;
    for (auto family :
         {path_statements, layer_statements, dong_statements, diameter_statements, skip_statements,
          mlp_statements, normalisation_statements, mask_statements, average_statements}) {
      std::vector<Statement> more = family();
      std::move(more.begin(), more.end(), std::back_inserter(statements));
    }
    return statements;
  }();
  return all;
}

const Statement& find_statement(std::string_view id) {
  return Statements().find(id);
}

void Statements::define(Statement statement) {
  for (const Statement* known : all())
    if (known->id == statement.id)
      throw InputError("the name '" + statement.id + "' is taken by " +
                       (known->file.empty() ? "a statement of the catalogue"
                                            : known->file + ", line " + std::to_string(known->line)) +
                       "; choose another");
  own_.push_back(std::make_shared<const Statement>(std::move(statement)));
}

std::vector<const Statement*> Statements::all() const {
  std::vector<const Statement*> result;
  for (const Statement& statement : catalogue()) result.push_back(&statement);
  for (const auto& statement : own_) result.push_back(statement.get());
  return result;
}

const Statement& Statements::find(std::string_view id) const {
  std::vector<std::string> ids;
  for (const Statement* statement : all()) {
    if (statement->id == id) return *statement;
    ids.push_back(statement->id);
  }
  const std::string near = nearest(id, ids);
  throw InputError("unknown statement '" + std::string(id.substr(0, 80)) + "'" +
                   (near.empty() ? "" : ": did you mean '" + near + "'?"));
}

}  // namespace rankfall::theory
