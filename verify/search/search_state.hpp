#pragma once
#include <filesystem>

#include "verify/search/falsify.hpp"

namespace rankfall::verify {

/// What a search needs to go on, as text ("rankfall-search/1"): the request it belongs to and where it is.
std::string search_state_text(const FalsifyRequest& request, const SearchState& state);

/// Reads it back. Throws InputError for anything else, and naming the difference when the text belongs to
/// another request (statement, gamma, shape or seed).
SearchState parse_search_state(std::string_view text, const std::string& name, const FalsifyRequest& request);

}  // namespace rankfall::verify
