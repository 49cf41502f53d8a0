#include "numerics/product.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#if __has_include(<flint/arb_mat.h>)
#include <flint/arb_mat.h>
#else
#include <arb_mat.h>
#endif
#include "numerics/errors.hpp"
#include "numerics/slices/ball_product.hpp"

namespace rankfall {
namespace {

/// An Arb matrix that borrows the entries of a BallMatrix: shallow copies, never cleared, never written.
class Borrowed {
 public:
  explicit Borrowed(const BallMatrix& source) {
    arb_mat_init(matrix_, source.rows(), source.cols());
    for (Index i = 0; i < source.rows(); ++i)
      for (Index j = 0; j < source.cols(); ++j) *arb_mat_entry(matrix_, i, j) = *source(i, j).raw();
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  ~Borrowed() {
    for (slong i = 0; i < arb_mat_nrows(matrix_); ++i)
      for (slong j = 0; j < arb_mat_ncols(matrix_); ++j) arb_init(arb_mat_entry(matrix_, i, j));
    arb_mat_clear(matrix_);
  }
  const arb_mat_struct* get() const { return matrix_; }

 private:
  arb_mat_t matrix_;
};

[[noreturn]] void shapes(Index a_rows, Index a_cols, Index b_rows, Index b_cols) {
  throw DomainError("product of a " + std::to_string(a_rows) + " x " + std::to_string(a_cols) + " and a " +
                    std::to_string(b_rows) + " x " + std::to_string(b_cols) +
                    " matrix: the inner sizes differ");
}

thread_local bool by_arb = false;

/// Where products on slices are faster than Arb's: `numerics_bench --benchmark_filter=slices/`. The choice is
/// the same on every machine, so that its balls are.
bool slices_pay(Index rows, Index inner, Index cols) {
  constexpr Index least_side = 4, least_work = Index{12} * 12 * 12;
  return !by_arb && std::min({rows, inner, cols}) >= least_side && rows * inner * cols >= least_work;
}

/// Beyond so many products of doubles Arb is faster again.
int most_pairs(Precision p) {
  const long bits = std::min(p.bits, most_sliced_bits);
  return static_cast<int>(100 + bits * bits / 1024);
}

/// Encloses the sum of a[i * a_step] * b[i * b_step].
Ball strided_dot(const Ball* a, Index a_step, const Ball* b, Index b_step, Index count, Precision p) {
  static_assert(sizeof(Ball) == sizeof(arb_struct), "a vector of balls is read as a vector of arb_struct");
  Ball result;
  arb_dot(result.raw(), nullptr, 0, count ? a->raw() : nullptr, a_step, count ? b->raw() : nullptr, b_step,
          count, p.bits);
  return result;
}

}  // namespace

ProductsByArb::ProductsByArb() : before_(by_arb) {
  by_arb = true;
}

ProductsByArb::~ProductsByArb() {
  by_arb = before_;
}

BallMatrix product(const BallMatrix& a, const BallMatrix& b, Precision p) {
  if (a.cols() != b.rows()) shapes(a.rows(), a.cols(), b.rows(), b.cols());
  if (slices_pay(a.rows(), a.cols(), b.cols()))
    if (std::optional<BallMatrix> result = sliced_product(a, b, p, fastest_kernel(), most_pairs(p)))
      return *std::move(result);
  const Borrowed left(a), right(b);
  arb_mat_t c;
  arb_mat_init(c, a.rows(), b.cols());
  arb_mat_mul(c, left.get(), right.get(), p.bits);
  BallMatrix result(a.rows(), b.cols());
  for (Index i = 0; i < result.rows(); ++i)
    for (Index j = 0; j < result.cols(); ++j) arb_swap(result(i, j).raw(), arb_mat_entry(c, i, j));
  arb_mat_clear(c);
  return result;
}

BallVector transposed_product(const BallMatrix& a, const BallVector& x, Precision p) {
  if (a.rows() != x.size()) shapes(a.cols(), a.rows(), x.size(), 1);
  BallVector result(a.cols());
  for (Index j = 0; j < a.cols(); ++j)
    result(j) = strided_dot(a.data() + j, a.cols(), x.data(), 1, a.rows(), p);
  return result;
}

BallVector product(const BallMatrix& a, const BallVector& x, Precision p) {
  if (a.cols() != x.size()) shapes(a.rows(), a.cols(), x.size(), 1);
  BallVector result(a.rows());
  for (Index i = 0; i < a.rows(); ++i)
    result(i) = strided_dot(a.data() + i * a.cols(), 1, x.data(), 1, a.cols(), p);
  return result;
}

Ball dot(const BallVector& a, const BallVector& b, Precision p) {
  if (a.size() != b.size()) shapes(1, a.size(), b.size(), 1);
  return strided_dot(a.data(), 1, b.data(), 1, a.size(), p);
}

}  // namespace rankfall
