#include "verify/recheck/instance.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "numerics/errors.hpp"

namespace rankfall::recheck {
namespace {

Number row_maximum(const Matrix& a, long row, Bits) {
  Number top;
  for (long j = 0; j < a.cols; ++j) top = max(top, abs(a(row, j)));
  return top;
}

/// What the rows give, each counted as often as it stands for a token.
template <class OfRow>
Number sum_of_rows(const Matrix& a, const Copies& copies, Bits p, OfRow of_row) {
  Number sum;
  for (long i = 0; i < a.rows; ++i)
    sum = add(sum, mul(of_row(a, i, p), Number(Rational(copies[static_cast<std::size_t>(i)]), p), p), p);
  return sum;
}

Number largest_oscillation(const Matrix& E, Bits p) {
  Number top;
  for (long i = 0; i < E.rows; ++i) top = max(top, row_oscillation(E, i, p));
  return top;
}

/// (e^t - 1)/t, 1 at 0; grows with t >= 0.
Number phi(const Number& t, Bits p) {
  const auto at = [&](const Number& end) { return is_zero(end) ? Number(1) : div(expm1(end, p), end, p); };
  return between(at(lower(max(t, Number()))), at(upper(t)), p);
}

std::size_t norm_index(const std::string& name) {
  return name.ends_with("_1") ? 0 : name.ends_with("_2") ? 1 : 2;
}

bool ends_in_a_norm(const std::string& name, std::string_view stem) {
  return name == fmt::format("{}_1", stem) || name == fmt::format("{}_2", stem) ||
         name == fmt::format("{}_inf", stem);
}

}  // namespace

Instance::Instance(const Recursion& followed, const Statement& statement, const Reading& reading)
    : followed_(followed), statement_(statement), reading_(reading), p_(followed.bits()) {}

const Sizes& Instance::sizes_of(std::size_t state) const {
  auto found = sizes_.find(state);
  if (found == sizes_.end())
    found = sizes_
                .emplace(state, sizes(followed_.state(state).R, followed_.network().tokens,
                                      followed_.columns(state), p_))
                .first;
  return found->second;
}

const LayerView& Instance::view(std::size_t layer) const {
  if (reading_.reference.empty()) throw InputError("scores are named where no reference is");
  if (views_.empty() && statement_.layer_span)
    views_.push_back(
        followed_.apply(reading_.from, followed_.about_reference(reading_.from, reading_.reference)));
  if (views_.empty()) views_ = followed_.propagated(reading_.reference, reading_.to);
  return views_.at(layer - reading_.from);
}

void Instance::each_member(const Visit& visit) const {
  if (followed_.network().tokens != single(followed_.network().input.rows))
    throw InputError(
        "inequalities for every token or entry are not rechecked for rows that stand for several tokens");
  constexpr std::string_view beyond = "beyond-leading-order-";
  if (statement_.quantity.starts_with(beyond))
    return members_beyond_leading_order(statement_.quantity.substr(beyond.size()), visit);
  for (std::size_t head = 0; head < view(reading_.from).heads.size(); ++head) members_of(head, visit);
}

std::size_t Instance::most_heads() const {
  std::size_t most = 0;
  for (std::size_t l = reading_.from; l < reading_.to; ++l)
    most = std::max(most, followed_.weights(l).size());
  return most;
}

long Instance::common_width() const {
  const auto& layers = followed_.network().layers;
  const long width = layers[reading_.from].heads.front().d_qk;
  for (std::size_t l = reading_.from; l < reading_.to; ++l)
    for (const Head& head : layers[l].heads)
      if (head.d_qk != width) throw InputError("d_qk differs between heads");
  return width;
}

Value Instance::look_up(const std::string& name, const std::vector<long>& indices) const {
  const Layer& first = followed_.network().layers[reading_.from];
  if (indices.empty()) {
    if (name == "n") return Rational(followed_.network().token_count());
    if (name == "L") return Rational(static_cast<long>(reading_.to - reading_.from));
    if (name == "H") return Rational(static_cast<long>(most_heads()));
    if (name == "d") return Rational(first.heads.front().input_width());
    if (name == "d_qk") return Rational(common_width());
    if (name == "alpha") return Rational(boost::multiprecision::abs(first.skip));
    if (const auto value = plain(name)) return *value;
  }
  if (const auto value = of_causal_layer(name, indices)) return *value;
  const long layer = indices.size() == 2 ? indices[0] : 0, head = indices.empty() ? 0 : indices.back();
  const bool inside = layer >= 0 && layer < static_cast<long>(reading_.to - reading_.from) && head >= 1 &&
                      head <= static_cast<long>(most_heads());
  if ((indices.size() == 1 || indices.size() == 2) && inside)
    if (const auto value =
            of_head(name, reading_.from + static_cast<std::size_t>(layer), static_cast<std::size_t>(head)))
      return *value;
  refuse_symbol(name, indices);
}

std::optional<Number> Instance::of_head(const std::string& name, std::size_t layer, std::size_t head) const {
  const std::size_t heads = followed_.weights(layer).size();
  const auto value = measured(name, layer, std::min(head, heads) - 1);
  return value && head > heads ? Number() : value;
}

std::optional<Number> Instance::measured(const std::string& name, std::size_t layer, std::size_t head) const {
  const std::string key = fmt::format("{}[{},{}]", name, layer, head);
  if (const auto found = measured_.find(key); found != measured_.end()) return found->second;
  const HeadWeights& weights = followed_.weights(layer)[head];
  const Copies inputs = single(weights.A.rows), outputs = followed_.columns(layer + 1);
  const Number quarter(Rational(1, 4), p_);
  std::optional<Number> value;
  if (name == "a") value = norm_1(weights.A, inputs, p_);
  if (name == "W_1" || name == "op_inf") value = norm_1(weights.W, inputs, p_);
  if (name == "W_inf" || name == "op_1") value = norm_inf(weights.W, outputs, p_);
  if (name == "W_c") value = composite(weights.W, inputs, outputs, p_);
  if (name == "op_2") value = spectral_norm(weights.W, outputs, p_);
  if (name == "k_1") value = mul(quarter, largest_entry(weights.A), p_);
  if (name == "k_2") value = mul(quarter, spectral_norm(weights.A, inputs, p_), p_);
  if (name == "k_inf") value = mul(quarter, entry_sum(weights.A, inputs, p_), p_);
  if (value) measured_.emplace(key, *value);
  return value;
}

std::optional<Number> Instance::plain(const std::string& name) const {
  const Copies& tokens = followed_.network().tokens;
  if (name == "r0") {
    if (reading_.reference.empty()) return sizes_of(reading_.from).minimal;
    return composite(view(reading_.from).before.R, tokens, followed_.columns(reading_.from), p_);
  }
  if (name == "res") return sizes_of(reading_.from).minimal;
  if (name == "delta") return sizes_of(reading_.from).composite_diameter;
  if (ends_in_a_norm(name, "diam")) return sizes_of(reading_.from).diameter[norm_index(name)];
  if (ends_in_a_norm(name, "rate")) return rate(name.substr(5));
  if (name == "first") return from_first(reading_.from, "2", true);
  if (name.starts_with("spread_")) return from_first(reading_.from, name.substr(7), false);
  if (name == "P_first") return least_weight_on_first();
  if (name == "XWX") return largest_form_of_values();
  if (name == "gamma") return gamma();
  if (name == "Cmax") return largest_constant();
  if (auto value = of_scores(name)) return value;
  Number top;
  for (std::size_t l = reading_.from; l < reading_.to; ++l)
    for (std::size_t h = 0; h < followed_.weights(l).size(); ++h) {
      if (name == "beta") {
        const Number width = sqrt(Number(followed_.network().layers[l].heads[h].d_qk), p_);
        top = max(top, mul(mul(*measured("a", l, h), width, p_), *measured("W_c", l, h), p_));
        continue;
      }
      const auto value = measured(name, l, h);
      if (!value) return std::nullopt;
      top = max(top, *value);
    }
  return top;
}

std::optional<Number> Instance::of_scores(const std::string& name) const {
  const Copies& tokens = followed_.network().tokens;
  if (name == "rho") {
    Number top;
    for (std::size_t l = reading_.from; l < reading_.to; ++l)
      for (const HeadView& head : view(l).heads) top = max(top, largest_oscillation(head.E, p_));
    return top;
  }
  if (name != "sumrho" && name != "M" && name != "phi" && name != "E1" && name != "RW") return std::nullopt;
  const HeadView& head = view(reading_.from).heads.front();
  if (name == "sumrho") return sum_of_rows(head.E, tokens, p_, row_oscillation);
  if (name == "M") return largest_entry(head.E);
  if (name == "E1") return norm_1(head.E, tokens, p_);
  if (name == "RW") return composite(head.RW, tokens, followed_.columns(reading_.from + 1), p_);
  return phi(min(largest_entry(head.E), largest_oscillation(head.E, p_)), p_);
}

Number Instance::gamma() const {
  const std::string& kind = reading_.gamma;
  if (kind.empty()) throw InputError("gamma is named where none is chosen");
  if (kind == "one") return Number(1);
  if (kind.starts_with("fixed:")) return Number(parse_number(kind.substr(6)), p_);
  if (kind != "sum-max" && kind != "max-ratio")
    throw InputError("gamma is one, sum-max, max-ratio or fixed:VALUE");
  // prod_l gamma_l^(3^(L-1-l)) = gamma^((3^L-1)/2)
  const Copies& tokens = followed_.network().tokens;
  const auto three_to = [](std::size_t e) { return rankfall::power(Integer(3), e); };
  const std::size_t layers = reading_.to - reading_.from;
  Number chain(1);
  for (std::size_t l = 0; l < layers; ++l) {
    Number largest;
    for (const HeadView& head : view(reading_.from + l).heads) {
      const Number column = norm_1(head.E, tokens, p_);
      if (is_zero(column)) continue;
      const Number sum = kind == "sum-max" ? scale(sum_of_rows(head.E, tokens, p_, row_oscillation), -1)
                                           : sum_of_rows(head.E, tokens, p_, row_maximum);
      largest = max(largest, div(sum, column, p_));
    }
    chain = mul(chain, power(largest, Rational(three_to(layers - 1 - l)), p_), p_);
  }
  return power(chain, Rational(Integer(2), Integer(three_to(layers) - 1)), p_);
}

Number Instance::rate(const std::string& norm) const {
  const Number diameter = sizes_of(reading_.from).diameter[norm_index("rate_" + norm)];
  const Number squared = mul(diameter, diameter, p_);
  Number top;
  for (std::size_t l = reading_.from; l < reading_.to; ++l) {
    Number sum;
    for (std::size_t h = 0; h < followed_.weights(l).size(); ++h)
      sum = add(
          sum,
          mul(*measured("op_" + norm, l, h), tanh(mul(*measured("k_" + norm, l, h), squared, p_), p_), p_),
          p_);
    top = max(top, sum);
  }
  return top;
}

Number Instance::largest_constant() const {
  if (!statement_.constant) throw InputError("the statement has no constant");
  Number top;
  for (std::size_t l = reading_.from; l < reading_.to; ++l) {
    const Reading one{l, l + 1, reading_.reference, reading_.gamma};
    top = max(top, Instance(followed_, statement_, one).evaluate(*statement_.constant));
  }
  return top;
}

Number Instance::from_first(std::size_t state, std::string_view norm, bool second_alone) const {
  const Matrix& R = followed_.state(state).R;
  Number top;
  for (long i = 1; i < (second_alone ? 2 : R.rows); ++i)
    top = max(top, vector_norm(row_difference(R, i, 0, p_), norm, p_));
  return top;
}

Number Instance::least_weight_on_first() const {
  const LayerView seen = followed_.apply(reading_.from, followed_.state(reading_.from));
  const Matrix& P = seen.heads.front().D;
  if (!seen.heads.front().q.empty()) throw InputError("P_first is named where there is no causal mask");
  Number least = P(0, 0);
  for (long i = 1; i < P.rows; ++i) least = min(least, P(i, 0));
  return least;
}

/// Exactly zero where so many bits hold the tokens and the values.
Number Instance::largest_form_of_values() const {
  const Matrix X(followed_.network().input, p_);
  Number top;
  for (const HeadWeights& head : followed_.weights(0)) {
    if (reading_.from != 0 || head.W.cols != X.cols)
      throw InputError("XWX is named where values are not added to tokens, or not to those of the input");
    top = max(top, largest_entry(product(product(X, head.W, p_), transposed(X), p_)));
  }
  return top;
}

std::optional<Number> Instance::of_causal_layer(const std::string& name,
                                                const std::vector<long>& indices) const {
  if ((name != "p" && name != "sigma_min") || indices.size() != 1) return std::nullopt;
  if (indices[0] < 0 || indices[0] >= static_cast<long>(reading_.to - reading_.from))
    refuse_symbol(name, indices);
  const std::size_t layer = reading_.from + static_cast<std::size_t>(indices[0]);
  if (name == "sigma_min") return least_singular_value(followed_.weights(layer).front().W, p_);
  const LayerView seen = followed_.apply(layer, followed_.state(layer));
  if (!seen.heads.front().q.empty()) throw InputError("p is named where there is no causal mask");
  return seen.heads.front().D(1, 1);
}

Number Instance::left() const {
  const std::string& quantity = statement_.quantity;
  if (quantity == "first-difference") return from_first(reading_.to, "2", true);
  constexpr std::string_view spread = "spread-from-first-";
  if (quantity.starts_with(spread)) return from_first(reading_.to, quantity.substr(spread.size()), false);
  const Sizes& last = sizes_of(reading_.to);
  if (quantity == "residual-about-reference" && !reading_.reference.empty())
    return composite(view(reading_.to - 1).after.R, followed_.network().tokens,
                     followed_.columns(reading_.to), p_);
  if (quantity == "residual" || quantity == "residual-about-reference") return last.minimal;
  if (quantity == "composite-diameter") return last.composite_diameter;
  if (quantity == "diameter-1") return last.diameter[0];
  if (quantity == "diameter-2") return last.diameter[1];
  if (quantity == "diameter-inf") return last.diameter[2];
  if (quantity == "oscillation") {  // at the minimiser max rho <= 2 max |E| <= 2 a r0^2
    const Number r0 = *plain("r0");
    return between(Number(), mul(mul(Number(2), *plain("a"), p_), mul(r0, r0, p_), p_), p_);
  }
  refuse_quantity(quantity);
}

}  // namespace rankfall::recheck
