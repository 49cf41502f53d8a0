#include "numerics/san/direct_evaluation.hpp"

#include <doctest/doctest.h>

#include <random>

#include "numerics/errors.hpp"
#include "numerics/san/constant_columns.hpp"
#include "numerics/san/direct.hpp"

using namespace rankfall;

namespace {

ExactMatrix matrix(Index rows, Index cols, std::vector<Rational> entries) {
  return ExactMatrix::from(rows, cols, std::move(entries));
}

std::vector<Rational> random_entries(std::mt19937_64& bits, Index count) {
  std::vector<Rational> result;
  for (Index i = 0; i < count; ++i) result.emplace_back(static_cast<long>(bits() % 2001) - 1000, 1000);
  return result;
}

ExactMatrix random_matrix(std::mt19937_64& bits, Index rows, Index cols) {
  return matrix(rows, cols, random_entries(bits, rows * cols));
}

Head random_head(std::mt19937_64& bits, Index d) {
  Head head;
  head.W_Q = random_matrix(bits, d, d);
  head.W_K = random_matrix(bits, d, d);
  head.W_V = random_matrix(bits, d, d);
  head.d_qk = d;
  return head;
}

/// n tokens that differ in column 0 only.
ExactMatrix differing_in_column_0(std::mt19937_64& bits, Index n, Index d) {
  std::vector<Rational> entries = random_entries(bits, n * d);
  for (Index i = 1; i < n; ++i)
    for (Index j = 1; j < d; ++j)
      entries[static_cast<std::size_t>(i * d + j)] = entries[static_cast<std::size_t>(j)];
  return matrix(n, d, entries);
}

bool all_zero(const DirectMeasures<Real>& m) {
  for (const Real& v : {m.mean, m.median, m.midrange, m.diam_1, m.diam_2, m.diam_inf, m.diam_composite})
    if (!isinf(v) || v > 0) return false;
  return true;
}

bool none_zero(const DirectMeasures<Real>& m) {
  for (const Real& v : {m.mean, m.median, m.midrange, m.diam_1, m.diam_2, m.diam_inf, m.diam_composite})
    if (!isfinite(v)) return false;
  return true;
}

}  // namespace

TEST_CASE("zeros that the wiring makes are exact") {
  std::mt19937_64 bits(6);
  Network network;
  network.input = differing_in_column_0(bits, 4, 3);

  SUBCASE("a value matrix of zeros") {
    Head head = random_head(bits, 3);
    head.W_V = ExactMatrix(3, 3);
    head.b_V = random_matrix(bits, 1, 3);
    network.blocks.emplace_back(AttentionBlock{0, {head}, {}});
  }
  SUBCASE("values that do not see the column that varies") {
    Head head = random_head(bits, 3);
    std::vector<Rational> entries = random_entries(bits, 9);
    entries[0] = entries[1] = entries[2] = 0;
    head.W_V = matrix(3, 3, entries);
    network.blocks.emplace_back(AttentionBlock{0, {head}, {}});
  }
  SUBCASE("queries of zeros: every token attends alike") {
    Head head = random_head(bits, 3);
    head.W_Q = ExactMatrix(3, 3);
    network.blocks.emplace_back(AttentionBlock{0, {head}, {}});
  }
  SUBCASE("each query column that varies meets a key column that does not") {
    Head head = random_head(bits, 3);
    head.W_Q = matrix(3, 2, {1, 0, 2, 3, 4, 5});
    head.W_K = matrix(3, 2, {0, 1, 2, 3, 4, 5});
    head.d_qk = 2;
    network.blocks.emplace_back(AttentionBlock{0, {head}, {}});
  }
  SUBCASE("relu units that are off in every token") {
    network.blocks.emplace_back(MlpBlock{0,
                                         Activation::relu,
                                         {{random_matrix(bits, 3, 2), matrix(1, 2, {-9, -9})},
                                          {random_matrix(bits, 2, 3), random_matrix(bits, 1, 3)}}});
  }
  network.blocks.emplace_back(AttentionBlock{Rational(1, 2), {random_head(bits, 3)}, {}});
  const DirectEvaluation evaluation = direct_evaluation(network, 20);
  CHECK(none_zero(evaluation.states[0]));
  CHECK(all_zero(evaluation.states[1]));
  CHECK(all_zero(evaluation.states[2]));
}

TEST_CASE("a column is marked constant only when it is") {
  std::mt19937_64 bits(7);
  const ExactMatrix input = differing_in_column_0(bits, 4, 3);
  const ConstantColumns start = constant_columns(input);
  CHECK(start == ConstantColumns{false, true, true});
  const PrecisionScope scope{Precision(128)};
  const Matrix<Real> X = rounded<Real>(input);

  Head head = random_head(bits, 3);
  std::vector<Rational> entries = random_entries(bits, 9);
  entries[1] = 0;  // output column 1 does not see input column 0
  head.W_V = matrix(3, 3, entries);
  CHECK(constant_columns(AttentionBlock{0, {head}, {}}, start, X) == ConstantColumns{false, true, false});
  CHECK(constant_columns(AttentionBlock{1, {head}, {}}, start, X) == ConstantColumns{false, true, false});
  Head other = random_head(bits, 3);
  CHECK(constant_columns(AttentionBlock{0, {head, other}, {}}, start, X) ==
        ConstantColumns{false, false, false});
  other.W_V = ExactMatrix(3, 3);
  CHECK(constant_columns(AttentionBlock{1, {head, other}, {}}, start, X) ==
        ConstantColumns{false, true, false});
  CHECK(constant_columns(AttentionBlock{0, {other}, {}}, start, X) == ConstantColumns{true, true, true});
  CHECK(constant_columns(AttentionBlock{1, {other}, {}}, start, X) == start);

  // A unit that is on in one token, and one whose argument is too near to zero to be called off.
  const MlpBlock::Layer out{ExactMatrix::identity(1), {}};
  const auto unit = [&](const Rational& bias) {
    return constant_columns(
        MlpBlock{0, Activation::relu, {{matrix(3, 1, {1, 0, 0}), matrix(1, 1, {bias})}, out}}, start, X);
  };
  Rational most = input(0, 0);
  for (Index i = 1; i < 4; ++i) most = std::max(most, input(i, 0));
  CHECK(unit(-most + Rational(1, 100)) == ConstantColumns{false});
  CHECK(unit(-most - power(Rational(2), -100)) == ConstantColumns{false});
  CHECK(unit(-most - Rational(1, 100)) == ConstantColumns{true});
}

