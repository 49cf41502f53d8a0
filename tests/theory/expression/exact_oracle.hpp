#pragma once
#include <map>
#include <optional>
#include <string>

#include "theory/expression/environment.hpp"
#include "theory/expression/expression.hpp"

namespace rankfall::test {

/// Values of plain names; c[i] is written "c0", "c1", ...
using Point = std::map<std::string, Rational>;

/// The value of a rational function by the definitions alone; empty where it is undefined.
inline std::optional<Rational> oracle(const theory::Expression& e, const Point& point) {
  using theory::Function;
  using theory::Kind;
  std::vector<Rational> v;
  if (!e.is(Kind::sum) && !e.is(Kind::prod))
    for (const auto& operand : e.operands()) {
      const auto value = oracle(operand, point);
      if (!value) return std::nullopt;
      v.push_back(*value);
    }
  switch (e.kind()) {
    case Kind::constant:
      return e.value();
    case Kind::symbol:
      return point.at(v.empty() ? e.name() : e.name() + v[0].str());
    case Kind::add: {
      Rational total = 0;
      for (const Rational& term : v) total += term;
      return total;
    }
    case Kind::multiply: {
      Rational total = 1;
      for (const Rational& factor : v) total *= factor;
      return total;
    }
    case Kind::negate:
      return Rational(-v[0]);
    case Kind::divide:
      if (v[1] == 0) return std::nullopt;
      return Rational(v[0] / v[1]);
    case Kind::power: {
      if (denominator(v[1]) != 1 || abs(v[1]) > 1000 || (v[0] == 0 && v[1] < 0)) return std::nullopt;
      Rational total = 1;
      const long exponent = v[1].convert_to<long>();
      for (long i = 0; i < std::abs(exponent); ++i) total *= v[0];
      return exponent < 0 ? Rational(1 / total) : total;
    }
    case Kind::call:
      switch (e.function()) {
        case Function::abs:
          return abs(v[0]);
        case Function::sign:
          return Rational(v[0].sign());
        case Function::min:
          return *std::min_element(v.begin(), v.end());
        case Function::max:
          return *std::max_element(v.begin(), v.end());
        default:
          return std::nullopt;
      }
    case Kind::sum:
    case Kind::prod: {
      const auto first = oracle(e.operands()[0], point), last = oracle(e.operands()[1], point);
      if (!first || !last) return std::nullopt;
      Rational total = e.is(Kind::sum) ? 0 : 1;
      Point inner = point;
      for (Rational i = *first; i <= *last; i += 1) {
        inner[e.name()] = i;
        const auto term = oracle(e.operands()[2], inner);
        if (!term) return std::nullopt;
        if (e.is(Kind::sum))
          total += *term;
        else
          total *= *term;
      }
      return total;
    }
  }
  return std::nullopt;
}

/// The same point for the library.
inline theory::Environment environment_of(const Point& point) {
  theory::Environment environment;
  for (const auto& [name, value] : point) {
    if (name.size() == 2 && name.front() == 'c')
      environment.set("c", {name.back() - '0'}, value);
    else
      environment.set(name, value);
  }
  return environment;
}

/// No point of the enclosure is excluded for certain, at more bits than it has.
inline bool holds(const Magnitude& enclosure, const Rational& value) {
  return overlap(enclosure, Magnitude(value, Precision(2000)));
}

}  // namespace rankfall::test
