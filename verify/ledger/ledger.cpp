#include "verify/ledger/ledger.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "verify/ledger/schema.hpp"

namespace rankfall::verify {
namespace {

std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string placeholders(std::size_t count) {
  std::string text = "?";
  for (std::size_t i = 1; i < count; ++i) text += ", ?";
  return text;
}

void bind(Query& query, int parameter, const Row& row, std::size_t column) {
  if (is_integer_column(column))
    query.bind(parameter, static_cast<std::int64_t>(std::stoull(row[column])));
  else
    query.bind(parameter, row[column]);
}

void bind_all(Query& query, int first, const Row& row, const std::vector<std::size_t>& columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) bind(query, first + static_cast<int>(i), row, columns[i]);
}

void read_all(const Query& query, int first, Row& row, const std::vector<std::size_t>& columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) row[columns[i]] = query.text(first + static_cast<int>(i));
}

std::int64_t single(const Database& database, const std::string& sql) {
  Query query(database, sql);
  return query.step() ? query.integer(0) : 0;
}

void store_hypotheses(const Database& database, std::int64_t cell,
                      const std::vector<std::vector<HypothesisRow>>& hypotheses) {
  Query add(database,
            fmt::format("INSERT INTO hypothesis (cell, ordinal, position, {}) VALUES ({})",
                        fmt::join(hypothesis_columns, ", "), placeholders(hypothesis_columns.size() + 3)));
  for (std::size_t i = 0; i < hypotheses.size(); ++i)
    for (std::size_t k = 0; k < hypotheses[i].size(); ++k) {
      add.bind(0, cell).bind(1, static_cast<std::int64_t>(i)).bind(2, static_cast<std::int64_t>(k));
      for (std::size_t c = 0; c < hypothesis_columns.size(); ++c)
        add.bind(3 + static_cast<int>(c), hypotheses[i][k][c]);
      add.step();
    }
}

}  // namespace

Ledger Ledger::open(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw InputError(fmt::format("there is no ledger {}", path));
  return {path, false};
}

Ledger Ledger::open_to_write(const std::string& path) {
  return {path, true};
}

Ledger::Ledger(const std::string& path, bool write)
    : database_((write ? static_cast<void>(lock_.emplace(path)) : static_cast<void>(0), path),
                write ? Database::Mode::write : Database::Mode::read) {
  if (!write) {
    has_hypotheses_ = require_ledger(database_) >= first_with_hypotheses;
    return;
  }
  database_.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  establish_schema(database_);
}

bool Ledger::contains(const std::string& key) const {
  Query query(database_, "SELECT 1 FROM cell WHERE key = ?");
  return query.bind(0, key).step();
}

std::int64_t Ledger::cells() const {
  return single(database_, "SELECT count(*) FROM cell");
}

std::int64_t Ledger::claim_id(const Row& row) {
  static const auto columns = positions(claim_columns);
  std::string text;
  for (const std::size_t c : columns) text += row[c] + '\n';
  if (const auto known = claims_.find(text); known != claims_.end()) return known->second;
  const std::string names = sql_columns(columns);
  Query insert(database_, fmt::format("INSERT OR IGNORE INTO claim ({}) VALUES ({})", names,
                                      placeholders(columns.size())));
  bind_all(insert, 0, row, columns);
  insert.step();
  Query select(database_,
               fmt::format("SELECT id FROM claim WHERE ({}) = ({})", names, placeholders(columns.size())));
  bind_all(select, 0, row, columns);
  select.step();
  return claims_[text] = select.integer(0);
}

void Ledger::store(const LedgerCell& cell) {
  static const auto described = positions(cell_columns), own = own_columns();
  Transaction transaction(database_);
  try {
    Query insert(database_, fmt::format("INSERT INTO cell (key, failure, {}) VALUES ({})",
                                        sql_columns(described), placeholders(described.size() + 2)));
    insert.bind(0, cell.key).bind(1, cell.failure);
    bind_all(insert, 2, cell.description, described);
    insert.step();
    const std::int64_t id = database_.last_row();
    Query add(database_, fmt::format("INSERT INTO row (cell, ordinal, claim, {}) VALUES ({})",
                                     sql_columns(own), placeholders(own.size() + 3)));
    for (std::size_t i = 0; i < cell.rows.size(); ++i) {
      add.bind(0, id).bind(1, static_cast<std::int64_t>(i)).bind(2, claim_id(cell.rows[i]));
      bind_all(add, 3, cell.rows[i], own);
      add.step();
    }
    store_hypotheses(database_, id, cell.hypotheses);
    if (run_ != 0) {
      Query update(database_, "UPDATE run SET updated = ?, computed = computed + 1 WHERE id = ?");
      update.bind(0, now()).bind(1, run_).step();
    }
    transaction.commit();
  } catch (...) {
    claims_.clear();  // those that were rolled back
    throw;
  }
}

