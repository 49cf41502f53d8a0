#pragma once
#include "numerics/matrix.hpp"

namespace rankfall {

/// Enclosures of matrix norms (docs/theory, 1). All are zero for an exactly zero matrix.
Ball norm_1(const BallMatrix& a, Precision p);          ///< largest column sum of absolute values
Ball norm_inf(const BallMatrix& a, Precision p);        ///< largest row sum of absolute values
Ball composite_norm(const BallMatrix& a, Precision p);  ///< sqrt(norm_1 * norm_inf)
/// These three together.
struct SumNorms {
  Ball one, inf, composite;
};
SumNorms sum_norms(const BallMatrix& a, Precision p);
Ball largest_entry(const BallMatrix& a, Precision p);  ///< largest absolute entry
Ball entry_sum(const BallMatrix& a, Precision p);      ///< sum of absolute entries

/// Where a residual is measured from. `mean`: of the tokens; `median`: column by column, of an even number
/// the mean of the two middle values; `midrange`: the middle between the extremes of each column.
enum class Reference { mean, median, midrange };
std::string name(Reference reference);

/// Encloses the reference row of a (n x d): a vector of d.
BallVector reference_row(const BallMatrix& a, Reference reference, Precision p);
/// a - 1 y^T.
BallMatrix about(const BallMatrix& a, const BallVector& y, Precision p);
/// Encloses the composite norm of a about the reference.
Ball residual(const BallMatrix& a, Reference reference, Precision p);
/// diam_p = largest distance of two rows in the vector norm p; composite = sqrt(diam_1 diam_inf).
struct Diameters {
  Ball one, two, inf, composite;
};
Diameters diameters(const BallMatrix& a, Precision p);

/// Encloses the spectral norm. Where singular values coincide or nearly do, the width may stay above the
/// precision: at most a relative (min(rows, cols))^(2^-36).
Ball spectral_norm(const BallMatrix& a, Precision p);

}  // namespace rankfall
