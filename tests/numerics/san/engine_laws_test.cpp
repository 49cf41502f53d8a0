// Laws of the exact network that the enclosures must respect, over random networks of every kind: what two
// ways of writing one network compute overlaps, and sharply.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <numeric>

#include "tests/numerics/san/models.hpp"
#include "tests/random_network.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;
using Exact = Matrix<Rational>;

namespace {

constexpr Precision p(256);

std::vector<ResidualState> states_of(const Network& network) {
  return mean_states(ResidualEngine(network, p));
}

/// Compares pairs of states; most of them must be known well, or overlapping would say little.
class Comparison {
 public:
  void same(const ResidualState& a, const ResidualState& b) {
    CHECK(test::states_overlap(a, b));
    ++states_;
    sharp_ += test::exactly_zero(b) || (test::accuracy(a) >= 60 && test::accuracy(b) >= 60);
  }
  void same(const std::vector<ResidualState>& a, const std::vector<ResidualState>& b) {
    REQUIRE(a.size() == b.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
      CAPTURE(k);
      same(a[k], b[k]);
    }
  }
  ~Comparison() {
    CHECK(states_ > 0);
    CHECK(sharp_ * 10 >= states_ * 9);
  }

 private:
  int states_ = 0, sharp_ = 0;
};

/// law(network, seed, draws) for random networks.
template <class Law>
void over_random_networks(std::uint64_t first, Law law) {
  for (std::uint64_t seed = first; seed < first + 60 * static_cast<std::uint64_t>(test::multiplier());
       ++seed) {
    CAPTURE(seed);
    Draws draws(seed);
    law(test::RandomNetwork(seed).draw(), draws);
  }
}

ExactMatrix times(const ExactMatrix& matrix, const Rational& factor) {
  Exact result = test::rationals(matrix);
  for (Index i = 0; i < result.size(); ++i) result.data()[i] *= factor;
  return test::exact_matrix(result);
}

ExactMatrix times(const ExactMatrix& a, const Exact& b) {
  return test::exact_matrix(test::multiplied(test::rationals(a), b));
}

ExactMatrix times(const Exact& a, const ExactMatrix& b) {
  return test::exact_matrix(test::multiplied(a, test::rationals(b)));
}

ExactMatrix minus(const ExactMatrix& a, const ExactMatrix& b) {
  Exact result = test::rationals(a);
  const Exact taken = test::rationals(b);
  for (Index i = 0; i < result.size(); ++i) result.data()[i] -= taken.data()[i];
  return test::exact_matrix(result);
}

/// A bias, zeros where it is absent.
ExactMatrix filled(const ExactMatrix& bias, Index width) {
  return bias.empty() ? ExactMatrix(1, width) : bias;
}

/// Every head factored, with every bias: a fused one becomes W_Q = W_QK, W_K = 1, W_V = W with d_qk = d.
Network factored(Network network) {
  for (Block& block : network.blocks)
    if (auto* attention = std::get_if<AttentionBlock>(&block))
      for (Head& head : attention->heads) {
        if (head.fused) {
          head.W_Q = head.W_QK;
          head.W_K = ExactMatrix::identity(head.W_QK.rows());
          head.W_V = head.W;
          head.d_qk = head.W_QK.rows();
          head.W_QK = head.W = {};
          head.fused = false;
        }
        head.b_Q = filled(head.b_Q, head.d_qk);
        head.b_K = filled(head.b_K, head.d_qk);
        head.b_V = filled(head.b_V, head.W_V.cols());
      }
  return network;
}

template <class Change>
void for_every_head(Network& network, Change change) {
  for (Block& block : network.blocks)
    if (auto* attention = std::get_if<AttentionBlock>(&block))
      for (Head& head : attention->heads) change(head);
}

/// The state in another basis: rows times Q.
ResidualState turned(const ResidualState& state, const Exact& Q) {
  const Index n = state.residual.mantissa.rows(), width = Q.cols();
  ResidualState result{BallVector::Constant(width, Ball()),
                       {BallMatrix::Constant(n, width, Ball()), state.residual.exponent}};
  for (Index j = 0; j < width; ++j)
    for (Index k = 0; k < Q.rows(); ++k) {
      const Ball weight(Q(k, j), p);
      result.reference(j) = add(result.reference(j), mul(state.reference(k), weight, p), p);
      for (Index i = 0; i < n; ++i)
        result.residual.mantissa(i, j) =
            add(result.residual.mantissa(i, j), mul(state.residual.mantissa(i, k), weight, p), p);
    }
  return result;
}

/// The block between states in the bases `before` and `after`.
void turn(AttentionBlock& block, const Exact& before, const Exact& after) {
  const Exact back = before.transpose();
  for (Head& head : block.heads) {
    if (head.fused) {
      head.W_QK = times(times(back, head.W_QK), before);
      head.W = times(times(back, head.W), after);
      continue;
    }
    head.W_Q = times(back, head.W_Q);
    head.W_K = times(back, head.W_K);
    head.W_V = times(back, head.W_V);
    head.W_O = head.W_O.empty() ? test::exact_matrix(after) : times(head.W_O, after);
  }
  if (!block.b_O.empty()) block.b_O = times(block.b_O, after);
}
void turn(MlpBlock& block, const Exact& before, const Exact& after) {
  block.layers.front().W = times(Exact(before.transpose()), block.layers.front().W);
  block.layers.back().W = times(block.layers.back().W, after);
  if (!block.layers.back().b.empty()) block.layers.back().b = times(block.layers.back().b, after);
}

void turn(Normalisation&, const Exact&, const Exact&) {
  FAIL("a normalisation does not commute with rotations");
}

}  // namespace

