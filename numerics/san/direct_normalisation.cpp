#include "numerics/san/direct_normalisation.hpp"

#include <cmath>
#include <vector>

namespace rankfall {
namespace {

template <class Scalar>
void standardise(std::vector<Scalar*>& entries, const Scalar& epsilon) {
  using std::sqrt;
  const Scalar count = rounded<Scalar>(Rational(entries.size()));
  bool equal = true;  // rounding the mean must not tell equal entries apart
  Scalar mean(0), variance(0);
  for (const Scalar* entry : entries) {
    mean += *entry;
    equal = equal && *entry == *entries.front();
  }
  mean = equal ? *entries.front() : Scalar(mean / count);
  for (Scalar* entry : entries) {
    *entry -= mean;
    variance += *entry * *entry;
  }
  const Scalar deviation = sqrt(Scalar(variance / count + epsilon));
  for (Scalar* entry : entries) *entry /= deviation;
}

}  // namespace

template <class Scalar>
Matrix<Scalar> normalised(const Normalisation& norm, Matrix<Scalar> X) {
  const Scalar epsilon = rounded<Scalar>(norm.epsilon);
  const bool rows = norm.of == Normalisation::Of::token;
  for (Index a = 0; a < (rows ? X.rows() : X.cols()); ++a) {
    std::vector<Scalar*> entries;
    for (Index b = 0; b < (rows ? X.cols() : X.rows()); ++b) entries.push_back(rows ? &X(a, b) : &X(b, a));
    standardise(entries, epsilon);
  }
  for (Index j = 0; j < X.cols(); ++j) {
    const Scalar scale = norm.scale.empty() ? Scalar(1) : rounded<Scalar>(norm.scale(0, j));
    const Scalar shift = norm.shift.empty() ? Scalar(0) : rounded<Scalar>(norm.shift(0, j));
    for (Index i = 0; i < X.rows(); ++i) X(i, j) = X(i, j) * scale + shift;
  }
  return X;
}

template Matrix<Real> normalised(const Normalisation&, Matrix<Real>);
template Matrix<double> normalised(const Normalisation&, Matrix<double>);
template Matrix<float> normalised(const Normalisation&, Matrix<float>);

}  // namespace rankfall
