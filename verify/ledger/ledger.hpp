#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "verify/ledger/database.hpp"
#include "verify/ledger/writer_lock.hpp"
#include "verify/row.hpp"

namespace rankfall::verify {

/// The results of one cell: what describes it and its rows in order.
struct LedgerCell {
  std::string key;
  Row description;      ///< the cell's columns
  std::string failure;  ///< why there is no such network; then there are no rows
  std::vector<Row> rows;
  std::vector<std::vector<HypothesisRow>> hypotheses;  ///< of each row, in order
};

/// How the last sweep into a ledger went. Times in seconds since 1970.
struct RunStatus {
  std::int64_t started = 0, updated = 0;
  std::int64_t wanted = 0;   ///< cells of its grid or shard
  std::int64_t present = 0;  ///< of them, there when it began
  std::int64_t computed = 0;
};

/// Counts of rows by verdict, and of what asks for attention.
struct LedgerTally {
  std::map<std::string, std::int64_t> verdicts;
  std::int64_t contradictions = 0;  ///< refutations of statements held true
  std::int64_t precision = 0;       ///< inconclusive for lack of precision
  std::int64_t failures = 0;        ///< cells that no network has
};

/// Results of sweeps in an SQLite file (docs/ledger): one writer, any number of readers. A cell is there
/// wholly or not at all, whenever the process ends.
class Ledger {
 public:
  /// Of an existing ledger, also of the format before this one, whose rows have no hypotheses. Throws
  /// InputError when there is none or the file is not one.
  static Ledger open(const std::string& path);
  /// To write; made where there is none. Throws OutputError when that is impossible or another process
  /// writes it, InputError for one of an earlier format.
  static Ledger open_to_write(const std::string& path);

  bool contains(const std::string& key) const;
  std::int64_t cells() const;
  /// Adds a cell that is not there yet. Throws OutputError when it cannot be written; nothing is added then.
  void store(const LedgerCell& cell);
  /// Every cell by its description, whatever the order in which they came.
  void each(const std::function<void(const LedgerCell&)>& visit) const;
  std::optional<LedgerCell> find(const std::string& key) const;
  /// The cells of that description: several when a network was decided with several options.
  std::vector<LedgerCell> described_as(const Row& description) const;
  LedgerTally tally() const;

  /// At most so many pages of 4096 bytes, or what there is already: a quota.
  void limit_pages(std::int64_t pages);
  /// From now on stored cells count as this run's.
  void begin_run(std::int64_t wanted, std::int64_t present);
  std::optional<RunStatus> last_run() const;

 private:
  Ledger(const std::string& path, bool write);
  std::int64_t claim_id(const Row& row);
  static std::string loaded_columns();
  LedgerCell load(const Query& cells) const;
  void load_hypotheses(std::int64_t id, LedgerCell& cell) const;

  std::optional<WriterLock> lock_;  // outlives the database, whose locks would go with the descriptor
  Database database_;
  bool has_hypotheses_ = true;
  std::int64_t run_ = 0;
  std::map<std::string, std::int64_t> claims_;
};

}  // namespace rankfall::verify
