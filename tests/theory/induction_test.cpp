#include "theory/induction.hpp"

#include <doctest/doctest.h>

#include "numerics/errors.hpp"
#include "theory/catalogue/catalogue.hpp"
#include "theory/expression/differentiate.hpp"
#include "theory/expression/evaluate.hpp"
#include "theory/expression/parse.hpp"
#include "theory/expression/print.hpp"
#include "theory/expression/simplify.hpp"
#include "theory/expression/substitute.hpp"

using namespace rankfall;
using namespace rankfall::theory;

namespace {

Proof closed_form(std::string_view constant, std::string_view claimed) {
  return prove_closed_form({.constant = parse(constant)}, parse(claimed));
}

bool proved(std::string_view constant, std::string_view claimed) {
  const Proof proof = closed_form(constant, claimed);
  INFO(to_text(proof));
  CHECK(proof.proved() == proof.failure.empty());
  return proof.proved();
}

}  // namespace

TEST_CASE("the closed form with equal constants") {
  CHECK(proved("C", "C^((3^L - 1)/2)*r0^(3^L)"));
  CHECK(proved("4*beta/sqrt(d_qk)", "(4*beta/sqrt(d_qk))^((3^L - 1)/2)*r0^(3^L)"));
  CHECK(proved("4*gamma*beta*H/sqrt(d_qk)", "(4*gamma*beta*H/sqrt(d_qk))^((3^L - 1)/2)*r0^(3^L)"));
  CHECK(proved("C", "(C*r0^2)^((3^L - 1)/2)*r0"));
  CHECK(proved("C", "(sqrt(C)*r0)^(3^L)/sqrt(C)"));
  CHECK(proved("C", "C^(sum(l, 0, L - 1, 3^l))*r0^(3^L)"));
  CHECK(proved("C", "prod(l, 0, L - 1, C^(3^(L - 1 - l)))*r0^(3^L)"));
  CHECK(proved("2*(1 + m)", "2^((3^L - 1)/2)*(m + 1)^((3^L - 1)/2)*r0^(3^L)"));
}

TEST_CASE("the closed form with constants of each layer") {
  CHECK(proved("C[L]", "prod(l, 0, L - 1, C[l]^(3^(L - 1 - l)))*r0^(3^L)"));
  CHECK(proved("C[L]", "prod(l, 0, L - 1, C[L - 1 - l]^(3^l))*r0^(3^L)"));
  CHECK(proved("C[L + 1]", "prod(l, 1, L, C[l]^(3^(L - l)))*r0^(3^L)"));
  CHECK(proved("C[L + 1]", "prod(l, 0, L - 1, C[l + 1]^(3^(L - 1 - l)))*r0^(3^L)"));
  CHECK(proved("4*beta[L]/sqrt(d[L])", "prod(l, 0, L - 1, (4*beta[l]/sqrt(d[l]))^(3^(L - 1 - l)))*r0^(3^L)"));
  CHECK(proved(
      "sqrt(sum(h, 1, H, a[L,h])*sum(h, 1, H, W[L,h]))/2",
      "prod(l, 0, L - 1, (sqrt(sum(h, 1, H, a[l,h])*sum(h, 1, H, W[l,h]))/2)^(3^(L - 1 - l)))*r0^(3^L)"));
}

