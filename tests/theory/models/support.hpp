#pragma once
#include "numerics/san/measures.hpp"

namespace rankfall::test {

/// Token i of a state, entry j.
inline Ball token(const ResidualState& state, Index i, Index j, Precision p) {
  return add(state.reference(j), scale(state.residual.mantissa(i, j), state.residual.exponent), p);
}

/// The last state of a network by the residual engine, about the propagated references.
inline ResidualState last_state(const Network& network, Precision p) {
  const ResidualEngine engine(network, p);
  ResidualState state = engine.input(Reference::mean);
  for (std::size_t block = 0; block < engine.blocks(); ++block) state = engine.apply(block, state).output;
  return state;
}

/// True when the two enclose one number to about `bits` relative bits: they overlap and are that narrow.
inline bool agree(const Ball& a, const Ball& b, long bits) {
  return overlap(a, b) && relative_accuracy_bits(a) >= bits && relative_accuracy_bits(b) >= bits;
}

inline bool agree(const Magnitude& a, const Magnitude& b, long bits, Precision p) {
  return agree(a.to_ball(p), b.to_ball(p), bits);
}

/// True when a lies in [low, high].
inline bool between(const Ball& a, const char* low, const char* high, Precision p) {
  return certainly_less(Ball(parse_number(low), p), a) && certainly_less(a, Ball(parse_number(high), p));
}

}  // namespace rankfall::test
