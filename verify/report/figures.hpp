#pragma once
#include <vector>

#include "verify/report/chart.hpp"
#include "verify/report/instances.hpp"

namespace rankfall::verify {

/// Figures that belong together, one caption for all.
struct FigureGroup {
  std::string id;  ///< of its section of the page
  std::string heading;
  std::string caption;  ///< HTML
  std::vector<Figure> figures;
};

// Each leaves out the figures for which the sweep holds no data. Every mark is the middle of an enclosure
// whose ends stand in the data file.

/// Residual and bounds against depth, for a few networks that differ in which bound falls.
FigureGroup collapse_figures(const std::vector<CellResult>& results, const Grid& grid);
/// Looseness of each depth bound against depth: median and range.
FigureGroup looseness_figures(const std::vector<Claim>& claims);
/// Looseness of each network, bound beside bound, at the greatest depth.
FigureGroup comparison_figures(const std::vector<Claim>& claims);
/// How the hypotheses fare, by beta: oscillation of the logits against the layer, share certified against
/// depth.
FigureGroup hypothesis_figures(const std::vector<Claim>& claims);

/// How a depth bound is drawn and named, everywhere the same.
struct BoundStyle {
  std::string id;
  theory::Gamma::Kind gamma;
  std::string label;
  const char* colour;
  int dash;
  bool one_head, many_heads;  ///< drawn for networks with these
};
const std::vector<BoundStyle>& bound_styles();
/// These, and the depth bounds of one's own on the residual that are among the claims.
std::vector<BoundStyle> bound_styles(const std::vector<Claim>& claims);

}  // namespace rankfall::verify
