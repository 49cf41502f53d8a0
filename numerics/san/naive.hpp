#pragma once
#include "numerics/san/arithmetic.hpp"
#include "numerics/san/network.hpp"

namespace rankfall {

/// Attention evaluated on the tokens themselves, step by step as it is written in textbooks, in any
/// arithmetic: what loses sight of the distance between tokens. Nothing is certified except in balls.
template <class Scalar>
class Naive {
 public:
  explicit Naive(Arithmetic<Scalar> arithmetic = Arithmetic<Scalar>()) : a_(arithmetic) {}

  Matrix<Scalar> rounded(const ExactMatrix& exact) const {
    Matrix<Scalar> result(exact.rows(), exact.cols());
    for (Index i = 0; i < exact.rows(); ++i)
      for (Index j = 0; j < exact.cols(); ++j) result(i, j) = a_.of(exact(i, j));
    return result;
  }

  /// The block's output for the tokens X (n x d); plain attention alone (is_plain).
  Matrix<Scalar> apply(const AttentionBlock& block, const Matrix<Scalar>& X) const {
    Matrix<Scalar> sum = zeros(X.rows(), block.heads.front().output_width());
    for (const Head& head : block.heads) {
      const Matrix<Scalar> values = projected(X, head.fused ? head.W : head.W_V, head.b_V);
      const Matrix<Scalar> mixed = product(attention(head, X), values);
      const Matrix<Scalar> output =
          head.fused || head.W_O.empty() ? mixed : product(mixed, rounded(head.W_O));
      for (Index i = 0; i < sum.size(); ++i) a_.add_to(sum.data()[i], output.data()[i]);
    }
    add_to_rows(sum, block.b_O);
    const Scalar skip = a_.of(block.skip);
    for (Index i = 0; !block.skip.is_zero() && i < sum.size(); ++i)
      a_.add_product(sum.data()[i], skip, X.data()[i]);
    return sum;
  }

  /// sqrt(diam_1 diam_inf) of the rows, as this arithmetic sees it.
  Scalar composite_diameter(const Matrix<Scalar>& X) const {
    Scalar one{}, inf{};
    for (Index i = 0; i < X.rows(); ++i)
      for (Index k = 0; k < i; ++k) {
        Scalar sum{}, largest{};
        for (Index j = 0; j < X.cols(); ++j) {
          Scalar difference = X(i, j);
          a_.subtract_from(difference, X(k, j));
          difference = a_.abs(difference);
          a_.add_to(sum, difference);
          largest = a_.max(largest, difference);
        }
        one = a_.max(one, sum);
        inf = a_.max(inf, largest);
      }
    // The roots apart: their product must not underflow before it has to.
    Scalar result = a_.sqrt(one);
    a_.multiply_by(result, a_.sqrt(inf));
    return result;
  }

 private:
  Matrix<Scalar> zeros(Index rows, Index cols) const {
    Matrix<Scalar> result(rows, cols);
    for (Index i = 0; i < result.size(); ++i) result.data()[i] = Scalar{};
    return result;
  }
  Matrix<Scalar> product(const Matrix<Scalar>& a, const Matrix<Scalar>& b) const {
    Matrix<Scalar> result = zeros(a.rows(), b.cols());
    for (Index i = 0; i < a.rows(); ++i)
      for (Index k = 0; k < a.cols(); ++k)
        for (Index j = 0; j < b.cols(); ++j) a_.add_product(result(i, j), a(i, k), b(k, j));
    return result;
  }
  void add_to_rows(Matrix<Scalar>& X, const ExactMatrix& bias) const {
    for (Index j = 0; j < bias.cols(); ++j) {
      const Scalar entry = a_.of(bias(0, j));
      for (Index i = 0; i < X.rows(); ++i) a_.add_to(X(i, j), entry);
    }
  }
  Matrix<Scalar> projected(const Matrix<Scalar>& X, const ExactMatrix& weight,
                           const ExactMatrix& bias) const {
    Matrix<Scalar> result = product(X, rounded(weight));
    add_to_rows(result, bias);
    return result;
  }
  Matrix<Scalar> attention(const Head& head, const Matrix<Scalar>& X) const {
    const Matrix<Scalar> queries = projected(X, head.fused ? head.W_QK : head.W_Q, head.b_Q);
    const Matrix<Scalar> keys = head.fused ? X : projected(X, head.W_K, head.b_K);
    const Matrix<Scalar> transposed = keys.transpose();
    Matrix<Scalar> scores = product(queries, transposed);
    const Scalar width = a_.sqrt(a_.of(static_cast<long>(head.d_qk)));
    for (Index i = 0; i < scores.rows(); ++i) {
      Index top = 0;
      for (Index j = 0; j < scores.cols(); ++j) {
        a_.divide_by(scores(i, j), width);
        if (a_.less(scores(i, top), scores(i, j))) top = j;
      }
      const Scalar largest = scores(i, top);
      Scalar total{};
      for (Index j = 0; j < scores.cols(); ++j) {
        a_.subtract_from(scores(i, j), largest);
        scores(i, j) = a_.exp(scores(i, j));
        a_.add_to(total, scores(i, j));
      }
      for (Index j = 0; j < scores.cols(); ++j) a_.divide_by(scores(i, j), total);
    }
    return scores;
  }

  Arithmetic<Scalar> a_;
};

}  // namespace rankfall
