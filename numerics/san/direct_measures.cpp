#include "numerics/san/direct_measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rankfall {
namespace {

double logarithm(double x) {
  return std::log10(x);
}
float logarithm(float x) {
  return std::log10(x);
}
Real logarithm(const Real& x) {
  Real result;
  mpfr_log10(result.backend().data(), x.backend().data(), MPFR_RNDN);
  return result;
}

/// Sums start from the first token, so that the mean of equal tokens is that token and not a rounding of it.
template <class Scalar>
Scalar mean(const std::vector<Scalar>& sorted) {
  Scalar excess(0);
  for (const Scalar& entry : sorted) excess += entry - sorted.front();
  return sorted.front() + excess / Scalar(static_cast<int>(sorted.size()));
}

template <class Scalar>
Scalar middle(const Scalar& low, const Scalar& high) {
  return low + (high - low) / 2;
}

template <class Scalar>
Scalar median(const std::vector<Scalar>& sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : middle(sorted[half - 1], sorted[half]);
}

template <class Scalar>
Scalar midrange(const std::vector<Scalar>& sorted) {
  return middle(sorted.front(), sorted.back());
}

template <class Scalar>
Scalar log_composite(const Matrix<Scalar>& matrix) {
  using std::abs;
  Scalar largest_row(0), largest_column(0);
  for (Index i = 0; i < matrix.rows(); ++i) {
    Scalar sum(0);
    for (Index j = 0; j < matrix.cols(); ++j) sum += abs(matrix(i, j));
    largest_row = std::max(largest_row, sum);
  }
  for (Index j = 0; j < matrix.cols(); ++j) {
    Scalar sum(0);
    for (Index i = 0; i < matrix.rows(); ++i) sum += abs(matrix(i, j));
    largest_column = std::max(largest_column, sum);
  }
  return (logarithm(largest_row) + logarithm(largest_column)) / 2;
}

template <class Scalar>
Scalar log_residual(const Matrix<Scalar>& state, const ConstantColumns& constant,
                    Scalar (*reference)(const std::vector<Scalar>&)) {
  Matrix<Scalar> residual = state;
  for (Index j = 0; j < state.cols(); ++j) {
    std::vector<Scalar> column;
    for (Index i = 0; i < state.rows(); ++i) column.push_back(state(i, j));
    std::sort(column.begin(), column.end());
    const bool equal = !constant.empty() && constant[static_cast<std::size_t>(j)];
    const Scalar centre = reference(column);
    for (Index i = 0; i < state.rows(); ++i)
      residual(i, j) = equal ? Scalar(0) : Scalar(state(i, j) - centre);
  }
  return log_composite(residual);
}

template <class Scalar>
struct Distances {
  Scalar one = Scalar(0), two = Scalar(0), inf = Scalar(0);
};

/// Of a row of non-negative gaps. Squares are taken relative to the largest gap: they must not underflow
/// before it does.
template <class Scalar>
Distances<Scalar> norms(const std::vector<Scalar>& gaps) {
  using std::sqrt;
  Distances<Scalar> result;
  for (const Scalar& gap : gaps) {
    result.one += gap;
    result.inf = std::max(result.inf, gap);
  }
  if (result.inf == 0) return result;
  Scalar squares(0);
  for (const Scalar& gap : gaps) squares += (gap / result.inf) * (gap / result.inf);
  result.two = result.inf * sqrt(squares);
  return result;
}

template <class Scalar>
Distances<Scalar> largest_distances(const Matrix<Scalar>& state, const ConstantColumns& constant) {
  using std::abs;
  Distances<Scalar> largest;
  std::vector<Scalar> gaps(static_cast<std::size_t>(state.cols()), Scalar(0));
  for (Index i = 0; i < state.rows(); ++i)
    for (Index k = 0; k < i; ++k) {
      for (std::size_t j = 0; j < gaps.size(); ++j)
        if (constant.empty() || !constant[j])
          gaps[j] = abs(Scalar(state(i, static_cast<Index>(j)) - state(k, static_cast<Index>(j))));
      const Distances<Scalar> distance = norms(gaps);
      largest.one = std::max(largest.one, distance.one);
      largest.two = std::max(largest.two, distance.two);
      largest.inf = std::max(largest.inf, distance.inf);
    }
  return largest;
}

template <class Scalar>
bool all_finite(const Matrix<Scalar>& state) {
  using std::isfinite;
  for (Index i = 0; i < state.rows(); ++i)
    for (Index j = 0; j < state.cols(); ++j)
      if (!isfinite(state(i, j))) return false;
  return true;
}

}  // namespace

template <class Scalar>
DirectMeasures<Scalar> measure(const Matrix<Scalar>& state, const ConstantColumns& constant) {
  DirectMeasures<Scalar> result;
  if (!all_finite(state)) {
    const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
    return {nan, nan, nan, nan, nan, nan, nan, nan};
  }
  const Distances<Scalar> diameters = largest_distances(state, constant);
  result.norm = log_composite(state);
  result.mean = log_residual<Scalar>(state, constant, mean<Scalar>);
  result.median = log_residual<Scalar>(state, constant, median<Scalar>);
  result.midrange = log_residual<Scalar>(state, constant, midrange<Scalar>);
  result.diam_1 = logarithm(diameters.one);
  result.diam_2 = logarithm(diameters.two);
  result.diam_inf = logarithm(diameters.inf);
  result.diam_composite = (result.diam_1 + result.diam_inf) / 2;
  return result;
}

template DirectMeasures<Real> measure(const Matrix<Real>&, const ConstantColumns&);
template DirectMeasures<double> measure(const Matrix<double>&, const ConstantColumns&);
template DirectMeasures<float> measure(const Matrix<float>&, const ConstantColumns&);

}  // namespace rankfall
