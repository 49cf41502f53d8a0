#include "numerics/san/network.hpp"

#include <doctest/doctest.h>

#include <functional>

#include "numerics/errors.hpp"

using namespace rankfall;

namespace {

ExactMatrix ones(Index rows, Index cols) {
  return ExactMatrix::from(rows, cols, std::vector<double>(static_cast<std::size_t>(rows * cols), 1.0));
}

/// 4 -> 3 columns, d_qk 2, d_v 5.
Head factored() {
  Head head;
  head.W_Q = ones(4, 2);
  head.W_K = ones(4, 2);
  head.W_V = ones(4, 5);
  head.W_O = ones(5, 3);
  head.b_Q = ones(1, 2);
  head.b_K = ones(1, 2);
  head.b_V = ones(1, 5);
  head.d_qk = 2;
  return head;
}

Head fused() {
  Head head;
  head.fused = true;
  head.W_QK = ones(4, 4);
  head.W = ones(4, 3);
  head.d_qk = 1;
  return head;
}

/// 6 tokens: 4 -> 3 -> 3 columns.
Network sample() {
  AttentionBlock attention;
  attention.heads = {factored(), fused()};
  attention.b_O = ones(1, 3);
  MlpBlock mlp;
  mlp.skip = Rational(1) / 2;
  mlp.layers = {{ones(3, 7), ones(1, 7)}, {ones(7, 3), {}}};
  return {ones(6, 4), {attention, mlp}};
}

AttentionBlock& attention(Network& network) {
  return std::get<AttentionBlock>(network.blocks[0]);
}
MlpBlock& mlp(Network& network) {
  return std::get<MlpBlock>(network.blocks[1]);
}

std::string message_after(const std::function<void(Network&)>& change) {
  Network network = sample();
  change(network);
  try {
    validate(network);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a network knows its sizes") {
  const Network network = sample();
  CHECK_NOTHROW(validate(network));
  CHECK(network.tokens() == 6);
  CHECK(network.dim() == 4);
  CHECK(network.depth() == 1);
  CHECK(output_width(network.blocks[0], 4) == 3);
  CHECK(output_width(network.blocks[1], 3) == 3);
  CHECK(kind(network.blocks[0]) == "attention");
  CHECK(kind(network.blocks[1]) == "mlp");
  CHECK_NOTHROW(validate(Network{ones(1, 1), {}}));
}

TEST_CASE("every shape that breaks is named with its place and both shapes") {
  using Change = std::function<void(Network&)>;
  const std::vector<std::pair<Change, std::string>> cases{
      {[](Network& n) { n.input = {}; },
       "input: found shape 0 x 0; it needs at least one row (token) and one column"},
      {[](Network& n) { n.input = ExactMatrix(0, 4); },
       "input: found shape 0 x 4; it needs at least one row (token) and one column"},
      {[](Network& n) { n.input = ones(6, 5); },
       "blocks[0].heads[0].W_Q: found shape 4 x 2; it must have 5 rows, because the state it reads is 6 x 5 "
       "(tokens x d)"},
      {[](Network& n) { attention(n).heads[0].W_K = ones(4, 3); },
       "blocks[0].heads[0].W_K: found shape 4 x 3; it must be 4 x 2, like W_Q, which is 4 x 2"},
      {[](Network& n) { attention(n).heads[0].W_V = ones(3, 5); },
       "blocks[0].heads[0].W_V: found shape 3 x 5; it must have 4 rows, because the state it reads is 6 x 4 "
       "(tokens x d)"},
      {[](Network& n) { attention(n).heads[0].W_O = ones(4, 3); },
       "blocks[0].heads[0].W_O: found shape 4 x 3; it must have 5 rows, because W_V is 4 x 5"},
      {[](Network& n) { attention(n).heads[0].W_O = {}; },
       "blocks[0].heads[1].W: found shape 4 x 3; it must have 5 columns, because blocks[0].heads[0] puts out "
       "6 x 5"},
      {[](Network& n) { attention(n).heads[0].b_Q = ones(1, 3); },
       "blocks[0].heads[0].b_Q: found shape 1 x 3; it must be 1 x 2, because W_Q is 4 x 2"},
      {[](Network& n) { attention(n).heads[0].b_K = ones(2, 1); },
       "blocks[0].heads[0].b_K: found shape 2 x 1; it must be 1 x 2, because W_K is 4 x 2"},
      {[](Network& n) { attention(n).heads[0].b_V = ones(1, 4); },
       "blocks[0].heads[0].b_V: found shape 1 x 4; it must be 1 x 5, because W_V is 4 x 5"},
      {[](Network& n) { attention(n).heads[0].d_qk = 3; },
       "blocks[0].heads[0].d_qk: found 3; W_Q is 4 x 2, so it must be 2"},
      {[](Network& n) { attention(n).heads[0].W_Q = {}; },
       "blocks[0].heads[0].W_Q: found a matrix of shape 0 x 0; it needs at least one row and one column"},
      {[](Network& n) { attention(n).heads[0].W = ones(4, 3); },
       "blocks[0].heads[0]: found W_QK or W beside W_Q, W_K, W_V; a head takes one form or the other"},
      {[](Network& n) { attention(n).heads[1].W_QK = ones(4, 3); },
       "blocks[0].heads[1].W_QK: found shape 4 x 3; it must be 4 x 4, square, because the state it reads is "
       "6 x 4 (tokens x d)"},
      {[](Network& n) { attention(n).heads[1].W_QK = ones(3, 3); },
       "blocks[0].heads[1].W_QK: found shape 3 x 3; it must be 4 x 4, square, because the state it reads is "
       "6 x 4 "
       "(tokens x d)"},
      {[](Network& n) { attention(n).heads[1].W = ones(4, 2); },
       "blocks[0].heads[1].W: found shape 4 x 2; it must have 3 columns, because blocks[0].heads[0] puts out "
       "6 x 3"},
      {[](Network& n) { attention(n).heads[1].d_qk = 0; },
       "blocks[0].heads[1].d_qk: found 0; it must be a whole number of at least 1"},
      {[](Network& n) { attention(n).heads[1].b_K = ones(1, 1); },
       "blocks[0].heads[1]: found a factor or a bias beside W_QK; a head in the form W_QK, d_qk, W takes "
       "neither"},
      {[](Network& n) { attention(n).heads.clear(); },
       "blocks[0].heads: found no head; an attention block needs at least one"},
      {[](Network& n) { attention(n).b_O = ones(1, 4); },
       "blocks[0].b_O: found shape 1 x 4; it must be 1 x 3, because the heads put out 6 x 3"},
      {[](Network& n) { attention(n).skip = 1; },
       "blocks[0].skip: found a skip, but the block turns 4 columns into 3; a skip needs equal widths"},
      {[](Network& n) { mlp(n).layers.clear(); },
       "blocks[1].layers: found no layer; an mlp block needs at least one"},
      {[](Network& n) { mlp(n).layers[1].W = ones(6, 3); },
       "blocks[1].layers[1].W: found shape 6 x 3; it must have 7 rows, because the state it reads is 6 x 7 "
       "(tokens x d)"},
      {[](Network& n) { mlp(n).layers[0].b = ones(1, 3); },
       "blocks[1].layers[0].b: found shape 1 x 3; it must be 1 x 7, because W is 3 x 7"},
      {[](Network& n) { mlp(n).layers[1].W = ones(7, 4); },
       "blocks[1].skip: found a skip, but the block turns 3 columns into 4; a skip needs equal widths"},
  };
  for (const auto& [change, expected] : cases) CHECK(message_after(change) == expected);
}