/// The columns that load() reads.
std::string Ledger::loaded_columns() {
  return "id, key, failure, " + sql_columns(positions(cell_columns));
}

LedgerCell Ledger::load(const Query& cells) const {
  static const auto claim = positions(claim_columns), own = own_columns(),
                    described = positions(cell_columns);
  LedgerCell cell{cells.text(1), {}, cells.text(2), {}, {}};
  read_all(cells, 3, cell.description, described);
  Query rows(database_,
             fmt::format("SELECT {}, {} FROM row JOIN claim ON claim.id = row.claim WHERE cell = ? "
                         "ORDER BY ordinal",
                         sql_columns(claim), sql_columns(own)));
  rows.bind(0, cells.integer(0));
  while (rows.step()) {
    Row row = cell.description;
    read_all(rows, 0, row, claim);
    read_all(rows, static_cast<int>(claim.size()), row, own);
    cell.rows.push_back(std::move(row));
  }
  load_hypotheses(cells.integer(0), cell);
  return cell;
}

void Ledger::load_hypotheses(std::int64_t id, LedgerCell& cell) const {
  cell.hypotheses.resize(cell.rows.size());
  if (!has_hypotheses_) return;
  Query query(database_,
              fmt::format("SELECT ordinal, {} FROM hypothesis WHERE cell = ? ORDER BY ordinal, position",
                          fmt::join(hypothesis_columns, ", ")));
  query.bind(0, id);
  while (query.step()) {
    HypothesisRow row;
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = query.text(1 + static_cast<int>(c));
    const auto ordinal = static_cast<std::size_t>(query.integer(0));
    if (ordinal < cell.rows.size()) cell.hypotheses[ordinal].push_back(std::move(row));
  }
}

void Ledger::each(const std::function<void(const LedgerCell&)>& visit) const {
  Query cells(database_, fmt::format("SELECT {} FROM cell ORDER BY {}, key", loaded_columns(),
                                     sql_columns(positions(cell_columns))));
  while (cells.step()) visit(load(cells));
}

std::optional<LedgerCell> Ledger::find(const std::string& key) const {
  Query query(database_, fmt::format("SELECT {} FROM cell WHERE key = ?", loaded_columns()));
  return query.bind(0, key).step() ? std::optional(load(query)) : std::nullopt;
}

std::vector<LedgerCell> Ledger::described_as(const Row& description) const {
  static const auto described = positions(cell_columns);
  Query query(database_, fmt::format("SELECT {} FROM cell WHERE ({}) = ({}) ORDER BY key", loaded_columns(),
                                     sql_columns(described), placeholders(described.size())));
  bind_all(query, 0, description, described);
  std::vector<LedgerCell> result;
  while (query.step()) result.push_back(load(query));
  return result;
}

LedgerTally Ledger::tally() const {
  LedgerTally result;
  Query query(
      database_,
      "SELECT verdict, claim_status, reason = 'precision', count(*) FROM row JOIN claim ON claim.id = "
      "row.claim GROUP BY 1, 2, 3");
  while (query.step()) {
    const std::string verdict = query.text(0);
    const std::int64_t count = query.integer(3);
    result.verdicts[verdict] += count;
    if (verdict == "refuted" && query.text(1) == "proved") result.contradictions += count;
    if (verdict == "inconclusive" && query.integer(2) != 0) result.precision += count;
  }
  result.failures = single(database_, "SELECT count(*) FROM cell WHERE failure <> ''");
  return result;
}

void Ledger::limit_pages(std::int64_t pages) {
  database_.execute(fmt::format("PRAGMA max_page_count = {}", pages));
}

void Ledger::begin_run(std::int64_t wanted, std::int64_t present) {
  Query insert(database_,
               "INSERT INTO run (started, updated, wanted, present, computed) VALUES (?, ?, ?, ?, 0)");
  const std::int64_t time = now();
  insert.bind(0, time).bind(1, time).bind(2, wanted).bind(3, present).step();
  run_ = database_.last_row();
}

std::optional<RunStatus> Ledger::last_run() const {
  Query query(database_,
              "SELECT started, updated, wanted, present, computed FROM run ORDER BY id DESC LIMIT 1");
  if (!query.step()) return std::nullopt;
  return RunStatus{query.integer(0), query.integer(1), query.integer(2), query.integer(3), query.integer(4)};
}

}  // namespace rankfall::verify
