#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "theory/statement.hpp"

namespace rankfall::theory {

/// Every statement, in the order of docs/theory.
const std::vector<Statement>& catalogue();
/// Throws InputError naming the word and the nearest id.
const Statement& find_statement(std::string_view id);

/// What a command may speak of: the catalogue, then bounds of one's own. Copies share their statements.
class Statements {
 public:
  /// Throws InputError when the id is taken.
  void define(Statement statement);
  std::vector<const Statement*> all() const;
  /// Throws InputError naming the word and the nearest id.
  const Statement& find(std::string_view id) const;

 private:
  std::vector<std::shared_ptr<const Statement>> own_;
};

// One function a family.
std::vector<Statement> path_statements();
std::vector<Statement> layer_statements();
std::vector<Statement> dong_statements();
std::vector<Statement> diameter_statements();
std::vector<Statement> skip_statements();
std::vector<Statement> mlp_statements();
std::vector<Statement> normalisation_statements();
std::vector<Statement> mask_statements();
std::vector<Statement> average_statements();

}  // namespace rankfall::theory
