#include "verify/ledger/database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>

#include "verify/output.hpp"

namespace rankfall::verify {
namespace {

constexpr int patience_milliseconds = 10'000;  // readers and a writer meet for moments only

bool is_damage(int code) {
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR || code == SQLITE_CONSTRAINT;
}

/// Whether the file lies where SQLite cannot keep its notes on who reads, and needs none: nobody can write
/// it, and the last who did closed it in good order.
bool is_archived(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  std::error_code error;
  return ::access(folder.c_str(), W_OK) != 0 && !std::filesystem::exists(path + "-wal", error);
}

/// The file's name as a URI that says that it does not change.
std::string immutable(const std::string& path) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string())
    uri += c == '%' || c == '?' || c == '#' ? fmt::format("%{:02x}", static_cast<unsigned char>(c))
                                            : std::string(1, c);
  return uri + "?immutable=1";
}

}  // namespace

void Database::Close::operator()(sqlite3* handle) const {
  sqlite3_close(handle);
}

Database::Database(const std::string& path, Mode mode) : path_(path) {
  sqlite3* handle = nullptr;
  const bool archived = mode == Mode::read && is_archived(path);
  const int flags = archived             ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
                    : mode == Mode::read ? SQLITE_OPEN_READWRITE
                                         : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const int code = sqlite3_open_v2((archived ? immutable(path) : path).c_str(), &handle, flags, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail(code, "open");
  sqlite3_busy_timeout(handle, patience_milliseconds);
  execute("PRAGMA foreign_keys = ON");
}

void Database::fail(int code, std::string_view doing) const {
  const char* reason = handle_ ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(code);
  const std::string message = fmt::format("cannot {} {}: {}", doing, path_, reason);
  if (is_damage(code & 0xff)) throw InputError(message);
  throw OutputError(message);
}

void Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code, "use");
}

std::int64_t Database::last_row() const {
  return sqlite3_last_insert_rowid(handle_.get());
}

void Query::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Query::Query(const Database& database, const std::string& sql) : database_(&database) {
  sqlite3_stmt* statement = nullptr;
  const int code =
      sqlite3_prepare_v2(database.raw(), sql.c_str(), static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) database.fail(code, "use");
  statement_.reset(statement);
}

Query& Query::bind(int parameter, std::int64_t value) {
  if (parameter == 0) sqlite3_reset(statement_.get());
  const int code = sqlite3_bind_int64(statement_.get(), parameter + 1, value);
  if (code != SQLITE_OK) database_->fail(code, "use");
  return *this;
}

Query& Query::bind(int parameter, std::string_view value) {
  if (parameter == 0) sqlite3_reset(statement_.get());
  const int code = sqlite3_bind_text(statement_.get(), parameter + 1, value.data(),
                                     static_cast<int>(value.size()), SQLITE_TRANSIENT);
  if (code != SQLITE_OK) database_->fail(code, "use");
  return *this;
}

bool Query::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  const int end = sqlite3_reset(statement_.get());
  if (code != SQLITE_DONE) database_->fail(end, "use");
  return false;
}

std::int64_t Query::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string Query::text(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_.get(), column);
  const int length = sqlite3_column_bytes(statement_.get(), column);
  return text ? std::string(reinterpret_cast<const char*>(text), static_cast<std::size_t>(length))
              : std::string();
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (open_) sqlite3_exec(database_.raw(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace rankfall::verify
