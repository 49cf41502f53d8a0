#include <fmt/format.h>

#include "numerics/random.hpp"
#include "theory/averages/l2_attention.hpp"
#include "theory/expression/evaluate.hpp"
#include "verify/average_instances.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;

constexpr char kim[] = "kim-lipschitz";

/// The catalogue's bounds of this attention.
LipschitzPair lipschitz_bounds(const L2Attention& attention, Index tokens) {
  const L2Constants constants = l2_constants(attention, tokens, average_precision);
  Environment values;
  const auto set = [&](const char* name, const Ball& value) {
    values.set(name, Magnitude(value, average_precision));
  };
  values.set("n", Rational(static_cast<long>(tokens)))
      .set("H", Rational(static_cast<long>(attention.size())));
  values.set("d_qk", Rational(static_cast<long>(attention.front().W_Q.cols())));
  set("c", constants.c);
  set("O_2", constants.O_2);
  set("O_1", constants.O_1);
  set("Q_1inf", constants.Q_1inf);
  set("V_1", constants.V_1);
  for (std::size_t h = 0; h < attention.size(); ++h) {
    values.set("Q_2", {static_cast<long>(h) + 1}, Magnitude(constants.Q_2[h], average_precision));
    values.set("V_2", {static_cast<long>(h) + 1}, Magnitude(constants.V_2[h], average_precision));
  }
  return {evaluate(formula(kim, 1), values, average_precision).to_ball(average_precision),
          evaluate(formula(kim, 2), values, average_precision).to_ball(average_precision)};
}

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : stream_(seed, 0, 0, 0) {}
  ExactMatrix matrix(Index rows, Index cols, double size) {
    std::vector<double> entries(static_cast<std::size_t>(rows * cols));
    for (double& entry : entries) entry = size * stream_.normal(next_++);
    return ExactMatrix::from(rows, cols, std::move(entries));
  }

 private:
  Stream stream_;
  std::uint64_t next_ = 0;
};

/// X moved a little: along a random direction.
BallMatrix moved(const BallMatrix& X, Draws& draws, double step) {
  const BallMatrix direction = draws.matrix(X.rows(), X.cols(), step).balls(average_precision);
  BallMatrix result = X;
  for (Index i = 0; i < X.size(); ++i)
    result.data()[i] = add(X.data()[i], direction.data()[i], average_precision);
  return result;
}

/// The largest quotients over several inputs and steps.
void add_quotients(std::vector<Confirmation>& all, std::uint64_t seed) {
  Draws draws(seed);
  const Index tokens = 2 + static_cast<Index>(seed % 5), dim = 1 + static_cast<Index>(seed % 3),
              heads = 1 + static_cast<Index>(seed % 2);
  L2Attention attention;
  for (Index h = 0; h < heads; ++h)
    attention.push_back({draws.matrix(dim, 2, 1), draws.matrix(dim, 2, 1), draws.matrix(2, dim, 1)});
  LipschitzPair largest;
  for (const double size : {0.1, 0.5, 1.0, 2.0, 8.0})
    for (const double step : {1e-12, 0.1, 3.0}) {
      const BallMatrix X = draws.matrix(tokens, dim, size).balls(average_precision);
      const LipschitzPair found = quotients(attention, X, moved(X, draws, step), average_precision);
      largest = {max(largest.frobenius, found.frobenius, average_precision),
                 max(largest.largest_entry, found.largest_entry, average_precision)};
    }
  const LipschitzPair bounds = lipschitz_bounds(attention, tokens);
  const std::string instance = fmt::format("{} tokens, dim {}, {} head{}: largest quotient of 15 steps",
                                           tokens, dim, heads, heads == 1 ? "" : "s");
  all.push_back(at_most(kim, instance + ", Frobenius", largest.frobenius, bounds.frobenius));
  all.push_back(at_most(kim, instance + ", largest entry", largest.largest_entry, bounds.largest_entry));
}

/// One dimension, weights 1: one token at 0, the others where the mean distance is largest, Delta = 1 + c;
/// the bound's lemma is attained there. The first token moves.
void add_extremal(std::vector<Confirmation>& all, Index tokens) {
  const ExactMatrix one = ExactMatrix::identity(1);
  const L2Attention attention{{one, one, one}};
  const Ball c = distance_limit(tokens, average_precision),
             place = sqrt(add(Ball(1), c, average_precision), average_precision);
  BallMatrix X(tokens, 1), Y;
  for (Index i = 1; i < tokens; ++i) X(i, 0) = i % 2 == 0 ? neg(midpoint(place)) : midpoint(place);
  Y = X;
  Y(0, 0) = scale(Ball(1), -40);
  const LipschitzPair bounds = lipschitz_bounds(attention, tokens),
                      found = quotients(attention, X, Y, average_precision);
  const std::string instance =
      fmt::format("{} tokens on a line, one between the others at the extremal distance", tokens);
  // The lemma is attained here: without room the sides could not be told apart at any precision.
  const Ball tolerance = scale(Ball(1), -200);
  all.push_back(at_most(kim, instance + ": mean distance against c + 2^-200",
                        mean_distance(attention[0], X, 0, average_precision),
                        add(upper(c, average_precision), tolerance, average_precision)));
  all.push_back(at_most(kim, instance + ", Frobenius", found.frobenius, bounds.frobenius));
  all.push_back(at_most(kim, instance + ", largest entry", found.largest_entry, bounds.largest_entry));
}

}  // namespace

std::vector<Confirmation> kim_lipschitz_instances() {
  std::vector<Confirmation> all;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) add_quotients(all, seed);
  for (const Index tokens : {2, 3, 9, 33}) add_extremal(all, tokens);
  return all;
}

}  // namespace rankfall::verify
