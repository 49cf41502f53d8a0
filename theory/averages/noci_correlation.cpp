#include "theory/averages/noci_correlation.hpp"

#include <algorithm>
#include <boost/multiprecision/eigen.hpp>
#include <numeric>

namespace rankfall::theory {
namespace {

Matrix<Rational> zero(Index rows, Index cols) {
  return Matrix<Rational>::Constant(rows, cols, Rational(0));
}

Matrix<Rational> sum_of_rows(const Matrix<Rational>& X) {
  Matrix<Rational> sum = zero(1, X.cols());
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.cols(); ++j) sum(0, j) += X(i, j);
  return sum;
}

Rational squares(const Matrix<Rational>& X) {
  Rational sum = 0;
  for (Index i = 0; i < X.size(); ++i) sum += X.data()[i] * X.data()[i];
  return sum;
}

/// One layer: every row of SA(X) is the mean token times W.
Matrix<Rational> layer(const Matrix<Rational>& X, const Rational& alpha, SkipForm form,
                       const Matrix<Rational>& W) {
  const Rational skip = form == SkipForm::branch ? Rational(1) : alpha,
                 branch = form == SkipForm::branch ? alpha : Rational(1);
  const Matrix<Rational> attended = sum_of_rows(X) * W;
  const Rational weight = branch / static_cast<long>(X.rows());
  Matrix<Rational> result(X.rows(), X.cols());
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.cols(); ++j) result(i, j) = skip * X(i, j) + weight * attended(0, j);
  return result;
}

void visit(const Matrix<Rational>& X, const Rational& alpha, SkipForm form, const ValueLaw& law,
           std::size_t depth, Moments& sums) {
  if (depth == 0) {
    sums.sum_squared += squares(sum_of_rows(X));
    sums.size += squares(X);
    return;
  }
  for (const Matrix<Rational>& W : law) visit(layer(X, alpha, form, W), alpha, form, law, depth - 1, sums);
}

ExactMatrix exact(const Matrix<Rational>& matrix) {
  return ExactMatrix::from(matrix.rows(), matrix.cols(),
                           std::vector<Rational>(matrix.data(), matrix.data() + matrix.size()));
}

}  // namespace

ValueLaw signed_permutations(Index dim) {
  ValueLaw law;
  std::vector<Index> order(static_cast<std::size_t>(dim));
  std::iota(order.begin(), order.end(), Index{0});
  do {
    for (unsigned signs = 0; signs < 1U << static_cast<unsigned>(dim); ++signs) {
      Matrix<Rational> W = zero(dim, dim);
      for (Index i = 0; i < dim; ++i)
        W(i, order[static_cast<std::size_t>(i)]) = (signs >> static_cast<unsigned>(i) & 1U) != 0 ? 1 : -1;
      law.push_back(std::move(W));
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return law;
}

ValueLaw single_entries(Index root) {
  ValueLaw law;
  const Index dim = root * root;
  for (Index i = 0; i < dim; ++i)
    for (Index j = 0; j < dim; ++j)
      for (const long entry : {-static_cast<long>(root), static_cast<long>(root)}) {
        law.push_back(zero(dim, dim));
        law.back()(i, j) = entry;
      }
  return law;
}

bool fits(const ValueLaw& law) {
  const Index dim = law.front().rows();
  Matrix<Rational> mean = zero(dim, dim), square = zero(dim, dim);
  for (const Matrix<Rational>& W : law) {
    mean += W;
    square += W * W.transpose();
  }
  const Rational count = static_cast<long>(law.size());
  for (Index i = 0; i < dim; ++i)
    for (Index j = 0; j < dim; ++j)
      if (mean(i, j) != 0 || square(i, j) != (i == j ? count : Rational(0))) return false;
  return true;
}

Moments moments(const Matrix<Rational>& X, const Rational& alpha, SkipForm form, const ValueLaw& law,
                std::size_t depth) {
  Moments sums{0, 0};
  visit(X, alpha, form, law, depth, sums);
  const Rational sequences = power(Rational(static_cast<long>(law.size())), static_cast<long>(depth));
  return {sums.sum_squared / sequences, sums.size / sequences};
}

Network uniform_network(const Matrix<Rational>& X, const Rational& alpha, SkipForm form,
                        const std::vector<Matrix<Rational>>& values) {
  Network network{exact(X), {}};
  for (const Matrix<Rational>& W : values) {
    Head head;
    head.fused = true;
    head.d_qk = 1;
    head.W_QK = ExactMatrix(X.cols(), X.cols());  // zero scores: uniform attention
    Matrix<Rational> scaled = W;
    if (form == SkipForm::branch)
      for (Index i = 0; i < scaled.size(); ++i) scaled.data()[i] *= alpha;
    head.W = exact(scaled);
    AttentionBlock block;
    block.skip = form == SkipForm::branch ? Rational(1) : alpha;
    block.heads.push_back(std::move(head));
    network.blocks.emplace_back(std::move(block));
  }
  return network;
}

}  // namespace rankfall::theory
