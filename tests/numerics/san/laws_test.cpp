#include "numerics/san/laws.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/numerics/oracle.hpp"

using namespace rankfall;

namespace {

constexpr HeadSite site{12, 8, 5, 1, 0};

/// Rank by elimination in rationals.
Index exact_rank(const Matrix<double>& W) {
  Matrix<Rational> M(W.rows(), W.cols());
  for (Index i = 0; i < W.size(); ++i) M.data()[i] = Rational(W.data()[i]);
  Index rank = 0;
  for (Index j = 0; j < M.cols() && rank < M.rows(); ++j) {
    Index pivot = rank;
    while (pivot < M.rows() && M(pivot, j) == 0) ++pivot;
    if (pivot == M.rows()) continue;
    M.row(pivot).swap(M.row(rank));
    for (Index i = rank + 1; i < M.rows(); ++i) {
      const Rational factor = M(i, j) / M(rank, j);
      for (Index k = j; k < M.cols(); ++k) M(i, k) -= factor * M(rank, k);
    }
    ++rank;
  }
  return rank;
}

double furthest_from_identity(const Matrix<double>& gram) {
  double furthest = 0;
  for (Index i = 0; i < gram.rows(); ++i)
    for (Index j = 0; j < gram.cols(); ++j)
      furthest = std::max(furthest, std::fabs(gram(i, j) - (i == j ? 1.0 : 0.0)));
  return furthest;
}

double distance(const Matrix<double>& X, Index i, Index j) {
  double square = 0;
  for (Index k = 0; k < X.cols(); ++k) square += (X(i, k) - X(j, k)) * (X(i, k) - X(j, k));
  return std::sqrt(square);
}

}  // namespace

TEST_CASE("orthogonal weights have orthonormal columns, or rows where there are fewer") {
  const DrawnHead head = weight_law("orthogonal").draw(site);
  CHECK(furthest_from_identity(head.W_Q.transpose() * head.W_Q) < 1e-14);
  CHECK(furthest_from_identity(head.W_O * head.W_O.transpose()) < 1e-14);
  CHECK(head.W_Q != head.W_K);
}

TEST_CASE("low-rank weights have a quarter of the rank, exactly") {
  const DrawnHead head = weight_law("low-rank").draw(site);
  for (const Matrix<double>* W : {&head.W_Q, &head.W_K, &head.W_V, &head.W_O}) CHECK(exact_rank(*W) == 2);
  CHECK(exact_rank(weight_law("gaussian").draw(site).W_Q) == 8);
  CHECK(exact_rank(weight_law("low-rank").draw({3, 1, 5, 1, 0}).W_Q) == 1);
}

TEST_CASE("sparse weights keep about one entry in eight, and the variance") {
  const DrawnHead head = weight_law("sparse").draw({200, 100, 5, 1, 0});
  Index kept = 0;
  double squares = 0;
  for (Index i = 0; i < head.W_Q.size(); ++i) {
    kept += head.W_Q.data()[i] != 0 ? 1 : 0;
    squares += head.W_Q.data()[i] * head.W_Q.data()[i];
  }
  CHECK(std::fabs(static_cast<double>(kept) - 2500) < 250);  // five standard deviations
  CHECK(std::fabs(squares - 100) < 15);
}

TEST_CASE("one-hot-seeking weights are gaussian ones with larger scores") {
  const DrawnHead hot = weight_law("one-hot-seeking").draw(site), plain = weight_law("gaussian").draw(site);
  CHECK(hot.W_Q == Matrix<double>(4 * plain.W_Q));
  CHECK(hot.W_K == Matrix<double>(4 * plain.W_K));
  CHECK(hot.W_V == plain.W_V);
}

TEST_CASE("inputs are where their law says") {
  const auto draw = [](std::string_view law) { return input_law(law).draw(9, 6, 3); };
  const Matrix<double> sphere = draw("sphere");
  for (Index i = 0; i < 9; ++i) CHECK(std::fabs(sphere.row(i).squaredNorm() - 6) < 1e-13);
  const Matrix<double> clustered = draw("clustered"), near = draw("near-collapsed"),
                       far = draw("large-shift");
  CHECK(distance(clustered, 0, 3) < 12.2 / 8 * std::sqrt(6.0));
  CHECK(distance(clustered, 0, 3) < distance(clustered, 0, 1));
  CHECK(distance(near, 0, 8) < 1e-4);
  CHECK(distance(near, 0, 8) > 0);
  CHECK(std::fabs(distance(far, 0, 8) - distance(draw("gaussian"), 0, 8)) < 1e-9);
  CHECK(far.row(0).norm() > 100);
}
