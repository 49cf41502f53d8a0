#pragma once
#include <string>
#include <vector>

#include "verify/audit.hpp"
#include "verify/enclosure.hpp"

namespace rankfall::verify {

inline constexpr int audit_digits = 10;

/// What the instance is, without a full stop.
std::string description_words(const theory::Refutation& r);
/// "left/right in [a, b]"
std::string ratio_words(const theory::Refutation& r);
/// The exact numbers that fix an instance, the first few of many.
std::string parameter_words(const theory::Refutation& r);
/// On what the verdict stands: kind of ground, where it is written, how much was checked.
std::string ground_words(const AuditedClaim& claim);
/// Two outward-rounded texts that enclose a constant of a statement.
EnclosureText enclosed(const theory::Constant& constant);
/// "name in [a, b]", and whether it is certified above the number that stands in for it.
std::string constant_words(const theory::Constant& constant);
std::string joined(const std::vector<std::string>& words);

}  // namespace rankfall::verify
