#include "theory/averages/gaussian_rate.hpp"

#include <boost/multiprecision/eigen.hpp>
#include <cmath>

#include "numerics/errors.hpp"
#include "numerics/product.hpp"
#include "numerics/random.hpp"
#include "numerics/san/engine.hpp"
#include "numerics/softmax.hpp"

namespace rankfall::theory {
namespace {

/// Signs read off the bits of a number, one after the other.
class Signs {
 public:
  explicit Signs(std::uint64_t bits) : bits_(bits) {}
  int next() {
    const int sign = (bits_ & 1U) != 0 ? 1 : -1;
    bits_ >>= 1U;
    return sign;
  }
  BallMatrix matrix(Index rows, Index cols) {
    BallMatrix result(rows, cols);
    for (Index i = 0; i < result.size(); ++i) result.data()[i] = Ball(next());
    return result;
  }
  Matrix<Rational> rationals(Index rows, Index cols) {
    Matrix<Rational> result(rows, cols);
    for (Index i = 0; i < result.size(); ++i) result.data()[i] = next();
    return result;
  }

 private:
  std::uint64_t bits_;
};

std::uint64_t choices(Index signs) {
  if (signs > most_signs)
    throw DomainError("all signs of " + std::to_string(signs) + " entries; at most " +
                      std::to_string(most_signs) + " are gone through");
  return std::uint64_t{1} << static_cast<unsigned>(signs);
}

Ball frobenius_squared(const BallMatrix& matrix, Precision p) {
  Ball sum;
  for (Index i = 0; i < matrix.size(); ++i)
    arb_addmul(sum.raw(), matrix.data()[i].raw(), matrix.data()[i].raw(), p.bits);
  return sum;
}

BallMatrix sum_of(const BallMatrix& a, const BallMatrix& b, Precision p) {
  BallMatrix result = a;
  for (Index i = 0; i < result.size(); ++i) result.data()[i] = add(a.data()[i], b.data()[i], p);
  return result;
}

Matrix<double> midpoints(const BallMatrix& matrix) {
  Matrix<double> result(matrix.rows(), matrix.cols());
  for (Index i = 0; i < result.size(); ++i) result.data()[i] = to_double(matrix.data()[i]);
  return result;
}

}  // namespace

std::vector<BallMatrix> deviated_residuals(const Network& network, Precision p) {
  const ResidualEngine engine(network, p);
  const ResidualState state = engine.input(Reference::mean);
  std::vector<BallMatrix> result;
  for (const HeadTrace& head : engine.apply(0, state).heads) {
    const ScaledMatrix D = softmax_deviation(head.q, head.E, p);
    BallMatrix moved = product(D.mantissa, state.residual.mantissa, p);
    for (Index i = 0; i < moved.size(); ++i)
      moved.data()[i] = scale(moved.data()[i], Integer(D.exponent + state.residual.exponent));
    result.push_back(std::move(moved));
  }
  return result;
}

Ball squared_size(const std::vector<BallMatrix>& deviated, Precision p) {
  Ball sum;
  for (const BallMatrix& matrix : deviated) sum = add(sum, frobenius_squared(matrix, p), p);
  return sum;
}

Ball mean_over_signs(const std::vector<BallMatrix>& deviated, ValueWidths widths, Precision p) {
  const Index dim = deviated.front().cols(), heads = static_cast<Index>(deviated.size());
  const std::uint64_t all = choices(heads * widths.d_v * (dim + widths.output));
  Ball sum;
  for (std::uint64_t choice = 0; choice < all; ++choice) {
    Signs signs(choice);
    BallMatrix output(deviated.front().rows(), widths.output);
    for (const BallMatrix& moved : deviated) {
      const BallMatrix W_V = signs.matrix(dim, widths.d_v), W_O = signs.matrix(widths.d_v, widths.output);
      output = sum_of(output, product(product(moved, W_V, p), W_O, p), p);
    }
    sum = add(sum, frobenius_squared(output, p), p);
  }
  return div(sum, Ball(Integer(all)), p);
}

SampledRate sampled_rate(const std::vector<BallMatrix>& deviated, Index output, std::uint64_t samples,
                         std::uint64_t seed, double confidence) {
  const Index rows = deviated.front().rows(), dim = deviated.front().cols();
  std::vector<Matrix<double>> moved;
  Matrix<double> covariance = Matrix<double>::Zero(rows, rows);
  for (const BallMatrix& matrix : deviated) {
    moved.push_back(midpoints(matrix));
    covariance += moved.back() * moved.back().transpose();
  }
  const double deviation = 1 / std::sqrt(static_cast<double>(dim));
  double sum = 0;
  Matrix<double> W(dim, output);
  for (std::uint64_t s = 0; s < samples; ++s) {
    Matrix<double> residual = Matrix<double>::Zero(rows, output);
    for (std::size_t h = 0; h < moved.size(); ++h) {
      const Stream stream(seed, s, 1, h);
      for (Index i = 0; i < W.size(); ++i)
        W.data()[i] = deviation * stream.normal(static_cast<std::uint64_t>(i));
      residual += moved[h] * W;
    }
    sum += residual.squaredNorm();
  }
  // The sum is sum_i a_i (chi_i)^2: a the eigenvalues of the covariance over d, each `samples` times `output`
  // times.
  const double count = static_cast<double>(samples), x = std::log(2 / (1 - confidence));
  const double largest = covariance.norm() / static_cast<double>(dim);  // at least the largest a_i
  const double spread = largest * std::sqrt(count * static_cast<double>(output));
  return {samples, sum / count, 2 * spread * std::sqrt(x) / count,
          (2 * spread * std::sqrt(x) + 2 * largest * x) / count};
}

Rational leading_mean_over_signs(const Matrix<Rational>& R, Index d_qk, Index output) {
  const Index dim = R.cols();
  const Matrix<Rational> G = R.transpose() * R;
  const std::uint64_t all = choices(dim * (2 * d_qk + output));
  Rational sum = 0;
  for (std::uint64_t choice = 0; choice < all; ++choice) {
    Signs signs(choice);
    const Matrix<Rational> W_Q = signs.rationals(dim, d_qk), W_K = signs.rationals(dim, d_qk),
                           W = signs.rationals(dim, output);
    const Matrix<Rational> scores = W_Q * W_K.transpose(), lead = R * scores * G * W;
    for (Index i = 0; i < lead.size(); ++i) sum += lead.data()[i] * lead.data()[i];
  }
  const long n = static_cast<long>(R.rows());
  return sum / (Rational(Integer(all)) * n * n * static_cast<long>(d_qk));
}

}  // namespace rankfall::theory
