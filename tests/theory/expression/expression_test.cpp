#include "theory/expression/expression.hpp"

#include <doctest/doctest.h>

#include <type_traits>

#include "numerics/errors.hpp"
#include "theory/expression/substitute.hpp"

using namespace rankfall;
using namespace rankfall::theory;

TEST_CASE("builders keep one shape for one way of writing") {
  const Expression a = sym("a"), b = sym("b"), c = sym("c");
  CHECK(((a + b) + c).operands().size() == 3);
  CHECK((a + (b + c)) == ((a + b) + c));
  CHECK((a * (b * c)) == ((a * b) * c));
  CHECK(-(-a) == a);
  CHECK(-(a * b) == (-a) * b);
  CHECK(-(a / b) == (-a) / b);
  CHECK(a - b == a + (-b));
  CHECK(Expression(1) / 3 == Expression(Rational(1, 3)));
  CHECK((Expression(1) / 0).is(Kind::divide));
  CHECK(a != b);
  CHECK(a + b != b + a);
  CHECK(sym("a", {"l"}) != a);
  CHECK(add({}) == Expression(0));
  CHECK(multiply({}) == Expression(1));
}

TEST_CASE("a double is not a constant of a formula") {
  static_assert(!std::is_constructible_v<Expression, double>);
  static_assert(!std::is_constructible_v<Expression, bool>);
  static_assert(std::is_convertible_v<int, Expression>);
  CHECK(Expression(3).value() == 3);
}

TEST_CASE("malformed names and calls are refused") {
  for (const char* name : {"", "2a", "a b", "_a", "a-b", "\xCE\xB2"}) CHECK_THROWS_AS(sym(name), InputError);
  CHECK_THROWS_WITH_AS(sym("sqrt"), "'sqrt' is a function and cannot name a symbol", InputError);
  CHECK_THROWS_AS(sum("sum", 1, 2, 3), InputError);
  CHECK_THROWS_WITH_AS(call(Function::tanh, {}), "tanh takes 1 argument, found 0", InputError);
}

TEST_CASE("depth and size are bounded") {
  Expression e = sym("a");
  for (std::size_t i = 1; i < max_expression_depth; ++i) e = sqrt(e);
  CHECK(e.depth() == max_expression_depth);
  CHECK_THROWS_AS(sqrt(e), InputError);
  Expression doubled = sym("a");
  CHECK_THROWS_AS(
      [&] {
        for (int i = 0; i < 200; ++i) doubled = doubled + doubled;
      }(),
      InputError);
}

TEST_CASE("the order of trees is total") {
  const Expression a = sym("a"), b = sym("b");
  const std::vector<Expression> list{1,
                                     2,
                                     a,
                                     b,
                                     sym("a", {"l"}),
                                     a + b,
                                     b + a,
                                     a * b,
                                     a / b,
                                     -a,
                                     pow(a, b),
                                     sqrt(a),
                                     exp(a),
                                     max(a, b),
                                     sum("i", 1, 2, a),
                                     sum("j", 1, 2, a),
                                     prod("i", 1, 2, a)};
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t j = 0; j < list.size(); ++j) {
      CHECK((compare(list[i], list[j]) == 0) == (i == j));
      CHECK((compare(list[i], list[j]) < 0) == (compare(list[j], list[i]) > 0));
    }
}

TEST_CASE("free symbols exclude what a sum or prod binds") {
  const Expression e = sum("h", sym("h"), sym("H"), sym("W", {"h"}) * sym("t", {"l"}) + sym("h"));
  CHECK(free_symbols(e) == std::set<FreeSymbol>{{"h", 0}, {"H", 0}, {"W", 1}, {"t", 1}, {"l", 0}});
  CHECK(free_symbols(sum("h", 1, 2, sym("h"))).empty());
  CHECK(depends_on(e, "l"));
  CHECK_FALSE(depends_on(e, "W"));
}

TEST_CASE("substitution") {
  const Expression x = sym("x"), y = sym("y"), h = sym("h");
  CHECK(substitute(x * y + x, "x", 2) == Expression(2) * y + 2);
  SUBCASE("at once, not one after the other") {
    CHECK(substitute(x - y, {{x, y}, {y, x}}) == y - x);
  }
  SUBCASE("a bound index is not touched") {
    CHECK(substitute(sum("x", x, 3, x), "x", 1) == sum("x", 1, 3, x));
  }
  SUBCASE("a bound index does not capture") {
    CHECK(substitute(sum("h", 1, 3, h * x), "x", h) == sum("h_1", 1, 3, sym("h_1") * h));
  }
  SUBCASE("a family by its parameters, an entry by its indices") {
    const Expression e = sum("h", 1, 2, sym("a", {"h"})) + symbol("a", {7});
    CHECK(substitute(e, {{sym("a", {"h"}), pow(h, 2)}}) == sum("h", 1, 2, pow(h, 2)) + pow(Expression(7), 2));
    CHECK(substitute(e, {{symbol("a", {7}), x}}) == sum("h", 1, 2, sym("a", {"h"})) + x);
    CHECK(substitute(e, {{sym("a"), x}}) == e);
  }
  SUBCASE("only symbols") {
    CHECK_THROWS_AS(substitute(x, {{x + y, y}}), InputError);
  }
}
