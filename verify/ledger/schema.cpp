#include "verify/ledger/schema.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rankfall::verify {
namespace {

constexpr std::int64_t application = 0x72616e6b;  // "rank"

std::int64_t pragma(const Database& database, const std::string& name) {
  Query query(database, "PRAGMA " + name);
  return query.step() ? query.integer(0) : 0;
}

std::string declared(const std::vector<std::size_t>& columns) {
  std::string text;
  for (const std::size_t c : columns)
    text += fmt::format("  \"{}\" {} NOT NULL,\n", row_columns[c], is_integer_column(c) ? "INTEGER" : "TEXT");
  return text;
}

std::string declared_hypothesis() {
  std::string text;
  for (const std::string_view name : hypothesis_columns) text += fmt::format("  {} TEXT NOT NULL,\n", name);
  return text;
}

std::string tables() {
  const auto cell = positions(cell_columns), claim = positions(claim_columns);
  std::vector<std::size_t> every(row_columns.size());
  for (std::size_t c = 0; c < every.size(); ++c) every[c] = c;
  return fmt::format(
      "CREATE TABLE cell (\n  id INTEGER PRIMARY KEY,\n{}  key TEXT NOT NULL UNIQUE,\n  failure TEXT NOT "
      "NULL\n);\n"
      "CREATE INDEX described ON cell ({});\n"
      "CREATE TABLE claim (\n  id INTEGER PRIMARY KEY,\n{}  UNIQUE ({})\n);\n"
      "CREATE TABLE row (\n  cell INTEGER NOT NULL REFERENCES cell,\n  ordinal INTEGER NOT NULL,\n"
      "  claim INTEGER NOT NULL REFERENCES claim,\n{}  PRIMARY KEY (cell, ordinal)\n) WITHOUT ROWID;\n"
      "CREATE TABLE hypothesis (\n  cell INTEGER NOT NULL REFERENCES cell,\n  ordinal INTEGER NOT NULL,\n"
      "  position INTEGER NOT NULL,\n{}  PRIMARY KEY (cell, ordinal, position)\n) WITHOUT ROWID;\n"
      "CREATE TABLE run (\n  id INTEGER PRIMARY KEY,\n  started INTEGER NOT NULL,\n  updated INTEGER NOT "
      "NULL,\n"
      "  wanted INTEGER NOT NULL,\n  present INTEGER NOT NULL,\n  computed INTEGER NOT NULL\n);\n"
      "CREATE VIEW result AS SELECT {} FROM row JOIN cell ON cell.id = row.cell JOIN claim ON claim.id = "
      "row.claim;\n"
      "CREATE VIEW margin AS SELECT {}, {} FROM hypothesis JOIN row USING (cell, ordinal) JOIN cell ON "
      "cell.id = "
      "row.cell JOIN claim ON claim.id = row.claim;\n",
      declared(cell), sql_columns(cell), declared(claim), sql_columns(claim), declared(own_columns()),
      declared_hypothesis(), sql_columns(every), sql_columns(positions(margin_row_columns)),
      fmt::join(hypothesis_columns, ", "));
}

}  // namespace

std::vector<std::size_t> own_columns() {
  const auto cell = positions(cell_columns), claim = positions(claim_columns);
  std::vector<std::size_t> own;
  for (std::size_t c = 0; c < row_columns.size(); ++c)
    if (std::find(cell.begin(), cell.end(), c) == cell.end() &&
        std::find(claim.begin(), claim.end(), c) == claim.end())
      own.push_back(c);
  return own;
}

std::string sql_columns(const std::vector<std::size_t>& columns) {
  std::string text;
  for (const std::size_t c : columns)
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", row_columns[c]);
  return text;
}

std::int64_t require_ledger(const Database& database) {
  if (pragma(database, "schema_version") == 0)
    throw InputError(
        fmt::format("{} holds nothing: no sweep has come so far as to fill it", database.path()));
  if (pragma(database, "application_id") != application)
    throw InputError(fmt::format("{} is not a ledger of rankfall sweep", database.path()));
  const std::int64_t found = pragma(database, "user_version");
  if (found < least_readable_format)
    throw InputError(fmt::format(
        "{} is a ledger of format {}, of an earlier program; this one reads formats {} to {}: sweep the grid "
        "anew into another file",
        database.path(), found, least_readable_format, ledger_format));
  if (found > ledger_format)
    throw InputError(
        fmt::format("{} is a ledger of format {}, of a later program; this one reads formats {} to {}",
                    database.path(), found, least_readable_format, ledger_format));
  return found;
}

void establish_schema(Database& database) {
  Transaction transaction(database);
  if (pragma(database, "schema_version") == 0 && pragma(database, "application_id") == 0) {
    database.execute(tables());
    database.execute(
        fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application, ledger_format));
  }
  if (const std::int64_t found = require_ledger(database); found != ledger_format)
    throw InputError(fmt::format(
        "{} is a ledger of format {}, which can be read (status, export, report, diff, and merged into "
        "another) but not added to; this program writes format {}: name another file",
        database.path(), found, ledger_format));
  transaction.commit();
}

}  // namespace rankfall::verify
