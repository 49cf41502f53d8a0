#pragma once
#include <string>
#include <vector>

#include "verify/report/figures.hpp"
#include "verify/report/statistics.hpp"

namespace rankfall::verify {

/// One depth bound on the networks that differ in nothing but the seed.
struct SeedRow {
  const Claim* claim = nullptr;
  GenerateSpec spec;  ///< its seed means nothing
  std::size_t depth = 0;
  Distribution looseness, slack;
};

/// Every depth bound with a constant, at every depth, over the seeds to which it applies.
std::vector<SeedRow> over_seeds(const std::vector<Claim>& claims);
/// Of these, what a page shows: the greatest depth, the largest network with one head and the largest with
/// the most heads, at every beta.
std::vector<SeedRow> shown_over_seeds(const std::vector<SeedRow>& rows);

/// Boxes over the seeds, bound beside bound, by beta.
FigureGroup seed_figures(const std::vector<SeedRow>& shown);

/// "n 16, d 8, 2 heads, beta 0.1"
std::string network_text(const GenerateSpec& spec);

}  // namespace rankfall::verify
