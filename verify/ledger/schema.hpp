#pragma once
#include <string>
#include <vector>

#include "verify/ledger/database.hpp"
#include "verify/row.hpp"

namespace rankfall::verify {

/// Columns of a row that belong to its claim, and those of its own; cell_columns has the rest.
inline constexpr std::array<std::string_view, 4> claim_columns = {"statement", "gamma", "quantity",
                                                                  "claim_status"};
std::vector<std::size_t> own_columns();

/// "a", "b", ...: column names as SQL.
std::string sql_columns(const std::vector<std::size_t>& columns);
/// Positions of named columns.
template <class Names>
std::vector<std::size_t> positions(const Names& names) {
  std::vector<std::size_t> result;
  result.reserve(std::size(names));
  for (const std::string_view name : names) result.push_back(column(name));
  return result;
}

/// Formats of ledgers, in the order in which they came. The one before this program's may be read, not
/// written.
inline constexpr std::int64_t ledger_format = 3, least_readable_format = 2, first_with_hypotheses = 3;

/// Makes the tables in an empty database; an existing ledger is left as it is. Throws InputError when the
/// database is something else, or a ledger of another format.
void establish_schema(Database& database);
/// The format of the ledger. Throws InputError unless the database is one that this program reads.
std::int64_t require_ledger(const Database& database);

}  // namespace rankfall::verify
