#pragma once
#include <string>
#include <vector>

#include "verify/report/figures.hpp"
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
};

/// index.html: one page without any reference to something outside itself.
std::string page_html(const PageContent& content);

// Its parts, in order.
std::string exceptions_section(const PageContent& content);  ///< empty when there are none
std::string summary_section(const PageContent& content);
std::string figures_section(const FigureGroup& group);
std::string claims_section(const PageContent& content);
std::string contraction_table(const PageContent& content);
std::string extremes_section(const PageContent& content);
std::string method_section(const PageContent& content);

}  // namespace rankfall::verify
