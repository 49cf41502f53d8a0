#pragma once
#include <string>

#include "verify/decide.hpp"

namespace rankfall::verify {

/// How a number is written.
enum class Notation {
  plain,  ///< "1.2e-7", "0.1 to 0.2"
  html    ///< "1.2×10<sup>−7</sup>", "0.1–0.2", "(1.2–1.3)×10<sup>−7</sup>"
};

/// The number rounded to nearest with as many significant digits, at most `digits` (at least 2), as are the
/// same for every number of the span; a range rounded outward where the ends differ in the second digit.
std::string certified_text(const Span& number, int digits, Notation notation);

/// Both ends, rounded outward, with a blank between them: for data files.
std::string ends_text(const Span& number, int digits);
/// log10 of the middle of a positive number: where it is drawn. NaN where it is not certainly positive.
double middle_decade(const Span& number);

/// log10 of a magnitude as a span; -inf where it is or may be zero or below.
Span log10_span(const Bracket& value);

/// "37 %", rounded to nearest; "<1 %" and ">99 %" are kept apart from 0 and 100; a dash when nothing is
/// known.
std::string percentage(std::size_t part, std::size_t whole);

}  // namespace rankfall::verify