TEST_CASE("permuting the tokens permutes every state") {
  Comparison comparison;
  over_random_networks(1000, [&](const Network& network, Draws& draws) {
    std::vector<Index> place(static_cast<std::size_t>(network.tokens()));
    std::iota(place.begin(), place.end(), Index(0));
    for (std::size_t i = place.size() - 1; i > 0; --i)
      std::swap(place[i], place[static_cast<std::size_t>(draws.integer(0, static_cast<long>(i)))]);
    Network permuted = network;
    Exact input = test::rationals(network.input);
    for (Index i = 0; i < network.tokens(); ++i)
      input.row(place[static_cast<std::size_t>(i)]) = test::rationals(network.input).row(i);
    permuted.input = test::exact_matrix(input);
    std::vector<ResidualState> moved = states_of(network);
    for (ResidualState& state : moved) {
      const BallMatrix rows = state.residual.mantissa;
      for (Index i = 0; i < rows.rows(); ++i)
        state.residual.mantissa.row(place[static_cast<std::size_t>(i)]) = rows.row(i);
    }
    comparison.same(moved, states_of(permuted));
  });
}

TEST_CASE("a constant row added to the input, taken back in the biases") {
  Comparison comparison;
  over_random_networks(2000, [&](const Network& drawn, Draws& draws) {
    const Network network = factored(drawn);
    Exact c = test::rationals(test::random_exact(1, network.dim(), draws));
    if (draws.coin()) c(0, 0) += 1000000;
    Network shifted = network;
    Exact input = test::rationals(network.input);
    for (Index i = 0; i < input.rows(); ++i) input.row(i) += c;
    shifted.input = test::exact_matrix(input);
    auto& block = std::get<AttentionBlock>(shifted.blocks.front());
    for (Head& head : block.heads) {
      head.b_Q = minus(head.b_Q, times(c, head.W_Q));
      head.b_K = minus(head.b_K, times(c, head.W_K));
      head.b_V = minus(head.b_V, times(c, head.W_V));
    }
    if (block.skip != 0)
      block.b_O = minus(filled(block.b_O, network.dim()), times(test::exact_matrix(c), block.skip));
    auto left = states_of(network);
    for (Index j = 0; j < network.dim(); ++j)
      left[0].reference(j) = add(left[0].reference(j), Ball(c(0, j), p), p);
    comparison.same(left, states_of(shifted));
  });
}

TEST_CASE("key biases have no influence") {
  Comparison comparison;
  over_random_networks(3000, [&](const Network& drawn, Draws& draws) {
    const Network network = factored(drawn);
    Network other = network;
    for_every_head(other, [&](Head& head) { head.b_K = test::random_exact(1, head.d_qk, draws); });
    comparison.same(states_of(network), states_of(other));
  });
}

TEST_CASE("a head split in two that attend alike") {
  Comparison comparison;
  over_random_networks(4000, [&](const Network& network, Draws& draws) {
    Network split = network;
    for (Block& block : split.blocks)
      if (auto* attention = std::get_if<AttentionBlock>(&block)) {
        Head &first = attention->heads.front(), second = first;
        ExactMatrix Head::*values = first.fused ? &Head::W : &Head::W_V;
        const ExactMatrix whole = first.*values;
        first.*values = test::random_exact(whole.rows(), whole.cols(), draws);
        second.*values = minus(whole, first.*values);
        second.b_V = {};
        attention->heads.push_back(second);
      }
    comparison.same(states_of(network), states_of(split));
  });
}

TEST_CASE("a factored head and its fused form") {
  Comparison comparison;
  over_random_networks(5000, [&](const Network& drawn, Draws&) {
    Network network = factored(drawn);
    for_every_head(network, [](Head& head) { head.b_Q = head.b_V = {}; });
    Network fused = network;
    for_every_head(fused, [](Head& head) {
      Head whole;
      whole.fused = true;
      whole.W_QK = times(head.W_Q, Exact(test::rationals(head.W_K).transpose()));
      whole.W = head.W_O.empty() ? head.W_V : test::multiplied(head.W_V, head.W_O);
      whole.d_qk = head.d_qk;
      head = whole;
    });
    comparison.same(states_of(network), states_of(fused));
  });
}

