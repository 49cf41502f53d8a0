#pragma once
#include <string>
#include <vector>

#include "verify/report/figures.hpp"
#include "verify/report/heat.hpp"
#include "verify/report/recorded.hpp"
#include "verify/report/seeds.hpp"
#include "verify/report/statistics.hpp"

namespace rankfall::verify {

/// What the page tells.
struct PageContent {
  const Grid& grid;
  std::string grid_text;  ///< as read
  std::string command;    ///< that makes this report
  const std::vector<CellResult>& results;
  const std::vector<Digest>& digests;
  const std::vector<FigureGroup>& groups;
  const std::vector<HeatMap>& heat;
  const std::vector<HeatChoice>& choices;
  const std::vector<SeedRow>& seeds;   ///< those to show
  const Recorded* recorded = nullptr;  ///< of a ledger; null when the grid was decided for this page
};

/// index.html: one page without any reference to something outside itself.
std::string page_html(const PageContent& content);

// Its parts, in order.
std::string exceptions_section(const PageContent& content);  ///< empty when there are none
std::string summary_section(const PageContent& content);
std::string figures_section(const FigureGroup& group);
std::string claims_section(const PageContent& content);
std::string seeds_html(const PageContent& content);    ///< below the figures over seeds
std::string margins_html(const PageContent& content);  ///< below the figures of the hypotheses
std::string contraction_table(const PageContent& content);
std::string extremes_section(const PageContent& content);
std::string method_section(const PageContent& content);

}  // namespace rankfall::verify
