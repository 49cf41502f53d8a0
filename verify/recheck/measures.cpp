#include "verify/recheck/measures.hpp"

#include <algorithm>
#include <numeric>

#include "numerics/errors.hpp"

namespace rankfall::recheck {
namespace {

constexpr double most_cube = 2.7e7;

Number times(const Number& a, const Integer& count, Bits p) {
  return count == 1 ? a : mul(a, Number(Rational(count), p), p);
}

const Integer& at(const Copies& copies, long i) {
  return copies[static_cast<std::size_t>(i)];
}

/// Encloses the order statistic number `position` (from 0) of a column: that of the low ends and of the high
/// ends, which are monotone in each entry.
Number order_statistic(const Matrix& a, long column, const Copies& rows, const Integer& position, Bits p) {
  std::vector<long> order(static_cast<std::size_t>(a.rows));
  const auto pick = [&](auto less) {
    std::iota(order.begin(), order.end(), 0L);
    std::sort(order.begin(), order.end(), [&](long i, long k) { return less(a(i, column), a(k, column)); });
    Integer before = 0;
    for (const long i : order)
      if ((before += at(rows, i)) > position) return i;
    return order.back();
  };
  const long low = pick(low_end_less), high = pick(high_end_less);
  return between(a(low, column), a(high, column), p);
}

/// Of an even number of values the mean of two order statistics.
Number middle(const Matrix& a, long column, const Copies& rows, const Integer& first, const Integer& second,
              Bits p) {
  Number low = order_statistic(a, column, rows, first, p);
  if (first == second) return low;
  return scale(add(low, order_statistic(a, column, rows, second, p), p), -1);
}

/// What two tokens differ by: |.|_1, squared |.|_2 and |.|_inf.
struct Distance {
  Number one, squared, inf;
};

Distance distance(const Matrix& a, long i, long k, const Copies& cols, Bits p) {
  Distance d;
  for (long j = 0; j < a.cols; ++j) {
    const Number difference = abs(sub(a(i, j), a(k, j), p));
    d.one = add(d.one, times(difference, at(cols, j), p), p);
    d.squared = add(d.squared, times(mul(difference, difference, p), at(cols, j), p), p);
    d.inf = max(d.inf, difference);
  }
  return d;
}

}  // namespace

Matrix::Matrix(const Table& table, Bits p) : Matrix(table.rows, table.cols) {
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = Number(table.entries[i], p);
}

Copies single(long count) {
  return Copies(static_cast<std::size_t>(count), Integer(1));
}

Matrix product(const Matrix& a, const Matrix& b, Bits p) {
  Matrix result(a.rows, b.cols);
  for (long i = 0; i < a.rows; ++i)
    for (long k = 0; k < a.cols; ++k) {
      if (is_zero(a(i, k))) continue;
      for (long j = 0; j < b.cols; ++j) result(i, j) = add(result(i, j), mul(a(i, k), b(k, j), p), p);
    }
  return result;
}

Matrix transposed(const Matrix& a) {
  Matrix result(a.cols, a.rows);
  for (long i = 0; i < a.rows; ++i)
    for (long j = 0; j < a.cols; ++j) result(j, i) = a(i, j);
  return result;
}

Vector row_times(const Vector& x, const Matrix& a, Bits p) {
  Vector result(static_cast<std::size_t>(a.cols));
  for (long i = 0; i < a.rows; ++i)
    for (long j = 0; j < a.cols; ++j) {
      Number& sum = result[static_cast<std::size_t>(j)];
      sum = add(sum, mul(x[static_cast<std::size_t>(i)], a(i, j), p), p);
    }
  return result;
}

Number norm_1(const Matrix& a, const Copies& rows, Bits p) {
  Number top;
  for (long j = 0; j < a.cols; ++j) {
    Number sum;
    for (long i = 0; i < a.rows; ++i) sum = add(sum, times(abs(a(i, j)), at(rows, i), p), p);
    top = max(top, sum);
  }
  return top;
}

Number norm_inf(const Matrix& a, const Copies& cols, Bits p) {
  Number top;
  for (long i = 0; i < a.rows; ++i) {
    Number sum;
    for (long j = 0; j < a.cols; ++j) sum = add(sum, times(abs(a(i, j)), at(cols, j), p), p);
    top = max(top, sum);
  }
  return top;
}

Number composite(const Matrix& a, const Copies& rows, const Copies& cols, Bits p) {
  return sqrt(mul(norm_1(a, rows, p), norm_inf(a, cols, p), p), p);
}

Number largest_entry(const Matrix& a) {
  Number top;
  for (const Number& entry : a.entries) top = max(top, abs(entry));
  return top;
}

Number row_oscillation(const Matrix& a, long row, Bits p) {
  Number high = a(row, 0), low = high;
  for (long j = 1; j < a.cols; ++j) {
    high = max(high, a(row, j));
    low = min(low, a(row, j));
  }
  return sub(high, low, p);
}

Number column_oscillation(const Matrix& a, long column, Bits p) {
  return row_oscillation(transposed(a), column, p);
}

Number entry_sum(const Matrix& a, const Copies& cols, Bits p) {
  Number sum;
  for (long i = 0; i < a.rows; ++i)
    for (long j = 0; j < a.cols; ++j) sum = add(sum, times(abs(a(i, j)), at(cols, j), p), p);
  return sum;
}

namespace {

/// Of a symmetric matrix, |G^(2^k)|_F^(2^-k) and little less.
Number spectral_norm_of_symmetric(Matrix G, Bits p) {
  if (static_cast<double>(G.rows) * static_cast<double>(G.rows) * static_cast<double>(G.rows) > most_cube)
    throw InputError("a spectral norm of more than 300 rows and columns is not rechecked");
  const long steps = p.count / 8;  // the eigenvalues of G^(2^steps) are told apart by their powers
  Integer exponent = 0;            // of what has been divided out so far
  for (long k = 0; k < steps; ++k) {
    const Number top = largest_entry(G);
    if (is_zero(top)) return {};
    const Integer size = top.exponent() + (mpfr_zero_p(top.high()) ? 0 : mpfr_get_exp(top.high()));
    for (Number& entry : G.entries) entry = scale(entry, -size);
    exponent = 2 * (exponent + size);
    G = product(G, G, p);
  }
  // The largest eigenvalue of G lies between |G|_F / sqrt(d) and |G|_F.
  Number squares;
  for (const Number& entry : G.entries) squares = add(squares, mul(entry, entry, p), p);
  const Number frobenius = sqrt(squares, p);
  const Number least = div(frobenius, sqrt(Number(G.rows), p), p);
  const Rational root(Integer(1), Integer(rankfall::power(Integer(2), static_cast<unsigned long>(steps))));
  return power(scale(between(least, frobenius, p), exponent), root, p);
}

/// By elimination with the largest pivots; empty where one may be zero.
Matrix inverse(Matrix a, Bits p) {
  const long n = a.rows;
  Matrix result(n, n);
  for (long k = 0; k < n; ++k) result(k, k) = Number(1);
  for (long k = 0; k < n; ++k) {
    long best = k;
    for (long i = k + 1; i < n; ++i)
      if (low_end_less(abs(a(best, k)), abs(a(i, k)))) best = i;
    const Number pivot = a(best, k);
    if (!certainly_positive(abs(pivot))) return {};
    for (long j = 0; j < n; ++j) {
      std::swap(a(k, j), a(best, j));
      std::swap(result(k, j), result(best, j));
      a(k, j) = div(a(k, j), pivot, p);
      result(k, j) = div(result(k, j), pivot, p);
    }
    for (long i = 0; i < n; ++i) {
      if (i == k) continue;
      const Number factor = a(i, k);
      for (long j = 0; j < n; ++j) {
        a(i, j) = sub(a(i, j), mul(factor, a(k, j), p), p);
        result(i, j) = sub(result(i, j), mul(factor, result(k, j), p), p);
      }
    }
  }
  return result;
}

}  // namespace

Number spectral_norm(const Matrix& a, const Copies& cols, Bits p) {
  Matrix weighted = a;
  for (long i = 0; i < a.rows; ++i)
    for (long j = 0; j < a.cols; ++j) weighted(i, j) = times(a(i, j), at(cols, j), p);
  const bool tall = a.cols < a.rows && cols == single(a.cols);
  return sqrt(spectral_norm_of_symmetric(
                  tall ? product(transposed(a), a, p) : product(weighted, transposed(a), p), p),
              p);
}

Number least_singular_value(const Matrix& a, Bits p) {
  const Matrix G = inverse(product(a, transposed(a), p), p);
  if (G.rows == 0) return between(Number(), spectral_norm(a, single(a.cols), p), p);
  return div(Number(1), sqrt(spectral_norm_of_symmetric(G, p), p), p);
}

Number vector_norm(const Vector& v, std::string_view norm, Bits p) {
  Number sum, squares, top;
  for (const Number& entry : v) {
    const Number size = abs(entry);
    sum = add(sum, size, p);
    squares = add(squares, mul(size, size, p), p);
    top = max(top, size);
  }
  return norm == "1" ? sum : norm == "2" ? sqrt(squares, p) : top;
}

Vector row_difference(const Matrix& a, long i, long k, Bits p) {
  Vector result;
  for (long j = 0; j < a.cols; ++j) result.push_back(sub(a(i, j), a(k, j), p));
  return result;
}

Vector reference_row(const Matrix& a, const Copies& rows, std::string_view reference, Bits p) {
  Integer n = 0;
  for (const Integer& count : rows) n += count;
  Vector result;
  for (long j = 0; j < a.cols; ++j) {
    if (reference == "mean") {
      Number sum;
      for (long i = 0; i < a.rows; ++i) sum = add(sum, times(a(i, j), at(rows, i), p), p);
      result.push_back(div(sum, Number(Rational(n), p), p));
    } else if (reference == "median") {
      result.push_back(middle(a, j, rows, (n - 1) / 2, n / 2, p));
    } else {
      result.push_back(middle(a, j, rows, 0, n - 1, p));
    }
  }
  return result;
}

Matrix about(const Matrix& a, const Vector& y, Bits p) {
  Matrix result(a.rows, a.cols);
  for (long i = 0; i < a.rows; ++i)
    for (long j = 0; j < a.cols; ++j) result(i, j) = sub(a(i, j), y[static_cast<std::size_t>(j)], p);
  return result;
}

Number column_bound(const Vector& values, const Copies& copies, const std::vector<TokenPair>& pairs, Bits p) {
  // m(y) = max(half, y - low, high - y). Both factors are convex and piecewise affine, so between breakpoints
  // their product is monotone or concave: it is least at a breakpoint of one of them.
  Number half, low, high;
  for (const TokenPair& pair : pairs) {
    const bool first = &pair == &pairs.front();
    const Number sum = add(pair.first, pair.second, p), gap = abs(sub(pair.first, pair.second, p));
    const Number below = scale(sub(sum, pair.rest, p), -1), above = scale(add(sum, pair.rest, p), -1);
    half = max(half, scale(add(gap, pair.rest, p), -1));
    low = first ? below : min(low, below);
    high = first ? above : max(high, above);
  }
  const auto product_at = [&](const Number& y) {
    Number deviations;
    for (std::size_t i = 0; i < values.size(); ++i)
      deviations = add(deviations, times(abs(sub(values[i], y, p)), copies[i], p), p);
    return mul(deviations, max(half, max(sub(y, low, p), sub(high, y, p))), p);
  };
  Number result = product_at(scale(add(low, high, p), -1));
  result = min(result, product_at(add(low, half, p)));
  result = min(result, product_at(sub(high, half, p)));
  for (const Number& value : values) result = min(result, product_at(value));
  return result;
}

namespace {

/// The column bound of one column with all pairs of tokens.
Number column_bound(const Matrix& a, long column, const Copies& rows, const std::vector<Number>& distances,
                    Bits p) {
  Vector values;
  std::vector<TokenPair> pairs;
  auto pair = distances.begin();
  for (long i = 0; i < a.rows; ++i) {
    values.push_back(a(i, column));
    pairs.push_back({a(i, column), a(i, column), Number()});
    for (long k = i + 1; k < a.rows; ++k, ++pair)
      pairs.push_back({a(i, column), a(k, column), sub(*pair, abs(sub(a(i, column), a(k, column), p)), p)});
  }
  return recheck::column_bound(values, rows, pairs, p);
}

bool equal_rows(const Matrix& a, long i, long k, Bits p) {
  for (long j = 0; j < a.cols; ++j)
    if (!is_zero(sub(a(i, j), a(k, j), p))) return false;
  return true;
}

/// Whether all tokens but this one are certainly equal.
bool is_the_odd_token(const Matrix& a, long odd, const Copies& rows, Bits p) {
  if (at(rows, odd) != 1 || a.rows < 2) return false;
  const long other = odd == 0 ? 1 : 0;
  for (long i = 0; i < a.rows; ++i)
    if (i != odd && !equal_rows(a, i, other, p)) return false;
  return true;
}

/// A lower bound of the squared residual where all of n tokens but one are equal (docs/theory,
/// two-heads-many-tokens): v its entries beside the others, T their sum, m columns. For a reference y between
/// the two, A = |R|_1 >= v_c + (n-2) y_c in every column, so sum y <= (m A - T)/(n-2), and |R|_inf >= max(T -
/// sum y, T/2). The product is concave in A from max v up to where T - sum y is T/2, then grows: an end is
/// least.
Number odd_token_bound(const Matrix& a, long odd, const Copies& rows, const Copies& cols, Bits p) {
  const long other = odd == 0 ? 1 : 0;
  Integer n = 0, m = 0;
  for (const Integer& count : rows) n += count;
  for (const Integer& count : cols) m += count;
  Number sum, top;
  for (long j = 0; j < a.cols; ++j) {
    const Number v = abs(sub(a(odd, j), a(other, j), p));
    sum = add(sum, times(v, at(cols, j), p), p);
    top = max(top, v);
  }
  const Number others(Rational(n - 2), p), width(Rational(m), p), half = scale(sum, -1);
  const Number first = mul(top, sub(sum, div(sub(mul(width, top, p), sum, p), others, p), p), p);
  const Number turn = div(mul(sum, add(Number(1), scale(others, -1), p), p), width, p);
  return min(first, mul(turn, half, p));
}

}  // namespace

Sizes sizes(const Matrix& tokens, const Copies& rows, const Copies& cols, Bits p) {
  Sizes result;
  Number upper_bound;
  for (std::size_t k = 0; k < references.size(); ++k) {
    const Matrix centred = about(tokens, reference_row(tokens, rows, references[k], p), p);
    result.residual[k] = composite(centred, rows, cols, p);
    upper_bound = k == 0 ? result.residual[k] : min(upper_bound, result.residual[k]);
  }
  std::vector<Number> distances;
  Number squared;
  for (long i = 0; i < tokens.rows; ++i)
    for (long k = i + 1; k < tokens.rows; ++k) {
      const Distance d = distance(tokens, i, k, cols, p);
      distances.push_back(d.one);
      result.diameter[0] = max(result.diameter[0], d.one);
      squared = max(squared, d.squared);
      result.diameter[2] = max(result.diameter[2], d.inf);
    }
  result.diameter[1] = sqrt(squared, p);
  result.composite_diameter = sqrt(mul(result.diameter[0], result.diameter[2], p), p);
  Number lower_bound;
  for (long j = 0; j < tokens.cols; ++j)
    lower_bound = max(lower_bound, column_bound(tokens, j, rows, distances, p));
  for (long i = 0; i < tokens.rows; ++i)
    if (is_the_odd_token(tokens, i, rows, p) && std::accumulate(rows.begin(), rows.end(), Integer(0)) > 2)
      lower_bound = max(lower_bound, odd_token_bound(tokens, i, rows, cols, p));
  result.minimal = between(sqrt(lower_bound, p), upper_bound, p);
  return result;
}

}  // namespace rankfall::recheck
