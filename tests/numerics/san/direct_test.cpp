#include "numerics/san/direct.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <thread>

#include "numerics/errors.hpp"
#include "numerics/san/direct_measures.hpp"
#include "numerics/thread_caches.hpp"

using namespace rankfall;

namespace {

ExactMatrix matrix(Index rows, Index cols, std::vector<Rational> entries) {
  return ExactMatrix::from(rows, cols, std::move(entries));
}

/// Two tokens +-a, one head with score weight w and value weight v: a' = v a tanh(w a^2).
Network scalar_model(const Rational& a, const Rational& w, const Rational& v, int depth) {
  Head head;
  head.fused = true;
  head.W_QK = matrix(1, 1, {w});
  head.W = matrix(1, 1, {v});
  head.d_qk = 1;
  Network network;
  network.input = matrix(2, 1, {a, -a});
  for (int layer = 0; layer < depth; ++layer) network.blocks.emplace_back(AttentionBlock{0, {head}, {}});
  return network;
}

template <class Scalar>
double error_of_scalar_model() {
  const Network network = scalar_model(1, Rational(1, 10), 1, 1);
  const auto states = evaluate<Scalar>(network);
  return std::abs(static_cast<double>(states.back()(0, 0)) - std::tanh(0.1));
}

/// A head with all matrices and biases, 2 tokens to 2 outputs through 1 query and 1 value column.
Network small_factored() {
  Head head;
  head.W_Q = matrix(2, 1, {1, 2});
  head.W_K = matrix(2, 1, {-1, 1});
  head.W_V = matrix(2, 1, {3, -1});
  head.W_O = matrix(1, 2, {2, Rational(1, 2)});
  head.b_Q = matrix(1, 1, {Rational(1, 4)});
  head.b_K = matrix(1, 1, {Rational(-1, 8)});
  head.b_V = matrix(1, 1, {5});
  head.d_qk = 1;
  Network network;
  network.input = matrix(2, 2, {1, 0, 0, 1});
  network.blocks.emplace_back(AttentionBlock{Rational(1, 2), {head, head}, matrix(1, 2, {7, -7})});
  return network;
}

}  // namespace

TEST_CASE("the scalar model in float, double and 300 bits") {
  CHECK(error_of_scalar_model<float>() < 1e-7);
  CHECK(error_of_scalar_model<double>() < 1e-15);
  const PrecisionScope scope{Precision(300)};
  const auto states = evaluate<Real>(scalar_model(1, Rational(1, 10), 1, 1));
  const Real expected = tanh(rounded<Real>(Rational(1, 10)));
  CHECK(abs(Real(states.back()(0, 0) - expected)) < ldexp(Real(1), -298));
  CHECK(states.back()(1, 0) == -states.back()(0, 0));
}

TEST_CASE("biases, two heads, output matrix and skip, worked by hand") {
  // Q = (5/4, 9/4), K = (-9/8, 7/8), V = (8, 4): scores q_i k_j, the gap between keys is 2.
  const auto states = evaluate<double>(small_factored());
  for (const int token : {0, 1}) {
    const double query = token == 0 ? 1.25 : 2.25;
    const double second = 1 / (1 + std::exp(-2 * query));
    const double mixed = 8 * (1 - second) + 4 * second;
    CHECK(states[1](token, 0) == doctest::Approx((token == 0 ? 0.5 : 0.0) + 4 * mixed + 7).epsilon(1e-14));
    CHECK(states[1](token, 1) == doctest::Approx((token == 1 ? 0.5 : 0.0) + mixed - 7).epsilon(1e-14));
  }
}

