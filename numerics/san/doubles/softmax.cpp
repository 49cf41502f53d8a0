#include "numerics/san/doubles/softmax.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/san/doubles/lanes.hpp"
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

/// What the rows of one matrix have in common; `hot` is where q is largest, `sums` a bound of the relative
/// error of a sum over a row.
struct Softmax {
  Index hot;
  double of_D, size_q, sums;
  bool leading;
};

/// Of a row: sum of q_j e_j, of |q_j e_j| and of (q_j e_j)^2.
template <class T>
struct Sums {
  T mean = number<T>(0);
  double sizes = 0, squares = 0;

  void add(const T& part) {
    mean = plus(mean, part);
    sizes += std::fabs(nearest(part));
    squares += nearest(part) * nearest(part);
  }
};

[[gnu::always_inline]] inline Sums<DoubleDouble> sums_of(Row<DoubleDouble> e, Row<DoubleDouble> q, Index n) {
  Sums<DoubleDouble> result;
  for (Index j = 0; j < n; ++j) result.add(times(q.at(j), e.at(j)));
  return result;
}
[[gnu::always_inline]] inline Sums<double> sums_of(Row<double> e, Row<double> q, Index n) {
  Lanes part, weight, mean{}, sizes{}, squares{};
  Index j = 0;
  for (; j + lanes <= n; j += lanes) {
    load(part, e.high + j);
    load(weight, q.high + j);
    part *= weight;
    mean += part;
    sizes += part < 0 ? -part : part;
    squares += part * part;
  }
  Sums<double> result{total(mean), total(sizes), total(squares)};
  for (; j < n; ++j) result.add(times(q.at(j), e.at(j)));
  return result;
}

/// One row: e_j = (e^(of_D (S_j - S_hot)) - 1)/of_D, m = sum of q_j e_j, D_j = q_j (e_j - m)/(1 + of_D m).
/// `eta` bounds the relative error of e_j and of sums; with a = sum of q_j |e_j|, D is off by at most eta (|q
/// e| + |q| a)/(1 + of_D m) + |D| (of_D eta a/(1 + of_D m) + eta), times 1.01 for products of these.
template <class T>
[[gnu::always_inline]] inline RowError deviate(Row<T> S, Row<T> q, Index n, const Softmax& at, double unit) {
  const T zero_of = S.at(at.hot);
  double most = 0;
  if (at.leading) {
    for (Index j = 0; j < n; ++j) S.set(j, minus(S.at(j), zero_of));
  } else {
    for (Index j = 0; j < n; ++j) {
      const T score = moved(minus(S.at(j), zero_of), at.of_D);
      most = std::max(most, std::fabs(nearest(score)));
      if (!(most <= 600)) return {0, false};
      S.set(j, moved(exponential_minus_one(score), 1 / at.of_D));
    }
  }
  const Sums<T> sums = sums_of(S, q, n);
  const double eta = (at.leading ? 4 : 34 + 2 * most) * unit + at.sums;
  const T total = plus(number<T>(1), moved(sums.mean, at.of_D));
  const double unsure = at.of_D * eta * sums.sizes / nearest(total);
  if (!(nearest(total) > 0) || !(unsure < 0x1p-20)) return {0, false};
  for (Index j = 0; j < n; ++j) S.set(j, over(times(q.at(j), minus(S.at(j), sums.mean)), total));
  return {1.01 * (eta * (std::sqrt(sums.squares) + at.size_q * sums.sizes) / nearest(total) +
                  length(S.high, n) * (unsure + eta)),
          true};
}

RANKFALL_WIDEST double exponentials(Row<double> r, Index n) {
  return normalised_exponentials(r, n);
}
RANKFALL_WIDEST double pair_exponentials(Row<DoubleDouble> r, Index n) {
  return normalised_exponentials(r, n);
}
RANKFALL_WIDEST RowError deviate_row(Row<double> S, Row<double> q, Index n, const Softmax& at) {
  return deviate(S, q, n, at, unit(false));
}
RANKFALL_WIDEST RowError pair_deviate_row(Row<DoubleDouble> S, Row<DoubleDouble> q, Index n,
                                          const Softmax& at) {
  return deviate(S, q, n, at, unit(true));
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
  Softmax at{0, of_D, frobenius(q.high), gamma(2 * n + 8, q.wide()), leading};
  for (Index j = 1; j < n; ++j)
    if (q.high(0, j) > q.high(0, at.hot)) at.hot = j;
  double squares = 0;
  for (Index i = 0; i < S.rows(); ++i) {
    const RowError row =
        q.wide()
            ? pair_deviate_row(row_at<DoubleDouble>(result.D, i), row_at<DoubleDouble>(weights, 0), n, at)
            : deviate_row(row_at<double>(result.D, i), row_at<double>(weights, 0), n, at);
    if (!row.known) return std::nullopt;
    squares += row.error * row.error;
  }
  result.error = std::sqrt(squares) * (1 + 0x1p-36);
  return result;
}

}  // namespace rankfall::doubles
