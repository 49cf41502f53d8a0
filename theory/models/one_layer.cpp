#include "theory/models/one_layer.hpp"

#include <algorithm>

namespace rankfall::theory {
namespace {

Network one_block(const ExactMatrix& input, Head head) {
  AttentionBlock block;
  block.heads.push_back(std::move(head));
  return {input, {std::move(block)}};
}

}  // namespace

Head head(const RationalTable& A, const std::vector<Rational>& r, const RationalTable& W) {
  const Index d = A.rows();
  Index k = 1;
  while (k * k < d) ++k;
  RationalTable queries(d, k * k), keys(d, k * k);
  for (Index i = 0; i < d; ++i) {
    keys(i, i) = 1;
    for (Index j = 0; j < d; ++j) queries(i, j) = A(i, j) * k;
  }
  Head result;
  result.W_Q = queries.matrix();
  result.W_K = keys.matrix();
  result.W_V = W.matrix();
  result.d_qk = k * k;
  if (std::any_of(r.begin(), r.end(), [](const Rational& value) { return value != 0; })) {
    RationalTable bias(1, k * k);
    for (std::size_t j = 0; j < r.size(); ++j) bias(0, static_cast<Index>(j)) = r[j] * k;
    result.b_Q = bias.matrix();
  }
  return result;
}

Network network(const OneLayer& layer) {
  return one_block(layer.X.matrix(), head(layer.A, layer.r, layer.W));
}

Network network_without_biases(const OneLayer& layer, const Rational& c) {
  const Index n = layer.X.rows(), d = layer.X.cols();
  RationalTable X(n, d + 1), A(d + 1, d + 1), W(d + 1, layer.W.cols());
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < d; ++j) X(i, j) = layer.X(i, j);
    X(i, d) = c;
  }
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j < d; ++j) A(i, j) = layer.A(i, j);
    for (Index j = 0; j < W.cols(); ++j) W(i, j) = layer.W(i, j);
    A(d, i) = layer.r[static_cast<std::size_t>(i)] / c;
  }
  return one_block(X.matrix(), head(A, {}, W));
}

Rational norm_1(const RationalTable& a) {
  Rational top = 0;
  for (Index j = 0; j < a.cols(); ++j) {
    Rational sum = 0;
    for (Index i = 0; i < a.rows(); ++i) sum += abs(a(i, j));
    top = std::max(top, sum);
  }
  return top;
}

}  // namespace rankfall::theory
