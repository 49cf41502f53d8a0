#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "numerics/errors.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace rankfall::verify {

/// SQLite with its resources owned and its failures thrown: OutputError where something cannot be written
/// (full disk, read-only, another process), InputError where a file is no sound database.
class Database {
 public:
  enum class Mode { read, write };

  Database(const std::string& path, Mode mode);
  /// Statements without results.
  void execute(const std::string& sql);
  std::int64_t last_row() const;
  const std::string& path() const { return path_; }
  sqlite3* raw() const { return handle_.get(); }
  /// Throws the failure `code` of what was being done.
  [[noreturn]] void fail(int code, std::string_view doing) const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::string path_;
  std::unique_ptr<sqlite3, Close> handle_;
};

/// One prepared statement. Parameters and columns count from 0; binding the first starts it anew.
class Query {
 public:
  Query(const Database& database, const std::string& sql);
  Query& bind(int parameter, std::int64_t value);
  Query& bind(int parameter, std::string_view value);
  /// To the next row; false when there is none, after which the statement may be bound and run again.
  bool step();
  std::int64_t integer(int column) const;
  std::string text(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  const Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// All or nothing: rolled back unless committed.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace rankfall::verify
