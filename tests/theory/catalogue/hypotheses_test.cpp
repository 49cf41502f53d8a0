#include "theory/catalogue/hypotheses.hpp"

#include <doctest/doctest.h>

#include "theory/catalogue/catalogue.hpp"

using namespace rankfall;
using namespace rankfall::theory;

namespace {

/// e^x - 1 - 2x.
Ball excess(const Ball& x, Precision p) {
  return sub(exp(x, p), add(Ball(1), scale(x, 1L), p), p);
}

}  // namespace

TEST_CASE("mu, the positive root of e^x = 1 + 2x, to fifty digits and beyond") {
  // Independent: mpmath, findroot at 70 digits; the text is cut after its last digit.
  const Rational cut = parse_number("1.25643120862616967698273761660921632691641683170132371112589");
  for (const long bits : {64L, 256L, 1000L}) {
    const Precision p(bits);
    const Ball mu = perturbation_limit(p);
    CHECK(relative_accuracy_bits(mu) >= bits - 16);
    CHECK(overlap(mu, hull(Ball(cut, Precision(300)), Ball(cut + power(Rational(10), -59), Precision(300)),
                           Precision(300))));
  }
  const Ball mu = perturbation_limit(Precision(256));
  CHECK(lower_text(mu, 51) == "1.25643120862616967698273761660921632691641683170132");
  CHECK(upper_text(mu, 51) == "1.25643120862616967698273761660921632691641683170133");
}

TEST_CASE("mu by Lambert's function: -1/2 - W_{-1}(-1/(2 sqrt e))") {
  const Precision p(400);
  Ball w = scale(neg(exp(Ball(Rational(-1, 2), p), p)), -1L);
  arb_lambertw(w.raw(), w.raw(), 1, p.bits);
  const Ball mu = sub(neg(w), Ball(Rational(1, 2), p), p);
  CHECK(relative_accuracy_bits(mu) >= 300);
  CHECK(overlap(mu, perturbation_limit(p)));
}

TEST_CASE("1.256 lies below mu, and e^x <= 1 + 2x on both sides of it as claimed") {
  const Precision p(128);
  const Constant constant = perturbation_constant();
  CHECK(constant.stand_in == Rational(157, 125));
  CHECK(certified(constant, p));
  CHECK(certainly_negative(excess(Ball(*constant.stand_in, p), p)));
  Constant too_large = constant;
  too_large.stand_in = Rational(1257, 1000);
  CHECK_FALSE(certified(too_large, p));
  CHECK(certainly_positive(excess(Ball(*too_large.stand_in, p), p)));
  too_large.stand_in = parse_number("1.2564312086261696769827376166092164");  // beyond in the last digit
  CHECK_FALSE(certified(too_large, Precision(300)));
}

TEST_CASE("the catalogue carries its constants, and what stands for them is what the hypotheses say") {
  int carried = 0;
  for (const Statement& statement : catalogue()) {
    CAPTURE(statement.id);
    for (const Constant& constant : statement.constants) {
      CHECK(certified(constant, Precision(128)));
      CHECK(relative_accuracy_bits(constant.enclose(Precision(200))) >= 180);
      if (!constant.stand_in) continue;
      REQUIRE_FALSE(statement.hypotheses.empty());
      CHECK(statement.hypotheses.front().bound == Expression(*constant.stand_in));
      ++carried;
    }
  }
  CHECK(carried == 1);
}
