// What a double or float32 evaluation, taken at its word, would say about a bound that is proved.
#include <doctest/doctest.h>

#include <cmath>
#include <optional>
#include <string>

#include "numerics/san/direct.hpp"
#include "numerics/san/direct_measures.hpp"
#include "numerics/san/generate.hpp"
#include "theory/catalogue/catalogue.hpp"
#include "verify/check.hpp"

using namespace rankfall;
using namespace rankfall::verify;

namespace {

struct FalseRefutation {
  std::size_t layer;
  double decades;  ///< how far the naive residual lies above the bound
};

/// Where the naive diameter exceeds the certified upper end of the bound on it.
template <class Scalar>
std::optional<FalseRefutation> expose(const Network& network, const CheckResult& certified) {
  const auto states = evaluate<Scalar>(network);
  std::optional<FalseRefutation> first;
  for (const Decision& d : certified.decisions) {
    if (d.quantity != theory::Quantity::composite_diameter) continue;
    REQUIRE(d.verdict == Verdict::proved);
    const double bound = to_double(upper(d.right.upper.log10(Precision(64)), Precision(64)));
    const double naive = static_cast<double>(measure(states[d.to]).diam_composite);
    const double truth = to_double(d.left.upper.log10(Precision(64)));
    MESSAGE(std::string(sizeof(Scalar) == 4 ? "float32" : "double"), ", layer ", d.to, ": certified 10^",
            truth, ", bound 10^", bound, ", naive 10^", naive);
    if (naive <= bound) continue;
    if (!first) first = FalseRefutation{d.to, naive - bound};
  }
  return first;
}

}  // namespace

// docs/naive-arithmetic.md quotes this test; run it with -s to see the numbers.
TEST_CASE("naive arithmetic refutes a proved bound at layer 4, then claims exact collapse") {
  GenerateSpec spec;
  spec.depth = 8;
  const Network network = generate(spec);
  CheckOptions options;
  options.statements = {"composite-diameter"};
  const CheckResult certified = check(network, options);
  const auto single = expose<float>(network, certified), twice = expose<double>(network, certified);
  REQUIRE(single.has_value());
  REQUIRE(twice.has_value());
  CHECK(single->layer == 4);
  CHECK(single->decades > 8);
  CHECK(twice->layer == 4);
  CHECK(twice->decades > 1);
  // One layer on, the tokens are equal bit for bit and naive arithmetic says exactly zero; the truth is
  // 10^-60.
  CHECK(std::isinf(static_cast<double>(measure(evaluate<double>(network)[5]).diam_composite)));
  CHECK(certified.states[5].composite_diameter.certainly_positive());
}
