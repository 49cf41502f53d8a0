#include "theory/models/skip_models.hpp"

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

OrthogonalSkip orthogonal_skip(unsigned long bits) {
  OrthogonalSkip model;
  const Precision p(static_cast<long>(bits) + 64);
  const Integer denominator = power(Integer(2), bits);
  const Ball wanted = div(Ball(1), tanh(Ball(Rational(9 * model.w), p), p), p);
  model.output = rounded(wanted, denominator) - Rational(1, denominator);
  return model;
}

Network network(const OrthogonalSkip& model) {
  RationalTable X(2, 4), A(4, 4), W(4, 4);
  for (Index j = 0; j < 4; ++j) {
    X(0, j) = j == 0 ? 3 : 1;
    X(1, j) = -X(0, j);
    W(1, j) = j == 0 ? model.output : Rational(-model.output);
  }
  A(0, 0) = model.w;  // scores +-9 w
  AttentionBlock block;
  block.skip = 1;
  block.heads.push_back(head(A, {}, W));
  return {X.matrix(), {std::move(block)}};
}

Ball output_residual(const OrthogonalSkip& model, Precision p) {
  const Ball s = mul(Ball(model.output, p), tanh(Ball(Rational(9 * model.w), p), p), p);
  return sqrt(sub(Ball(36), scale(mul(s, s, p), 2), p), p);
}

Refutation against_orthogonal_outputs(const OrthogonalSkip& model, Precision p) {
  return refutation(
      "dong-3.1-orthogonal",
      "Tokens +-(3,1,1,1) with skip and outputs +-(1,-1,-1,-1), orthogonal to them: the residual falls "
      "from 6 to sqrt32.",
      {{"w", model.w}, {"output", model.output}}, Magnitude(Rational(6), p),
      Magnitude(output_residual(model, p), p), true, FoldedNetwork{network(model)});
}

}  // namespace rankfall::theory
