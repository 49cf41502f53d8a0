#pragma once
#include <filesystem>
#include <string>

#include "verify/certificate.hpp"
#include "verify/report/statistics.hpp"

namespace rankfall::verify {

struct ReportRequest {
  Grid grid;
  std::string grid_text;  ///< as read, for the page
  /// Results to tell of, in place of those of a grid; then grid holds only what statements are known.
  std::filesystem::path ledger = {};
  std::string command;  ///< for the page
  std::filesystem::path directory;
  std::filesystem::path certificates =
      {};                ///< where those of the tightest and loosest instances go; empty: nowhere
  unsigned threads = 0;  ///< 0: as many as the machine has
};

/// What a report came to.
struct ReportOutcome {
  std::size_t networks = 0;
  VerdictCounts counts;
  std::size_t contradictions = 0;  ///< refutations of statements held true
  CertificateCount certificates = {};
};

/// Decides the grid, or reads the ledger, and writes index.html, tightness.csv, margins.csv, tightness.md,
/// verdicts.json, figures/ and tables/ into the directory, all at once or not at all. Progress on standard
/// error: a bar on a terminal, of a ledger a line a minute elsewhere. The files do not depend on threads,
/// time or machine. Throws OutputError when the directory cannot be written or replaced
/// (report/directory.hpp), InputError for a ledger that cannot be read or holds nothing, Interrupted after
/// Ctrl-C, Error when gnuplot is missing or fails.
ReportOutcome write_report(const ReportRequest& request);

}  // namespace rankfall::verify
