#pragma once
#include <string>

#include "verify/report/figure.hpp"

namespace rankfall::verify {

/// The drawn figure as an element of a page: no prologue, no background, no outer reference; ids begin with
/// the figure's name, so that several live in one page; the palette's colours become the page's custom
/// properties
/// (--ink, --paper, ...), fonts the page's.
std::string inline_svg(const Figure& figure);

}  // namespace rankfall::verify
