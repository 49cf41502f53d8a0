#pragma once
#include "verify/search/falsify.hpp"

namespace rankfall::verify {

/// For a person: the best ratio, whether it is a violation, and the instance.
std::string falsify_text(const FalsifyRequest& request, const Finding& finding);
/// "rankfall-falsify/1".
std::string falsify_json(const FalsifyRequest& request, const Finding& finding);

}  // namespace rankfall::verify
