#pragma once
#include <Eigen/Core>
#include <limits>
#include <vector>

#include "numerics/ball.hpp"

namespace Eigen {
/// Lets Eigen hold balls. Only its containers and views are used: arithmetic needs a precision and is done by
/// name.
template <>
struct NumTraits<rankfall::Ball> {
  using Real = rankfall::Ball;
  using NonInteger = rankfall::Ball;
  using Nested = rankfall::Ball;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 4,
    AddCost = 20,
    MulCost = 20
  };
};
}  // namespace Eigen

namespace rankfall {

template <class Scalar>
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class Scalar>
using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

using BallMatrix = Matrix<Ball>;
using BallVector = Vector<Ball>;
using Index = Eigen::Index;

/// An exact matrix: every entry a rational, stored as doubles where all of them are doubles. `named` texts in
/// errors are the caller's.
class ExactMatrix {
 public:
  ExactMatrix() = default;
  ExactMatrix(Index rows, Index cols);  ///< zeros
  static ExactMatrix identity(Index size);
  /// Row-major entries; picks the compact storage itself. Throws DomainError unless rows * cols ==
  /// entries.size().
  static ExactMatrix from(Index rows, Index cols, std::vector<Rational> entries);
  static ExactMatrix from(Index rows, Index cols, std::vector<double> entries);

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  bool empty() const { return rows_ * cols_ == 0; }
  bool is_doubles() const { return rationals_.empty(); }  ///< every entry is a double
  Rational operator()(Index row, Index col) const;
  /// Encloses the entry; exact when it fits p bits.
  Ball ball(Index row, Index col, Precision p) const;
  BallMatrix balls(Precision p) const;
  /// Nearest doubles, the entries themselves where is_doubles(); else for searching, never for deciding.
  Matrix<double> nearest() const;
  bool operator==(const ExactMatrix& other) const;

 private:
  Index rows_ = 0, cols_ = 0;
  std::vector<double> doubles_;      // used when every entry is a double
  std::vector<Rational> rationals_;  // used otherwise
};

/// value = 2^exponent * mantissa, with one exact exponent of any size for the whole matrix.
struct ScaledMatrix {
  BallMatrix mantissa;
  Integer exponent = 0;
};

/// Moves the binary exponent of the largest entry into `exponent`, exactly. An exactly zero matrix keeps
/// exponent 0.
void normalise(ScaledMatrix& matrix);

}  // namespace rankfall
