#pragma once
// Definitions of san/recursion.hpp.

namespace rankfall {
namespace recursion_detail {

template <class S, class Dense>
void clear(Dense& dense) {
  std::fill(dense.data(), dense.data() + dense.size(), S{});
}

}  // namespace recursion_detail

template <class S>
Matrix<S> Recursion<S>::entries(const ExactMatrix& exact) const {
  Matrix<S> result(exact.rows(), exact.cols());
  for (Index i = 0; i < exact.rows(); ++i)
    for (Index j = 0; j < exact.cols(); ++j) result(i, j) = a_.of(exact(i, j));
  return result;
}

template <class S>
void Recursion<S>::accumulate_product(const Matrix<S>& left, const Matrix<S>& right, Matrix<S>& sum) const {
  const Index n = left.rows(), inner = left.cols(), m = right.cols();
  for (Index i = 0; i < n; ++i) {
    S* const row = sum.data() + i * m;
    for (Index k = 0; k < inner; ++k) {
      const S& factor = left.data()[i * inner + k];
      const S* const term = right.data() + k * m;
      for (Index j = 0; j < m; ++j) a_.add_product(row[j], factor, term[j]);
    }
  }
}

template <class S>
Matrix<S> Recursion<S>::product(const Matrix<S>& left, const Matrix<S>& right) const {
  Matrix<S> result(left.rows(), right.cols());
  recursion_detail::clear<S>(result);
  accumulate_product(left, right, result);
  return result;
}

template <class S>
void Recursion<S>::accumulate_transposed(const Matrix<S>& left, const Vector<S>& x, Vector<S>& sum) const {
  for (Index i = 0; i < left.rows(); ++i)
    for (Index j = 0; j < left.cols(); ++j) a_.add_product(sum(j), left(i, j), x(i));
}

template <class S>
RecursionLayer<S> Recursion<S>::layer(const AttentionBlock& block) const {
  RecursionLayer<S> result;
  result.skip = a_.of(block.skip);
  result.bias = Vector<S>(block.heads.front().output_width());
  recursion_detail::clear<S>(result.bias);
  for (Index j = 0; j < block.b_O.cols(); ++j) result.bias(j) = a_.of(block.b_O(0, j));
  for (const Head& head : block.heads) {
    RecursionHead<S> weights;
    weights.key_bias = Vector<S>(head.input_width());
    recursion_detail::clear<S>(weights.key_bias);
    if (head.fused) {
      weights.scores = entries(head.W_QK);
      weights.values = entries(head.W);
    } else {
      const Matrix<S> keys = entries(head.W_K), keys_transposed = keys.transpose();
      weights.scores = product(entries(head.W_Q), keys_transposed);
      if (!head.b_Q.empty()) {
        const Vector<S> query_bias = entries(head.b_Q).transpose();
        accumulate_transposed(keys_transposed, query_bias, weights.key_bias);
      }
      const Matrix<S> W_V = entries(head.W_V);
      weights.values = head.W_O.empty() ? W_V : product(W_V, entries(head.W_O));
      if (!head.b_V.empty()) {
        const Vector<S> value_bias = entries(head.b_V).transpose();
        if (head.W_O.empty())
          for (Index j = 0; j < value_bias.size(); ++j) a_.add_to(result.bias(j), value_bias(j));
        else
          accumulate_transposed(entries(head.W_O), value_bias, result.bias);
      }
    }
    const S root = a_.sqrt(a_.of(static_cast<long>(head.d_qk)));
    for (Index i = 0; i < weights.scores.size(); ++i) a_.divide_by(weights.scores.data()[i], root);
    for (Index i = 0; i < weights.key_bias.size(); ++i) a_.divide_by(weights.key_bias(i), root);
    result.heads.push_back(std::move(weights));
  }
  return result;
}

template <class S>
RecursionState<S> Recursion<S>::input(const ExactMatrix& tokens) const {
  const Index n = tokens.rows(), d = tokens.cols();
  RecursionState<S> state{Vector<S>(d), Matrix<S>(n, d), 0};
  for (Index j = 0; j < d; ++j) {
    Rational mean = 0;
    for (Index i = 0; i < n; ++i) mean += tokens(i, j);
    mean /= Rational(static_cast<long>(n));
    state.reference(j) = a_.of(mean);
    for (Index i = 0; i < n; ++i) state.residual(i, j) = a_.of(Rational(tokens(i, j) - mean));
  }
  return state;
}

/// q = softmax(R (A^T x + W_K b_Q / sqrt(d_qk))).
template <class S>
void Recursion<S>::weigh_tokens(const RecursionHead<S>& head, const RecursionState<S>& state) {
  const Matrix<S>& R = state.residual;
  direction_ = head.key_bias;
  accumulate_transposed(head.scores, state.reference, direction_);
  q_.resize(R.rows());
  const typename Arithmetic<S>::Shift exponent = a_.shift(state.exponent);
  Index hot = 0;
  for (Index i = 0; i < R.rows(); ++i) {
    S score{};
    for (Index j = 0; j < R.cols(); ++j) a_.add_product(score, R(i, j), direction_(j));
    q_(i) = a_.scaled(score, exponent);
    if (a_.less(q_(hot), q_(i))) hot = i;
  }
  const S top = q_(hot);
  S total{};
  for (Index i = 0; i < R.rows(); ++i) {
    a_.subtract_from(q_(i), top);
    q_(i) = i == hot ? a_.of(1L) : a_.exp(q_(i));
    a_.add_to(total, q_(i));
  }
  for (Index i = 0; i < R.rows(); ++i) a_.divide_by(q_(i), total);
}

/// Turns the scores 2^shift D_ into the deviation, on the same exponent: with e = expm1 of the scores
/// relative to the token of largest weight, D_j = q_j (e_j - m) / (1 + m), m = sum q e; all over e^top in
/// rows with a large score.
template <class S>
void Recursion<S>::deviate(const Integer& exponent) {
  const typename Arithmetic<S>::Shift shift = a_.shift(exponent), back = a_.shift(Integer(-exponent));
  const Index n = D_.rows();
  const S limit = a_.of(8L);
  Index hot = 0;
  for (Index j = 1; j < n; ++j)
    if (a_.less(q_(hot), q_(j))) hot = j;
  for (Index i = 0; i < n; ++i) {
    S* const row = D_.data() + i * n;
    const S base = row[hot];
    Index largest = hot;
    for (Index j = 0; j < n; ++j) {
      if (j != hot)
        a_.subtract_from(row[j], base);
      else
        row[j] = S{};
      if (a_.less(row[largest], row[j])) largest = j;
    }
    const S top = a_.scaled(row[largest], shift);
    const bool divided = a_.less(limit, top);
    S unit = a_.of(1L), m{};
    if (divided) {
      S minus_top{};
      a_.subtract_from(minus_top, top);
      unit = a_.exp(minus_top);
    }
    for (Index j = 0; j < n; ++j) {
      S score = divided ? a_.scaled(row[j], shift) : S{};
      if (divided && a_.less(limit, score)) {
        a_.subtract_from(score, top);
        row[j] = j == largest ? a_.of(1L) : a_.exp(score);
        a_.subtract_from(row[j], unit);
        row[j] = a_.scaled(row[j], back);
      } else {
        row[j] = a_.scaled_expm1(row[j], shift);
        if (divided) a_.multiply_by(row[j], unit);
      }
      a_.add_product(m, q_(j), row[j]);
    }
    S total = a_.scaled(m, shift);
    a_.add_to(total, unit);
    for (Index j = 0; j < n; ++j) {
      a_.subtract_from(row[j], m);
      a_.multiply_by(row[j], q_(j));
      a_.divide_by(row[j], total);
    }
  }
}

template <class S>
void Recursion<S>::apply(const RecursionLayer<S>& layer, RecursionState<S>& state) {
  const Matrix<S>& R = state.residual;
  const Index n = R.rows(), d_out = layer.bias.size();
  const Integer shift = state.exponent < 0 ? Integer(2 * state.exponent) : Integer(0);
  const typename Arithmetic<S>::Shift own = a_.shift(state.exponent),
                                      doubled = a_.shift(Integer(2 * state.exponent)),
                                      of_change = a_.shift(shift);
  Vector<S> reference = layer.bias;
  transposed_ = R.transpose();
  change_.resize(n, d_out);
  recursion_detail::clear<S>(change_);
  for (const RecursionHead<S>& head : layer.heads) {
    weigh_tokens(head, state);
    scored_.resize(n, R.cols());
    recursion_detail::clear<S>(scored_);
    accumulate_product(R, head.scores, scored_);
    D_.resize(n, n);
    recursion_detail::clear<S>(D_);
    accumulate_product(scored_, transposed_, D_);
    if (state.exponent > 0)
      for (Index i = 0; i < D_.size(); ++i) D_.data()[i] = a_.scaled(D_.data()[i], doubled);
    deviate(shift);
    valued_.resize(n, d_out);
    recursion_detail::clear<S>(valued_);
    accumulate_product(R, head.values, valued_);
    accumulate_product(D_, valued_, change_);
    attended_.resize(R.cols());
    recursion_detail::clear<S>(attended_);
    accumulate_transposed(R, q_, attended_);
    for (Index j = 0; j < R.cols(); ++j) {
      attended_(j) = a_.scaled(attended_(j), own);
      a_.add_to(attended_(j), state.reference(j));
    }
    accumulate_transposed(head.values, attended_, reference);
  }
  if (a_.is_zero(layer.skip)) {
    state.residual.swap(change_);
    state.exponent += shift;
  } else {
    for (Index i = 0; i < state.residual.size(); ++i) {
      a_.multiply_by(state.residual.data()[i], layer.skip);
      a_.add_to(state.residual.data()[i], a_.scaled(change_.data()[i], of_change));
    }
    for (Index j = 0; j < d_out; ++j) a_.add_product(reference(j), layer.skip, state.reference(j));
  }
  state.reference.swap(reference);
  recentre(state);
}

/// Moves the mean into the reference and the size of the largest entry into the exponent.
template <class S>
void Recursion<S>::recentre(RecursionState<S>& state) const {
  Matrix<S>& R = state.residual;
  const S count = a_.of(static_cast<long>(R.rows()));
  const typename Arithmetic<S>::Shift own = a_.shift(state.exponent);
  bool found = false;
  typename Arithmetic<S>::Exponent top = 0;
  for (Index j = 0; j < R.cols(); ++j) {
    S mean{};
    for (Index i = 0; i < R.rows(); ++i) a_.add_to(mean, R(i, j));
    a_.divide_by(mean, count);
    for (Index i = 0; i < R.rows(); ++i) {
      a_.subtract_from(R(i, j), mean);
      if (a_.is_zero(R(i, j))) continue;
      const typename Arithmetic<S>::Exponent exponent = a_.exponent(R(i, j));
      if (!found || exponent > top) top = exponent;
      found = true;
    }
    a_.add_to(state.reference(j), a_.scaled(mean, own));
  }
  if (!found) state.exponent = 0;
  if (!found || top == 0) return;
  const typename Arithmetic<S>::Shift shift = a_.shift(-Integer(top));
  for (Index i = 0; i < R.size(); ++i) R.data()[i] = a_.scaled(R.data()[i], shift);
  state.exponent += top;
}

template <class S>
S Recursion<S>::composite(const RecursionState<S>& state) const {
  const Matrix<S>& R = state.residual;
  S one{}, inf{};
  for (Index j = 0; j < R.cols(); ++j) {
    S sum{};
    for (Index i = 0; i < R.rows(); ++i) a_.add_to(sum, a_.abs(R(i, j)));
    one = a_.max(one, sum);
  }
  for (Index i = 0; i < R.rows(); ++i) {
    S sum{};
    for (Index j = 0; j < R.cols(); ++j) a_.add_to(sum, a_.abs(R(i, j)));
    inf = a_.max(inf, sum);
  }
  a_.multiply_by(one, inf);
  return a_.sqrt(one);
}

}  // namespace rankfall
