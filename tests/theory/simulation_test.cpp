#include "theory/simulation.hpp"

#include <doctest/doctest.h>

#include "numerics/san/generate.hpp"

using namespace rankfall;
using theory::Simulation;

namespace {

Network network_of(Index depth, Index heads) {
  GenerateSpec spec;
  spec.tokens = 5;
  spec.dim = 4;
  spec.depth = depth;
  spec.heads = heads;
  return generate(spec);
}

/// log2 of both, and to how many bits after the point the first one is known.
void same(const Magnitude& a, const Magnitude& b, long bits) {
  CHECK(overlap(a, b));
  CHECK(certainly_less(sub(upper(a.log2(), Precision(4000)), lower(a.log2(), Precision(4000)), Precision(64)),
                       scale(Ball(1), -bits)));
}

}  // namespace

TEST_CASE("a deep network is measured as it is in entry balls of many more bits, from every reference") {
  for (const Index heads : {1, 2}) {
    const Network network = network_of(40, heads);
    Simulation simulation(network, Precision(800));
    const ResidualEngine fine(network, Precision(3000));
    const auto states = mean_states(fine);
    const Precision p(3000);
    ResidualState propagated = fine.input(Reference::median);
    for (std::size_t k = 0; k < network.blocks.size(); ++k) {
      CAPTURE(k);
      const StateMeasures expected = measure(states[k], p);
      for (std::size_t r = 0; r < all_references.size(); ++r)
        same(simulation.state(k).residual[r], expected.residual[r], 100);
      same(simulation.state(k).composite_diameter, expected.composite_diameter, 100);
      same(simulation.own_view(k, Reference::midrange).start,
           residual_norm(recentred(states[k], Reference::midrange, p), p), 100);
      const auto& view = simulation.propagated_view(k, Reference::median);
      same(view.start, residual_norm(propagated, p), 100);
      propagated = fine.advance(k, propagated);
      same(view.end, residual_norm(propagated, p), 100);
    }
  }
}
