#include "theory/averages/noci_correlation.hpp"

#include <doctest/doctest.h>

#include <boost/multiprecision/eigen.hpp>

#include "numerics/real.hpp"
#include "numerics/san/direct.hpp"

using namespace rankfall;
using namespace rankfall::theory;

namespace {

Matrix<Rational> tokens() {
  Matrix<Rational> X(3, 2);
  X << Rational(1), Rational(1, 2), Rational(-2), Rational(3), Rational(1, 3), Rational(0);
  return X;
}

}  // namespace

TEST_CASE("the laws are centred with E W W^T = I, others are not") {
  CHECK(fits(signed_permutations(1)));
  CHECK(fits(signed_permutations(3)));
  CHECK(signed_permutations(3).size() == 48);
  CHECK(fits(single_entries(2)));
  CHECK_FALSE(fits({tokens().topRows(2)}));
  ValueLaw off_centre = signed_permutations(2);
  off_centre.pop_back();
  CHECK_FALSE(fits(off_centre));
}

TEST_CASE("moments of one column, signs gone through by hand") {
  // X = (1, 0), alpha = 1/2, one layer: rows move by +-1/4
  Matrix<Rational> X(2, 1);
  X << Rational(1), Rational(0);
  const Moments branch = moments(X, Rational(1, 2), SkipForm::branch, signed_permutations(1), 1);
  CHECK(branch.sum_squared == Rational(5, 4));  // ((3/2)^2 + (1/2)^2)/2
  CHECK(branch.size == Rational(9, 8));         // (25 + 1 + 9 + 1)/16/2
  const Moments skip = moments(X, Rational(1, 2), SkipForm::skip, signed_permutations(1), 1);
  CHECK(skip.sum_squared == Rational(5, 4));  // ((3/2)^2 + (1/2)^2)/2
  CHECK(skip.size == Rational(3, 4));         // (1 + 1/4 + 0 + 1/4)/2
}

TEST_CASE("the layers are those of a network with zero scores") {
  const PrecisionScope scope{Precision(128)};
  const ValueLaw law = signed_permutations(2);
  for (const SkipForm form : {SkipForm::branch, SkipForm::skip}) {
    Moments mean{0, 0};
    Real sum_squared = 0, size = 0;
    for (const Matrix<Rational>& first : law)
      for (const Matrix<Rational>& second : law) {
        const Matrix<Real> X =
            evaluate<Real>(uniform_network(tokens(), Rational(3, 4), form, {first, second})).back();
        for (Index j = 0; j < X.cols(); ++j) {
          Real sum = 0;
          for (Index i = 0; i < X.rows(); ++i) {
            sum += X(i, j);
            size += X(i, j) * X(i, j);
          }
          sum_squared += sum * sum;
        }
      }
    mean = moments(tokens(), Rational(3, 4), form, law, 2);
    const Real count = static_cast<double>(law.size() * law.size());
    CHECK(abs(Real(sum_squared / count - rounded<Real>(mean.sum_squared))) < 1e-30);
    CHECK(abs(Real(size / count - rounded<Real>(mean.size))) < 1e-30);
  }
}
