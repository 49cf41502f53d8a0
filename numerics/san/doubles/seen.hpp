#pragma once
#include <optional>

#include "numerics/san/doubles/engine.hpp"

namespace rankfall::doubles {

constexpr double up = 1 + 0x1p-30;  // covers the rounding of a bound's own evaluation
constexpr double of_factor =
    0x1p-38;  // what rounding does to a factor, relative to the norms of its own factors

/// Powers of the scale that enter beside numbers near 1; far below any use a bound of them is as good.
struct Scales {
  double rho;     ///< 2^exponent
  double scores;  ///< what turns M A M^T into scores on the scale of D
  double of_D;    ///< D = of_D times its mantissa
  double beyond;  ///< 1 where rho stands for a smaller number, else 0
};

/// Nothing where the residual is too large.
std::optional<Scales> scales(const Integer& exponent);

/// What the heads of a block see, with norms that they share.
struct Input {
  const State& state;
  Scales scale;
  bool wide;
  bool thin;  ///< one head and small scores: all is near rank one, where Frobenius' norm is the spectral one
  Mid keys;   ///< M^T
  double size, norm_M, x_size;  ///< |M|_F, |M|_2 and |x|

  Input(const Layer& layer, const State& state, const Scales& scale);
};

/// A head seen at the midpoints: what they give, high parts of the factors of its derivative, and bounds.
struct Seen {
  Mid product;      ///< D Y
  double rounding;  ///< of it, besides error_D |Y|
  Mid q;
  Matrix<double> B, B_transposed, D, Y, G;
  Matrix<double> queries, keys;            ///< M W_Q and W_K^T M^T, where A is in factors
  Matrix<double> weighted_values;          ///< C(q) M W_V, where W_h is
  Vector<double> weights;                  ///< q
  double size_B, size_Bt, size_D, size_Y;  ///< Frobenius norms
  double norm_B, norm_Bt, norm_Y, norm_G, norm_D,
      centred;       ///< spectral ones; centred: of Y about its mean under q
  double direction;  ///< |c|
  double error_B, error_D, error_Y, error_r;
  double change_total, change_of_B, change_most;  ///< of C(P_i) Y - C(q) Y: see seen.cpp
  double most_P, most_D;                          ///< every entry of P, at most 1/2; the longest row of D
};

/// Nothing where doubles do not tell.
std::optional<Seen> look(const Head& head, const Input& in);

}  // namespace rankfall::doubles
