#include "verify/recheck/enclosures.hpp"

#include "numerics/errors.hpp"
#include "verify/recheck/network.hpp"

namespace rankfall::recheck {

Enclosure::Enclosure(const Json& value) {
  value.require_keys({"log10", "value"});
  if (value.members.size() != 1) value.refuse("one of log10 and value");
  logarithm = value.members.front().first == "log10";
  const Json& list = value.members.front().second;
  if (list.as_list().size() != 2) list.refuse("two ends");
  const std::string& first = list.items[0].as_text();
  const std::string& second = list.items[1].as_text();
  if (first != "-inf") low = exact_number(list.items[0]);
  if (second != "inf" && second != "-inf") high = exact_number(list.items[1]);
  zero = second == "-inf";
  if (zero && (!logarithm || low)) list.refuse("a low end that is not above the high end");
  if (low && high && *high < *low) list.refuse("a low end that is not above the high end");
}

bool consistent(const Enclosure& claimed, const Number& found, Bits p) {
  const auto end = [p](const Rational& value) { return Number(value, {p.count + 64}); };
  if (!claimed.logarithm)
    return !(claimed.high && certainly_less(end(*claimed.high), found)) &&
           !(claimed.low && certainly_less(found, end(*claimed.low)));
  if (claimed.zero) return !certainly_positive(found);
  if (claimed.low && !certainly_positive(upper(found))) return false;
  if (claimed.low && certainly_less(log10(upper(found), p), end(*claimed.low))) return false;
  return !(claimed.high && certainly_positive(found) &&
           certainly_less(end(*claimed.high), log10(lower(found), p)));
}

}  // namespace rankfall::recheck
