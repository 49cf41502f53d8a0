#include "theory/chain_proof.hpp"

#include <doctest/doctest.h>

#include "theory/catalogue/catalogue.hpp"

using namespace rankfall::theory;

TEST_CASE("every depth bound with a constant is its chain, and no longer with another constant") {
  int shown = 0;
  for (const Statement& s : catalogue())
    for (Bound bound : s.bounds) {
      const auto proof = prove_chain(bound);
      CHECK(proof.has_value() == (bound.span == Bound::Span::depth && bound.constant));
      if (!proof) continue;
      INFO(s.id, ": ", to_text(*proof));
      CHECK(proof->proved());
      ++shown;
      bound.constant = 2 * *bound.constant;
      CHECK_FALSE(prove_chain(bound)->proved());
    }
  CHECK(shown >= 10);
}

TEST_CASE("chaining is proved in each of its parts") {
  const std::vector<Proof> parts = prove_chaining();
  CHECK(parts.size() == 4);
  for (const Proof& part : parts) CHECK(part.proved());
}
