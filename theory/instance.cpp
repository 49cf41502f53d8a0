#include "theory/instance.hpp"

#include <algorithm>

#include "numerics/errors.hpp"
#include "theory/expression/substitute.hpp"
#include "theory/layer_measures.hpp"

namespace rankfall::theory {
namespace {

const AttentionBlock& attention(const Network& network, std::size_t block) {
  return std::get<AttentionBlock>(network.blocks[block]);
}

/// Which member of a head's scores a symbol names.
Magnitude ScoreMeasures::*score_member(std::string_view name) {
  if (name == "sumrho") return &ScoreMeasures::oscillation_sum;
  if (name == "M") return &ScoreMeasures::largest_score;
  if (name == "phi") return &ScoreMeasures::phi;
  if (name == "E1") return &ScoreMeasures::column_sum;
  if (name == "RW") return &ScoreMeasures::values;
  return nullptr;
}

bool names_a_lambda(std::string_view name) {
  return name.starts_with("lambda");
}

/// Which member of a head's constants a symbol names.
std::optional<Magnitude> member(const HeadConstants& head, std::string_view name, Precision p) {
  if (name == "a") return head.a;
  if (name == "W_1") return head.W_1;
  if (name == "W_inf") return head.W_inf;
  if (name == "W_c") return head.W_composite;
  for (const VectorNorm norm : all_vector_norms) {
    const auto i = static_cast<std::size_t>(norm);
    if (name == "op_" + rankfall::name(norm)) return head.op[i];
    if (name == "k_" + rankfall::name(norm)) return mul(head.bil[i], Magnitude(Rational(1, 4), p), p);
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::size_t> attention_blocks(const Network& network, std::size_t from, std::size_t to) {
  std::vector<std::size_t> result;
  for (std::size_t block = from; block < to; ++block)
    if (std::holds_alternative<AttentionBlock>(network.blocks[block])) result.push_back(block);
  return result;
}

std::optional<Index> common_d_qk(const Network& network, std::size_t from, std::size_t to) {
  std::optional<Index> common;
  for (const std::size_t block : attention_blocks(network, from, to))
    for (const Head& head : attention(network, block).heads) {
      if (common && *common != head.d_qk) return std::nullopt;
      common = head.d_qk;
    }
  return common;
}

Instance::Instance(Simulation& simulation, const Reading& reading, End end)
    : simulation_(simulation),
      reading_(reading),
      end_(end),
      layers_(attention_blocks(simulation.network(), reading.from, reading.to)) {
  if (layers_.empty()) throw DomainError("a statement was read on a stretch without attention");
}

Magnitude Instance::evaluate(const Expression& e) const {
  return theory::evaluate(e, environment(e), precision());
}

Environment Instance::environment(const Expression& e) const {
  Environment result;
  for (const FreeSymbol& symbol : free_symbols(e)) {
    const auto set = [&](std::vector<long> indices, std::optional<Magnitude> value) {
      if (value) result.set(symbol.name, std::move(indices), *std::move(value));
    };
    if (symbol.indices == 0) {
      if (auto exact = count(symbol.name))
        result.set(symbol.name, *std::move(exact));
      else if (auto value = plain(symbol.name))
        result.set(symbol.name, *std::move(value));
    }
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      const long index = static_cast<long>(l);
      if (symbol.indices == 1) set({index}, of_layer(symbol.name, l));
      for (std::size_t head = 1; symbol.indices == 2 && head <= most_heads(); ++head)
        set({index, static_cast<long>(head)}, of_head(symbol.name, l, head));
    }
    for (std::size_t head = 1; symbol.indices == 1 && head <= most_heads(); ++head)
      set({static_cast<long>(head)}, of_head(symbol.name, 0, head));
  }
  return result;
}

std::optional<Value> Instance::count(std::string_view name) const {
  const Network& network = simulation_.network();
  const auto exact = [](auto number) { return Value(Rational(static_cast<long>(number))); };
  if (name == "n") return exact(network.tokens());
  if (name == "L") return exact(layers_.size());
  if (name == "H") return exact(most_heads());
  if (name == "d") return exact(attention(network, layers_.front()).heads.front().input_width());
  if (name == "alpha") return Value(abs(attention(network, layers_.front()).skip));
  if (name != "d_qk") return std::nullopt;
  const auto width = common_d_qk(network, reading_.from, reading_.to);
  if (!width) throw DomainError("d_qk differs between heads");
  return exact(*width);
}

std::optional<Magnitude> Instance::plain(std::string_view name) const {
  const StateMeasures& first = simulation_.state(reading_.from);
  if (name == "r0") return start();
  if (name == "delta") return first.composite_diameter;
  for (const VectorNorm norm : all_vector_norms)
    if (name == "diam_" + rankfall::name(norm)) return first.diameter[static_cast<std::size_t>(norm)];
  if (name == "beta") return beta();
  if (name == "gamma") return gamma();
  if (name == "Cmax") return largest_constant();
  for (const VectorNorm norm : all_vector_norms)
    if (name == "rate_" + rankfall::name(norm)) return largest_rate(norm);
  if (const auto member = score_member(name)) return view(layers_.front()).heads.front().*member;
  if (name == "rho") {
    Magnitude top;
    for (const std::size_t block : layers_)
      for (const ScoreMeasures& head : view(block).heads)
        top = max(top, head.largest_oscillation, precision());
    return top;
  }
  if (names_a_lambda(name)) return lambda(name, 0);
  if (auto value = of_normalisation(name)) return value;
  if (auto value = of_first_tokens(name)) return value;
  if (member(simulation_.constants(layers_.front()).front(), name, precision())) return largest(name);
  return std::nullopt;
}

std::optional<Magnitude> Instance::of_layer(std::string_view name, std::size_t layer) const {
  if (names_a_lambda(name)) return lambda(name, layer);
  return of_causal(name, layer);
}

std::optional<Magnitude> Instance::of_head(std::string_view name, std::size_t layer, std::size_t head) const {
  if (auto value = of_scaled_head(name, layer, head)) return value;
  const auto& heads = simulation_.constants(layers_[layer]);
  const auto value = member(heads[std::min(head, heads.size()) - 1], name, precision());
  return value && head > heads.size() ? Magnitude() : value;
}

Magnitude Instance::largest(std::string_view name) const {
  Magnitude top;
  for (const std::size_t block : layers_)
    for (const HeadConstants& head : simulation_.constants(block))
      top = max(top, *member(head, name, precision()), precision());
  return top;
}

const BlockView& Instance::view(std::size_t block) const {
  if (!reading_.reference) throw DomainError("scores are not known at the minimising reference");
  return reading_.span == Bound::Span::layer ? simulation_.own_view(block, *reading_.reference)
                                             : simulation_.propagated_view(block, *reading_.reference);
}

Magnitude Instance::start() const {
  if (reading_.reference) return view(reading_.from).start;
  const Bracket& minimal = simulation_.state(reading_.from).minimal;
  if (end_ == End::both) return hull(minimal.lower, minimal.upper, precision());
  return end_ == End::low ? minimal.lower : minimal.upper;
}

Magnitude Instance::beta() const {
  const Precision p = precision();
  Magnitude top;
  for (const std::size_t block : layers_) {
    const auto& heads = attention(simulation_.network(), block).heads;
    for (std::size_t h = 0; h < heads.size(); ++h) {
      const HeadConstants& head = simulation_.constants(block)[h];
      const Magnitude root = sqrt(Magnitude(Rational(static_cast<long>(heads[h].d_qk)), p), p);
      top = max(top, mul(mul(head.a, root, p), head.W_composite, p), p);
    }
  }
  return top;
}

Magnitude Instance::layer_gamma(std::size_t layer) const {
  const bool sum_max = reading_.gamma.kind == Gamma::Kind::sum_max;
  Magnitude top;
  for (const ScoreMeasures& head : view(layers_[layer]).heads)
    top = max(top, sum_max ? head.gamma_sum_max : head.gamma_max_ratio, precision());
  return top;
}

Magnitude Instance::gamma() const {
  const Precision p = precision();
  switch (reading_.gamma.kind) {
    case Gamma::Kind::one:
    case Gamma::Kind::implied:  // measured against gamma = 1
      return Magnitude(Rational(1), p);
    case Gamma::Kind::fixed:
      return Magnitude(reading_.gamma.value, p);
    case Gamma::Kind::sum_max:
    case Gamma::Kind::max_ratio:
      break;
  }
  // prod_l gamma_l^(3^(L-1-l)) = gamma^((3^L-1)/2)
  const auto layers = static_cast<unsigned long>(layers_.size());
  const auto three_to = [](unsigned long exponent) { return rankfall::power(Integer(3), exponent); };
  Magnitude chain(Rational(1), p);
  for (unsigned long l = 0; l < layers; ++l)
    chain = mul(chain, rankfall::power(layer_gamma(l), Rational(three_to(layers - 1 - l)), p), p);
  return rankfall::power(chain, Rational(Integer(2), Integer(three_to(layers) - 1)), p);
}

std::size_t Instance::end_of(std::size_t layer) const {
  return layer + 1 < layers_.size() ? layers_[layer + 1] : reading_.to;
}

Magnitude Instance::lambda(std::string_view name, std::size_t layer) const {
  const Precision p = precision();
  Magnitude result(Rational(1), p);
  for (std::size_t block = layers_[layer] + 1; block < end_of(layer); ++block) {
    // Without a reference the box of the mean's view holds all tokens, which is all that diameters need.
    const BlockView& seen = reading_.reference ? view(block) : simulation_.own_view(block, Reference::mean);
    const BallMatrix& M = *seen.lipschitz;
    Ball size = composite_norm(M, p);
    if (name == "lambda_1") size = norm_inf(M, p);
    if (name == "lambda_2") size = min(spectral_norm(M, p), size, p);
    if (name == "lambda_inf") size = norm_1(M, p);
    result = mul(result, Magnitude(size, p), p);
  }
  return result;
}

Magnitude Instance::largest_rate(VectorNorm norm) const {
  const Precision p = precision();
  const auto i = static_cast<std::size_t>(norm);
  const Magnitude diameter = simulation_.state(reading_.from).diameter[i];
  const Magnitude squared = mul(mul(diameter, diameter, p), Magnitude(Rational(1, 4), p), p);
  Magnitude top;
  for (const std::size_t block : layers_) {
    Magnitude rate;
    for (const HeadConstants& head : simulation_.constants(block))
      rate = add(rate, mul(head.op[i], tanh(mul(head.bil[i], squared, p), p), p), p);
    top = max(top, rate, p);
  }
  return top;
}

Magnitude Instance::largest_constant() const {
  if (!reading_.constant) throw DomainError("the statement has no constant C");
  Magnitude top;
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    Reading one = reading_;
    one.from = layers_[layer];
    one.to = end_of(layer);
    top = max(top, Instance(simulation_, one, end_).evaluate(*reading_.constant), precision());
  }
  return top;
}

std::size_t Instance::most_heads() const {
  std::size_t most = 0;
  for (const std::size_t block : layers_)
    most = std::max(most, attention(simulation_.network(), block).heads.size());
  return most;
}

Bracket left_side(Simulation& simulation, const Reading& reading, Quantity quantity) {
  const StateMeasures& last = simulation.state(reading.to);
  const auto enclosed = [](const Magnitude& value) { return Bracket{value, value}; };
  switch (quantity) {
    case Quantity::residual:
      return last.minimal;
    case Quantity::residual_about:
      if (!reading.reference) return last.minimal;
      if (reading.to > reading.from + 1)
        return enclosed(residual_behind(simulation, reading.from, reading.to, *reading.reference));
      return enclosed(simulation.own_view(reading.from, *reading.reference).end);
    case Quantity::composite_diameter:
      return enclosed(last.composite_diameter);
    case Quantity::diameter_1:
      return enclosed(last.diameter[0]);
    case Quantity::diameter_2:
      return enclosed(last.diameter[1]);
    case Quantity::diameter_inf:
      return enclosed(last.diameter[2]);
    case Quantity::first_difference:
      return enclosed(first_difference(simulation, reading.to));
    case Quantity::spread_1:
      return enclosed(spread(simulation, reading.to, VectorNorm::one));
    case Quantity::spread_2:
      return enclosed(spread(simulation, reading.to, VectorNorm::two));
    case Quantity::spread_inf:
      return enclosed(spread(simulation, reading.to, VectorNorm::inf));
    case Quantity::oscillation: {  // max rho <= 2 max|E| <= 2 a res^2 at the minimiser, whose E is not known
      const Instance instance(simulation, reading, End::high);
      return {Magnitude(), instance.evaluate(2 * sym("a") * pow(sym("r0"), 2))};
    }
    case Quantity::attention:
    case Quantity::entries:
    case Quantity::beyond_leading_order_1:
    case Quantity::beyond_leading_order_2:
    case Quantity::beyond_leading_order_inf:
    case Quantity::column_oscillation:
      break;
  }
  throw DomainError("the quantity " + name(quantity) + " has no single left side that is measured");
}

}  // namespace rankfall::theory
