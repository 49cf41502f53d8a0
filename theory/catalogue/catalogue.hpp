#pragma once
#include <string_view>
#include <vector>

#include "theory/statement.hpp"

namespace rankfall::theory {

/// Every statement, in the order of docs/theory.
const std::vector<Statement>& catalogue();
/// Throws InputError naming the word and the nearest id.
const Statement& find_statement(std::string_view id);

// One function a family.
std::vector<Statement> layer_statements();
std::vector<Statement> dong_statements();
std::vector<Statement> diameter_statements();
std::vector<Statement> skip_statements();
std::vector<Statement> mlp_statements();

}  // namespace rankfall::theory
