#include "theory/models/composites.hpp"

#include "numerics/norms.hpp"
#include "theory/models/column_bound.hpp"
#include "theory/models/one_layer.hpp"

namespace rankfall::theory {

ExactMatrix first_column(Index n) {
  RationalTable result(n, n);
  for (Index i = 0; i < n; ++i) result(i, 0) = 1;
  return result.matrix();
}

ExactMatrix first_row(Index n) {
  RationalTable result(n, n);
  for (Index j = 0; j < n; ++j) result(0, j) = 1;
  return result.matrix();
}

Refutation against_composite_triangle(Index n, Precision p) {
  const BallMatrix a = first_column(n).balls(p), b = first_row(n).balls(p);
  BallMatrix sum(n, n);
  for (Index i = 0; i < sum.size(); ++i) sum.data()[i] = add(a.data()[i], b.data()[i], p);
  return refutation("composite-triangle", "Ones in the first column and ones in the first row.",
                    {{"n", Rational(n)}}, Magnitude(composite_norm(sum, p), p),
                    Magnitude(add(composite_norm(a, p), composite_norm(b, p), p), p), true,
                    MatrixPair{first_column(n), first_row(n)});
}

ExactMatrix unit_and_zero_tokens(Index n) {
  RationalTable result(2 * n, n);
  for (Index k = 0; k < n; ++k) result(k, k) = 1;
  return result.matrix();
}

ExactMatrix largest_entries(const ExactMatrix& tokens) {
  RationalTable result(tokens.rows(), 1);
  for (Index i = 0; i < tokens.rows(); ++i)
    for (Index j = 0; j < tokens.cols(); ++j)
      result(i, 0) = std::max(result(i, 0), Rational(abs(tokens(i, j))));
  return result.matrix();
}

Refutation against_vector_norms(Index n, Precision p) {
  const ColumnValue values[] = {{Ball(1), n}, {Ball(0), n}};
  const TokenPair pairs[] = {{Ball(1), Ball(1), Ball(0)}, {Ball(0), Ball(0), Ball(0)}};
  const Magnitude images(sqrt(column_bound(values, pairs, p), p), p);
  return refutation("dong-3.2-vector-norm", "f(x) = max |x_l| on n unit tokens and n zero tokens.",
                    {{"n", Rational(n)}}, images,
                    Magnitude(composite_norm(unit_and_zero_tokens(n).balls(p), p), p), true,
                    MatrixPair{unit_and_zero_tokens(n), {}});
}

}  // namespace rankfall::theory
