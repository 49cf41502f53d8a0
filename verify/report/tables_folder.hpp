#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "verify/report/heat.hpp"
#include "verify/report/provenance.hpp"
#include "verify/report/seeds.hpp"
#include "verify/report/statistics.hpp"
#include "verify/report/text_table.hpp"

namespace rankfall::verify {

/// One line a claim: verdicts, looseness, slack, shares.
TextTable claims_table(const std::vector<Digest>& digests);
/// The tightest and the loosest instance of every claim with the command that repeats it.
TextTable extremes_table(const std::vector<Digest>& digests);
/// Median, quartiles and extremes of the looseness over seeds.
TextTable seeds_table(const std::vector<SeedRow>& shown);
/// Margins of the hypotheses of every claim.
TextTable margins_table(const std::vector<Digest>& digests);
TextTable heat_table(const HeatMap& map);

/// What the tables of a report are made of.
struct TableContent {
  const std::vector<Digest>& digests;
  const std::vector<SeedRow>& seeds;
  const std::vector<HeatMap>& heat;
  const Provenance& made;
  int digits;
};

/// Writes every table into `folder`, for reading (Markdown, LaTeX) and, with both ends of every enclosure,
/// for programs (CSV): docs/formats.md. Throws OutputError.
void write_tables(const TableContent& content, const std::filesystem::path& folder);

}  // namespace rankfall::verify
