#include "theory/models/refutation.hpp"

#include <doctest/doctest.h>

#include <map>

using namespace rankfall;
using namespace rankfall::theory;

TEST_CASE("every refutation is certified, at every precision") {
  const std::vector<Refutation> coarse = refutations(Precision(80)), fine = refutations(Precision(200));
  REQUIRE(coarse.size() == fine.size());
  std::map<std::string, int> count;
  for (std::size_t i = 0; i < fine.size(); ++i) {
    CAPTURE(fine[i].statement_id);
    CAPTURE(fine[i].description);
    CHECK(coarse[i].certified);
    CHECK(fine[i].certified);
    CHECK(overlap(coarse[i].left, fine[i].left));
    CHECK((fine[i].right.is_zero() ? coarse[i].right.is_zero() : overlap(coarse[i].right, fine[i].right)));
    CHECK_FALSE(fine[i].parameters.empty());
    ++count[fine[i].statement_id];
  }
  CHECK(count["dong-2.2-v1"] == 9);
  CHECK(count["dong-2.3-v1"] == 5);
  CHECK(count["dong-2.3"] == 5);
  for (const char* id :
       {"proof-step-printed", "convergence-remark", "composite-triangle", "dong-3.1-orthogonal",
        "dong-3.2-vector-norm", "gamma-at-the-midrange", "sharp-gamma-at-the-mean"})
    CHECK(count[id] == 1);
}

TEST_CASE("one id gives its own refutations, a true statement none") {
  for (const Refutation& r : refutations("convergence-remark", Precision(80)))
    CHECK(r.statement_id == "convergence-remark");
  CHECK(refutations("convergence-remark", Precision(80)).size() == 1);
  CHECK(refutations("layer-cubic", Precision(80)).empty());
}

TEST_CASE("a comparison that is not certain, or a hypothesis that fails, certifies nothing") {
  const Precision p(64);
  const Magnitude one(Rational(1), p), third(Rational(1, 3), p);
  CHECK(refutation("x", "", {}, one, third, true).certified);
  CHECK_FALSE(refutation("x", "", {}, one, third, false).certified);
  CHECK_FALSE(refutation("x", "", {}, third, one, true).certified);
  CHECK_FALSE(refutation("x", "", {}, third, third, true).certified);
}