TEST_CASE("an MLP applies its activation between layers and not after the last") {
  Network network;
  network.input = matrix(2, 1, {1, -2});
  network.blocks.emplace_back(
      MlpBlock{3,
               Activation::relu,
               {{matrix(1, 2, {1, -1}), matrix(1, 2, {Rational(1, 2), 0})}, {matrix(2, 1, {-1, 10}), {}}}});
  const auto states = evaluate<double>(network);
  CHECK(states[1](0, 0) == 3 - 1.5);    // relu(1.5, -1) = (1.5, 0)
  CHECK(states[1](1, 0) == -6 + 20.0);  // relu(-1.5, 2) = (0, 2)
}

TEST_CASE("activations in the textbook formulas") {
  Matrix<double> x(1, 3);
  x << -1.5, 0.0, 2.0;
  const auto of = [&](Activation activation, Index j) { return activated<double>(activation, x)(0, j); };
  CHECK(of(Activation::identity, 0) == -1.5);
  CHECK(of(Activation::relu, 0) == 0.0);
  CHECK(of(Activation::relu, 2) == 2.0);
  CHECK(of(Activation::tanh, 2) == std::tanh(2.0));
  CHECK(of(Activation::silu, 0) == doctest::Approx(-1.5 / (1 + std::exp(1.5))).epsilon(1e-15));
  CHECK(of(Activation::gelu, 2) == doctest::Approx(1.9544997361036416).epsilon(1e-15));
  CHECK(of(Activation::gelu_tanh, 2) == doctest::Approx(1.9545976940877752).epsilon(1e-15));
  CHECK(of(Activation::gelu, 1) == 0.0);
}

TEST_CASE("equal tokens stay bitwise equal and measure exactly zero") {
  std::mt19937_64 bits(5);
  const auto entries = [&](int count) {
    std::vector<Rational> result;
    result.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) result.emplace_back(static_cast<long>(bits() % 2001) - 1000, 700);
    return result;
  };
  Head head;
  head.W_Q = matrix(3, 3, entries(9));
  head.W_K = matrix(3, 3, entries(9));
  head.W_V = matrix(3, 3, entries(9));
  head.d_qk = 3;
  Network network;
  const std::vector<Rational> token = entries(3);
  std::vector<Rational> input;
  for (int i = 0; i < 7; ++i) input.insert(input.end(), token.begin(), token.end());
  network.input = matrix(7, 3, input);
  network.blocks.emplace_back(AttentionBlock{Rational(1, 3), {head}, {}});
  network.blocks.emplace_back(
      MlpBlock{1, Activation::gelu, {{matrix(3, 3, entries(9)), {}}, {matrix(3, 3, entries(9)), {}}}});

  for (const Matrix<double>& state : evaluate<double>(network)) {
    const auto measures = measure(state);
    for (const double zero : {measures.mean, measures.median, measures.midrange, measures.diam_1,
                              measures.diam_2, measures.diam_inf, measures.diam_composite})
      CHECK(zero == -INFINITY);
  }
  const PrecisionScope scope{Precision(160)};
  for (const Matrix<Real>& state : evaluate<Real>(network)) {
    const auto measures = measure(state);
    for (const Real& zero :
         {measures.mean, measures.median, measures.midrange, measures.diam_1, measures.diam_2})
      CHECK((isinf(zero) && zero < 0));
  }
}

