#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace rankfall {

/// The candidate with the least edit distance to `word`, if it is near enough to be what was meant; else
/// empty.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace rankfall
