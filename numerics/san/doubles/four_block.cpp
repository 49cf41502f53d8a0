#include "numerics/san/doubles/four_block.hpp"

#include <algorithm>
#include <cmath>

namespace rankfall::doubles {
namespace {

/// What a computed part of X may be off by, relative to |X|_F: products of three factors of sizes up to
/// `most_size`.
constexpr double part_error = 0x1p-38;

void normalise(Vector<double>& x) {
  const double size = std::sqrt(dot(x, x));
  if (size > 0) x /= size;
}

}  // namespace

Frame leading_frame(const Matrix<double>& residual) {
  Index row = 0;
  for (Index i = 1; i < residual.rows(); ++i)
    if (residual.row(i).squaredNorm() > residual.row(row).squaredNorm()) row = i;
  Frame frame{Vector<double>::Zero(residual.rows()), residual.row(row).transpose()};
  normalise(frame.v);
  for (int turn = 0; turn < 3; ++turn) {
    frame.u = multiply(residual, frame.v);
    normalise(frame.u);
    frame.v = transposed(residual, frame.u);
    normalise(frame.v);
  }
  return frame;
}

double Blocks::total() const {
  double sum = 0;
  for (const auto& row : at)
    for (const double block : row) sum += block * block;
  return std::min(std::sqrt(sum) * (1 + 0x1p-40), whole);
}

void Blocks::at_most(double norm) {
  whole = std::min(whole, norm);
  for (auto& row : at)
    for (double& block : row) block = std::min(block, norm);
}

void Blocks::add(double norm) {
  whole = (total() + norm) * (1 + 0x1p-50);
  for (auto& row : at)
    for (double& block : row) block += norm;
}

Blocks table(Vector<double> across, Vector<double> along, const Vector<double>& left,
             const Vector<double>& right, double size, double error) {
  const double both = dot(across, right);
  across -= both * right;
  along -= both * left;
  return {{{std::fabs(both) + error, length(across) + error}, {length(along) + error, size}}};
}

Blocks table(const Matrix<double>& X, const Vector<double>& left, const Vector<double>& right, double size,
             double frobenius) {
  const double error = part_error * frobenius;
  const Vector<double> across = transposed(X, left), along = multiply(X, right);
  // X without the direction on either side.
  const double rest = squares_without(X, left, across, along - dot(across, right) * left, right);
  return table(across, along, left, right, std::min(std::sqrt(rest) + error, size), error);
}

Blocks table(const Vector<double>& left, const Vector<double>& right) {
  const double both = dot(left, right);
  const double apart = length(left - both * right) + part_error;
  return {{{std::fabs(both) + part_error, apart}, {apart, 1}}};
}

Blocks operator*(const Blocks& X, const Blocks& Y) {
  Blocks result;
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b) result.at[a][b] = X.at[a][0] * Y.at[0][b] + X.at[a][1] * Y.at[1][b];
  return result;
}

Blocks transposed(const Blocks& X) {
  return {{{X.at[0][0], X.at[1][0]}, {X.at[0][1], X.at[1][1]}}};
}

Blocks operator+(Blocks X, const Blocks& Y) {
  X.whole = (X.total() + Y.total()) * (1 + 0x1p-50);
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b) X.at[a][b] += Y.at[a][b];
  return X;
}

Blocks operator*(double factor, Blocks X) {
  X.whole *= factor;
  for (auto& row : X.at)
    for (double& block : row) block *= factor;
  return X;
}

}  // namespace rankfall::doubles
