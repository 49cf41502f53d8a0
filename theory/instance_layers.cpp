// The symbols of layers with normalisation and masks.
#include "theory/instance.hpp"
#include "theory/layer_measures.hpp"

namespace rankfall::theory {
namespace {

/// Which norm of W_h Lambda a symbol names.
Magnitude ScaledValues::*scaled_member(std::string_view name) {
  if (name == "WLambda_1") return &ScaledValues::W_1;
  if (name == "WLambda_inf") return &ScaledValues::W_inf;
  if (name == "WLambda_c") return &ScaledValues::W_composite;
  return nullptr;
}

/// The vector norm that ends a name such as "stretch_inf".
std::optional<VectorNorm> suffix(std::string_view name, std::string_view stem) {
  for (const VectorNorm norm : all_vector_norms)
    if (name.starts_with(stem) && name.substr(stem.size()) == rankfall::name(norm)) return norm;
  return std::nullopt;
}

}  // namespace

std::optional<Magnitude> Instance::of_causal(std::string_view name, std::size_t layer) const {
  if (name == "p") return causal_weights(simulation_, layers_[layer]).second_on_itself;
  if (name == "sigma_min") return causal_weights(simulation_, layers_[layer]).sigma_min;
  return std::nullopt;
}

std::optional<Magnitude> Instance::of_first_tokens(std::string_view name) const {
  if (name == "first") return first_difference(simulation_, reading_.from);
  if (const auto norm = suffix(name, "spread_")) return spread(simulation_, reading_.from, *norm);
  if (name == "P_first") return causal_weights(simulation_, layers_.front()).least_on_first;
  return std::nullopt;
}

std::optional<Magnitude> Instance::of_scaled_head(std::string_view name, std::size_t layer,
                                                  std::size_t head) const {
  const auto scaled = scaled_member(name);
  if (!scaled) return std::nullopt;
  const auto values = scaled_values(simulation_, layers_[layer], end_of(layer));
  return head > values.size() ? Magnitude() : values[head - 1].*scaled;
}

std::optional<Magnitude> Instance::of_normalisation(std::string_view name) const {
  const std::size_t first = layers_.front();
  if (const auto norm = suffix(name, "stretch_")) return stretch_behind(simulation_, first, end_of(0), *norm);
  if (const auto norm = suffix(name, "pre_stretch_")) return stretch_before(simulation_, first, *norm);
  if (name == "g") return gain_before(simulation_, first);
  if (!scaled_member(name)) return std::nullopt;
  Magnitude top;
  for (std::size_t layer = 0; layer < layers_.size(); ++layer)
    for (std::size_t head = 1; head <= most_heads(); ++head)
      top = max(top, *of_scaled_head(name, layer, head), precision());
  return top;
}

}  // namespace rankfall::theory
