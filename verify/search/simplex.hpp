#pragma once
#include "verify/search/local_search.hpp"

namespace rankfall::verify {

/// Nelder and Mead's simplex, begun again around its best point with other edges until that no longer helps:
/// for goals of a few numbers along whose ridges random steps are slow. Ends when a value exceeds `enough`,
/// and after so many evaluations. A function of its arguments alone.
SearchOutcome simplex_search(const Goal& goal, const Point& start, const Stream& stream,
                             std::uint64_t evaluations, double enough);

}  // namespace rankfall::verify
