#include "theory/models/scalar_model.hpp"

#include "numerics/errors.hpp"

namespace rankfall::theory {
namespace {

ExactMatrix entry(const Rational& value) {
  return ExactMatrix::from(1, 1, std::vector<Rational>{value});
}

Magnitude root_two(Precision p) {
  return sqrt(Magnitude(Rational(2), p), p);
}

std::vector<Parameter> parameters(const ScalarModel& model) {
  return {{"a", model.a}, {"w", model.w}, {"v", model.v}};
}

}  // namespace

Network network(const ScalarModel& model, std::size_t depth) {
  Head head;
  head.fused = true;
  head.W_QK = entry(model.w);
  head.W = entry(model.v);
  head.d_qk = 1;
  AttentionBlock block;
  block.heads.push_back(head);
  return {ExactMatrix::from(2, 1, std::vector<Rational>{model.a, Rational(-model.a)}),
          std::vector<Block>(depth, block)};
}

std::vector<Magnitude> tokens(const ScalarModel& model, std::size_t depth, Precision p) {
  std::vector<Magnitude> a{Magnitude(model.a, p)};
  const Magnitude w(model.w, p), v(model.v, p);
  for (std::size_t layer = 0; layer < depth; ++layer) {
    const Magnitude score = mul(w, power(a.back(), Rational(2), p), p);
    a.push_back(mul(mul(v, a.back(), p), tanh(score, p), p));
  }
  return a;
}

Ball threshold(const ScalarModel& model, Precision p) {
  if (model.v <= 1 || model.w <= 0)
    throw DomainError("the scalar model with w = " + to_text(model.w) + ", v = " + to_text(model.v) +
                      " has no fixed point: w > 0 and v > 1 are needed");
  const Ball twice = log(Ball(Rational((model.v + 1) / (model.v - 1)), p), p);  // 2 artanh(1/v)
  return sqrt(div(scale(twice, -1), Ball(model.w, p), p), p);
}

Ball layer_cubic_quotient(const ScalarModel& model, Precision p) {
  const Ball score(Rational(model.w * model.a * model.a), p);
  return scale(div(tanh(score, p), score, p), -3);
}

Refutation against_convergence_remark(const ScalarModel& model, std::size_t depth, Precision p) {
  const std::vector<Magnitude> a = tokens(model, depth, p);
  std::vector<Parameter> named = parameters(model);
  named.push_back({"L", Rational(static_cast<long>(depth))});
  return refutation(
      "convergence-remark",
      "The scalar model from above its fixed point, every gamma 1: the residual of the last state "
      "exceeds the first, and grows with each further layer.",
      std::move(named), mul(root_two(p), a.back(), p), mul(root_two(p), a.front(), p),
      depth > 0 && 4 * model.v * model.w < 1, FoldedNetwork{network(model, depth)});
}

Refutation against_printed_proof_step(const ScalarModel& model, Precision p) {
  return refutation("proof-step-printed",
                    "Two tokens +-a: q^T R = 0, so the right side is zero, but the tokens are not yet equal.",
                    parameters(model), tokens(model, 1, p).back(), Magnitude(),
                    2 * model.w * model.a * model.a <= Rational(1256, 1000),
                    FoldedNetwork{network(model, 1)});
}

}  // namespace rankfall::theory
