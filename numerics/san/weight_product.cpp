#include "numerics/san/weight_product.hpp"

#include <utility>

#include "numerics/product.hpp"

namespace rankfall {
namespace {

constexpr Index worth_it = 64;  // columns from which composing costs more than the bits that it saves

template <class Container>
void divide(Container& numbers, const Ball& divisor, Precision p) {
  for (Index i = 0; i < numbers.size(); ++i)
    arb_div(numbers.data()[i].raw(), numbers.data()[i].raw(), divisor.raw(), p.bits);
}

}  // namespace

bool stays_factored(Index d, Index k, Index d_out) {
  return d >= worth_it && k * (d + d_out) < d * d_out;
}

WeightProduct::WeightProduct(BallMatrix whole, const Ball& divisor, Precision p) : left_(std::move(whole)) {
  divide(left_, divisor, p);
}

WeightProduct::WeightProduct(BallMatrix left, BallMatrix right, const Ball& divisor, Precision p) {
  if (!stays_factored(left.rows(), left.cols(), right.cols())) {
    left_ = product(left, right, p);
    divide(left_, divisor, p);
    return;
  }
  left_ = std::move(left);
  right_ = std::move(right);
  divisor_ = divisor;
}

BallMatrix WeightProduct::composed(Precision p) const {
  return towards(left_, p);
}

Ball WeightProduct::size_bound(Precision p) const {
  const auto size = [&](const BallMatrix& a) {
    Ball sum;
    for (Index i = 0; i < a.size(); ++i) arb_addmul(sum.raw(), a.data()[i].raw(), a.data()[i].raw(), p.bits);
    return sqrt(sum, p);
  };
  return is_factored() ? abs(div(mul(size(left_), size(right_), p), divisor_, p)) : size(left_);
}

BallMatrix WeightProduct::before(const BallMatrix& X, Precision p) const {
  return product(X, left_, p);
}

BallMatrix WeightProduct::towards(BallMatrix between, Precision p) const {
  if (!is_factored()) return between;
  BallMatrix result = product(between, right_, p);
  divide(result, divisor_, p);
  return result;
}

BallMatrix WeightProduct::between(const BallMatrix& X, const BallMatrix& Y, Precision p) const {
  if (!is_factored()) return product(product(X, left_, p), Y, p);
  BallMatrix result = product(product(X, left_, p), product(right_, Y, p), p);
  divide(result, divisor_, p);
  return result;
}

BallMatrix product(const BallMatrix& X, const WeightProduct& a, Precision p) {
  return a.towards(a.before(X, p), p);
}

BallVector transposed_product(const WeightProduct& a, const BallVector& x, Precision p) {
  BallVector result = transposed_product(a.left_, x, p);
  if (!a.is_factored()) return result;
  result = transposed_product(a.right_, result, p);
  divide(result, a.divisor_, p);
  return result;
}

}  // namespace rankfall