TEST_CASE("tiny weights beside a bias are not mistaken for zeros") {
  // relu(1 + 10^-200 x) varies by 10^-200, far below the first run's precision.
  Network network;
  network.input = matrix(2, 1, {0, 1});
  network.blocks.emplace_back(MlpBlock{
      0,
      Activation::relu,
      {{matrix(1, 1, {power(Rational(10), -200)}), matrix(1, 1, {1})}, {ExactMatrix::identity(1), {}}}});
  const DirectEvaluation evaluation = direct_evaluation(network, 20);
  const PrecisionScope scope{Precision(200)};
  CHECK(overlap(agreed(evaluation.states[1].diam_1, 20), Ball(-200)));
  CHECK(relative_accuracy_bits(agreed(evaluation.states[1].diam_1, 20)) >= 60);
}

TEST_CASE("residuals below every double: the scalar model at depth 7") {
  // Tokens x + a, x - a: queries about x leave scores w a^2 up to a shift of each row, so a' = v a tanh(w
  // a^2), x' = v x. The common part x is what the residual must be told apart from.
  Network network;
  network.input = matrix(2, 1, {8, 6});
  Rational x = 7;
  for (int layer = 0; layer < 7; ++layer) {
    Head head;
    head.W_Q = matrix(1, 1, {Rational(1, 10)});
    head.b_Q = matrix(1, 1, {-x / 10});
    head.W_K = ExactMatrix::identity(1);
    head.W_V = matrix(1, 1, {Rational(9, 10)});
    head.d_qk = 1;
    network.blocks.emplace_back(AttentionBlock{0, {head}, {}});
    x *= Rational(9, 10);
  }
  const DirectEvaluation evaluation = direct_evaluation(network, 40);
  CHECK(evaluation.bits > 1000);
  const PrecisionScope scope{Precision(evaluation.bits)};
  Real a(1);
  for (int layer = 0; layer < 7; ++layer) {
    a = a * Real(9) / 10 * tanh(Real(a * a / 10));
    const auto& state = evaluation.states[static_cast<std::size_t>(layer) + 1];
    CHECK(overlap(agreed(state.diam_1, 40), to_ball(Real(log10(Real(2 * a))))));
    CHECK(relative_accuracy_bits(agreed(state.diam_1, 40)) > 100);
  }
}

TEST_CASE("what would take too many bits is refused with the number") {
  std::mt19937_64 bits(8);
  Network network;
  network.input = random_matrix(bits, 4, 4);
  for (int layer = 0; layer < 40; ++layer)
    network.blocks.emplace_back(AttentionBlock{0, {random_head(bits, 4)}, {}});
  try {
    direct_evaluation(network, 10);
    FAIL("depth 40 cannot be affordable");
  } catch (const PrecisionLimit& limit) {
    const std::string text = limit.what();
    CAPTURE(text);
    CHECK(text.find("e+") != std::string::npos);
    CHECK(text.find("bits are needed") != std::string::npos);
    CHECK(text.find("the limit is 262144 bits") != std::string::npos);
  }
  network.blocks.resize(3);
  CHECK_THROWS_AS(direct_evaluation(network, 10, 200), PrecisionLimit);
  CHECK_THROWS_AS(direct_evaluation(network, 10, 10), PrecisionLimit);
  CHECK_NOTHROW(direct_evaluation(network, 10));
  CHECK_THROWS_AS(direct_evaluation(network, 0), DomainError);
}

TEST_CASE("a zero that only exact arithmetic could show is refused, not guessed") {
  // The residual (1, -1) lies in the kernel of the values (1, 1)^T.
  Head head;
  head.fused = true;
  head.W_QK = ExactMatrix::identity(2);
  head.W = matrix(2, 1, {Rational(1, 3), Rational(1, 3)});
  head.d_qk = 1;
  Network network;
  network.input = matrix(2, 2, {Rational(1, 7), Rational(2, 7), Rational(2, 7), Rational(1, 7)});
  network.blocks.emplace_back(AttentionBlock{0, {head}, {}});
  CHECK_THROWS_WITH_AS(direct_evaluation(network, 10), doctest::Contains("may be exactly equal"),
                       PrecisionLimit);
}

TEST_CASE("the agreed interval is centred, relative above one and absolute below") {
  const PrecisionScope scope{Precision(200)};
  const Ball large = agreed(Real(-1000), 10), small = agreed(Real(1) / 8, 10);
  CHECK(contains(large, Rational(-1000)));
  CHECK(contains(large, -1000 - Rational(99, 1000000000)));
  CHECK_FALSE(contains(large, -1000 - Rational(101, 1000000000)));
  CHECK(contains(small, Rational(1, 8) + Rational(99, 1000000000000)));
  CHECK_FALSE(contains(small, Rational(1, 8) + Rational(101, 1000000000000)));
  CHECK_THROWS_AS(agreed(Real(-1) / Real(0), 10), DomainError);
}
