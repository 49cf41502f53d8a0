#include "numerics/san/doubles/softmax.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/san/doubles/scalar.hpp"
#include "numerics/san/doubles/widest.hpp"

namespace rankfall::doubles {
namespace {

/// A row of midpoints of either kind, read and written by its scalar.
template <class T>
struct Row;
template <>
struct Row<double> {
  double* high;
  double* low;
  double at(Index j) const { return high[j]; }
  void set(Index j, double value) const { high[j] = value; }
};
template <>
struct Row<DoubleDouble> {
  double* high;
  double* low;
  DoubleDouble at(Index j) const { return {high[j], low[j]}; }
  void set(Index j, const DoubleDouble& value) const { high[j] = value.high, low[j] = value.low; }
};

/// r becomes e^(r - top) over their sum; returns top - the least of r, which decides the error.
template <class T>
[[gnu::always_inline]] inline double normalised_exponentials(Row<T> r, Index n) {
  T top = r.at(0), total = number<T>(0);
  for (Index j = 1; j < n; ++j)
    if (nearest(minus(r.at(j), top)) > 0) top = r.at(j);
  double most = 0;
  for (Index j = 0; j < n; ++j) most = std::max(most, nearest(minus(top, r.at(j))));
  if (!(most <= 600)) return most;
  for (Index j = 0; j < n; ++j) {
    r.set(j, exponential(minus(r.at(j), top)));
    total = plus(total, r.at(j));
  }
  for (Index j = 0; j < n; ++j) r.set(j, over(r.at(j), total));
  return most;
}

struct RowError {
  double error;
  bool known;
};

/// One row: e_j = (e^(of_D (S_j - S_hot)) - 1)/of_D, m = sum of q_j e_j, D_j = q_j (e_j - m)/(1 + of_D m).
/// `eta` bounds the relative error of e_j and of sums; with a = sum of q_j |e_j|, D is off by at most eta (|q
/// e| + |q| a)/(1 + of_D m) + |D| (of_D eta a/(1 + of_D m) + eta), times 1.01 for products of these.
template <class T>
[[gnu::always_inline]] inline RowError deviate(Row<T> S, Row<T> q, Index n, Index hot, double of_D,
                                               bool leading, double unit, double sums) {
  T mean = number<T>(0);
  const T zero_of = S.at(hot);
  double sizes = 0, weighted = 0, weights = 0, row = 0, most = 0;
  for (Index j = 0; j < n; ++j) {
    T e = minus(S.at(j), zero_of);
    if (!leading) {
      e = moved(e, of_D);
      const double score = std::fabs(nearest(e));
      if (!(score <= 600)) return {0, false};
      most = std::max(most, score);
      e = moved(exponential_minus_one(e), 1 / of_D);
    }
    S.set(j, e);
    const T part = times(q.at(j), e);
    mean = plus(mean, part);
    sizes += std::fabs(nearest(part));
    weighted += nearest(part) * nearest(part);
    weights += nearest(q.at(j)) * nearest(q.at(j));
  }
  const double eta = (leading ? 4 : 34 + 2 * most) * unit + sums;
  const T total = plus(number<T>(1), moved(mean, of_D));
  const double unsure = of_D * eta * sizes / nearest(total);
  if (!(nearest(total) > 0) || !(unsure < 0x1p-20)) return {0, false};
  for (Index j = 0; j < n; ++j) {
    const T entry = over(times(q.at(j), minus(S.at(j), mean)), total);
    S.set(j, entry);
    row += nearest(entry) * nearest(entry);
  }
  return {1.01 * (eta * (std::sqrt(weighted) + std::sqrt(weights) * sizes) / nearest(total) +
                  std::sqrt(row) * (unsure + eta)),
          true};
}

RANKFALL_WIDEST double exponentials(Row<double> r, Index n) {
  return normalised_exponentials(r, n);
}
RANKFALL_WIDEST double pair_exponentials(Row<DoubleDouble> r, Index n) {
  return normalised_exponentials(r, n);
}
RANKFALL_WIDEST RowError deviate_row(Row<double> S, Row<double> q, Index n, Index hot, double of_D,
                                     bool leading, double sums) {
  return deviate(S, q, n, hot, of_D, leading, unit(false), sums);
}
RANKFALL_WIDEST RowError pair_deviate_row(Row<DoubleDouble> S, Row<DoubleDouble> q, Index n, Index hot,
                                          double of_D, bool leading, double sums) {
  return deviate(S, q, n, hot, of_D, leading, unit(true), sums);
}

template <class T>
Row<T> row_at(Mid& a, Index i) {
  return {a.high.data() + i * a.cols(), a.wide() ? a.low.data() + i * a.cols() : nullptr};
}

}  // namespace

std::optional<Weights> softmax(const Mid& r) {
  Weights result{r, 0};
  const Index n = r.cols();
  const double most = r.wide() ? pair_exponentials(row_at<DoubleDouble>(result.q, 0), n)
                               : exponentials(row_at<double>(result.q, 0), n);
  if (!(most <= 600)) return std::nullopt;
  result.error = std::sqrt(static_cast<double>(n)) * (most + 16) * unit(r.wide());
  return result;
}

std::optional<Deviation> deviation(const Mid& q, const Mid& S, double of_D, bool leading) {
  const Index n = q.cols();
  Deviation result{S, 0};
  Mid weights = q;
  Index hot = 0;
  for (Index j = 1; j < n; ++j)
    if (q.high(0, j) > q.high(0, hot)) hot = j;
  const double sums = gamma(2 * n + 8, q.wide());
  double squares = 0;
  for (Index i = 0; i < S.rows(); ++i) {
    const RowError row = q.wide()
                             ? pair_deviate_row(row_at<DoubleDouble>(result.D, i),
                                                row_at<DoubleDouble>(weights, 0), n, hot, of_D, leading, sums)
                             : deviate_row(row_at<double>(result.D, i), row_at<double>(weights, 0), n, hot,
                                           of_D, leading, sums);
    if (!row.known) return std::nullopt;
    squares += row.error * row.error;
  }
  result.error = std::sqrt(squares) * (1 + 0x1p-36);
  return result;
}

}  // namespace rankfall::doubles