TEST_CASE("scaled values scale the residual of their layer") {
  Comparison comparison;
  over_random_networks(6000, [&](Network network, Draws& draws) {
    network.blocks.resize(1);
    std::get<AttentionBlock>(network.blocks[0]).skip = 0;
    const Rational factor = draws.coin() ? draws.fraction() + 1 : test::two_to(-500);
    Network scaled = network;
    for_every_head(scaled, [&](Head& head) {
      ExactMatrix Head::*values = head.fused ? &Head::W : &Head::W_V;
      head.*values = times(head.*values, factor);
    });
    ResidualState left = states_of(network)[1];
    ResidualState right = states_of(scaled)[1];
    for (Index i = 0; i < left.residual.mantissa.size(); ++i)
      left.residual.mantissa.data()[i] = mul(left.residual.mantissa.data()[i], Ball(factor, p), p);
    left.reference = right.reference = BallVector();  // the biases were not scaled
    comparison.same(left, right);
  });
}

TEST_CASE("queries times a factor, keys over it; values times a factor, outputs over it") {
  Comparison comparison;
  over_random_networks(7000, [&](const Network& drawn, Draws& draws) {
    const Network network = factored(drawn);
    const Rational factor(draws.integer(1, 50), draws.integer(1, 50));
    Network scaled = network;
    for_every_head(scaled, [&](Head& head) {
      head.W_Q = times(head.W_Q, factor);
      head.b_Q = times(head.b_Q, factor);
      head.W_K = times(head.W_K, 1 / factor);
      if (head.W_O.empty()) return;
      head.W_V = times(head.W_V, factor);
      head.b_V = times(head.b_V, factor);
      head.W_O = times(head.W_O, 1 / factor);
    });
    comparison.same(states_of(network), states_of(scaled));
  });
}

TEST_CASE("an exact rotation of the basis of every state") {
  Comparison comparison;
  over_random_networks(8000, [&](const Network& network, Draws& draws) {
    std::vector<Exact> bases{test::rational_rotation(network.dim(), draws)};
    Network rotated = network;
    rotated.input = times(network.input, bases[0]);
    for (Block& block : rotated.blocks) {
      const Index width = output_width(block, bases.back().rows());
      bases.push_back(skip(block) != 0 ? bases.back() : test::rational_rotation(width, draws));
      std::visit([&](auto& kind) { turn(kind, bases[bases.size() - 2], bases.back()); }, block);
    }
    std::vector<ResidualState> expected = states_of(network);
    for (std::size_t k = 0; k < expected.size(); ++k) expected[k] = turned(expected[k], bases[k]);
    comparison.same(expected, states_of(rotated));
  });
}

TEST_CASE("weights as doubles and as the decimals they are: the same balls") {
  over_random_networks(9000, [](const Network& network, Draws&) {
    const auto decimal = [](ExactMatrix& matrix) {
      std::vector<Rational> entries;
      for (Index i = 0; i < matrix.rows(); ++i)
        for (Index j = 0; j < matrix.cols(); ++j)
          entries.push_back(parse_number(fmt::format("{:.80f}", matrix(i, j).convert_to<double>())));
      const ExactMatrix read = ExactMatrix::from(matrix.rows(), matrix.cols(), entries);
      CHECK(read == matrix);
      matrix = read;
    };
    Network decimals = network;
    decimal(decimals.input);
    for_every_head(decimals, [&](Head& head) {
      for (ExactMatrix* weight :
           {&head.W_Q, &head.W_K, &head.W_V, &head.W_O, &head.b_Q, &head.b_K, &head.b_V, &head.W_QK, &head.W})
        if (!weight->empty()) decimal(*weight);
    });
    const auto a = states_of(network), b = states_of(decimals);
    REQUIRE(a.size() == b.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
      CHECK(a[k].residual.exponent == b[k].residual.exponent);
      for (Index i = 0; i < a[k].residual.mantissa.size(); ++i)
        CHECK(arb_equal(a[k].residual.mantissa.data()[i].raw(), b[k].residual.mantissa.data()[i].raw()));
      for (Index j = 0; j < a[k].reference.size(); ++j)
        CHECK(arb_equal(a[k].reference(j).raw(), b[k].reference(j).raw()));
    }
  });
}

TEST_CASE("a change of one value weight by a part in 2^100 is noticed by the comparison") {
  int networks = 0, noticed = 0;
  over_random_networks(9500, [&](const Network& network, Draws&) {
    Network changed = network;
    auto& head = std::get<AttentionBlock>(changed.blocks.front()).heads.front();
    ExactMatrix& values = head.fused ? head.W : head.W_V;
    Exact entries = test::rationals(values);
    entries(0, 0) += test::two_to(-100);
    values = test::exact_matrix(entries);
    ++networks;
    noticed += !test::states_overlap(states_of(network)[1], states_of(changed)[1]);
  });
  CHECK(noticed * 4 >= networks * 3);
}