TEST_CASE("altered exponents are rejected, with the identity that fails") {
  CHECK_FALSE(proved("C", "C^(3^L/2)*r0^(3^L)"));
  CHECK_FALSE(proved("C", "C^((3^L + 1)/2)*r0^(3^L)"));
  CHECK_FALSE(proved("C", "C^((3^L - 1)/3)*r0^(3^L)"));
  CHECK_FALSE(proved("C", "C^((2^L - 1)/2)*r0^(3^L)"));
  CHECK_FALSE(proved("C", "C^((3^L - 1)/2)*r0^(2^L)"));
  CHECK_FALSE(proved("C", "C^((3^L - 1)/2)*r0^(3^(L + 1))"));
  CHECK_FALSE(proved("C", "C^L*r0^(3^L)"));
  CHECK_FALSE(proved("C", "C^((3^L - 1)/2)*r0^(3^L)*s"));
  CHECK_FALSE(proved("2*C", "C^((3^L - 1)/2)*r0^(3^L)"));
  CHECK_FALSE(proved("C[L]", "prod(l, 0, L - 1, C[l]^(3^(L - l)))*r0^(3^L)"));
  CHECK_FALSE(proved("C[L]", "prod(l, 0, L - 1, C[l]^(3^l))*r0^(3^L)"));
  CHECK_FALSE(proved("C[L]", "prod(l, 0, L, C[l]^(3^(L - 1 - l)))*r0^(3^L)"));
  CHECK_FALSE(proved("C[L]", "prod(l, 1, L, C[l]^(3^(L - l)))*r0^(3^L)"));
  CHECK_FALSE(proved("C[L]", "prod(l, 0, L - 1, D[l]^(3^(L - 1 - l)))*r0^(3^L)"));
  CHECK_FALSE(proved("C[L]", "C[0]^((3^L - 1)/2)*r0^(3^L)"));

  const Proof wrong = closed_form("C", "C^(3^L/2)*r0^(3^L)");
  CHECK(wrong.failure == "base case L = 0, exponent of C fails: 1/2 = 0");
  const Proof later = closed_form("C", "C^(3^L - 1)*r0^(3^L)");
  CHECK(later.failure == "step, exponent of C fails: 1 + 3*(3^L - 1) = 3^(L + 1) - 1");
}

TEST_CASE("a claim without a normal form is not proved, and says why") {
  for (const char* claim :
       {"C^(sqrt(L))*r0^(3^L)", "prod(l, 0, L - 2, C[l])*r0", "-C*r0", "0*r0",
        "prod(l, 0, L - 1, prod(k, 0, L - 1, C[k]))*r0", "prod(l, 0, L - 1, C^(l*3^l))*r0"}) {
    const Proof proof = closed_form("C", claim);
    CHECK_MESSAGE(!proof.proved(), claim);
    CHECK_MESSAGE(proof.failure.find("is no product of powers") != std::string::npos, proof.failure);
  }
}

TEST_CASE("a proved closed form is what the recursion gives") {
  const Expression closed = parse("prod(l, 0, L - 1, C[l]^(3^(L - 1 - l)))*r0^(3^L)");
  Environment environment;
  Rational r(3, 2);
  environment.set("r0", r);
  for (long l = 0; l < 5; ++l) environment.set("C", {l}, Rational(l + 2, 7));
  for (long L = 0; L <= 5; ++L) {
    CHECK(evaluate_exact(closed, environment.set("L", L)) == r);
    r = Rational(L + 2, 7) * r * r * r;
  }
}

TEST_CASE("the depth bounds of the catalogue are the closed forms of their constants") {
  int shown = 0;
  for (const Statement& statement : catalogue())
    for (const Bound& bound : statement.bounds) {
      if (bound.span != Bound::Span::depth || !bound.constant) continue;
      INFO(statement.id, ": ", to_text(bound.right));
      std::vector<Replacement> of_layer;  // the constant of one layer, at layer L
      for (const FreeSymbol& symbol : free_symbols(*bound.constant))
        if (symbol.indices == 1)
          of_layer.emplace_back(sym(symbol.name, {"h"}), sym(symbol.name, {"L", "h"}));
        else if (symbol.name == "lambda")
          of_layer.emplace_back(sym("lambda"), sym("lambda", {"L"}));
      const Expression claimed = bound.prefactor ? bound.right / *bound.prefactor : bound.right;
      Expression start = sym("r0");
      for (const FreeSymbol& symbol : free_symbols(claimed))
        if (symbol.name.starts_with("diam")) start = sym(symbol.name);
      bool proved_one = false;
      for (const Expression& constant : {*bound.constant, substitute(*bound.constant, of_layer)}) {
        proved_one =
            proved_one || prove_closed_form({.constant = constant, .start = start}, claimed).proved();
        CHECK_FALSE(prove_closed_form({.constant = 2 * constant, .start = start}, claimed).proved());
      }
      CHECK(proved_one);
      ++shown;
    }
  CHECK(shown >= 10);
}

