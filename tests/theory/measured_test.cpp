#include "theory/measured.hpp"

#include <doctest/doctest.h>

#include <set>

#include "numerics/errors.hpp"
#include "numerics/san/generate.hpp"
#include "theory/catalogue/catalogue.hpp"
#include "theory/expression/substitute.hpp"
#include "theory/instance.hpp"

using namespace rankfall;
using namespace rankfall::theory;

namespace {

Network network() {
  GenerateSpec spec;
  spec.tokens = 3;
  spec.dim = 4;
  spec.heads = 2;
  spec.depth = 2;
  return generate(spec);
}

}  // namespace

TEST_CASE("every measured symbol has a value, with each number of indices that it takes and no more") {
  const Network net = network();
  Simulation simulation(net, Precision(128));
  Reading reading;
  reading.to = 2;
  reading.span = Bound::Span::depth;
  reading.reference = Reference::mean;
  reading.constant = sym("a");
  const Instance instance(simulation, reading, End::high);
  for (const MeasuredSymbol& symbol : measured_symbols()) {
    CAPTURE(symbol.name);
    CHECK_FALSE(symbol.words.empty());
    std::vector<Expression> indices;
    for (std::size_t count = 0; count <= 3; ++count) {
      const Expression e = theory::symbol(symbol.name, indices);
      indices.emplace_back(1);
      if (count > symbol.most_indices) {
        CHECK_THROWS_AS(instance.evaluate(e), InputError);
        CHECK_THROWS_AS(check_measured(e), InputError);
        continue;
      }
      check_measured(e);
      instance.evaluate(e);
    }
  }
  CHECK_THROWS_WITH_AS(check_measured(sym("betta")), "unknown symbol 'betta'; did you mean 'beta'?",
                       InputError);
}

TEST_CASE("symbols that are read off E are those that a reading without reference does not know") {
  const Network net = network();
  Simulation simulation(net, Precision(128));
  Reading reading;
  reading.to = 2;
  reading.span = Bound::Span::depth;
  reading.constant = sym("a");
  const Instance instance(simulation, reading, End::high);
  for (const MeasuredSymbol& symbol : measured_symbols()) {
    CAPTURE(symbol.name);
    if (symbol.of_scores)
      CHECK_THROWS_AS(instance.evaluate(sym(symbol.name)), DomainError);
    else
      instance.evaluate(sym(symbol.name));
  }
}

TEST_CASE("the catalogue names measured symbols, but for families and what no block has yet") {
  for (const Statement& s : catalogue())
    for (const Bound& bound : s.bounds) {
      if (bound.family || s.scope.feature != Feature::none) continue;
      CAPTURE(s.id);
      check_measured(bound.right);
      for (const Expression& middle : bound.middle) check_measured(middle);
      if (bound.constant) check_measured(*bound.constant);
    }
}
