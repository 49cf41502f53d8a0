#pragma once
#include "verify/search/falsify.hpp"

namespace rankfall::verify {

/// "dong-2.2 (gamma sum-max)", or the id alone.
std::string claim_words(const FalsifyRequest& request);
/// For a person: the best ratio, whether it is a violation, and the instance.
std::string falsify_text(const FalsifyRequest& request, const Finding& finding);
/// "rankfall-falsify/1".
std::string falsify_json(const FalsifyRequest& request, const Finding& finding);

}  // namespace rankfall::verify
