#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "numerics/errors.hpp"
#include "numerics/matrix.hpp"

namespace rankfall {
namespace {

void check_shape(Index rows, Index cols, std::size_t entries) {
  const bool fits = rows >= 0 && cols >= 0 &&
                    (rows == 0 || cols <= std::numeric_limits<Index>::max() / rows) &&
                    static_cast<std::size_t>(rows * cols) == entries;
  if (!fits)
    throw DomainError(fmt::format("ExactMatrix: {} entries for the shape {} x {}", entries, rows, cols));
}

/// A negative zero would print and compare oddly: the exact value has no sign.
double plain_zero(double value) {
  return value == 0 ? 0.0 : value;
}

}  // namespace

ExactMatrix::ExactMatrix(Index rows, Index cols) : rows_(rows), cols_(cols) {
  if (rows < 0 || cols < 0 || (rows > 0 && cols > std::numeric_limits<Index>::max() / rows))
    throw DomainError(fmt::format("ExactMatrix: the shape {} x {} is not possible", rows, cols));
  doubles_.assign(static_cast<std::size_t>(rows * cols), 0.0);
}

ExactMatrix ExactMatrix::identity(Index size) {
  ExactMatrix result(size, size);
  for (Index i = 0; i < size; ++i) result.doubles_[static_cast<std::size_t>(i * size + i)] = 1.0;
  return result;
}

ExactMatrix ExactMatrix::from(Index rows, Index cols, std::vector<Rational> entries) {
  check_shape(rows, cols, entries.size());
  ExactMatrix result;
  result.rows_ = rows;
  result.cols_ = cols;
  result.doubles_.reserve(entries.size());
  for (const Rational& entry : entries) {
    const std::optional<double> value = exact_double(entry);
    if (!value) {
      result.doubles_ = {};
      result.rationals_ = std::move(entries);
      break;
    }
    result.doubles_.push_back(plain_zero(*value));
  }
  return result;
}

ExactMatrix ExactMatrix::from(Index rows, Index cols, std::vector<double> entries) {
  check_shape(rows, cols, entries.size());
  for (double& entry : entries) {
    if (!std::isfinite(entry))
      throw DomainError(fmt::format("ExactMatrix: the entry {} is not finite", entry));
    entry = plain_zero(entry);
  }
  ExactMatrix result;
  result.rows_ = rows;
  result.cols_ = cols;
  result.doubles_ = std::move(entries);
  return result;
}

Rational ExactMatrix::operator()(Index row, Index col) const {
  const auto at = static_cast<std::size_t>(row * cols_ + col);
  if (!rationals_.empty()) return rationals_[at];
  Rational value;
  mpq_set_d(value.backend().data(), doubles_[at]);
  return value;
}

Ball ExactMatrix::ball(Index row, Index col, Precision p) const {
  const auto at = static_cast<std::size_t>(row * cols_ + col);
  if (!rationals_.empty()) return Ball(rationals_[at], p);
  return Ball(doubles_[at]);
}

BallMatrix ExactMatrix::balls(Precision p) const {
  BallMatrix result(rows_, cols_);
  for (Index i = 0; i < rows_; ++i)
    for (Index j = 0; j < cols_; ++j) result(i, j) = ball(i, j, p);
  return result;
}

Matrix<double> ExactMatrix::nearest() const {
  Matrix<double> result(rows_, cols_);
  if (is_doubles())
    std::copy(doubles_.begin(), doubles_.end(), result.data());
  else
    std::transform(rationals_.begin(), rationals_.end(), result.data(), nearest_double);
  return result;
}

bool ExactMatrix::operator==(const ExactMatrix& other) const {
  // The storage is determined by the entries: doubles exactly when all of them are.
  return rows_ == other.rows_ && cols_ == other.cols_ && doubles_ == other.doubles_ &&
         rationals_ == other.rationals_;
}

}  // namespace rankfall
