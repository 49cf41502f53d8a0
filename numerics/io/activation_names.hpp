#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "numerics/san/network.hpp"

namespace rankfall {

/// The names of the activations in files: "relu", "gelu", "gelu_tanh", "tanh", "silu", "identity".
const std::vector<std::string_view>& activation_names();
std::optional<Activation> activation_from_name(std::string_view name);
std::string_view name_of(Activation activation);

}  // namespace rankfall
