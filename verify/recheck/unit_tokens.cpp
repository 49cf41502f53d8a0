#include "verify/recheck/unit_tokens.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "numerics/errors.hpp"
#include "verify/recheck/network.hpp"

namespace rankfall::recheck {
namespace {

constexpr long most_classes = 20'000, most_pairs = 100'000, most_tokens = 1'000'000'000;

UnitTokens::Class read_class(const Json& value, std::size_t classes, std::size_t outputs) {
  value.require_keys({"count", "unit", "logit", "self", "scores", "values", "own"});
  UnitTokens::Class result;
  result.count = value.at("count").as_count(1, most_tokens);
  result.unit = value.at("unit").as_truth();
  if (!result.unit) {
    value.require_keys({"count", "unit"});
    result.values.resize(outputs);
    return result;
  }
  result.logit = exact_number(value.at("logit"));
  result.self = exact_number(value.at("self"));
  result.own = exact_number(value.at("own"));
  for (const Json& score : value.at("scores").as_list()) {
    if (score.as_list().size() != 2) score.refuse("a class and a score");
    const auto other = static_cast<std::size_t>(score.items[0].as_count(0, static_cast<long>(classes) - 1));
    if (!result.scores.emplace(other, exact_number(score.items[1])).second) score.refuse("each class once");
  }
  for (const Json& entry : value.at("values").as_list()) result.values.push_back(exact_number(entry));
  if (result.values.size() != outputs) value.at("values").refuse(fmt::format("{} values", outputs));
  return result;
}

Rational magnitude(const Rational& value) {
  return boost::multiprecision::abs(value);
}

}  // namespace

UnitTokens read_unit_tokens(const Json& value) {
  value.require_keys({"d_qk", "constant", "outputs", "column", "pairs", "classes"});
  UnitTokens result;
  result.d_qk = value.at("d_qk").as_count(1, most_tokens);
  if (const Json& constant = value.at("constant"); constant.kind != Json::Kind::null) {
    result.constant = exact_number(constant);
    if (result.constant == 0) constant.refuse("null or a number that is not 0");
  }
  result.outputs = static_cast<std::size_t>(value.at("outputs").as_count(1, 100));
  result.column =
      static_cast<std::size_t>(value.at("column").as_count(0, static_cast<long>(result.outputs) - 1));
  const auto& classes = value.at("classes").as_list();
  if (classes.empty() || classes.size() > most_classes) value.at("classes").refuse("1 to 20000 classes");
  for (const Json& each : classes) result.classes.push_back(read_class(each, classes.size(), result.outputs));
  const auto last = static_cast<long>(classes.size()) - 1;
  for (const auto& each : result.classes)
    for (const auto& [other, score] : each.scores)
      if (!result.classes[other].unit) value.at("classes").refuse("scores between unit tokens");
  const auto& pairs = value.at("pairs").as_list();
  if (pairs.empty() || pairs.size() > most_pairs) value.at("pairs").refuse("1 to 100000 pairs");
  for (const Json& pair : pairs) {
    if (pair.as_list().size() != 2) pair.refuse("two classes");
    result.pairs.emplace_back(pair.items[0].as_count(0, last), pair.items[1].as_count(0, last));
  }
  if (result.d_qk < result.width()) value.at("d_qk").refuse("a query width that the scores fit into");
  return result;
}

Integer UnitTokens::tokens() const {
  Integer sum = 0;
  for (const Class& each : classes) sum += each.count;
  return sum;
}

Integer UnitTokens::width() const {
  Integer sum = constant == 0 ? 0 : 1;
  for (const Class& each : classes)
    if (each.unit) sum += each.count;
  return sum;
}

Rational UnitTokens::score_norm() const {
  std::vector<Rational> columns(classes.size());
  for (std::size_t x = 0; x < classes.size(); ++x) {
    columns[x] += magnitude(classes[x].self);
    if (constant != 0) columns[x] += magnitude(classes[x].logit / constant);
    for (const auto& [y, score] : classes[x].scores)
      columns[y] += magnitude(score) * Rational(classes[x].count - (x == y ? 1 : 0));
  }
  return *std::max_element(columns.begin(), columns.end());
}

Rational UnitTokens::value_norm_1() const {
  Rational top = 0;
  for (std::size_t k = 0; k < outputs; ++k) {
    Rational sum = 0;
    for (const Class& each : classes) sum += magnitude(each.values[k]) * Rational(each.count);
    top = std::max(top, sum);
  }
  for (const Class& each : classes) top = std::max(top, magnitude(each.own));
  return top;
}

Rational UnitTokens::value_norm_inf() const {
  Rational top = 0;
  for (const Class& each : classes) {
    Rational sum = magnitude(each.own);
    for (const Rational& value : each.values) sum += magnitude(value);
    top = std::max(top, sum);
  }
  return top;
}

UnitTokensSubject::UnitTokensSubject(const UnitTokens& tokens, const Statement& statement, Bits p)
    : tokens_(tokens), statement_(statement), p_(p) {
  Rational top = tokens.classes.front().logit;
  for (const auto& each : tokens.classes) top = std::max(top, each.logit);
  for (const auto& each : tokens.classes) weights_.push_back(exp(Number(Rational(each.logit - top), p), p));
  Number common;
  for (std::size_t c = 0; c < weights_.size(); ++c) common = add(common, mul(count(c), weights_[c], p), p);
  for (std::size_t c = 0; c < weights_.size(); ++c) {
    const auto& query = tokens.classes[c];
    const auto boost = [&](const Rational& score) { return expm1(Number(score, p), p); };
    Number sum = add(common, mul(weights_[c], boost(query.self), p), p);
    for (const auto& [key, score] : query.scores) {
      const Number others(Rational(tokens.classes[key].count - (key == c ? 1 : 0)), p);
      sum = add(sum, mul(mul(others, weights_[key], p), boost(score), p), p);
    }
    sums_.push_back(sum);
  }
}

Number UnitTokensSubject::count(std::size_t token_class) const {
  return Number(Rational(tokens_.classes[token_class].count), p_);
}

/// Of a query of one class on another token of a class, and on itself.
Number UnitTokensSubject::weight_on(std::size_t query, std::size_t key) const {
  const auto& scores = tokens_.classes[query].scores;
  const auto score = scores.find(key);
  Number weight = weights_[key];
  if (score != scores.end()) weight = mul(weight, exp(Number(score->second, p_), p_), p_);
  return div(weight, sums_[query], p_);
}
Number UnitTokensSubject::weight_on_itself(std::size_t query) const {
  return div(mul(weights_[query], exp(Number(tokens_.classes[query].self, p_), p_), p_), sums_[query], p_);
}

/// An entry of the output in a shared column.
Number UnitTokensSubject::output(std::size_t query, std::size_t column) const {
  Number sum;
  for (std::size_t key = 0; key < tokens_.classes.size(); ++key) {
    const Rational& value = tokens_.classes[key].values[column];
    if (value == 0) continue;
    const Integer others = tokens_.classes[key].count - (key == query ? 1 : 0);
    Number weight = mul(Number(Rational(others), p_), weight_on(query, key), p_);
    if (key == query) weight = add(weight, weight_on_itself(query), p_);
    sum = add(sum, mul(weight, Number(value, p_), p_), p_);
  }
  return sum;
}

/// The 1-distance of the outputs of two tokens in the columns that unit tokens have of their own.
Number UnitTokensSubject::gap_in_own_columns(std::size_t a, std::size_t b, bool same_token) const {
  Number sum;
  if (same_token) return sum;
  for (std::size_t key = 0; key < tokens_.classes.size(); ++key) {
    const auto& column = tokens_.classes[key];
    if (column.own == 0) continue;
    const Number from_a = weight_on(a, key), from_b = weight_on(b, key);
    Number gaps;
    if (key == a) gaps = add(gaps, abs(sub(weight_on_itself(a), from_b, p_)), p_);
    if (key == b) gaps = add(gaps, abs(sub(weight_on_itself(b), from_a, p_)), p_);
    const Integer others = column.count - (key == a ? 1 : 0) - (key == b ? 1 : 0);
    gaps = add(gaps, mul(Number(Rational(others), p_), abs(sub(from_a, from_b, p_)), p_), p_);
    sum = add(sum, mul(gaps, Number(magnitude(column.own), p_), p_), p_);
  }
  return sum;
}

TokenPair UnitTokensSubject::pair(std::size_t a, std::size_t b) const {
  const bool same_token = a == b && tokens_.classes[a].count == 1;
  Number rest = gap_in_own_columns(a, b, same_token);
  for (std::size_t k = 0; k < tokens_.outputs; ++k)
    if (k != tokens_.column && a != b) rest = add(rest, abs(sub(output(a, k), output(b, k), p_)), p_);
  return {output(a, tokens_.column), output(b, tokens_.column), rest};
}

Number UnitTokensSubject::composite_of_values() const {
  return sqrt(Number(Rational(tokens_.value_norm_1() * tokens_.value_norm_inf()), p_), p_);
}

Value UnitTokensSubject::look_up(const std::string& name, const std::vector<long>& indices) const {
  if (!indices.empty()) refuse_symbol(name, indices);
  if (name == "n") return Rational(tokens_.tokens());
  if (name == "L" || name == "H") return Rational(1);
  if (name == "d") return Rational(tokens_.width());
  if (name == "d_qk") return Rational(tokens_.d_qk);
  if (name == "a") return tokens_.score_norm();
  if (name == "W_1") return tokens_.value_norm_1();
  if (name == "W_inf") return tokens_.value_norm_inf();
  if (name == "W_c") return composite_of_values();
  if (name == "beta")
    return mul(mul(Number(tokens_.score_norm(), p_), sqrt(Number(tokens_.d_qk), p_), p_),
               composite_of_values(), p_);
  if (name == "r0") return between(Number(), Number(1), p_);
  refuse_symbol(name, indices);
}

Number UnitTokensSubject::left() const {
  if (statement_.quantity != "residual") refuse_quantity(statement_.quantity);
  Vector values;
  Copies copies;
  for (std::size_t c = 0; c < tokens_.classes.size(); ++c) {
    values.push_back(output(c, tokens_.column));
    copies.push_back(tokens_.classes[c].count);
  }
  std::vector<TokenPair> pairs;
  for (const auto& [a, b] : tokens_.pairs) pairs.push_back(pair(a, b));
  const Number least = sqrt(column_bound(values, copies, pairs, p_), p_);
  return between(least, mul(sqrt(Number(Rational(tokens_.tokens()), p_), p_), composite_of_values(), p_), p_);
}

}  // namespace rankfall::recheck
