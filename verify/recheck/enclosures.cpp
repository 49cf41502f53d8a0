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

namespace {

Number end(const Rational& value, Bits p) {
  return Number(value, {p.count + 64});
}

}  // namespace

bool consistent(const Enclosure& claimed, const Number& found, Bits p) {
  if (!claimed.logarithm)
    return !(claimed.high && certainly_less(end(*claimed.high, p), found)) &&
           !(claimed.low && certainly_less(found, end(*claimed.low, p)));
  if (claimed.zero) return !certainly_positive(found);
  if (claimed.low && !certainly_positive(upper(found))) return false;
  if (claimed.low && certainly_less(log10(upper(found), p), end(*claimed.low, p))) return false;
  return !(claimed.high && certainly_positive(found) &&
           certainly_less(end(*claimed.high, p), log10(lower(found), p)));
}

bool encloses(const Enclosure& claimed, const Number& found, Bits p) {
  if (claimed.zero || (claimed.logarithm && !certainly_positive(found))) return false;
  const Number measured = claimed.logarithm ? log10(found, p) : found;
  return !(claimed.low && !certainly_less_equal(end(*claimed.low, p), measured)) &&
         !(claimed.high && !certainly_less_equal(measured, end(*claimed.high, p)));
}

}  // namespace rankfall::recheck
