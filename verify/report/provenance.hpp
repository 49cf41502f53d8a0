#pragma once
#include <string>
#include <vector>

#include "verify/sweep.hpp"

namespace rankfall::verify {

/// How a report was made: what every figure and table of it carries.
struct Provenance {
  std::string command;
  std::string seeds;      ///< "1, 2", or "1 to 8" where they are consecutive
  std::string precision;  ///< "128 bits", or "128 to 512 bits"
  std::string version;    ///< of the program
  /// "rankfall 0.1.0: rankfall report; seeds 1, 2; 128 bits"
  std::string line() const;
};

Provenance provenance(const std::string& command, const Grid& grid, const std::vector<CellResult>& results);

}  // namespace rankfall::verify