TEST_CASE("a proof lists its steps") {
  const Proof proof = closed_form("C", "C^((3^L - 1)/2)*r0^(3^L)");
  REQUIRE(proof.proved());
  CHECK(to_text(proof) ==
        "Claim: from r_{l+1} <= C_l r_l^3 with C_L = C and r_0 = r0 follows r_L <= C^((3^L - 1)/2)*r0^(3^L)\n"
        "Let C > 0, r0 > 0.\n"
        "1. base case L = 0, exponent of r0: 1 = 1\n"
        "2. step, t -> C t^3 does not decrease for t >= 0, so from r <= B follows: C*r^3 <= C*B^3\n"
        "3. step, exponent of C: 1 + 3*((3^L - 1)/2) = (3^(L + 1) - 1)/2\n"
        "4. step, exponent of r0: 0 + 3*3^L = 3^(L + 1)\n"
        "Proved.\n");
  const std::string latex = to_latex(proof);
  CHECK(latex.find(R"(\item step, exponent of C: $1 + 3 \frac{3^L - 1}{2} = \frac{3^{L + 1} - 1}{2}$)") !=
        std::string::npos);
  CHECK(latex.find("Let $C > 0$, $r_0 > 0$.") != std::string::npos);
  const Proof wrong = closed_form("C", "C^(3^L - 1)*r0^(3^L)");
  CHECK(to_text(wrong).find("[does not hold]") != std::string::npos);
  CHECK(to_text(wrong).find("Not proved: step, exponent of C fails") != std::string::npos);
}

TEST_CASE("the bound tends to 0 iff C r0^2 < 1, not iff C < 1") {
  const Expression bound = parse("C^((3^L - 1)/2)*r0^(3^L)");
  CHECK(prove_limit_criterion(bound, "L", parse("C*r0^2")).proved());
  CHECK_FALSE(prove_limit_criterion(bound, "L", parse("C")).proved());
  CHECK_FALSE(prove_limit_criterion(bound, "L", parse("C*r0")).proved());
  CHECK(contraction_rate(bound, "L") == parse("C*r0^2"));
  const Expression printed = parse("(4*beta/sqrt(d_qk))^((3^L - 1)/2)*r0^(3^L)");
  CHECK(prove_limit_criterion(printed, "L", parse("4*beta*r0^2/sqrt(d_qk)")).proved());
  CHECK(prove_limit_criterion(parse("sqrt(n - 1)") * printed, "L", parse("4*beta*r0^2/sqrt(d_qk)")).proved());
  CHECK_FALSE(prove_limit_criterion(parse("C^L*r0^(3^L)"), "L", parse("r0^2")).proved());
  CHECK_THROWS_AS(contraction_rate(parse("C^(9^L)"), "L"), InputError);
  CHECK_THROWS_AS(contraction_rate(parse("prod(l, 0, L - 1, C[l])"), "L"), InputError);
}

TEST_CASE("d log(bound) / d log(C) = (3^L - 1)/2") {
  const Expression bound = parse("(4*beta/sqrt(d_qk))^((3^L - 1)/2)*r0^(3^L)");
  CHECK(prove_sensitivity(bound, sym("beta"), parse("(3^L - 1)/2")).proved());
  CHECK(prove_sensitivity(bound, sym("d_qk"), parse("-(3^L - 1)/4")).proved());
  CHECK(prove_sensitivity(bound, sym("r0"), parse("3^L")).proved());
  CHECK(prove_sensitivity(bound, sym("absent"), parse("0")).proved());
  CHECK_FALSE(prove_sensitivity(bound, sym("beta"), parse("3^L/2")).proved());
  CHECK(sensitivity(parse("prod(l, 0, L - 1, C[l]^(3^(L - 1 - l)))*r0^(3^L)"), symbol("C", {sym("k")})) ==
        parse("3^(L - k - 1)"));
  CHECK_THROWS_AS(sensitivity(parse("(1 + beta)^L"), sym("beta")), InputError);
  CHECK_THROWS_AS(sensitivity(bound, parse("beta + 1")), InputError);
}

TEST_CASE("the sensitivity is the derivative") {
  const Expression C = sym("C"), bound = parse("C^((3^L - 1)/2)*r0^(3^L)");
  CHECK(certainly_equal(C * differentiate(log(bound), C), parse("(3^L - 1)/2")));
  const Expression layers = parse("prod(l, 0, 3, C[l]^(3^(3 - l)))");
  Environment environment;
  for (long l = 0; l < 4; ++l) environment.set("C", {l}, Rational(l + 1, 3));
  const Expression entry = symbol("C", {1});
  CHECK(evaluate_exact(differentiate(layers, entry) * entry / layers, environment) == Rational(9));
}
