#include "theory/models/skip_models.hpp"

#include "numerics/errors.hpp"
#include "theory/models/one_layer.hpp"
#include "theory/models/rounded.hpp"

namespace rankfall::theory {
namespace {

AttentionBlock skip_block(const RationalTable& W_QK, const RationalTable& W) {
  Head head;
  head.fused = true;
  head.W_QK = W_QK.matrix();
  head.W = W.matrix();
  head.d_qk = W_QK.rows();
  AttentionBlock block;
  block.skip = 1;
  block.heads.push_back(std::move(head));
  return block;
}

RationalTable diagonal(Index size, const Rational& value) {
  RationalTable result(size, size);
  for (Index k = 0; k < size; ++k) result(k, k) = value;
  return result;
}

}  // namespace

Network skip_with_zero_values(const ExactMatrix& input, std::size_t depth, const Rational& w) {
  const Index d = input.cols();
  return {input, std::vector<Block>(depth, skip_block(diagonal(d, w), RationalTable(d, d)))};
}

Network skip_into_other_columns(const ExactMatrix& input, std::size_t depth, const Rational& w,
                                const Rational& v) {
  const Index n = input.rows(), d = input.cols();
  RationalTable padded(n, 2 * d), W(2 * d, 2 * d);
  for (Index j = 0; j < d; ++j) {
    W(j, d + j) = v;
    for (Index i = 0; i < n; ++i) padded(i, j) = input(i, j);
  }
  return {padded.matrix(), std::vector<Block>(depth, skip_block(diagonal(2 * d, w), W))};
}

OrthogonalSkip orthogonal_skip(unsigned long bits, Index dim, const Rational& k) {
  if (dim < 2 || k < 1)
    throw DomainError("orthogonal outputs of width " + std::to_string(dim) + " with k = " + to_text(k) +
                      ": at least 2 and 1 are needed");
  OrthogonalSkip model{dim, k, 1 / (k * k)};
  const Precision p(static_cast<long>(bits) + 64);
  const Integer denominator = power(Integer(2), bits);
  const Rational unit(numerator(k), denominator);  // what is written of output/k is short as well
  const Ball wanted = div(div(Ball(1), tanh(Ball(1), p), p), Ball(Rational(numerator(k)), p), p);
  model.output = rounded(wanted, denominator) * numerator(k) - unit;
  return model;
}

Network network(const OrthogonalSkip& model) {
  const Index d = model.dim;
  RationalTable X(2, d), A(d, d), W(d, d);
  for (Index j = 0; j < d; ++j) {
    X(0, j) = j == 0 ? model.k : Rational(1);
    X(1, j) = -X(0, j);
    W(1, j) = j == 0 ? model.output * Rational(d - 1) / model.k : Rational(-model.output);
  }
  A(0, 0) = model.w;  // scores +-k^2 w
  AttentionBlock block;
  block.skip = 1;
  block.heads.push_back(head(A, {}, W));
  return {X.matrix(), {std::move(block)}};
}

Ball input_residual(const OrthogonalSkip& model, Precision p) {
  return sqrt(Ball(Rational(2 * model.k * (model.k + Rational(model.dim - 1))), p), p);
}

Ball output_residual(const OrthogonalSkip& model, Precision p) {
  const Ball s = mul(Ball(model.output, p), tanh(Ball(Rational(model.k * model.k * model.w), p), p), p);
  const Rational others(model.dim - 1);
  const Ball first = add(Ball(model.k, p), mul(s, Ball(Rational(others / model.k), p), p), p),
             rest = mul(sub(Ball(1), s, p), Ball(others, p), p);
  return sqrt(scale(mul(first, add(first, rest, p), p), 1), p);
}

Refutation against_orthogonal_outputs(const OrthogonalSkip& model, Precision p) {
  return refutation("dong-3.1-orthogonal",
                    "Two opposite tokens with skip, and outputs orthogonal to them that leave little but the "
                    "first column: the residual falls.",
                    {{"d", Rational(model.dim)}, {"k", model.k}, {"w", model.w}, {"output", model.output}},
                    Magnitude(input_residual(model, p), p), Magnitude(output_residual(model, p), p), true,
                    FoldedNetwork{network(model)});
}

}  // namespace rankfall::theory
