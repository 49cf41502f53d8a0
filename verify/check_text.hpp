#pragma once
#include <string>

#include "verify/check_json.hpp"

namespace rankfall::verify {

/// The result for a person: sizes, the states' residuals, then each statement's verdicts by depth.
std::string check_text(const CheckResult& result, const Source& source, const std::string& engine,
                       int digits);

/// The digits on which both ends agree, and no more: "-2.4519808" for [-2.45198081, -2.45198079]; both ends
/// in brackets where they share fewer than two digits.
std::string agreed_digits(const std::string& low, const std::string& high);

}  // namespace rankfall::verify
