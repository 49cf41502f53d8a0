#pragma once
#include <optional>
#include <string>
#include <vector>

#include "verify/recheck/json.hpp"
#include "verify/recheck/number.hpp"

namespace rankfall::recheck {

/// {"log10": [low, high]} of a number that is not below zero, or {"value": [low, high]}; ends are exact
/// decimals, -inf or inf.
struct Enclosure {
  bool logarithm = false;
  std::optional<Rational> low, high;  ///< absent: infinite
  bool zero = false;                  ///< log10 of an exact zero: both ends -inf

  /// Throws InputError for anything else, also when the ends are the wrong way round.
  explicit Enclosure(const Json& value);
};

/// Whether both can hold for one number.
bool consistent(const Enclosure& claimed, const Number& found, Bits p);
/// Whether every number of `found` lies in the claimed enclosure.
bool encloses(const Enclosure& claimed, const Number& found, Bits p);

}  // namespace rankfall::recheck
