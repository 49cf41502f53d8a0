#include "theory/averages/l2_attention.hpp"

#if __has_include(<flint/arb.h>)
#include <flint/arb.h>
#else
#include <arb.h>
#endif

#include "numerics/errors.hpp"
#include "numerics/norms.hpp"
#include "numerics/product.hpp"
#include "numerics/softmax.hpp"

namespace rankfall::theory {
namespace {

Ball root_of_width(const L2Head& head, Precision p) {
  return sqrt(Ball(static_cast<long>(head.W_Q.cols())), p);
}

/// Delta_ik for every k.
BallVector distances(const L2Head& head, const BallMatrix& zeta, Index token, Precision p) {
  const Ball root = root_of_width(head, p);
  BallVector result(zeta.rows());
  for (Index k = 0; k < zeta.rows(); ++k) {
    for (Index j = 0; j < zeta.cols(); ++j) {
      const Ball step = sub(zeta(token, j), zeta(k, j), p);
      arb_addmul(result(k).raw(), step.raw(), step.raw(), p.bits);
    }
    result(k) = div(result(k), root, p);
  }
  return result;
}

BallVector attention_row(const BallVector& distance, Precision p) {
  BallVector scores(distance.size());
  for (Index k = 0; k < distance.size(); ++k) scores(k) = neg(distance(k));
  return softmax(scores, p);
}

BallMatrix difference(const BallMatrix& a, const BallMatrix& b, Precision p) {
  BallMatrix result(a.rows(), a.cols());
  for (Index i = 0; i < a.size(); ++i) result.data()[i] = sub(a.data()[i], b.data()[i], p);
  return result;
}

Ball frobenius(const BallMatrix& matrix, Precision p) {
  Ball sum;
  for (Index i = 0; i < matrix.size(); ++i)
    arb_addmul(sum.raw(), matrix.data()[i].raw(), matrix.data()[i].raw(), p.bits);
  return sqrt(sum, p);
}

/// One below the other.
BallMatrix stacked(const L2Attention& attention, Precision p) {
  Index rows = 0;
  for (const L2Head& head : attention) rows += head.W_O.rows();
  BallMatrix result(rows, attention.front().W_O.cols());
  Index row = 0;
  for (const L2Head& head : attention)
    for (Index i = 0; i < head.W_O.rows(); ++i, ++row)
      for (Index j = 0; j < result.cols(); ++j) result(row, j) = head.W_O.ball(i, j, p);
  return result;
}

}  // namespace

BallMatrix l2_attention(const L2Attention& attention, const BallMatrix& X, Precision p) {
  BallMatrix result(X.rows(), attention.front().W_O.cols());
  for (const L2Head& head : attention) {
    const BallMatrix W_Q = head.W_Q.balls(p), transposed = W_Q.transpose(), zeta = product(X, W_Q, p);
    BallMatrix attended(X.rows(), zeta.cols());
    for (Index i = 0; i < X.rows(); ++i) {
      const BallVector row = transposed_product(zeta, attention_row(distances(head, zeta, i, p), p), p);
      for (Index j = 0; j < row.size(); ++j) attended(i, j) = div(row(j), root_of_width(head, p), p);
    }
    const BallMatrix values = product(product(attended, transposed, p), head.W_V.balls(p), p);
    const BallMatrix part = product(values, head.W_O.balls(p), p);
    for (Index i = 0; i < result.size(); ++i) result.data()[i] = add(result.data()[i], part.data()[i], p);
  }
  return result;
}

Ball mean_distance(const L2Head& head, const BallMatrix& X, Index token, Precision p) {
  const BallVector distance = distances(head, product(X, head.W_Q.balls(p), p), token, p);
  const BallVector weight = attention_row(distance, p);
  Ball sum;
  for (Index k = 0; k < distance.size(); ++k)
    arb_addmul(sum.raw(), weight(k).raw(), distance(k).raw(), p.bits);
  return sum;
}

Ball distance_limit(Index tokens, Precision p) {
  if (tokens < 2)
    throw DomainError("distance_limit of " + std::to_string(tokens) + " tokens; at least 2 are needed");
  // c e^c = (n-1)/e
  Ball result = div(Ball(static_cast<long>(tokens) - 1), exp(Ball(1), p), p);
  arb_lambertw(result.raw(), result.raw(), 0, p.bits);
  return result;
}

LipschitzPair quotients(const L2Attention& attention, const BallMatrix& X, const BallMatrix& Y, Precision p) {
  const BallMatrix change = difference(l2_attention(attention, X, p), l2_attention(attention, Y, p), p),
                   step = difference(X, Y, p);
  return {div(frobenius(change, p), frobenius(step, p), p),
          div(largest_entry(change, p), largest_entry(step, p), p)};
}

L2Constants l2_constants(const L2Attention& attention, Index tokens, Precision p) {
  L2Constants result;
  for (const L2Head& head : attention) {
    const BallMatrix W_Q = head.W_Q.balls(p), W_V = head.W_V.balls(p);
    result.Q_2.push_back(spectral_norm(W_Q, p));
    result.V_2.push_back(spectral_norm(W_V, p));
    result.Q_1inf = max(result.Q_1inf, mul(norm_1(W_Q, p), norm_inf(W_Q, p), p), p);
    result.V_1 = max(result.V_1, norm_1(W_V, p), p);
  }
  const BallMatrix W_O = stacked(attention, p);
  result.O_2 = spectral_norm(W_O, p);
  result.O_1 = norm_1(W_O, p);
  result.c = distance_limit(tokens, p);
  return result;
}

}  // namespace rankfall::theory
