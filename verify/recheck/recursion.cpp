#include "verify/recheck/recursion.hpp"

#include <algorithm>
#include <numeric>

namespace rankfall::recheck {
namespace {

Vector row(const Table& table, long length, Bits p) {
  Vector result(static_cast<std::size_t>(length));
  for (std::size_t j = 0; j < table.entries.size(); ++j) result[j] = Number(table.entries[j], p);
  return result;
}

void add_to(Vector& sum, const Vector& term, Bits p) {
  for (std::size_t j = 0; j < sum.size(); ++j) sum[j] = add(sum[j], term[j], p);
}

/// a y for a column y.
Vector times_column(const Matrix& a, const Vector& y, Bits p) {
  return row_times(y, transposed(a), p);
}

HeadWeights weights_of(const Head& head, Bits p) {
  const Number root = sqrt(Number(head.d_qk), p);
  HeadWeights result;
  if (head.W_QK.empty()) {
    const Matrix keys(head.W_K, p);
    result.A = product(Matrix(head.W_Q, p), transposed(keys), p);
    result.u = times_column(keys, row(head.b_Q, head.d_qk, p), p);
    result.W = Matrix(head.W_V, p);
    if (!head.W_O.empty()) result.W = product(result.W, Matrix(head.W_O, p), p);
  } else {
    result.A = Matrix(head.W_QK, p);
    result.u = Vector(static_cast<std::size_t>(head.W_QK.rows));
    result.W = Matrix(head.W, p);
  }
  for (Number& entry : result.A.entries) entry = div(entry, root, p);
  for (Number& entry : result.u) entry = div(entry, root, p);
  return result;
}

Vector bias_of(const Layer& layer, Bits p) {
  Vector result = row(layer.b_O, layer.heads.front().output_width(), p);
  for (const Head& head : layer.heads) {
    if (head.b_V.empty()) continue;
    const Vector bias = row(head.b_V, head.b_V.cols, p);
    add_to(result, head.W_O.empty() ? bias : row_times(bias, Matrix(head.W_O, p), p), p);
  }
  return result;
}

/// Softmax of the scores of these places, each counted as often as its row stands for a token.
Vector softmax(const Vector& scores, const std::vector<long>& places, const Copies& copies, Bits p) {
  const auto score = [&](long j) -> const Number& { return scores[static_cast<std::size_t>(j)]; };
  Number top = score(places.front()), sum;
  for (const long j : places) top = max(top, score(j));
  top = upper(top);
  Vector weights(scores.size());
  for (const long j : places) {
    const auto k = static_cast<std::size_t>(j);
    weights[k] = mul(exp(sub(score(j), top, p), p), Number(Rational(copies[k]), p), p);
    sum = add(sum, weights[k], p);
  }
  for (Number& weight : weights) weight = div(weight, sum, p);
  return weights;
}

Matrix rows_of(const Matrix& a, const std::vector<long>& rows) {
  Matrix result(static_cast<long>(rows.size()), a.cols);
  for (long i = 0; i < result.rows; ++i)
    for (long j = 0; j < a.cols; ++j) result(i, j) = a(rows[static_cast<std::size_t>(i)], j);
  return result;
}

std::vector<long> up_to(long count) {
  std::vector<long> result(static_cast<std::size_t>(count));
  std::iota(result.begin(), result.end(), 0L);
  return result;
}

/// P - 1 q^T, from E and q.
Matrix deviation(const Matrix& E, const Vector& q, Bits p) {
  Matrix D(E.rows, E.cols);
  for (long i = 0; i < E.rows; ++i) {
    Vector e;
    Number m;
    for (long k = 0; k < E.cols; ++k) {
      e.push_back(expm1(E(i, k), p));
      m = add(m, mul(q[static_cast<std::size_t>(k)], e.back(), p), p);
    }
    const Number total = add(Number(1), m, p);
    for (long j = 0; j < E.cols; ++j) {
      const auto key = static_cast<std::size_t>(j);
      D(i, j) = div(mul(q[key], sub(e[key], m, p), p), total, p);
    }
  }
  return D;
}

/// The rows of P, each over its own keys.
Matrix attention(const Matrix& E, const Vector& scores, const Layer& layer, Bits p) {
  const Copies once = single(E.cols);
  Matrix P(E.rows, E.cols);
  for (long i = 0; i < E.rows; ++i) {
    Vector row = scores;
    for (long j = 0; j < E.cols; ++j) {
      Number& score = row[static_cast<std::size_t>(j)];
      score = add(score, E(i, j), p);
    }
    const Vector weights = softmax(row, layer.keys[static_cast<std::size_t>(i)], once, p);
    std::copy(weights.begin(), weights.end(), P.entries.begin() + i * E.cols);
  }
  return P;
}

/// The reference of a column of exact entries, exactly.
Rational exact_reference(const Table& table, long column, const Copies& copies, std::string_view reference) {
  std::vector<std::pair<Rational, Integer>> values;
  Rational sum = 0;
  Integer n = 0;
  for (long i = 0; i < table.rows; ++i) {
    const Integer& count = copies[static_cast<std::size_t>(i)];
    values.emplace_back(table(i, column), count);
    sum += table(i, column) * Rational(count);
    n += count;
  }
  if (reference == "mean") return sum / Rational(n);
  std::sort(values.begin(), values.end());
  if (reference == "midrange") return (values.front().first + values.back().first) / 2;
  const auto number = [&](const Integer& position) {
    Integer before = 0;
    for (const auto& [value, count] : values)
      if ((before += count) > position) return value;
    return values.back().first;
  };
  return (number((n - 1) / 2) + number(n / 2)) / 2;
}

/// The input about a reference, rounded only at the end: equal tokens give exact zeros.
State input_about(const Network& network, std::string_view reference, Bits p) {
  const Table& X = network.input;
  State result{{}, Matrix(X.rows, X.cols)};
  for (long j = 0; j < X.cols; ++j) {
    const Rational y = exact_reference(X, j, network.tokens, reference);
    result.x.emplace_back(y, p);
    for (long i = 0; i < X.rows; ++i) result.R(i, j) = Number(Rational(X(i, j) - y), p);
  }
  return result;
}

HeadView view(const HeadWeights& head, const Layer& layer, const State& state, const Copies& copies, Bits p) {
  HeadView result;
  const bool shared = layer.keys_are_shared();
  const std::vector<long> seen = shared ? layer.keys.front() : up_to(state.R.rows);
  result.keys = rows_of(state.R, seen);
  result.E = product(product(state.R, head.A, p), transposed(result.keys), p);
  result.RW = product(result.keys, head.W, p);
  Vector direction = row_times(state.x, head.A, p);
  add_to(direction, head.u, p);
  const Vector scores = times_column(result.keys, direction, p);
  if (!shared) {
    result.D = attention(result.E, scores, layer, p);
    return result;
  }
  Copies of_keys;
  for (const long key : seen) of_keys.push_back(copies[static_cast<std::size_t>(key)]);
  result.q = softmax(scores, up_to(result.keys.rows), of_keys, p);
  result.D = deviation(result.E, result.q, p);
  return result;
}

}  // namespace

Recursion::Recursion(const Network& network, Bits p) : network_(network), p_(p) {
  for (const Layer& layer : network.layers) {
    weights_.emplace_back();
    for (const Head& head : layer.heads) weights_.back().push_back(weights_of(head, p));
    biases_.push_back(bias_of(layer, p));
  }
  // About the median most rows of a folded network are exact zeros and stay so: equal tokens are seen to be
  // equal.
  states_.push_back(input_about(network, network.folded() ? "median" : "mean", p));
  for (std::size_t layer = 0; layer < network.layers.size(); ++layer) {
    states_.push_back(apply(layer, states_.back()).after);
    if (!network.folded()) states_.back() = about_reference(layer + 1, "mean");
  }
}

Copies Recursion::columns(std::size_t k) const {
  return k == network_.layers.size() ? network_.columns : single(states_[k].R.cols);
}

State Recursion::about_reference(std::size_t k, std::string_view reference) const {
  if (k == 0) return input_about(network_, reference, p_);
  State result = states_[k];
  const Vector y = reference_row(result.R, network_.tokens, reference, p_);
  add_to(result.x, y, p_);
  result.R = about(result.R, y, p_);
  return result;
}

LayerView Recursion::apply(std::size_t layer, const State& state) const {
  const Layer& block = network_.layers[layer];
  LayerView result{state, {biases_[layer], Matrix(state.R.rows, block.heads.front().output_width())}, {}};
  for (const HeadWeights& head : weights_[layer]) {
    HeadView seen = view(head, block, state, network_.tokens, p_);
    Vector attended = state.x;
    if (!seen.q.empty()) add_to(attended, row_times(seen.q, seen.keys, p_), p_);
    add_to(result.after.x, row_times(attended, head.W, p_), p_);
    const Matrix change = product(seen.D, seen.RW, p_);
    add_to(result.after.R.entries, change.entries, p_);
    result.heads.push_back(std::move(seen));
  }
  if (block.skip != 0) {
    const Number skip(block.skip, p_);
    for (std::size_t i = 0; i < state.R.entries.size(); ++i)
      result.after.R.entries[i] = add(result.after.R.entries[i], mul(skip, state.R.entries[i], p_), p_);
    for (std::size_t j = 0; j < state.x.size(); ++j)
      result.after.x[j] = add(result.after.x[j], mul(skip, state.x[j], p_), p_);
  }
  return result;
}

std::vector<LayerView> Recursion::propagated(std::string_view reference, std::size_t layers) const {
  std::vector<LayerView> result;
  State state = about_reference(0, reference);
  for (std::size_t layer = 0; layer < layers; ++layer) {
    result.push_back(apply(layer, state));
    state = result.back().after;
  }
  return result;
}

}  // namespace rankfall::recheck
