#pragma once
#include <functional>
#include <vector>

#include "verify/search/falsify.hpp"
#include "verify/table_text.hpp"

namespace rankfall::verify {

/// One search for each shape: the empirical sharp constant of a statement.
struct ExtremalRow {
  Shape shape;
  Finding finding;
};

/// `request` with each shape in turn; its own shape is not used. `before_row` is told how many are done.
std::vector<ExtremalRow> extremal_rows(FalsifyRequest request, const std::vector<Shape>& shapes,
                                       const std::function<void(std::size_t done)>& before_row);

/// Markdown, CSV, LaTeX (booktabs) or JSON (rankfall-extremal/1, with the instances).
std::string extremal_table(const FalsifyRequest& request, const std::vector<ExtremalRow>& rows,
                           TableFormat format, int digits);

}  // namespace rankfall::verify
