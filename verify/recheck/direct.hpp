#pragma once
#include <optional>
#include <string>
#include <vector>

#include "verify/recheck/recursion.hpp"

namespace rankfall::recheck {

/// The tokens of the input and of every state up to `layers`, as the textbook has it: X -> skip X + sum_h
/// softmax((X W_Q + b_Q)(X W_K + b_K)^T / sqrt(d_qk)) (X W_V + b_V) W_O + b_O, rounded outward to p bits.
std::vector<Matrix> textbook(const Network& network, std::size_t layers, Bits p);

/// How far, and at how many bits, the textbook was followed beside a recursion.
struct Witness {
  std::size_t last_state = 0;
  Bits bits{0};
  std::vector<std::string> contradictions;  ///< states whose tokens, or tokens about their mean, are disjoint
};

/// Holds the states of a recursion against the textbook, as deep as the bits that this takes are affordable:
/// as many as the tokens have in common, and enough behind them to know the residual to 16 bits. None where
/// not even the first layer is.
std::optional<Witness> direct_witness(const Recursion& followed);

}  // namespace rankfall::recheck
