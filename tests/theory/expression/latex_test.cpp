#include "theory/expression/latex.hpp"

#include <doctest/doctest.h>

#include "tests/support.hpp"
#include "tests/theory/expression/random_expression.hpp"
#include "theory/expression/parse.hpp"
#include "theory/expression/print.hpp"

using namespace rankfall;
using namespace rankfall::theory;

namespace {

std::string latex(std::string_view text) {
  return to_latex(parse(text));
}

}  // namespace

TEST_CASE("formulas of the paper") {
  CHECK(latex("(4*gamma*beta*H/sqrt(d_qk))^((3^L-1)/2)*r0^(3^L)") ==
        R"(\left(\frac{4 \gamma \beta H}{\sqrt{d_{qk}}}\right)^{(3^L - 1)/2} r_0^{3^L})");
  CHECK(latex("sum(h, 1, H, W1[h]*t[h])") == R"(\sum_{h=1}^H W_{1,h} t_h)");
  CHECK(latex("prod(l, 0, L - 1, C[l]^(3^(L - 1 - l)))") == R"(\prod_{l=0}^{L - 1} C_l^{3^{L - 1 - l}})");
  CHECK(latex("sqrt(n - 1)*(beta/(2*sqrt(d_qk)))^((3^L - 1)/2)") ==
        R"(\sqrt{n - 1} \left(\frac{\beta}{2 \sqrt{d_{qk}}}\right)^{(3^L - 1)/2})");
  CHECK(latex("a[l,h]*diam_inf^2/4") == R"(\frac{a_{l,h} \mathrm{diam}_\infty^2}{4})");
  CHECK(latex("sum(k, 0, L, binomial(L, k)*H^k)") == R"(\sum_{k=0}^L \binom{L}{k} H^k)");
}

TEST_CASE("numbers") {
  CHECK(latex("1/2*x") == R"(\frac{1}{2} x)");
  CHECK(latex("x - 1/2") == R"(x - \frac{1}{2})");
  CHECK(latex("-2/3") == R"(-\frac{2}{3})");
  CHECK(latex("x^(1/2)") == R"(x^{1/2})");
  CHECK(latex("(1/2)^x") == R"(\left(\frac{1}{2}\right)^x)");
  CHECK(latex("0.628") == "0.628");
  CHECK(latex("1e-400*x") == R"(10^{-400} x)");
  CHECK(latex("2.5e-400*x") == R"((2.5 \cdot 10^{-400}) x)");
  CHECK(latex("2*3^L") == R"(2 \cdot 3^L)");
  CHECK(latex("x*2") == R"(x \cdot 2)");
}

TEST_CASE("signs and parentheses") {
  CHECK(latex("a - b*c - (d - e)") == "a - b c - (d - e)");
  CHECK(latex("-a*b/c") == R"(-\frac{a b}{c})");
  CHECK(latex("a*(-b)") == "a (-b)");
  CHECK(latex("(-a)^2") == "(-a)^2");
  CHECK(latex("a^(-b)") == "a^{-b}");
  CHECK(latex("(a^b)^c") == "(a^b)^c");
  CHECK(latex("x^(a/(b*c))") == "x^{a/(b c)}");
  CHECK(latex("(a + b)*c") == "(a + b) c");
  CHECK(latex("sum(i, 1, n, x)*y") == R"(\left(\sum_{i=1}^n x\right) y)");
  CHECK(latex("y*sum(i, 1, n, x + i)") == R"(y \sum_{i=1}^n (x + i))");
  CHECK(latex("sqrt(x)^2") == R"((\sqrt{x})^2)");
  CHECK(latex("abs(x/y)^2") == R"(\left|\frac{x}{y}\right|^2)");
}

TEST_CASE("functions and names") {
  CHECK(latex("max(tanh(x), exp(-x), log(2))") == R"(\max(\tanh(x), \exp(-x), \log(2)))");
  CHECK(latex("sign(x - y)") == R"(\operatorname{sgn}(x - y))");
  CHECK(latex("lambda + Gamma_12 + W_QK_inf + phi2_max") ==
        R"(\lambda + \Gamma_{12} + W_{QK,\infty} + \phi_{2,max})");
  CHECK(latex("depth") == R"(\mathrm{depth})");
  CHECK(latex("alpha_beta") == R"(\alpha_\beta)");
  CHECK(latex("a_") == "a");
}

TEST_CASE("braces always balance and no exponent stands on an exponent") {
  test::RandomExpression random(8);
  for (int i = 0; i < 3000 * test::multiplier(); ++i) {
    const Expression e = random.any(1 + i % 6);
    const std::string text = to_latex(e);
    INFO(to_text(e), "  ->  ", text);
    std::vector<bool> is_exponent;  // of the groups that are open
    bool after_exponent = false, stacked = false;
    for (std::size_t k = 0; k < text.size(); ++k) {
      stacked = stacked || (after_exponent && text[k] == '^');
      const bool closes_exponent = text[k] == '}' && !is_exponent.empty() && is_exponent.back();
      if (text[k] == '{') is_exponent.push_back(k > 0 && text[k - 1] == '^');
      if (text[k] == '}') {
        REQUIRE_FALSE(is_exponent.empty());
        is_exponent.pop_back();
      }
      const bool one_character = k > 0 && text[k - 1] == '^' && text[k] != '{' && text[k] != '\\';
      after_exponent = closes_exponent || one_character;
    }
    CHECK(is_exponent.empty());
    CHECK_FALSE(stacked);
  }
}
