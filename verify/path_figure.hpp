#pragma once
#include "verify/report/figure.hpp"
#include "verify/table_text.hpp"

namespace rankfall::verify {

inline constexpr std::size_t most_figure_rows = 20;

/// How the lengths of paths are distributed: one strip a row of the table, a bar at length/depth as high as
/// its share of the paths (the highest bar of a strip fills it), the mean marked. At most most_figure_rows
/// rows. The data file holds every count exactly.
Figure path_figure(const std::vector<PathRow>& rows);

}  // namespace rankfall::verify
