#include "verify/report/provenance.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "numerics/version.hpp"

namespace rankfall::verify {
namespace {

std::string seeds_text(std::vector<std::uint64_t> seeds) {
  std::sort(seeds.begin(), seeds.end());
  const bool consecutive = seeds.size() > 2 && seeds.back() - seeds.front() == seeds.size() - 1;
  if (consecutive) return fmt::format("{} to {}", seeds.front(), seeds.back());
  constexpr std::size_t most_listed = 16;
  if (seeds.size() > most_listed)
    return fmt::format("{} of them, {} to {}", seeds.size(), seeds.front(), seeds.back());
  return fmt::format("{}", fmt::join(seeds, ", "));
}

std::string precision_text(const std::vector<CellResult>& results) {
  long least = 0, most = 0;
  for (const CellResult& result : results) {
    least = least == 0 ? result.check.bits : std::min(least, result.check.bits);
    most = std::max(most, result.check.bits);
  }
  return least == most ? fmt::format("{} bits", most) : fmt::format("{} to {} bits", least, most);
}

}  // namespace

std::string Provenance::line() const {
  return fmt::format("rankfall {}: {}; seeds {}; {}", version, command, seeds, precision);
}

Provenance provenance(const std::string& command, const Grid& grid, const std::vector<CellResult>& results) {
  return {command, seeds_text(grid.seeds), precision_text(results), build::version};
}

}  // namespace rankfall::verify
