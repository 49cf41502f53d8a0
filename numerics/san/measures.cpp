#include "numerics/san/measures.hpp"

namespace rankfall {
namespace {

Ball composite_of_tokens(const ResidualState& state, Precision p) {
  const BallMatrix& R = state.residual.mantissa;
  BallMatrix tokens(R.rows(), R.cols());
  for (Index i = 0; i < R.rows(); ++i)
    for (Index j = 0; j < R.cols(); ++j)
      tokens(i, j) = add(state.reference(j), scale(R(i, j), state.residual.exponent), p);
  return composite_norm(tokens, p);
}

}  // namespace

std::string name(VectorNorm norm) {
  return norm == VectorNorm::one ? "1" : norm == VectorNorm::two ? "2" : "inf";
}

Magnitude residual_norm(const ResidualState& state, Precision p) {
  return Magnitude(composite_norm(state.residual.mantissa, p), state.residual.exponent, p);
}

std::optional<Magnitude> relative_residual(const ResidualState& state, Precision p) {
  const Magnitude norm(composite_of_tokens(state, p), p);
  if (!norm.certainly_positive()) return std::nullopt;
  const BallMatrix& R = state.residual.mantissa;
  const Ball size = composite_norm(about(R, reference_row(R, Reference::mean, p), p), p);
  return div(Magnitude(size, state.residual.exponent, p), norm, p);
}

StateMeasures measure(const ResidualState& state, Precision p) {
  const BallMatrix& R = state.residual.mantissa;
  const Integer& exponent = state.residual.exponent;
  StateMeasures m;
  m.norm = Magnitude(composite_of_tokens(state, p), p);
  Ball column_deviation;  // largest column sum about the median: the exact least 1-norm over references
  for (const Reference reference : all_references) {
    const BallMatrix centred = about(R, reference_row(R, reference, p), p);
    const SumNorms norms = sum_norms(centred, p);
    if (reference == Reference::median) column_deviation = norms.one;
    const Magnitude size(norms.composite, exponent, p);
    m.residual[static_cast<std::size_t>(reference)] = size;
    m.minimal.upper = reference == Reference::mean ? size : min(m.minimal.upper, size, p);
  }
  const Diameters d = diameters(R, p);
  m.diameter = {Magnitude(d.one, exponent, p), Magnitude(d.two, exponent, p), Magnitude(d.inf, exponent, p)};
  m.composite_diameter = Magnitude(d.composite, exponent, p);
  m.minimal.lower = Magnitude(sqrt(mul(column_deviation, scale(d.one, -1), p), p), exponent, p);
  m.has_relative = m.norm.certainly_positive();
  if (m.has_relative) m.relative = div(m.residual[0], m.norm, p);
  return m;
}

}  // namespace rankfall
