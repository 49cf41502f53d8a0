#pragma once
#include <vector>

#include "numerics/san/network.hpp"

namespace rankfall::theory {

/// A matrix of rationals to be filled in, zero at first.
class RationalTable {
 public:
  RationalTable(Index rows, Index cols)
      : rows_(rows), cols_(cols), entries_(static_cast<std::size_t>(rows * cols)) {}

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Rational& operator()(Index i, Index j) { return entries_[static_cast<std::size_t>(i * cols_ + j)]; }
  const Rational& operator()(Index i, Index j) const {
    return entries_[static_cast<std::size_t>(i * cols_ + j)];
  }
  ExactMatrix matrix() const { return ExactMatrix::from(rows_, cols_, entries_); }

 private:
  Index rows_, cols_;
  std::vector<Rational> entries_;
};

/// One attention layer in the terms of docs/theory: the scores are X A X^T plus, on every row, the logits X
/// r.
struct OneLayer {
  RationalTable X;          ///< n x d
  RationalTable A;          ///< d x d: W_QK / sqrt(d_qk)
  std::vector<Rational> r;  ///< d
  RationalTable W;          ///< d x d'
};

/// The head with these scores, in rational weights: d_qk = k^2 is the least square >= d, W_K = [I 0], W_Q = k
/// [A 0], b_Q = k (r, 0).
Head head(const RationalTable& A, const std::vector<Rational>& r, const RationalTable& W);

/// The layer with its logits by a query bias.
Network network(const OneLayer& layer);

/// The same without biases: a last column in which every token is c, and the row r^T/c in A. The residual of
/// the input, q, E and the output are those of the layer; |A|_1 grows by at most the largest |r|/c.
Network network_without_biases(const OneLayer& layer, const Rational& c);

/// Largest column sum of absolute values.
Rational norm_1(const RationalTable& a);

}  // namespace rankfall::theory
