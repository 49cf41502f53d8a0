#pragma once
#include <string>

#include "verify/decide.hpp"

namespace rankfall::verify {

/// Two outward-rounded decimal texts that enclose a number.
struct EnclosureText {
  std::string low, high;
  std::string unit;  ///< "log10" for magnitudes, "value" otherwise
};

/// log10 of a magnitude; "-inf" for an exact zero and what is below zero, and as the lower text where it may
/// be either.
EnclosureText log10_text(const Magnitude& value, int digits);
EnclosureText log10_text(const Bracket& value, int digits);
/// log10 of what cannot be below zero, the value itself of what may.
EnclosureText signed_text(const Bracket& value, int digits);
EnclosureText value_text(const Ball& value, int digits);
EnclosureText value_text(const Span& value, int digits);
EnclosureText value_text(const Magnitude& value, int digits);

/// No wider than 10^-digits max(1, |v|), v the number as printed.
bool narrow_log10(const Magnitude& value, int digits);
bool narrow_signed(const Bracket& value, int digits);
bool narrow_value(const Magnitude& value, int digits);
bool narrow_value(const Ball& value, int digits);

}  // namespace rankfall::verify