TEST_CASE("measures of the column (0, 0, 1) and of a row of extremes") {
  Matrix<double> column(3, 1);
  column << 0, 0, 1;
  const auto measures = measure(column);
  CHECK(measures.mean == doctest::Approx(std::log10(std::sqrt(8.0 / 9.0))).epsilon(1e-14));
  CHECK(measures.median == 0.0);
  CHECK(measures.midrange == doctest::Approx(std::log10(std::sqrt(0.75))).epsilon(1e-14));
  CHECK(measures.norm == 0.0);

  Matrix<double> even(4, 2);
  even << 1, 0, 2, 0, 4, 0, 100, 0;  // median 3, deviations 2, 1, 1, 97
  CHECK(measure(even).median == doctest::Approx(std::log10(std::sqrt(101.0 * 97.0))).epsilon(1e-14));

  Matrix<double> tiny(2, 2);  // squares underflow
  tiny << 3e-200, 4e-200, 0, 0;
  CHECK(measure(tiny).diam_1 == doctest::Approx(std::log10(7e-200)).epsilon(1e-14));
  CHECK(measure(tiny).diam_2 == doctest::Approx(std::log10(5e-200)).epsilon(1e-14));
  CHECK(measure(tiny).diam_inf == doctest::Approx(std::log10(4e-200)).epsilon(1e-14));
  CHECK(measure(tiny).diam_composite == doctest::Approx(std::log10(std::sqrt(28.0) * 1e-200)).epsilon(1e-14));

  CHECK(measure(tiny, {false, true}).diam_1 == doctest::Approx(std::log10(3e-200)).epsilon(1e-14));
  tiny(0, 0) = INFINITY;
  CHECK(std::isnan(measure(tiny).mean));
}

TEST_CASE("attention scores far beyond the range of exp saturate instead of overflowing") {
  const auto states = evaluate<double>(scalar_model(1000, 1000, 1, 3));
  CHECK(states.back()(0, 0) == 1000.0);
  const PrecisionScope scope{Precision(100)};
  const auto real = evaluate<Real>(scalar_model(Rational(1000), power(Rational(10), 400), 1, 2));
  CHECK(real.back()(0, 0) == 1000);
}

TEST_CASE("shapes that break are refused by name") {
  Network network = small_factored();
  network.input = matrix(2, 1, {1, 2});
  CHECK_THROWS_WITH_AS(evaluate<double>(network), "product of a 2 x 1 and a 2 x 1 matrix", InputError);
}

TEST_CASE("evaluations at several precisions in several threads do not disturb each other") {
  std::vector<std::thread> threads;
  std::vector<int> good(4, 0);
  for (std::size_t t = 0; t < good.size(); ++t)
    threads.emplace_back([&, t] {
      const ThreadCaches caches;
      const long bits = 100 + 400 * static_cast<long>(t);
      bool right = true;
      for (int repeat = 0; repeat < 5; ++repeat) {
        const PrecisionScope scope{Precision(bits)};
        const auto states = evaluate<Real>(scalar_model(1, Rational(1, 10), 1, 2));
        const Real first = tanh(rounded<Real>(Rational(1, 10)));
        const Real second = first * tanh(Real(first * first / 10));
        right = right && mpfr_get_prec(states.back()(0, 0).backend().data()) >= bits;
        right = right && abs(Real(states.back()(0, 0) - second)) < ldexp(Real(1), 4 - static_cast<int>(bits));
      }
      good[t] = right ? 1 : 0;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(good == std::vector<int>(4, 1));
}

TEST_CASE("gelu over reals is x erfc(-x / sqrt 2) / 2 as MPFR has it, at every distance from zero") {
  for (const long bits : {90L, 700L})
    for (const double size : {0.0, 1e-200, 0.01, 1.0, 7.0, 12.0, 20.0, 40.0, 1e3, 1e9})
      for (const double x : {size, -size}) {
        CAPTURE(bits);
        CAPTURE(x);
        Real value;
        {
          const PrecisionScope scope{Precision(bits)};
          value = activated<Real>(Activation::gelu, Matrix<Real>::Constant(1, 1, Real(x)))(0, 0);
        }
        const PrecisionScope scope{Precision(2 * bits)};
        Real erfc = -Real(x) / sqrt(Real(2));
        mpfr_erfc(erfc.backend().data(), erfc.backend().data(), MPFR_RNDN);
        const Real expected = Real(x) * erfc / 2;
        // Where erfc is small, its relative error is that of its argument times 2 x^2.
        const Real tolerance = abs(expected) * ldexp(Real(10 + 4 * x * x), static_cast<int>(-bits));
        CHECK((isnan(value) || isinf(value)) == false);
        CHECK(abs(Real(value - expected)) <= tolerance);
      }
}
